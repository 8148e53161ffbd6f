"""The paper's pseudo-code, and what the paper does not have: our search, and what sharing costs."""

from __future__ import annotations

from functools import partial

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims.common import Tables
from compactml.condition_sharing import minimum_intersecting_set
from compactml.condition_sharing.errata import DEFECTS, PrintedAlgorithmError, as_printed
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence

claim = partial(claim, NAME)


@claim("algorithms-3-4", "Algorithms 3 and 4", tolerance="exact", why="brute force", basis=Basis.ERRATUM)
def printed_algorithm(tables: Tables) -> Evidence:
    """The printed pseudo-code solves Problem 5.

    Both algorithms are carried out as printed on four intervals, against the minimum.
    """
    lower, upper = [0.0, 0.0, 2.0, 4.0], [1.0, 5.0, 3.0, 5.0]
    best = minimum_intersecting_set(lower, upper)[0].tolist()
    mended = as_printed(lower, upper, 0, mended=frozenset(DEFECTS))
    try:
        points = as_printed(lower, upper, 0)
    except PrintedAlgorithmError as error:
        return Evidence.of_statement(
            False,
            str(error),
            f"printing errors, not the method: with {len(DEFECTS)} mended it gives the points {mended}, and "
            f"{best} is a minimum; two more defects spoil the groups of its intervals",
        )
    return Evidence.of_statement(points == best, f"points {points} for {best}", "one example")


@claim("search-same-points", "Problem 5", tolerance="exact", why="both are exact", basis=Basis.OURS)
def search_finds_the_minimum(tables: Tables) -> Evidence:
    """Our search finds as few points as the paper's dynamic program, mended, at every size tried."""
    rows = tables["search"]
    return Evidence.of_cells(
        rows["points"] == rows["points_dynamic"], f"sizes tried: {', '.join(map(str, rows['p']))} intervals"
    )


@claim("search-faster", "Problem 5", tolerance="a factor of 10", why="ours", basis=Basis.OURS)
def search_is_faster(tables: Tables, least: int = 1000, factor: float = 10.0) -> Evidence:
    """Our search is over ten times as fast at every size tried from 1,000 intervals on."""
    rows = tables["search"].query("p >= @least")
    ratio = rows["seconds_dynamic"] / rows["seconds"]
    found = ", ".join(f"{one:,.0f} times at {p:,} intervals" for p, one in zip(rows["p"], ratio, strict=True))
    last = {"factor": f"{_rounded(ratio.iloc[-1]):,}", "intervals": f"{rows['p'].iloc[-1]:,}"}
    return Evidence.of_cells(ratio > factor, found, numbers=last)


@claim("cost-of-sharing", "Section 6", tolerance="a factor of 2", why="ours", basis=Basis.OURS)
def sharing_is_cheap(tables: Tables, factor: float = 2.0) -> Evidence:
    """Sharing costs less than twice one pass of the rows through the forest.

    That pass is the forest's own ``apply``.
    """
    ratio = tables["speed"]["ratio"].astype(float)
    return Evidence.of_cells(ratio < factor, f"{ratio.min():.2f} to {ratio.max():.2f} times as long as apply")


def _rounded(value: float) -> int:
    """A factor of times as a sentence has it: one digit that counts."""
    return int(float(f"{value:.0e}"))
