"""Which trials stand behind the tables and figures of Akkerman, Ferry, Guyard and Vidal (2026), and behind our own.

How much of the protocol each profile runs stands in `compactml.chapters.pace.protocol`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from compactml.chapters.pace.datasets import BY_KEY, DISTINCT, KEYS
from compactml.chapters.pace.protocol import (
    ALPHA,
    BETA,
    DEPTH,
    ISOLATION_SAMPLES,
    ISOLATION_TREES,
    PROTOCOLS,
    WHOLE_SPACE_SIZE,
    Protocol,
    Shape,
    keys,
)
from compactml.chapters.pace.trials import beyond, merging, opinions, refitting, separation
from compactml.chapters.pace.trials import paper as own
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, FIPE_L1, GENERATE, PACE, PRUNE
from compactml.pace.separation.separator import ENGINES
from compactml.pace.trees.pricing import PRICINGS
from compactml.study.profile import Profile
from compactml.study.trial import Experiment, Scalar, Trial

CHAPTER = "pace"
ENSEMBLES = (RANDOM_FOREST, ADABOOST)
HISTORY_DATASET, HISTORY_BETA = KEYS["Ionosphere"], 0.0
Shares = tuple[float, float]
WHOLE_SPACE: Shares = (0.0, 0.0)

LOOPS = {
    "fig_2": (RANDOM_FOREST, ("constraint", "objective", "milp", "search")),
    "fig_5": (ADABOOST, ("constraint", "objective", "milp", "search")),
    "fig_8": (RANDOM_FOREST, ("constraint", "objective", "both")),
    "fig_9": (ADABOOST, ("constraint", "objective", "both")),
}
"""Ensemble and forms of separation; the paper has no "milp" and no "search"."""
REGIONS = {
    "fig_3": (RANDOM_FOREST, "Compas"),
    "fig_4": (RANDOM_FOREST, "Fico"),
    "fig_6": (ADABOOST, "Compas"),
    "fig_7": (ADABOOST, "Fico"),
}
HISTORIES = {"fig_10": RANDOM_FOREST, "fig_11": ADABOOST}


def trials(table: str, profile: Profile) -> list[Trial]:
    """Trials that a table or figure needs."""
    protocol = PROTOCOLS[profile]
    if table in LOOPS:
        ensemble, forms = LOOPS[table]
        return list(loops(protocol, ensemble, forms))
    if table in REGIONS:
        return list(regions(protocol, *REGIONS[table]))
    if table in HISTORIES:
        return list(histories(protocol, HISTORIES[table]))
    chosen: dict[str, Callable[[Protocol], Iterator[Trial]]] = {
        "table_1": lambda one: ablations(one, RANDOM_FOREST),
        "table_2": lambda _: (Trial(CHAPTER, "dataset", key) for key in BY_KEY),
        "table_3": lambda one: ablations(one, ADABOOST),
        "table_4": lambda one: whole_space(one, (PACE, FIPE)),
        "settings": settings,
        "bins": rebinned,
        "pricing": pricing,
        "engines": engines,
        "checks": checks,
        "fipe": lambda one: whole_space(one, (PRUNE, FIPE, FIPE_L1)),
        "merging": merged,
        "refitting": refitted,
    }
    return list(chosen[table](protocol))


def described(ensemble: str, shape: Shape, shares: Shares, **more: Scalar) -> tuple[tuple[str, Scalar], ...]:
    """Parameters of a trial: the initial ensemble, and the region by alpha and beta."""
    (n_learners, depth), (alpha, beta) = shape, shares
    fixed: dict[str, Scalar] = {
        "ensemble": ensemble,
        "n_learners": n_learners,
        "depth": depth,
        "alpha": alpha,
        "beta": beta,
    }
    if beta > 0:
        fixed |= {"isolation_trees": ISOLATION_TREES, "isolation_samples": ISOLATION_SAMPLES}
    return tuple((fixed | more).items())


def compression(
    key: str,
    method: str,
    seed: int,
    limit: float,
    ensemble: str,
    shape: Shape,
    shares: Shares,
    pricing: str = PRICINGS[0],
    generated_depth: int | None = None,
) -> Trial:
    """One compression by Pace or one of its phases."""
    parameters = described(ensemble, shape, shares, pricing=pricing, generated_depth=generated_depth)
    return Trial(CHAPTER, "compress", key, method=method, seed=seed, parameters=parameters, time_limit=limit)


def ablations(protocol: Protocol, ensemble: str) -> Iterator[Trial]:
    """Tables 1 and 3."""
    shares = (ALPHA[ensemble], BETA)
    for key, n, method, seed in product(
        keys(protocol.datasets), protocol.sizes, (GENERATE, PRUNE, PACE), protocol.seeds
    ):
        yield compression(key, method, seed, protocol.limit, ensemble, (n, DEPTH[ensemble]), shares)


GENERATED_DEPTH = 4
"""Of the trees that Pace generates beside stumps: the paper does not say, and further stumps make nothing smaller."""


def whole_space(protocol: Protocol, methods: tuple[str, ...]) -> Iterator[Trial]:
    """Table 4, and Pruning only beside Fipe: stumps, the same on the whole space."""
    for ensemble, key, method, seed in product(
        ENSEMBLES, keys(protocol.whole_space_datasets), methods, protocol.whole_space_seeds
    ):
        shape = (WHOLE_SPACE_SIZE, 1)
        if method in (FIPE, FIPE_L1):
            parameters = described(ensemble, shape, WHOLE_SPACE)
            yield Trial(CHAPTER, "fipe", key, method, None, seed, parameters, protocol.limit)
        else:
            depth = GENERATED_DEPTH if method == PACE else None
            yield compression(
                key, method, seed, protocol.limit, ensemble, shape, WHOLE_SPACE, generated_depth=depth
            )


def loops(protocol: Protocol, ensemble: str, forms: tuple[str, ...]) -> Iterator[Trial]:
    """Figs 2, 5, 8 and 9."""
    for key, shape, form, seed in product(
        keys(protocol.loop_datasets), protocol.loops, forms, protocol.seeds
    ):
        parameters = described(ensemble, shape, WHOLE_SPACE)
        yield Trial(CHAPTER, "faithful", key, form, None, seed, parameters, protocol.loop_limit)


def engines(protocol: Protocol) -> Iterator[Trial]:
    """All forms on the same weights, forests and AdaBoost."""
    for ensemble, key, shape, form, seed in product(
        ENSEMBLES, keys(protocol.loop_datasets), protocol.engines, ENGINES, protocol.seeds
    ):
        parameters = described(ensemble, shape, WHOLE_SPACE)
        yield Trial(CHAPTER, "engines", key, form, None, seed, parameters, protocol.engine_limit)


def regions(protocol: Protocol, ensemble: str, name: str) -> Iterator[Trial]:
    """Figs 3, 4, 6 and 7."""
    shape = (protocol.region_size, DEPTH[ensemble])
    for alpha, beta, method, seed in product(protocol.alphas, protocol.betas, (PRUNE, PACE), protocol.seeds):
        yield compression(KEYS[name], method, seed, protocol.limit, ensemble, shape, (alpha, beta))


def histories(protocol: Protocol, ensemble: str) -> Iterator[Trial]:
    """Figs 10 and 11: the generation phase, as long as it lasts."""
    for shape, kind, seed in product(protocol.histories, PRICINGS, protocol.seeds):
        parameters = described(ensemble, shape, (ALPHA[ensemble], HISTORY_BETA))
        yield Trial(CHAPTER, "history", HISTORY_DATASET, kind, None, seed, parameters, protocol.limit)


def settings(protocol: Protocol) -> Iterator[Trial]:
    """Pruning only over a grid of settings, to be compared with what Tables 1 and 3 print, and Table 4 (stumps)."""
    grid = protocol.settings
    for key, ensemble, n, depth, alpha, beta in product(
        keys(grid.datasets), ENSEMBLES, grid.sizes, grid.depths, grid.alphas, grid.betas
    ):
        if ensemble == RANDOM_FOREST or depth == DEPTH[ADABOOST]:
            yield compression(key, PRUNE, 0, protocol.settings_limit, ensemble, (n, depth), (alpha, beta))
    yield from whole_space_settings(protocol)


def whole_space_settings(protocol: Protocol) -> Iterator[Trial]:
    """Stumps of several sizes on the whole space."""
    for ensemble, key, n, seed in product(
        ENSEMBLES, keys(protocol.whole_space_datasets), protocol.whole_space_sizes, protocol.sized_seeds
    ):
        yield compression(key, PRUNE, seed, protocol.settings_limit, ensemble, (n, 1), WHOLE_SPACE)


def rebinned(protocol: Protocol) -> Iterator[Trial]:
    """The same with the other reading of the bins."""
    for trial in whole_space_settings(protocol):
        yield replace(trial, parameters=(*trial.parameters, ("deciles_of", DISTINCT)))


def pricing(protocol: Protocol) -> Iterator[Trial]:
    """Exact pricing against CART: LP values on the same samples, and final sizes, also with deeper trees."""
    shape, shares = (protocol.sizes[0], DEPTH[RANDOM_FOREST]), (ALPHA[RANDOM_FOREST], BETA)
    for key, kind, seed in product(keys(protocol.priced), PRICINGS, protocol.seeds):
        parameters = described(RANDOM_FOREST, shape, shares)
        yield Trial(CHAPTER, "pricing", key, kind, None, seed, parameters, protocol.limit)
        for depth in (None, shape[1] + 1):
            yield compression(key, PACE, seed, protocol.limit, RANDOM_FOREST, shape, shares, kind, depth)


def checks(protocol: Protocol) -> Iterator[Trial]:
    """Certificates checked anew, in the settings of Tables 1, 3 and 4."""
    for ensemble, seed in product(ENSEMBLES, protocol.seeds):
        ablated = (protocol.sizes[0], DEPTH[ensemble]), (ALPHA[ensemble], BETA), protocol.datasets
        whole = (WHOLE_SPACE_SIZE, 1), WHOLE_SPACE, protocol.whole_space_datasets
        for (shape, shares, names), depth in ((ablated, None), (whole, GENERATED_DEPTH)):
            for key in keys(names):
                own = compression(
                    key, PACE, seed, protocol.limit, ensemble, shape, shares, generated_depth=depth
                )
                points = (*own.parameters, ("n_points", protocol.n_points))
                yield replace(own, kind="recheck", parameters=points)


MERGED_POINTS = 20_000
"""At which merged ensembles are checked: each stands for a pruned one whose certificate is checked anyway."""


def merged(protocol: Protocol) -> Iterator[Trial]:
    """Pruning only on the ensembles of Table 4, then merged into trees as deep as Pace generates there."""
    for ensemble, key, seed in product(
        ENSEMBLES, keys(protocol.whole_space_datasets), protocol.whole_space_seeds
    ):
        shape = (WHOLE_SPACE_SIZE, 1)
        own = compression(
            key, PRUNE, seed, protocol.limit, ensemble, shape, WHOLE_SPACE, generated_depth=GENERATED_DEPTH
        )
        yield replace(own, kind="merge", parameters=(*own.parameters, ("n_points", MERGED_POINTS)))


def refitted(protocol: Protocol) -> Iterator[Trial]:
    """Pruning only in the settings of Tables 1 and 3, then refitted with trees as deep, and one level deeper."""
    for ensemble, key, n, seed in product(
        ENSEMBLES, keys(protocol.datasets), protocol.refitted_sizes, protocol.seeds
    ):
        shape, shares = (n, DEPTH[ensemble]), (ALPHA[ensemble], BETA)
        own = compression(key, PRUNE, seed, protocol.limit, ensemble, shape, shares)
        points = (*own.parameters, ("n_points", protocol.n_points // 10))
        yield replace(own, kind="refit", parameters=points)


RECHECK_SECONDS_PER_POINT = 4e-5


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    if trial.kind == "dataset":
        return 0.1
    if trial.kind in opinions.RUN:
        return opinions.cost(trial, cost(replace(trial, kind=str(dict(trial.parameters)["of"]))))
    asked, limit = dict(trial.parameters), trial.time_limit or 0.0
    size = float(asked["n_learners"] or 0) / 25 * float(asked["depth"] or 0) ** 2
    if trial.kind in ("faithful", "engines"):
        return min(limit, 2.0 + size**2 if trial.method == "milp" else 0.1 * size**2)
    if trial.kind in ("history", "pricing"):
        return min(limit, size)
    checking = RECHECK_SECONDS_PER_POINT * float(asked.get("n_points") or 0) * float(asked["beta"] != 0)
    return checking + min(limit, 0.3 * size if asked["beta"] == 0 else 2.0 * size)


RUN = {**own.RUN, **separation.RUN, **beyond.RUN, **merging.RUN, **refitting.RUN, **opinions.RUN}

EXPERIMENT = Experiment(
    chapter=CHAPTER,
    title="Prune and compress with certificates (Akkerman, Ferry, Guyard and Vidal)",
    tables=(
        "table_1", "table_2", "table_3", "table_4",
        "fig_2", "fig_3", "fig_4", "fig_5", "fig_6", "fig_7", "fig_8", "fig_9", "fig_10", "fig_11",
        "settings", "bins", "pricing", "engines", "checks", "fipe", "merging", "refitting",
    ),
    trials=trials,
    kinds=RUN,
    cost=cost,
    opinion=opinions.opinion,
)  # fmt: skip
