"""How much of the protocol of Akkerman, Ferry, Guyard and Vidal (2026), section 5, each profile runs.

The paper made five runs of up to 20 hours each. The sizes, depths, alpha and beta of its tables and figures are lost:
those of Tables 1 and 4 are inferred (table "settings"), the others are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compactml.chapters.pace.datasets import DATASETS, KEYS
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.readings import NO_LIMIT
from compactml.pace.generation import DUALS
from compactml.pace.trees.pricing import INITIAL
from compactml.study.profile import GUARD, Profile

Shape = tuple[int, int]
"""Number of learners of an ensemble, and their depth."""
Shares = tuple[float, ...]

EVERY = tuple(dataset.name for dataset in DATASETS)

SCALED = ("Compas", "Diabetes", "Elec2", "Fico", "House-16H")
"""Datasets whose forests of a hundred trees are bounded."""

RUNS = (0, 1, 2, 3, 4)
"""The paper's number of runs."""
MANY_RUNS = tuple(range(20))
"""Enough to tell how far a mean of five is from another one by chance."""
SIZES = (25, 50, 75, 100)
"""N of Tables 1 and 3: inferred from the largest printed sizes."""
DEPTH = {RANDOM_FOREST: 2, ADABOOST: 1}
"""Of the learners in Tables 1 and 3 and in Figs 3, 4, 6 and 7."""
ALPHA = {RANDOM_FOREST: 0.14, ADABOOST: 0.01}
BETA = 0.1
"""Of Tables 1 and 3; alpha of the forests by the fit of pruning alone to print, which is sharp in it."""
ISOLATION_TREES, ISOLATION_SAMPLES = 50, 64
"""Of the isolation forest, wherever beta > 0: the paper does not say, and proofs are shorter with a small one."""
WHOLE_SPACE_SIZE = 50
"""N of Table 4, by the fit of pruning alone to print in the means of five runs; its learners are stumps."""
GENERATED_DEPTH = 4
"""Of the trees that Pace generates beside stumps: the paper does not say, and further stumps make nothing smaller."""
DEPTHS = (NO_LIMIT, INITIAL, str(GENERATED_DEPTH))
"""Largest depths of new trees that the scan of what the paper leaves open tries."""


@dataclass(frozen=True)
class SettingsGrid:
    """Settings of Tables 1 and 3 that are tried, by "Pruning only"; AdaBoost takes stumps only."""

    datasets: tuple[str, ...]
    sizes: tuple[int, ...]
    depths: tuple[int, ...]
    alphas: Shares
    betas: Shares


@dataclass(frozen=True)
class ScaleGrid:
    """Forests whose certified sizes are bounded: by number of trees and depth at ``alpha``, and by ``alphas``.

    ``limit`` is that of pruning, of (P1) after it, and of fitting; ``bound_limit`` that of the bound.
    """

    datasets: tuple[str, ...]
    sizes: tuple[int, ...]
    depths: tuple[int, ...]
    alpha: float
    alphas: Shares
    limit: float
    bound_limit: float


@dataclass(frozen=True)
class Protocol:
    """What a profile runs; datasets by their printed names, limits in seconds.

    Attributes
    ----------
    seeds, sizes, limit
        Runs, N of Tables 1 and 3, and the limit of one compression.
    datasets
        Of Tables 1 and 3.
    whole_space_datasets, whole_space_seeds
        Of Table 4.
    whole_space_generated
        Those of them on which Pace is run: it goes on proving for longer than a quick profile has.
    whole_space_sizes, sized_seeds
        Sizes among which that of Table 4's ensembles is looked for, and the runs of each.
    loops, loop_datasets, loop_limit
        Ensembles of Figs 2, 5, 8 and 9.
    engines, engine_limit
        Ensembles on whose weights all forms are compared, and the limit of one answer.
    region_size, alphas, betas
        Of Figs 3, 4, 6 and 7.
    histories
        Ensembles of Figs 10 and 11.
    settings, settings_limit
        Where the lost settings are looked for.
    priced
        Datasets of the comparison of exact with heuristic pricing.
    refitted_sizes
        N of the ensembles of Tables 1 and 3 that are refitted.
    read_duals, read_depths, read_datasets, read_limit, read_slow_limit, read_long_limit
        Of the scan of what the paper leaves open: the choices, and the limit of one compression; of those that are
        known to need more; and of those on Tables 1 and 3 that are separated by the paper's constraint program.
    read_hard
        Ensembles of Tables 1 and 3 that are separated by that program, and pruned in leaves. It takes minutes with
        forests, so the quick profile has none of them.
    read_regions, read_regions_of
        Alpha and beta, and datasets, of its part on Figs 3, 4, 6 and 7.
    single_limit
        Of one tree.
    scale
        Of the bounds on what can be certified.
    n_points : int
        Random points at which a certificate is checked.
    """

    seeds: tuple[int, ...]
    sizes: tuple[int, ...]
    limit: float
    datasets: tuple[str, ...]
    whole_space_datasets: tuple[str, ...]
    whole_space_seeds: tuple[int, ...]
    whole_space_generated: tuple[str, ...]
    whole_space_sizes: tuple[int, ...]
    sized_seeds: tuple[int, ...]
    loops: tuple[Shape, ...]
    loop_datasets: tuple[str, ...]
    loop_limit: float
    engines: tuple[Shape, ...]
    engine_limit: float
    region_size: int
    alphas: Shares
    betas: Shares
    histories: tuple[Shape, ...]
    settings: SettingsGrid
    settings_limit: float
    priced: tuple[str, ...]
    refitted_sizes: tuple[int, ...]
    read_duals: tuple[str, ...]
    read_depths: tuple[str, ...]
    read_datasets: tuple[str, ...]
    read_limit: float
    read_slow_limit: float
    read_long_limit: float
    read_hard: tuple[str, ...]
    read_regions: tuple[tuple[float, float], ...]
    read_regions_of: tuple[str, ...]
    single_limit: float
    scale: ScaleGrid
    n_points: int


PROTOCOLS: Mapping[Profile, Protocol] = {
    Profile.QUICK: Protocol(
        seeds=(0,),
        sizes=(25,),
        limit=GUARD,
        datasets=("Compas", "Htru2"),
        whole_space_datasets=("Cancer", "Compas", "Diabetes", "Seeds"),
        whole_space_seeds=(0,),
        whole_space_generated=(),
        whole_space_sizes=(50,),
        sized_seeds=(0,),
        loops=((10, 2),),
        loop_datasets=("Compas", "Seeds"),
        loop_limit=GUARD,
        engines=((10, 2),),
        engine_limit=GUARD,
        region_size=10,
        alphas=(0.0, 0.1, 0.2),
        betas=(0.0, 0.2),
        histories=((25, 1),),
        settings=SettingsGrid(("Compas",), (25,), (1, 2), (0.05, 0.14, 0.2), (0.1,)),
        settings_limit=GUARD,
        priced=("Compas",),
        refitted_sizes=(25,),
        read_duals=DUALS[:1],
        read_depths=DEPTHS[:1],
        read_datasets=("Htru2",),
        read_limit=GUARD,
        read_slow_limit=GUARD,
        read_long_limit=GUARD,
        read_hard=(ADABOOST,),
        read_regions=((0.0, 0.0),),
        read_regions_of=("Compas",),
        single_limit=GUARD,
        scale=ScaleGrid(("Compas",), (10, 25), (4,), 0.2, (0.2, 0.3), GUARD, GUARD / 10),
        n_points=100_000,
    ),
    Profile.STANDARD: Protocol(
        seeds=(0,),
        sizes=SIZES,
        limit=120.0,
        datasets=EVERY,
        whole_space_datasets=EVERY,
        whole_space_seeds=RUNS,
        whole_space_generated=EVERY,
        whole_space_sizes=(50, 75, 100),
        sized_seeds=MANY_RUNS,
        loops=((25, 2), (50, 2), (100, 2), (25, 3), (50, 3)),
        loop_datasets=("Cancer", "Compas", "Diabetes", "Fico", "Seeds"),
        loop_limit=60.0,
        engines=((25, 2), (50, 2), (25, 3), (50, 3)),
        engine_limit=60.0,
        region_size=50,
        alphas=(0.0, 0.01, 0.05, 0.1, 0.2),
        betas=(0.0, 0.1, 0.2, 0.4),
        histories=((25, 1), (50, 1), (25, 2), (50, 2)),
        settings=SettingsGrid(
            ("Compas", "Diabetes", "Elec2", "Fico", "Htru2", "Seeds"),
            (25,),
            (1, 2, 3),
            (0.01, 0.05, 0.1, 0.12, 0.14, 0.16, 0.2),
            (0.0, 0.1, 0.2),
        ),
        settings_limit=30.0,
        priced=("Cancer", "Compas", "Diabetes", "Elec2", "Fico", "House-16H", "Htru2", "Seeds"),
        refitted_sizes=(25, 50),
        read_duals=DUALS,
        read_depths=DEPTHS,
        read_datasets=EVERY,
        read_limit=30.0,
        read_slow_limit=300.0,
        read_long_limit=120.0,
        read_hard=(RANDOM_FOREST, ADABOOST),
        read_regions=((0.0, 0.0), (0.1, 0.0), (0.2, 0.0)),
        read_regions_of=("Compas", "Fico"),
        single_limit=60.0,
        scale=ScaleGrid(SCALED, (25, 50, 100), (4, 6), 0.2, (0.1, 0.2, 0.3), 45.0, 240.0),
        n_points=1_000_000,
    ),
    Profile.PAPER: Protocol(
        seeds=RUNS,
        sizes=SIZES,
        limit=72_000.0,
        datasets=EVERY,
        whole_space_datasets=EVERY,
        whole_space_seeds=RUNS,
        whole_space_generated=EVERY,
        whole_space_sizes=SIZES,
        sized_seeds=MANY_RUNS,
        loops=tuple((n, depth) for depth in (2, 3, 5) for n in SIZES),
        loop_datasets=EVERY,
        loop_limit=72_000.0,
        engines=tuple((n, depth) for depth in (2, 3) for n in SIZES),
        engine_limit=3600.0,
        region_size=100,
        alphas=(0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5),
        betas=(0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8),
        histories=tuple((n, depth) for depth in (1, 2, 3) for n in SIZES),
        settings=SettingsGrid(
            EVERY,
            SIZES,
            (1, 2, 3, 4, 5),
            (0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.12, 0.13, 0.14, 0.15, 0.16, 0.2),
            (0.0, 0.05, 0.1, 0.2),
        ),
        settings_limit=3600.0,
        priced=EVERY,
        refitted_sizes=SIZES,
        read_duals=DUALS,
        read_depths=DEPTHS,
        read_datasets=EVERY,
        read_limit=72_000.0,
        read_slow_limit=72_000.0,
        read_long_limit=72_000.0,
        read_hard=(RANDOM_FOREST, ADABOOST),
        read_regions=((0.0, 0.0), (0.1, 0.0), (0.2, 0.0)),
        read_regions_of=("Compas", "Fico"),
        single_limit=3600.0,
        scale=ScaleGrid(EVERY, SIZES, (4, 6), 0.2, (0.0, 0.1, 0.2, 0.3), 3600.0, 3600.0),
        n_points=1_000_000,
    ),
}


def keys(names: tuple[str, ...]) -> tuple[str, ...]:
    """Registered keys of printed names."""
    return tuple(KEYS[name] for name in names)
