"""Claims on the sizes by region: Figs 3, 4, 6 and 7."""

from __future__ import annotations

from functools import partial

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import (
    CERTIFIED_ONLY,
    ORDER,
    REGIONS,
    Tables,
    complete,
    covered,
    listed,
)
from compactml.chapters.pace.claims.readings import (
    LATE,
    LIMITED,
    READING,
    awaited,
    under_reading,
    used,
    with_pruned,
)
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence

claim = partial(claim, NAME)

HALF = 0.6
""""About half as many": the ratio that is meant is not said."""
PLACE = "Result 3, Fig {figure}"
FIGURES = {
    table: {"table": table, "figure": table[-1], "what": f"{dataset}, {ensembles}"}
    for table, dataset, ensembles in (
        ("fig_3", "Compas", "random forests"),
        ("fig_4", "Fico", "random forests"),
        ("fig_6", "Compas", "AdaBoost"),
        ("fig_7", "Fico", "AdaBoost"),
    )
}
SCAN = "scan_regions"
ONE_RUN = f"{NEAR} learner in a single run may be chance"
OF_FIGURE = {
    "fig_3": ("Compas", RANDOM_FOREST),
    "fig_4": ("Fico", RANDOM_FOREST),
    "fig_6": ("Compas", ADABOOST),
    "fig_7": ("Fico", ADABOOST),
}
"""Dataset and ensemble of each figure."""
COMPAS, FICO = (
    {table: FIGURES[table] for table in tables} for tables in (("fig_3", "fig_6"), ("fig_4", "fig_7"))
)


@claim(
    "relaxing-{key}",
    PLACE,
    tolerance="half, with generation and without",
    why='ours: "drastically" has no number',
    over=FIGURES,
)
def relaxing_halves(tables: Tables, table: str) -> Evidence:
    """Asking for agreement on part of the space only reduces the ensemble drastically ({what}).

    At least by half, with generation and without.
    """
    sizes, strict = sizes_by_region(tables, table)
    if strict is None or len(sizes) < 2:
        return not_certified("alpha = beta = 0 and another region")
    least = {name: float(sizes[name].min()) for name in (PRUNE, PACE)}
    found = ", ".join(f"{name} {strict[name]:g} to {least[name]:g}" for name in least)
    return of_figure(tables, table, all(least[name] <= strict[name] / 2 for name in least), found)


@claim("half-{key}", PLACE, tolerance=f"at most {HALF:g} of the size", why='ours: "about half"', over=COMPAS)
def half_when_strict(tables: Tables, table: str) -> Evidence:
    """On the whole space generation leaves about half as many learners as pruning alone ({what}).

    That is with alpha = beta = 0, in the paper's order.
    """
    sizes, scan = read_sizes(tables, table)
    if scan is None:
        return awaited(SCAN, 1)
    strict = sizes[(sizes["alpha"] == 0) & (sizes["beta"] == 0)]
    if strict.empty:
        return not_certified("alpha = beta = 0")
    pace, prune = float(strict[PACE].iloc[0]), float(strict[PRUNE].iloc[0])
    return of_reading(scan, strict, pace <= HALF * prune, f"{pace:g} for {prune:g}")


@claim(
    "same-{key}", PLACE, tolerance=f"{NEAR} learner", why='ours: "essentially indistinguishable"', over=FICO
)
def same_when_strict(tables: Tables, table: str) -> Evidence:
    """On the whole space generation brings hardly anything beside pruning alone ({what}).

    That is with alpha = beta = 0, in the paper's order. Generation that was cut short confirms nothing.
    """
    sizes, scan = read_sizes(tables, table)
    if scan is None:
        return awaited(SCAN, 1)
    strict = sizes[(sizes["alpha"] == 0) & (sizes["beta"] == 0)]
    if strict.empty:
        return not_certified("alpha = beta = 0")
    pace, prune = float(strict[PACE].iloc[0]), float(strict[PRUNE].iloc[0])
    near = abs(prune - pace) <= NEAR and not strict[LATE].any()
    return of_reading(scan, strict, near, f"{pace:g} for {prune:g}")


@claim("gap-{key}", PLACE, tolerance=ORDER, why=CERTIFIED_ONLY, over=FICO)
def gap_when_relaxed(tables: Tables, table: str) -> Evidence:
    """Generation pays once agreement is asked for on part of the space only ({what}).

    Somewhere with alpha above 0 Pace is smaller than pruning only, and by more than at 0; in the paper's order. A lead
    of one learner in a single run may be chance.
    """
    sizes, scan = read_sizes(tables, table)
    if scan is None:
        return awaited(SCAN, 1)
    relaxed, strict = sizes[sizes["alpha"] > 0], sizes[sizes["alpha"] == 0]
    if relaxed.empty or strict.empty:
        return not_certified("alpha = beta = 0 and a larger alpha")
    gaps, at_zero = relaxed[PRUNE] - relaxed[PACE], float((strict[PRUNE] - strict[PACE]).iloc[0])
    where = relaxed[gaps == gaps.max()].iloc[0][["alpha", "beta"]].astype(float)
    learners_saved = f"{gaps.max():g} learners fewer, at {listed(where, 2)}; {at_zero:g} at alpha = beta = 0"
    gain = float(gaps.max()) - max(at_zero, 0.0)
    return of_reading(scan, sizes, gain > NEAR, learners_saved, ONE_RUN if gain > 0 else "")


def read_sizes(tables: Tables, table: str) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Certified runs of the reading in the regions of a figure with the pruned size, and the scan."""
    rows, scan = tables[table], tables.get(SCAN)
    if scan is None:
        return pd.DataFrame(), None
    name, ensemble = OF_FIGURE[table]
    runs = under_reading(scan, dataset=name, ensemble=ensemble)
    return with_pruned(runs, rows, ["dataset", "alpha", "beta"]).reset_index(), scan


def of_reading(scan: pd.DataFrame, runs: pd.DataFrame, true: bool, text: str, doubt: str = "") -> Evidence:
    """Evidence of one statement about one of the figures, under the reading; a wrong one may be doubtful."""
    doubt = doubt or (LIMITED if runs[LATE].any() else "")
    inferred = f"{REGIONS}; {READING}"
    return Evidence.of_statement(true, text, doubt=doubt, inferred=inferred, coverage=used(runs, scan, 1))


def sizes_by_region(tables: Tables, table: str) -> tuple[pd.DataFrame, dict[str, float] | None]:
    """Certified sizes by alpha and beta, both methods; and those of alpha = beta = 0."""
    sizes = complete(tables[table], ["alpha", "beta"], [PRUNE, PACE]).reset_index()
    strict = sizes.loc[(sizes["alpha"] == 0) & (sizes["beta"] == 0), [PRUNE, PACE]].to_dict("records")
    return sizes, {str(name): float(size) for name, size in strict[0].items()} if strict else None


def of_figure(tables: Tables, table: str, true: bool, found: str, reason: str = "") -> Evidence:
    """Evidence of one statement about one of the figures."""
    coverage = covered(tables[table], 1, 1)
    return Evidence.of_statement(true, found, reason, inferred=REGIONS, coverage=coverage)


def not_certified(what: str) -> Evidence:
    """Evidence that something was not run or not certified."""
    return Evidence.missing(f"{what} was not run, or not certified in the time given")
