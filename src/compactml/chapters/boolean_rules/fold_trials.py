"""Trials of one fold each: of the programs that the paper ran, of its own algorithm, and of our search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compactml.chapters.boolean_rules import NAME, protocol
from compactml.chapters.boolean_rules.datasets import DATASETS, SMALL, PaperDataset
from compactml.chapters.boolean_rules.methods import (
    CART_SHARES,
    JRIP,
    LR,
    OUR_CG,
    PAPER_CG,
    PAPER_CNF,
    PORT,
    RF_SHARES,
    SVM,
)
from compactml.chapters.boolean_rules.protocol import Grid, TwoPasses
from compactml.chapters.boolean_rules.trials.brs import BRS
from compactml.chapters.boolean_rules.trials.folds import N_FOLDS
from compactml.chapters.boolean_rules.trials.our_cg import OUR_CG_KIND
from compactml.chapters.boolean_rules.trials.paper_cg import PAPER_CG_KIND
from compactml.chapters.boolean_rules.trials.paper_optima import PAPER_OPTIMUM
from compactml.chapters.boolean_rules.trials.ripper import RIPPER
from compactml.chapters.boolean_rules.trials.scikit import SCIKIT
from compactml.study.chapter import Kind
from compactml.study.profile import GUARD, Profile
from compactml.study.trial import Trial

__all__ = ["live_cell", "our_cg", "paper_cg", "paper_optima", "port_of_brs", "programs", "text"]

SCIKITS: Mapping[str, Grid] = {
    CART_SHARES: protocol.SHARES,
    RF_SHARES: protocol.SHARES,
    LR: protocol.PENALTIES,
    SVM: protocol.PENALTIES,
}
QUICK_SCIKITS: Mapping[str, Grid] = {
    CART_SHARES: protocol.SHARES,
    RF_SHARES: protocol.SHARES[-1:],
    LR: (1.0,),
    SVM: (1.0,),
}


def text(grid: Grid) -> str:
    """A grid as it stands in a specification."""
    return " ".join(f"{value:g}" for value in grid)


def chosen_datasets(profile: Profile) -> list[PaperDataset]:
    """The datasets of Tables 1 and 2 that a profile runs."""
    quick = profile is Profile.QUICK
    return [one for one in DATASETS if not quick or one.key in protocol.QUICK_NESTED]


def folds_of(key: str, folds: int) -> range:
    """The outer folds that are run of a dataset."""
    return range(protocol.HIGH_DIMENSIONAL_FOLDS if key == protocol.HIGH_DIMENSIONAL else folds)


def programs(profile: Profile) -> list[Trial]:
    """WEKA's JRip and scikit-learn's methods."""
    return [
        Trial(NAME, kind.name, dataset.key, method=method, fold=fold, parameters=tuple(given.items()))
        for dataset in chosen_datasets(profile)
        for kind, method, given in asked_programs(dataset, profile)
        for fold in folds_of(dataset.key, protocol.PROGRAM_FOLDS[profile])
    ]


def asked_programs(
    dataset: PaperDataset, profile: Profile
) -> Iterator[tuple[Kind, str, dict[str, str | int]]]:
    """What is run of a dataset, with its parameters; support vector machines take hours on large sets."""
    small, quick = dataset.partition == SMALL, profile is Profile.QUICK
    yield RIPPER, JRIP, {}
    for method, grid in (QUICK_SCIKITS if quick else SCIKITS).items():
        if small or method != SVM:
            yield SCIKIT, method, {"grid": text(grid), "inner": N_FOLDS if small and not quick else 1}


def live_cell(profile: Profile) -> list[Trial]:
    """All folds of one printed cell, for the quick profile: those of CART on a dataset that comes with scikit-learn.

    They are those of the profile "standard", so that this build stands beside print as the recorded cell does.
    """
    if profile is not Profile.QUICK:
        return []
    whole = programs(Profile.STANDARD)
    return [one for one in whole if (one.dataset, one.method) == (protocol.LIVE_DATASET, CART_SHARES)]


def port_of_brs(profile: Profile) -> list[Trial]:
    """The port of BRS on the small sets, with more values of kappa on the first folds."""
    return [
        Trial(NAME, BRS.name, dataset.key, method=PORT, fold=fold, parameters=(("grid", text(kappas)),))
        for dataset in chosen_datasets(profile)
        if dataset.partition == SMALL
        for fold, kappas in enumerate(protocol.PORT_KAPPAS_OF_FOLD[profile])
    ]


def our_cg(profile: Profile) -> list[Trial]:
    """Our search, on all datasets but the one of thousands of features."""
    parts = protocol.OUR_CG[profile]
    return [
        trial
        for dataset in chosen_datasets(profile)
        if dataset.key != protocol.HIGH_DIMENSIONAL or profile is Profile.PAPER
        for trial in two_passes(OUR_CG_KIND, OUR_CG, dataset, parts[dataset.partition])
    ]


def paper_cg(profile: Profile) -> list[Trial]:
    """The paper's procedure, on small and some large datasets; AND of ORs on three of them, not in a quick run."""
    parts = protocol.PAPER_CG[profile]
    chosen = [
        dataset
        for dataset in chosen_datasets(profile)
        if (dataset.key == protocol.QUICK_PAPER_CG or profile is not Profile.QUICK)
        if dataset.partition == SMALL or profile is Profile.PAPER or dataset.key in protocol.PAPER_CG_LARGE
    ]
    return [
        *(
            trial
            for dataset in chosen
            for trial in two_passes(PAPER_CG_KIND, PAPER_CG, dataset, parts[dataset.partition])
        ),
        *(
            trial
            for dataset in chosen
            if dataset.key in protocol.CNF_DATASETS and profile is not Profile.QUICK
            for trial in two_passes(PAPER_CG_KIND, PAPER_CNF, dataset, parts[dataset.partition], form="cnf")
        ),
    ]


def paper_optima(profile: Profile) -> list[Trial]:
    """The paper's procedure on all rows of the three datasets whose training problems it calls solved."""
    quick = profile is Profile.QUICK
    return [
        Trial(
            NAME, PAPER_OPTIMUM.name, key, method=PAPER_CG, parameters=(("C", complexity),),
            time_limit=GUARD if quick else protocol.PAPER_OPTIMUM_LIMIT,
        )
        for key, bounds in (protocol.QUICK_PAPER_OPTIMA if quick else protocol.PAPER_OPTIMA).items()
        for complexity in bounds
    ]  # fmt: skip


def two_passes(
    kind: Kind, method: str, dataset: PaperDataset, part: TwoPasses, **more: str
) -> Iterator[Trial]:
    """The folds of a dataset."""
    given: dict[str, str | int] = {"grid": text(part.grid), "inner": part.inner, **more}
    for fold in range(part.folds):
        yield Trial(
            NAME, kind.name, dataset.key, method=method, fold=fold, parameters=tuple(given.items()),
            time_limit=part.time_limit,
        )  # fmt: skip
