"""How much of the protocol of Bastos, Brandão and Valle (2024), section 5, each profile runs.

The paper ran ten repetitions of ten folds at four sizes and gave every program 300 s on eight cores of CPLEX 12.8, and
every benchmark as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compactml.chapters.ensemble_pruning.datasets import DATASETS
from compactml.study.profile import GUARD, Profile

SIZES = (40, 60, 80, 100)
"""K."""
PAPER_LIMIT = 300.0
"""Seconds of a program and of a benchmark in the paper."""
BENCHMARK_LIMIT = PAPER_LIMIT
"""Hardly ever reached."""
EVERY = tuple(dataset.name for dataset in DATASETS)
QUICK = ("PRK", "MSK", "BCW", "QSR", "DRD")
CLOSED = ("PRK", "BCW")
"""Datasets of which both the paper's program and our method close the gap of Table 3 within seconds."""
HARD = ("DRD", "SPA", "DEF", "BMK")
"""Datasets at hand on which the paper has a gap left: on Spambase with diversity only, and its plain model is large."""


@dataclass(frozen=True)
class Protocol:
    """What a profile runs.

    Attributes
    ----------
    datasets : tuple of str
        By their printed names.
    sizes : tuple of int
    runs : tuple of (repetition, fold)
    limit : float
        Seconds of one program.
    gap_datasets : tuple of str
        Of Table 3, which runs the paper's program too and has the printed size in every profile.
    few_runs : tuple of (repetition, fold)
        Of Table 3 and of the bounds.
    plain_limit : float
        Seconds of the paper's program.
    curve_datasets : tuple of str
        Of the curves of gap against time.
    curve_runs : tuple of (repetition, fold)
    curve_limits : tuple of float
        Their points, in seconds.
    """

    datasets: tuple[str, ...]
    sizes: tuple[int, ...]
    runs: tuple[tuple[int, int], ...]
    limit: float
    gap_datasets: tuple[str, ...]
    few_runs: tuple[tuple[int, int], ...]
    plain_limit: float
    curve_datasets: tuple[str, ...]
    curve_runs: tuple[tuple[int, int], ...]
    curve_limits: tuple[float, ...]


FIRST = ((0, 0),)
ONE_REPETITION = tuple((0, fold) for fold in range(10))
ALL_RUNS = tuple((repetition, fold) for repetition in range(10) for fold in range(10))

PROTOCOLS: Mapping[Profile, Protocol] = {
    Profile.QUICK: Protocol(
        QUICK, SIZES[:1], ONE_REPETITION[:2], GUARD, CLOSED, FIRST, GUARD, ("DRD",), FIRST, (1.0, 2.0)
    ),
    Profile.STANDARD: Protocol(
        EVERY, SIZES, ONE_REPETITION, 60.0, EVERY, ONE_REPETITION[:3], PAPER_LIMIT, HARD, FIRST,
        (5.0, 10.0, 20.0, 60.0),
    ),
    Profile.PAPER: Protocol(
        EVERY, SIZES, ALL_RUNS, PAPER_LIMIT, EVERY, ALL_RUNS, PAPER_LIMIT, HARD, ONE_REPETITION,
        (5.0, 10.0, 20.0, 60.0, 300.0),
    ),
}  # fmt: skip
