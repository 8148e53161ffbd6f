"""The chapter's tables and figures: their trials, their rows, and how they stand beside print.

How much of the paper's protocol each profile runs stands in `compactml.chapters.boolean_rules.protocol`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd

from compactml.chapters.boolean_rules import NAME, fold_trials, protocol, rows
from compactml.chapters.boolean_rules.claims.tables import without_neutral
from compactml.chapters.boolean_rules.datasets import BY_KEY, DATASETS, PRINTED, SMALL
from compactml.chapters.boolean_rules.fold_rows import cells, fold_rows, paper_steps
from compactml.chapters.boolean_rules.fold_trials import text
from compactml.chapters.boolean_rules.printed import as_printed, beside_errors
from compactml.chapters.boolean_rules.protocol import Protocol
from compactml.chapters.boolean_rules.trials import paper
from compactml.chapters.boolean_rules.trials.aix360 import AIX360, LARGE, TIME_LIMIT
from compactml.chapters.boolean_rules.trials.beyond import OPTIMUM
from compactml.chapters.boolean_rules.trials.engines import ENGINE, ENGINES
from compactml.chapters.boolean_rules.trials.engines import OURS as SEARCH
from compactml.chapters.boolean_rules.trials.growth import GROWTH
from compactml.chapters.boolean_rules.trials.paper import METHODS, OURS, RULE_METHODS
from compactml.chapters.boolean_rules.trials.paper_optima import PAPER_OPTIMUM
from compactml.chapters.boolean_rules.trials.readings import FICO_CUTS, LIVER_READING
from compactml.chapters.boolean_rules.trials.scikit import SCIKIT
from compactml.study.chapter import Kind, Table
from compactml.study.judging.beside import Sides
from compactml.study.profile import GUARD, Profile
from compactml.study.running.worker import Finished
from compactml.study.trial import Scalar, Trial

__all__ = ["TABLES", "fold_trial", "optimum"]

CELL = tuple(rows.CELL)
QUICK_METHODS = (OURS, "RIPPER", "CART")
"""Our own programs in a quick Table 1: of the others Fig 1 has runs."""


def nested(profile: Profile) -> list[Trial]:
    """Tables 1 and 2, which read the same trials."""
    quick = profile is Profile.QUICK
    kinds = paper.NESTED, paper.NESTED_OTHERS
    return [
        fold_trial(kinds, key, method, part, fold, inner=part.inner, grid=text(part.grids[method]))
        for key, part in parts(protocol.NESTED[profile], protocol.QUICK_NESTED if quick else tuple(BY_KEY))
        for method in (QUICK_METHODS if quick else METHODS)
        for fold in range(part.folds)
    ]


def both(profile: Profile) -> list[Trial]:
    """Tables 1 and 2: our own programs, and in the quick profile one cell of the paper's."""
    return [*nested(profile), *fold_trials.live_cell(profile)]


def whole(id: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Rows of Table 1 or 2: those of our own programs, then those of the paper's that this build ran."""
    ours = {"table_1": rows.table_1, "table_2": rows.table_2}[id](finished)
    folds = fold_rows([item for item in finished if item.trial.kind == SCIKIT.name])
    return pd.concat([ours, cells(folds, id)], ignore_index=True) if len(folds) else ours


def trade_off(profile: Profile) -> list[Trial]:
    """Fig 1 and the panels that the paper has in its supplement."""
    quick = profile is Profile.QUICK
    chosen = protocol.QUICK_TRADE_OFF if quick else tuple(dataset.key for dataset in PRINTED)
    kinds = paper.TRADE_OFF, paper.TRADE_OFF_OTHERS
    return [
        fold_trial(kinds, key, method, part, fold, value=value)
        for key, part in parts(protocol.TRADE_OFF[profile], chosen)
        for method in RULE_METHODS
        for value in part.grids[method]
        for fold in range(part.folds)
    ]


def parts(by_partition: Mapping[str, Protocol], keys: tuple[str, ...]) -> list[tuple[str, Protocol]]:
    """The datasets in the paper's order, each with the protocol of its partition."""
    return [(dataset.key, by_partition[dataset.partition]) for dataset in DATASETS if dataset.key in keys]


def fold_trial(
    kinds: tuple[Kind, Kind], key: str, method: str, part: Protocol, fold: int, **parameters: Scalar
) -> Trial:
    """A trial of one fold: of the first kind for CG, which alone has a time limit, of the second for the others."""
    ours = method == OURS
    return Trial(
        NAME,
        kinds[0 if ours else 1].name,
        key,
        method=method,
        fold=fold,
        parameters=tuple(parameters.items()),
        time_limit=part.time_limit if ours else None,
    )


def fico_rule(profile: Profile) -> list[Trial]:
    """The printed rule for FICO and the one that we learn with the same complexity."""
    printed = Trial(NAME, paper.FICO_RULE.name, protocol.FICO, method="printed")
    if profile not in protocol.FICO_LIMIT:
        return [printed]
    limit = protocol.FICO_LIMIT[profile]
    return [printed, replace(printed, method=OURS, time_limit=limit)]


def optima(profile: Profile) -> list[Trial]:
    """The smallest losses on whole datasets."""
    chosen = protocol.QUICK_OPTIMA if profile is Profile.QUICK else protocol.OPTIMA
    trials = [optimum(key, complexity) for key, bounds in chosen.items() for complexity in bounds]
    return [replace(one, time_limit=GUARD) for one in trials] if profile is Profile.QUICK else trials


def optimum(key: str, complexity: int) -> Trial:
    """The trial of one dataset and bound C."""
    limit, gap = protocol.LONG_OPTIMA.get(key, (protocol.OPTIMUM_LIMIT, 0.0))
    parameters = (("C", complexity), ("gap", gap))
    return Trial(NAME, OPTIMUM.name, key, method=OURS, parameters=parameters, time_limit=limit)


def liver_readings(profile: Profile) -> list[Trial]:
    """The selector, then each number of drinks."""
    return [
        Trial(NAME, LIVER_READING.name, "liver", method="RF", parameters=(("above", level),))
        for level in (None, *protocol.LIVER_LEVELS[profile])
    ]


def fico_cuts(profile: Profile) -> list[Trial]:
    """Special values as missing, and as numbers."""
    return [Trial(NAME, FICO_CUTS.name, key) for key in protocol.FICO_READINGS]


def engines(profile: Profile) -> list[Trial]:
    """Each engine on each pricing problem."""
    tasks = protocol.QUICK_TASKS if profile is Profile.QUICK else protocol.TASKS
    limit = protocol.ENGINE_LIMIT[profile]
    return [
        Trial(NAME, ENGINE.name, key, method=engine, parameters=(("C", complexity),), time_limit=limit)
        for key, complexity in tasks.items()
        for engine in ENGINES
    ]


def growth(profile: Profile) -> list[Trial]:
    """Ten times the rows from one trial to the next."""
    limit = GUARD if profile is Profile.QUICK else protocol.LEARNING_LIMIT
    return [
        Trial(NAME, GROWTH.name, "synthetic", method=SEARCH, parameters=(("n", n),), time_limit=limit)
        for n in protocol.GROWTH_ROWS[profile]
    ]


def peer_pairs(profile: Profile) -> list[Trial]:
    """AIX360 beside ours, a pair for each price of complexity."""
    quick = profile is Profile.QUICK
    return [
        Trial(NAME, AIX360.name, key, parameters=(("lambda", price),), time_limit=TIME_LIMIT)
        for key in (protocol.QUICK_PEER_DATASETS if quick else protocol.PEER_DATASETS)
        for price in protocol.PEER_PRICES[: 1 if key in LARGE else None]
    ]


def trial_table(
    id: str,
    kind: Kind,
    trials: Callable[[Profile], list[Trial]],
    key: tuple[str, ...],
    parameters: tuple[str, ...] = (),
) -> Table:
    """A table with a row for each trial."""
    return Table(id, trials, partial(rows.trial_rows, kind=kind, parameters=parameters), key)


NAMES = {dataset.name: dataset.key for dataset in PRINTED}
SMALL_NAMES = {dataset.name: dataset.key for dataset in PRINTED if dataset.partition == SMALL}


def shown_cells(id: str, cells: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """The cells of Table 1 or 2 as they are shown; one that decides nothing shows no verdict."""
    return as_printed(id, without_neutral(id, cells), sides)


ACCURACY, COMPLEXITY = (
    beside_errors(id, f"{unit} (standard error)", partial(shown_cells, id))
    for id, unit in (("table_1", "test accuracy in percent"), ("table_2", "complexity"))
)

TABLES = (
    Table("table_1", both, partial(whole, "table_1"), CELL, NAMES, ACCURACY),
    Table("table_2", both, partial(whole, "table_2"), CELL, NAMES, COMPLEXITY),
    Table("programs", fold_trials.programs, fold_rows, CELL, NAMES),
    Table("brs", fold_trials.port_of_brs, fold_rows, CELL, SMALL_NAMES),
    Table("paper_cg", fold_trials.paper_cg, fold_rows, CELL, NAMES),
    Table("paper_steps", fold_trials.paper_cg, paper_steps, CELL, NAMES),
    Table("our_cg", fold_trials.our_cg, fold_rows, CELL, NAMES),
    Table("fig_1", trade_off, rows.figure_1, CELL, NAMES),
    trial_table("fico_rule", paper.FICO_RULE, fico_rule, ("method",)),
    trial_table("paper_optima", PAPER_OPTIMUM, fold_trials.paper_optima, ("dataset", "C"), ("C",)),
    trial_table("optima", OPTIMUM, optima, ("dataset", "C"), ("C", "gap")),
    Table("liver_reading", liver_readings, rows.liver_reading, ("class",)),
    trial_table("fico_cuts", FICO_CUTS, fico_cuts, ("dataset",)),
    trial_table("engines", ENGINE, engines, ("dataset", "method", "C"), ("C",)),
    trial_table("growth", GROWTH, growth, ("method", "n"), ("n",)),
    Table("aix360", peer_pairs, rows.peer_pairs, ("dataset", "lambda")),
)
"""The rows of one curve of Fig 1 are taken from one run whole, so its key does not name the parameter."""
