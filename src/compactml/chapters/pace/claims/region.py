"""Checks of what Akkerman, Ferry, Guyard and Vidal (2026) state of sizes by region: Figs 3, 4, 6 and 7."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.claims.checks import complete
from compactml.chapters.pace.claims.coverage import DEPTH_LIMITED, REGIONS, Tables, covered
from compactml.chapters.pace.claims.printed_checks import listed
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.study.judging.evidence import Evidence

HALF = 0.6
""""About half as many": the ratio that is meant is not said."""


def _by_region(tables: Tables, table: str) -> tuple[pd.DataFrame, dict[str, float] | None]:
    """Certified sizes by alpha and beta, both methods; and those of alpha = beta = 0."""
    sizes = complete(tables[table], ["alpha", "beta"], [PRUNE, PACE]).reset_index()
    strict = sizes.loc[(sizes["alpha"] == 0) & (sizes["beta"] == 0), [PRUNE, PACE]].to_dict("records")
    return sizes, {str(name): float(size) for name, size in strict[0].items()} if strict else None


def _stated(tables: Tables, table: str, true: bool, found: str, reason: str = "") -> Evidence:
    """Evidence of one statement about one of the figures."""
    coverage = covered(tables[table], 1, 1)
    return Evidence.of_statement(true, found, reason, inferred=REGIONS, coverage=coverage)


def _uncertified(what: str) -> Evidence:
    return Evidence.missing(f"{what} was not run, or not certified in the time given")


def half_when_strict(tables: Tables, table: str) -> Evidence:
    """With alpha = beta = 0 Pace has about half as many learners as pruning only."""
    _, strict = _by_region(tables, table)
    if strict is None:
        return _uncertified("alpha = beta = 0")
    pace, prune = strict[PACE], strict[PRUNE]
    return _stated(tables, table, pace <= HALF * prune, f"{pace:g} for {prune:g}", DEPTH_LIMITED)


def same_when_strict(tables: Tables, table: str) -> Evidence:
    """With alpha = beta = 0 generation brings nothing."""
    sizes, strict = _by_region(tables, table)
    if strict is None:
        return _uncertified("alpha = beta = 0")
    pace, prune = strict[PACE], strict[PRUNE]
    smaller = int((sizes[PACE] < sizes[PRUNE]).sum())
    says_little = f"our generation makes {smaller} of all {len(sizes)} regions smaller"
    return _stated(tables, table, abs(prune - pace) <= NEAR, f"{pace:g} for {prune:g}", says_little)


def gap_when_relaxed(tables: Tables, table: str) -> Evidence:
    """Somewhere with alpha or beta above 0 Pace is smaller than pruning only, and by more than at 0."""
    sizes, strict = _by_region(tables, table)
    relaxed = sizes[(sizes["alpha"] > 0) | (sizes["beta"] > 0)]
    if relaxed.empty:
        return _uncertified("any alpha or beta above 0")
    gaps = relaxed[PRUNE] - relaxed[PACE]
    at_zero = 0.0 if strict is None else max(strict[PRUNE] - strict[PACE], 0.0)
    if gaps.max() <= 0:
        return _stated(
            tables, table, False, f"Pace is smaller in none of {len(relaxed)} regions", DEPTH_LIMITED
        )
    where = relaxed[gaps == gaps.max()].iloc[0][["alpha", "beta"]]
    found = f"up to {gaps.max():g} learners, at {listed(where, 2)}; {at_zero:g} at alpha = beta = 0"
    return _stated(tables, table, bool(gaps.max() > at_zero), found)


def relaxing_helps(tables: Tables, table: str) -> Evidence:
    """Relaxed faithfulness at least halves the ensemble, with generation and without."""
    sizes, strict = _by_region(tables, table)
    if strict is None or len(sizes) < 2:
        return _uncertified("alpha = beta = 0 and another region")
    least = {name: float(sizes[name].min()) for name in (PRUNE, PACE)}
    found = ", ".join(f"{name} {strict[name]:g} to {least[name]:g}" for name in least)
    return _stated(tables, table, all(least[name] <= strict[name] / 2 for name in least), found)
