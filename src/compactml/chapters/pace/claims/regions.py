"""Claims on the sizes by region: Figs 3, 4, 6 and 7."""

from __future__ import annotations

from functools import partial

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import (
    CERTIFIED_ONLY,
    DEPTH_LIMITED,
    ORDER,
    REGIONS,
    Tables,
    complete,
    covered,
    listed,
)
from compactml.chapters.pace.printed import NEAR
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

    That is with alpha = beta = 0.
    """
    _, strict = sizes_by_region(tables, table)
    if strict is None:
        return not_certified("alpha = beta = 0")
    pace, prune = strict[PACE], strict[PRUNE]
    return of_figure(tables, table, pace <= HALF * prune, f"{pace:g} for {prune:g}", DEPTH_LIMITED)


@claim(
    "same-{key}", PLACE, tolerance=f"{NEAR} learner", why='ours: "essentially indistinguishable"', over=FICO
)
def same_when_strict(tables: Tables, table: str) -> Evidence:
    """On the whole space generation brings hardly anything beside pruning alone ({what}).

    That is with alpha = beta = 0.
    """
    sizes, strict = sizes_by_region(tables, table)
    if strict is None:
        return not_certified("alpha = beta = 0")
    pace, prune = strict[PACE], strict[PRUNE]
    smaller = int((sizes[PACE] < sizes[PRUNE]).sum())
    says_little = f"our generation makes {smaller} of all {len(sizes)} regions smaller"
    return of_figure(tables, table, abs(prune - pace) <= NEAR, f"{pace:g} for {prune:g}", says_little)


@claim("gap-{key}", PLACE, tolerance=ORDER, why=CERTIFIED_ONLY, over=FICO)
def gap_when_relaxed(tables: Tables, table: str) -> Evidence:
    """Generation pays once agreement is asked for on part of the space only ({what}).

    Somewhere with alpha or beta above 0 Pace is smaller than pruning only, and by more than at 0.
    """
    sizes, strict = sizes_by_region(tables, table)
    relaxed = sizes[(sizes["alpha"] > 0) | (sizes["beta"] > 0)]
    if relaxed.empty:
        return not_certified("any alpha or beta above 0")
    gaps = relaxed[PRUNE] - relaxed[PACE]
    at_zero = 0.0 if strict is None else max(strict[PRUNE] - strict[PACE], 0.0)
    if gaps.max() <= 0:
        return of_figure(
            tables, table, False, f"Pace is smaller in none of {len(relaxed)} regions", DEPTH_LIMITED
        )
    where = relaxed[gaps == gaps.max()].iloc[0][["alpha", "beta"]]
    found = f"up to {gaps.max():g} learners, at {listed(where, 2)}; {at_zero:g} at alpha = beta = 0"
    return of_figure(tables, table, bool(gaps.max() > at_zero), found)


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
