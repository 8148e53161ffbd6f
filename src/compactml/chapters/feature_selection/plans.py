"""The trials of the chapter's tables, by profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.datasets import BY_KEY, DATASETS, LEVELS, MEASURES, PaperDataset
from compactml.chapters.feature_selection.printed import HEURISTIC, printed_runs
from compactml.chapters.feature_selection.protocol import (
    CERTIFIED_LIMIT,
    FEW_NODES,
    GROWTH_SIZES,
    HEURISTIC_LIMIT,
    HOUR,
    IN_AN_HOUR,
    LICENSED_ROWS,
    QUICK,
    QUICK_BEYOND,
    QUICK_EXACT,
    SMALL,
    SMALL_ONLY,
    SOLVER_LIMIT,
    TIMED,
    UP_TO_62,
    WORK_UNITS,
    live,
    names,
)
from compactml.chapters.feature_selection.trials.beyond import CERTIFIED, GROWTH, OURS
from compactml.chapters.feature_selection.trials.heuristics import RAW_HEURISTIC
from compactml.chapters.feature_selection.trials.optima import OPTIMUM
from compactml.chapters.feature_selection.trials.paper import FULL, MILP, PARAMETRIC
from compactml.chapters.feature_selection.trials.scikit_feature import SCIKIT_FEATURE
from compactml.chapters.feature_selection.trials.sizes import SIZES
from compactml.chapters.feature_selection.trials.solving import MODELS, QUADRATIC, TIME_LIMIT, WORK
from compactml.feature_selection.milp import n_rows
from compactml.study.chapter import Kind
from compactml.study.profile import Profile
from compactml.study.trial import Trial

Method = tuple[Kind, str]
"""A method as the kind of its trials and its name in their specifications."""
FULL_SET, OPTIMAL = (FULL, "full"), (OPTIMUM, OURS)
RAW, PEER = (RAW_HEURISTIC, "raw_heuristic"), (SCIKIT_FEATURE, "scikit_feature")
MILP1, MILP2, MILP3 = (MILP, "milp1"), (MILP, "milp2"), (MILP, "milp3")
DISJUNCTION = (MILP, "value_disjunction")
ALGORITHMS = tuple((PARAMETRIC, name) for name in QUADRATIC)

WIDE = "orl_32x32"
"""The dataset of the growth study; its optima are large, so that no part of it is solved by the tolerance alone."""
GROWTH_METHODS = (OURS, "newton", "milp3")
CUT_JUST_BEFORE = ("PCMAC",)
"""Datasets whose heuristic for mRMR is printed with 3521.5 s and a size at which its rule does not stop."""


def limit(kind: Kind, profile: Profile) -> float | None:
    """Seconds that a trial of a kind has in a profile; the sets that need no search have no limit."""
    by_kind = {
        MILP: SOLVER_LIMIT,
        PARAMETRIC: SOLVER_LIMIT,
        OPTIMUM: CERTIFIED_LIMIT,
        SCIKIT_FEATURE: HEURISTIC_LIMIT,
    }
    limits = {known.name: limits for known, limits in by_kind.items()}.get(kind.name)
    return None if limits is None else limits[profile]


def work(name: str, p: int, profile: Profile) -> dict[str, float]:
    """Return the limit on the work of a method's programs as a parameter; only the quick profile has one.

    So a loaded machine gives the same numbers. What the paper ran had an hour, and no such limit.
    """
    if profile is not Profile.QUICK or name not in (*MODELS, *QUADRATIC):
        return {}
    return {WORK: FEW_NODES if name in MODELS and n_rows(name, p) > LICENSED_ROWS else WORK_UNITS}


def is_built(name: str, p: int, profile: Profile) -> bool:
    """Whether a profile has a method's program of this size."""
    return profile is not Profile.QUICK or name not in SMALL_ONLY or n_rows(name, p) <= LICENSED_ROWS


def one_trial(
    dataset: PaperDataset, measure: str, method: Method, seconds: float | None, **more: float | None
) -> Trial:
    """One method on one reading of a dataset; the heuristics read the values as they are."""
    kind, name = method
    reading = LEVELS if method in (RAW, PEER) else dataset.discretizer
    asked = (("measure", measure), ("discretizer", reading), *more.items())
    return Trial(NAME, kind.name, dataset.key, method=name, parameters=asked, time_limit=seconds)


def paper_trial(dataset: PaperDataset, measure: str, method: Method, profile: Profile) -> Trial:
    """One trial of the paper's tables."""
    more = {"cut": cut_size(dataset.name, measure)} if method == RAW else {}
    return one_trial(
        dataset, measure, method, limit(method[0], profile), **more, **work(method[1], dataset.p, profile)
    )


def cut_size(name: str, measure: str) -> int | None:
    """Return the printed size of the heuristic's set where the paper's hour ended it, and not its rule."""
    gaps, sizes = ("table_3", "table_6") if measure == "mrmr" else ("table_4", "table_7")
    timed, sized = (
        runs[(runs["method"] == HEURISTIC) & (runs["dataset"] == name)]
        for runs in (printed_runs(gaps), printed_runs(sizes))
    )
    cut = (timed["outcome"] == TIME_LIMIT).any() or (measure == "mrmr" and name in CUT_JUST_BEFORE)
    return int(sized["n_selected"].iloc[0]) if cut else None


def paper_trials(measure: str, methods: Sequence[Method]) -> Callable[[Profile], list[Trial]]:
    """Some methods on all datasets of a profile; scikit-feature where it is timed."""

    def trials(profile: Profile) -> list[Trial]:
        there = [dataset for dataset in DATASETS if dataset.name in names(profile, QUICK)]
        return [
            paper_trial(dataset, measure, method, profile)
            for dataset in (*there, *live(profile))
            for method in methods
            if method != PEER or is_timed(dataset.name, measure, profile)
            if is_built(method[1], dataset.p, profile)
        ]

    return trials


def is_timed(name: str, measure: str, profile: Profile) -> bool:
    """Whether scikit-feature is run: everywhere in the paper's profile, else where the paper compares its time."""
    if profile is Profile.PAPER:
        return True
    return name in (TIMED if measure == "cfs" else ("Optical_Recog",))


def both_measures(method: Method) -> Callable[[Profile], list[Trial]]:
    """Trials of a method for both measures: the heuristic's sets or times, the optimal sets."""
    of_measure = [paper_trials(measure, (method,)) for measure in MEASURES]

    def trials(profile: Profile) -> list[Trial]:
        return [trial for part in of_measure for trial in part(profile)]

    return trials


def in_an_hour(profile: Profile) -> list[Trial]:
    """Algorithms 1 and 2 with the paper's limit on two datasets that it names; the quick profile takes a small one."""
    chosen, seconds = (QUICK[:1], SOLVER_LIMIT[profile]) if profile is Profile.QUICK else (IN_AN_HOUR, HOUR)
    return of_datasets(chosen, ("mrmr",), ALGORITHMS, seconds, profile)


def value_disjunctions(profile: Profile) -> list[Trial]:
    """Model (12) on the small datasets."""
    chosen = QUICK if profile is Profile.QUICK else SMALL
    return of_datasets(chosen, ("mrmr",), (DISJUNCTION,), SOLVER_LIMIT[profile], profile)


def early_stops(profile: Profile) -> list[Trial]:
    """Algorithms 1 and 2 without the early stop; with it they stand in Tables 3 and 4."""
    chosen = QUICK if profile is Profile.QUICK else UP_TO_62
    asked = chosen, MEASURES, ALGORITHMS, SOLVER_LIMIT[profile], profile
    with_it, without = of_datasets(*asked), of_datasets(*asked, early_stop=False)
    return [*with_it, *without]


def of_datasets(
    chosen: Sequence[str],
    measures: Sequence[str],
    methods: Sequence[Method],
    seconds: float,
    profile: Profile,
    **more: bool,
) -> list[Trial]:
    """Some methods on some datasets, by their printed names."""
    return [
        one_trial(dataset, measure, method, seconds, **more, **work(method[1], dataset.p, profile))
        for dataset in DATASETS
        if dataset.name in chosen
        for measure in measures
        for method in methods
        if is_built(method[1], dataset.p, profile)
    ]


def sizes(profile: Profile) -> list[Trial]:
    """Every dataset, read and counted."""
    return [
        Trial(NAME, SIZES.name, dataset.key, method="sizes")
        for dataset in (*(one for one in DATASETS if one.name in names(profile, QUICK)), *live(profile))
    ]


def certified(table: str, profile: Profile) -> list[Trial]:
    """Our method on all problems of a profile, at the tolerance of a table."""
    chosen = names(profile, QUICK_EXACT if table == "exact" else QUICK_BEYOND)
    return [
        Trial(
            NAME,
            CERTIFIED.name,
            dataset.key,
            method=OURS,
            parameters=(("measure", measure), ("discretizer", dataset.discretizer), ("table", table)),
            time_limit=CERTIFIED_LIMIT[profile],
        )
        for dataset in DATASETS
        if dataset.name in chosen
        for measure in MEASURES
    ]


def certified_trials(table: str) -> Callable[[Profile], list[Trial]]:
    """Our method at the tolerance of a table."""
    return partial(certified, table)


def growth(profile: Profile) -> list[Trial]:
    """The growth study: mRMR, which all three methods can solve."""
    return [
        Trial(
            NAME,
            GROWTH.name,
            WIDE,
            method=method,
            parameters=(
                ("measure", "mrmr"),
                ("discretizer", BY_KEY[WIDE].discretizer),
                ("p", p),
                *work(method, p, profile).items(),
            ),
            time_limit=(CERTIFIED_LIMIT if method == OURS else SOLVER_LIMIT)[profile],
        )
        for p in GROWTH_SIZES[profile]
        for method in GROWTH_METHODS
        if is_built(method, p, profile)
    ]
