"""Which trials stand behind the tables and figures of Dash, Günlük and Wei (2018), and behind our own.

How much of the protocol each profile runs stands in `compactml.chapters.boolean_rules.protocol`.
"""

from __future__ import annotations

from collections.abc import Mapping

from compactml.chapters.boolean_rules.datasets import BY_KEY, DATASETS, PRINTED, SMALL
from compactml.chapters.boolean_rules.protocol import (
    FICO,
    FICO_LIMIT,
    LONG_OPTIMA,
    NESTED,
    OPTIMA,
    OPTIMUM_LIMIT,
    QUICK_NESTED,
    QUICK_OPTIMA,
    QUICK_TRADE_OFF,
    TRADE_OFF,
    Grid,
    Protocol,
)
from compactml.chapters.boolean_rules.trials import beyond, engines, opinions, readings
from compactml.chapters.boolean_rules.trials import paper as own
from compactml.chapters.boolean_rules.trials.paper import METHODS, OURS, RULE_METHODS
from compactml.study.profile import Profile
from compactml.study.trial import Experiment, Recipe, Scalar, Trial

CHAPTER = "boolean-rules"
OTHER_PARTS = (readings, engines)
"""Modules with tables that are not the paper's and trials that are the same in every protocol.

Each has ``TABLES``, ``RUN``, ``trials(chapter, table, profile)`` and ``cost(trial)``.
"""


def trials(table: str, profile: Profile) -> list[Trial]:
    """Trials that a table or figure needs."""
    for part in OTHER_PARTS:
        if table in part.TABLES:
            return part.trials(CHAPTER, table, profile)
    return {
        "table_1": nested,
        "table_2": nested,
        "fig_1": trade_off,
        "fico_rule": fico_rule,
        "optima": optima,
    }[table](profile)


def nested(profile: Profile) -> list[Trial]:
    """Tables 1 and 2, which read the same trials."""
    quick = profile is Profile.QUICK
    return [
        trial("nested", key, method, protocol, fold, inner=protocol.inner, grid=text(protocol.grids[method]))
        for key, protocol in protocols(NESTED[profile], QUICK_NESTED if quick else tuple(BY_KEY))
        for method in METHODS
        for fold in range(protocol.folds)
    ]


def trade_off(profile: Profile) -> list[Trial]:
    """Fig 1 and the panels that the paper has in its supplement."""
    chosen = QUICK_TRADE_OFF if profile is Profile.QUICK else tuple(one.key for one in PRINTED)
    return [
        trial("trade_off", key, method, protocol, fold, value=value)
        for key, protocol in protocols(TRADE_OFF[profile], chosen)
        for method in RULE_METHODS
        for value in protocol.grids[method]
        for fold in range(protocol.folds)
    ]


def fico_rule(profile: Profile) -> list[Trial]:
    """The printed rule for FICO and the one that we learn with the same complexity."""
    return [
        Trial(CHAPTER, "fico_rule", FICO, method="printed"),
        Trial(CHAPTER, "fico_rule", FICO, method=OURS, time_limit=FICO_LIMIT[profile]),
    ]


def optima(profile: Profile) -> list[Trial]:
    """The smallest losses on whole datasets."""
    chosen = QUICK_OPTIMA if profile is Profile.QUICK else OPTIMA
    return [optimum(key, complexity) for key, bounds in chosen.items() for complexity in bounds]


def optimum(key: str, complexity: int) -> Trial:
    """The trial of one dataset and bound C."""
    limit, gap = LONG_OPTIMA.get(key, (OPTIMUM_LIMIT, 0.0))
    parameters = (("C", complexity), ("gap", gap))
    return Trial(CHAPTER, "optimum", key, method=OURS, parameters=parameters, time_limit=limit)


def protocols(by_partition: Mapping[str, Protocol], keys: tuple[str, ...]) -> list[tuple[str, Protocol]]:
    """The datasets in the paper's order, each with the protocol of its partition."""
    return [(one.key, by_partition[one.partition]) for one in DATASETS if one.key in keys]


def text(grid: Grid) -> str:
    """A grid as it stands in a specification."""
    return " ".join(f"{value:g}" for value in grid)


def trial(kind: str, key: str, method: str, protocol: Protocol, fold: int, **parameters: Scalar) -> Trial:
    """One trial of a fold; only CG has a time limit."""
    ours = method == OURS
    return Trial(
        CHAPTER,
        kind if ours else f"{kind}_others",
        key,
        method=method,
        fold=fold,
        parameters=tuple(parameters.items()),
        time_limit=protocol.time_limit if ours else None,
    )


SMALL_FIT = {"BRS": 2.0, "AM": 1.0, "BCD": 1.5, "RIPPER": 0.1, "CART": 0.1, "RF": 0.3}
LARGE_FIT = {"BRS": 30.0, "AM": 20.0, "BCD": 25.0, "RIPPER": 3.0, "CART": 1.0, "RF": 5.0}
EASY_OPTIMUM = 5.0
"""Rough seconds of one fit on one core; one of CG may use up its time limit."""


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    for part in OTHER_PARTS:
        if trial.kind in part.RUN:
            return part.cost(trial)
    if trial.kind in opinions.RUN:
        return opinions.cost(trial)
    limit = trial.time_limit or 1.0
    if trial.kind in ("fico_rule", "optimum"):
        return EASY_OPTIMUM if trial.dataset in QUICK_OPTIMA else limit
    small = BY_KEY[trial.dataset].partition == SMALL
    fit = trial.time_limit or (SMALL_FIT if small else LARGE_FIT).get(trial.method, 1.0)
    parameters = dict(trial.parameters)
    n_values = len(str(parameters.get("grid", "")).split())
    n_inner = int(parameters.get("inner") or 0)
    return 0.5 + fit * (1 + (n_values * n_inner if n_values > 1 else 0))


OTHER_RUN = {kind: one for part in OTHER_PARTS for kind, one in part.RUN.items()}
RUN = {**own.RUN, **beyond.RUN, **OTHER_RUN, **opinions.RUN}


def generated(trial: Trial) -> Recipe | None:
    """How the data of a trial are made; None for a dataset with a name of its own."""
    return engines.generated(trial) or opinions.generated(trial)


EXPERIMENT = Experiment(
    chapter=CHAPTER,
    title="Boolean decision rules (Dash, Günlük and Wei)",
    tables=(
        "table_1",
        "table_2",
        "fig_1",
        "fico_rule",
        "optima",
        *(table for part in OTHER_PARTS for table in part.TABLES),
    ),
    trials=trials,
    kinds=RUN,
    cost=cost,
    generated=generated,
    opinion=opinions.opinion,
)
