"""The chapter's tables: their trials, their rows, and how they stand beside print.

How much of the protocol each profile runs stands in `compactml.chapters.ensemble_pruning.protocol`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from compactml.chapters.ensemble_pruning import NAME, judging
from compactml.chapters.ensemble_pruning.datasets import DATASETS
from compactml.chapters.ensemble_pruning.protocol import BENCHMARK_LIMIT, PROTOCOLS, SIZES, Protocol
from compactml.chapters.ensemble_pruning.rows import RUN, trial_rows
from compactml.chapters.ensemble_pruning.trials.baselines import BASELINE, BENCHMARKS, UNREPORTED
from compactml.chapters.ensemble_pruning.trials.beyond import BOUNDS, CURVE, CURVES
from compactml.chapters.ensemble_pruning.trials.paper import DATASET, PROGRAM, PROGRAMS
from compactml.chapters.ensemble_pruning.trials.plain import PLAIN
from compactml.study.chapter import Table
from compactml.study.profile import Profile
from compactml.study.trial import Trial

__all__ = ["ACCURACY", "BALANCED_ACCURACY", "TABLES"]

GAPS = ("F1", "F3")
ACCURACY = ("F1", "F2", "F3", *BENCHMARKS)
BALANCED_ACCURACY = ("F1", "F1_theta", *BENCHMARKS)
EVERY_METHOD = (*PROGRAMS, *BENCHMARKS, *UNREPORTED)
"""Methods of Table 3, of Table 4, of Tables 5 and 6, and of the table of overfitting."""

Planned = Callable[[Profile], list[Trial]]


def sizes(profile: Profile) -> list[Trial]:
    """One trial a dataset."""
    return [Trial(NAME, DATASET.name, key) for key in keys_of(PROTOCOLS[profile].datasets)]


def at_every_size(methods: Sequence[str]) -> Planned:
    """Some methods in all runs, at all sizes of the pool."""
    return lambda profile: runs(PROTOCOLS[profile], methods, PROTOCOLS[profile].sizes)


def at_the_largest(methods: Sequence[str]) -> Planned:
    """Some methods in all runs, at the largest size of the pool."""
    return lambda profile: runs(PROTOCOLS[profile], methods, (max(PROTOCOLS[profile].sizes),))


def runs(protocol: Protocol, methods: Sequence[str], sizes: Sequence[int]) -> list[Trial]:
    """Trials of some methods at some sizes, in all runs; the pool of the largest size serves all."""
    return in_runs(protocol, methods, sizes, protocol.runs)


def in_runs(
    protocol: Protocol, methods: Sequence[str], sizes: Sequence[int], some: Sequence[tuple[int, int]]
) -> list[Trial]:
    """Trials of some methods at some sizes, in some runs."""
    return [
        Trial(
            NAME,
            PROGRAM.name if method in PROGRAMS else BASELINE.name,
            key,
            method=method,
            fold=fold,
            seed=repetition,
            parameters=(("K", K), ("pool", max(protocol.sizes))),
            time_limit=protocol.limit if method in PROGRAMS else BENCHMARK_LIMIT,
        )
        for key in keys_of(protocol.datasets)
        for K in sizes
        for method in methods
        for repetition, fold in some
    ]


def gaps(profile: Profile) -> list[Trial]:
    """The paper's program and our method on the same votes, at the printed size: a smaller pool leaves smaller gaps."""
    planned = PROTOCOLS[profile]
    protocol = replace(planned, datasets=planned.gap_datasets, sizes=SIZES[-1:])
    K = max(protocol.sizes)
    papers = [
        Trial(
            NAME, PLAIN.name, key, method, fold, repetition, (("K", K), ("pool", K)), protocol.plain_limit
        )
        for key in keys_of(protocol.datasets)
        for method in GAPS
        for repetition, fold in protocol.few_runs
    ]  # fmt: skip
    return [*papers, *in_runs(protocol, GAPS, (K,), protocol.few_runs)]


def bounds(profile: Profile) -> list[Trial]:
    """The bounds by themselves, and the whole method (F1) on the same folds; at the largest size."""
    protocol = PROTOCOLS[profile]
    K = max(protocol.sizes)
    parameters = (("K", K), ("pool", K))
    alone = [
        Trial(NAME, BOUNDS.name, key, "F1", fold, repetition, parameters, protocol.limit)
        for key in keys_of(protocol.datasets)
        for repetition, fold in protocol.few_runs
    ]
    return [*alone, *in_runs(protocol, ("F1",), (K,), protocol.few_runs)]


def curves(profile: Profile) -> list[Trial]:
    """Every formulation to every time limit, at the largest size."""
    protocol = PROTOCOLS[profile]
    K = max(protocol.sizes)
    parameters = (("K", K), ("pool", K))
    return [
        Trial(NAME, CURVE.name, key, method, fold, repetition, parameters, limit)
        for key in keys_of(protocol.curve_datasets)
        for method in CURVES
        for limit in protocol.curve_limits
        for repetition, fold in protocol.curve_runs
    ]


def keys_of(names: Sequence[str]) -> list[str]:
    """Keys of datasets, in the paper's order, by their printed names."""
    return [dataset.key for dataset in DATASETS if dataset.name in names]


NAMES = {dataset.name: dataset.key for dataset in DATASETS}
TRIAL = (*RUN, "kind", "method")
"""Columns that tell a trial from the others; the points of a curve are runs to different limits."""
of_pruning = partial(trial_rows, kinds=(PROGRAM, BASELINE))
"""Rows of the tables of programs beside benchmarks."""

TABLES = (
    Table(
        "table_2",
        sizes,
        partial(trial_rows, kinds=(DATASET,), asked=("dataset", "seed", "kind", "method")),
        ("dataset",),
        NAMES,
        judging.SIZES,
    ),
    Table(
        "table_3",
        gaps,
        partial(trial_rows, kinds=(PLAIN, PROGRAM)),
        TRIAL,
        NAMES,
        judging.GAPS,
        whole_datasets=True,
    ),
    Table(
        "table_4",
        at_every_size(ACCURACY),
        of_pruning,
        TRIAL,
        NAMES,
        judging.RANKS_BY_ACCURACY,
        whole_datasets=True,
    ),
    Table(
        "table_5",
        at_every_size(BALANCED_ACCURACY),
        of_pruning,
        TRIAL,
        NAMES,
        judging.MEANS,
        whole_datasets=True,
    ),
    Table(
        "table_6",
        at_every_size(BALANCED_ACCURACY),
        of_pruning,
        TRIAL,
        NAMES,
        judging.RANKS_BY_BALANCED_ACCURACY,
        whole_datasets=True,
    ),
    Table(
        "bounds",
        bounds,
        partial(trial_rows, kinds=(BOUNDS, PROGRAM)),
        TRIAL,
        NAMES,
        whole_datasets=True,
    ),
    Table("curves", curves, partial(trial_rows, kinds=(CURVE,)), (*TRIAL, "time_limit"), NAMES),
    Table(
        "overfitting",
        at_the_largest(EVERY_METHOD),
        of_pruning,
        TRIAL,
        NAMES,
        whole_datasets=True,
    ),
)
