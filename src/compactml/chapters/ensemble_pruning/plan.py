"""Which trials stand behind the tables of Bastos, Brandão and Valle (2024), and behind our own.

How much of the protocol each profile runs stands in `compactml.chapters.ensemble_pruning.protocol`.
"""

from __future__ import annotations

from compactml.chapters.ensemble_pruning.datasets import BY_KEY
from compactml.chapters.ensemble_pruning.protocol import BENCHMARK_LIMIT, HARD, PROTOCOLS, Protocol
from compactml.chapters.ensemble_pruning.trials import baselines, beyond, opinions
from compactml.chapters.ensemble_pruning.trials import paper as own
from compactml.chapters.ensemble_pruning.trials.baselines import BENCHMARKS, UNREPORTED
from compactml.chapters.ensemble_pruning.trials.paper import PROGRAMS
from compactml.study.profile import Profile
from compactml.study.trial import Experiment, Trial

CHAPTER = "ensemble-pruning"
GAPS = ("F1", "F3")
ACCURACY = ("F1", "F2", "F3", *BENCHMARKS)
BALANCED_ACCURACY = ("F1", "F1_theta", *BENCHMARKS)
EVERY_METHOD = (*PROGRAMS, *BENCHMARKS, *UNREPORTED)


def trials(table: str, profile: Profile) -> list[Trial]:
    """Trials that a table needs."""
    protocol = PROTOCOLS[profile]
    largest = (max(protocol.sizes),)
    if table in beyond.TABLES:
        found = beyond.trials(CHAPTER, table, profile)
        return [*found, *runs(protocol, ("F1",), largest)] if table == "bounds" else found
    if table == "table_2":
        return [Trial(CHAPTER, "dataset", key) for key in beyond.keys(protocol.datasets)]
    methods, sizes = {
        "table_3": (GAPS, largest),
        "table_4": (ACCURACY, protocol.sizes),
        "table_5": (BALANCED_ACCURACY, protocol.sizes),
        "table_6": (BALANCED_ACCURACY, protocol.sizes),
        "overfitting": (EVERY_METHOD, largest),
    }[table]
    return runs(protocol, methods, sizes)


def runs(protocol: Protocol, methods: tuple[str, ...], sizes: tuple[int, ...]) -> list[Trial]:
    """Trials of some methods at some sizes, in all runs; the pool of the largest size serves all."""
    return [
        Trial(
            CHAPTER,
            "program" if method in PROGRAMS else "baseline",
            key,
            method=method,
            fold=fold,
            seed=repetition,
            parameters=(("K", K), ("pool", max(protocol.sizes))),
            time_limit=protocol.limit if method in PROGRAMS else BENCHMARK_LIMIT,
        )
        for key in beyond.keys(protocol.datasets)
        for K in sizes
        for method in methods
        for repetition, fold in protocol.runs
    ]


SMALL_SECONDS, EASY_SECONDS = 0.3, 2.0
BASELINE_SECONDS_PER_ROW = 2e-4


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core, without fitting the pool."""
    dataset = BY_KEY[trial.dataset]
    if trial.kind == "dataset":
        return SMALL_SECONDS
    if trial.kind == "baseline":
        return SMALL_SECONDS + BASELINE_SECONDS_PER_ROW * dataset.n
    if trial.kind in opinions.RUN:
        return opinions.cost(trial)
    limit = trial.time_limit or 0.0
    hard = dataset.name in HARD or trial.kind == "curve"
    return SMALL_SECONDS + (limit if hard else min(limit, EASY_SECONDS))


RUN = {**own.RUN, **baselines.RUN, **beyond.RUN, **opinions.RUN}

EXPERIMENT = Experiment(
    chapter=CHAPTER,
    title="Ensemble pruning (Bastos, Brandão and Valle)",
    tables=("table_2", "table_3", "table_4", "table_5", "table_6", *beyond.TABLES, "overfitting"),
    trials=trials,
    kinds=RUN,
    cost=cost,
    opinion=opinions.opinion,
)
