"""What the printed numbers of Mehmanchi, Gómez and Prokopyev (2021) imply, and whether a reading agrees with them.

Objective values are not printed. But a relative gap is the absolute one divided by abs(incumbent), so the two together
give an interval for the incumbent, and the incumbent and the gap one for the optimum. Algorithm 1 leaves more: with
the start [h(1) - 0.01, 3] (inferred, see `compactml.feature_selection.parametric`) its iterations and gaps follow from
h(1) and the optimum alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from compactml.feature_selection.parametric import PAPER_MARGIN, PAPER_UPPER
from compactml.feature_selection.result import Tolerance

PAPER = Tolerance()
PLUS = 100.0
"""A relative gap printed as "+" is above this."""
SLIGHT = 1e-9


@dataclass(frozen=True)
class Interval:
    """Numbers from ``low`` to ``high``."""

    low: float
    high: float

    def meets(self, other: Interval) -> bool:
        """Whether the two have a number in common."""
        return self.low <= other.high + SLIGHT and other.low <= self.high + SLIGHT


def printed(text: str) -> Interval:
    """Numbers that round to a printed one."""
    half = float(Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent))) / 2
    return Interval(max(float(text) - half, 0.0), float(text) + half)


def size_of_incumbent(gap_abs: str, gap_rel: str) -> Interval | None:
    """Interval for abs(lower bound) = absolute gap / relative gap; None where nothing follows.

    Parameters
    ----------
    gap_abs, gap_rel : str
        As in the published tables: "inf" for "+", "" for a dash.
    """
    if "" in (gap_abs, gap_rel) or gap_abs == "inf":
        return None
    gap = printed(gap_abs)
    if gap_rel == "inf":
        return Interval(0.0, gap.high / PLUS)
    relative = printed(gap_rel)
    if gap.high == 0 or (gap.low == 0 and relative.low == 0):
        return None
    return Interval(gap.low / relative.high, gap.high / relative.low if relative.low > 0 else math.inf)


def optimum_from_row(row: Mapping[str, str]) -> tuple[Interval, ...] | None:
    """Intervals that hold the optimum by one row of Tables 2-4, for a positive and a negative incumbent.

    A MILP and Algorithm 1 have a proved upper bound, the incumbent and the gap. The gap of Algorithm 2 is an estimate,
    so that only its incumbent counts; where it finished the paper prints the tolerance, 0.001 and 0.01, in every row,
    which says nothing. None where nothing follows.
    """
    newton = row["method"] == "Algorithm2"
    size = size_of_incumbent(row["gap_abs"], row["gap_rel"])
    if size is None or (newton and row["time_limit_reached"] == "false"):
        return None
    above = math.inf if newton else printed(row["gap_abs"]).high
    return Interval(size.low, size.high + above), Interval(-size.high, -size.low + above)


def fits_optimum(value: float, bound: float, rows: Iterable[Mapping[str, str]]) -> dict[str, bool]:
    """By method, whether an optimum between ``value`` and ``bound`` agrees with the printed gaps."""
    own = Interval(value, bound)
    implied = {row["method"]: optimum_from_row(row) for row in rows}
    return {
        method: any(own.meets(interval) for interval in intervals)
        for method, intervals in implied.items()
        if intervals is not None
    }


@dataclass(frozen=True)
class Search:
    """Where Algorithm 1 ends."""

    iterations: int
    gap_abs: float
    gap_rel: float


def binary_search_trace(h_ones: float, optimum: float, iterations: int | None = None) -> Search:
    """Run Algorithm 1 with an oracle that knows the optimum, to the paper's tolerance or for some iterations."""
    low, high, count = h_ones - PAPER_MARGIN, PAPER_UPPER, 0
    while (high - low > PAPER.allows(low)) if iterations is None else (count < iterations):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < optimum else (low, middle)
        count += 1
    return Search(count, high - low, (high - low) / abs(low))


def fits_search(h_ones: float, value: float, bound: float, row: Mapping[str, str]) -> bool | None:
    """Whether Algorithm 1 would print what it does; None where the row has no iterations or gap.

    The optimum is anywhere between ``value`` and ``bound``: every cell that the bisection may end in is tried. A row at
    its time limit is compared by the width of its interval alone, since its last decision may be missing.
    """
    if not row["iterations"] or row["gap_abs"] in ("", "inf"):
        return None
    limited, count = row["time_limit_reached"] == "true", int(row["iterations"])
    start = h_ones - PAPER_MARGIN
    width = (PAPER_UPPER - start) / 2**count
    if limited:
        return _rounds_to(width, row["gap_abs"])
    first, last = (math.floor((min(one, PAPER_UPPER) - start) / width) for one in (value, bound))
    return any(
        trace.iterations == count
        and _rounds_to(trace.gap_abs, row["gap_abs"])
        and _rounds_to(trace.gap_rel, row["gap_rel"])
        for cell in range(first, last + 1)
        if (trace := binary_search_trace(h_ones, start + (cell + 0.5) * width))
    )


def _rounds_to(number: float, text: str) -> bool:
    """Whether a number is printed so, cut off or rounded."""
    if text == "inf":
        return number > PLUS
    unit = float(Decimal(1).scaleb(int(Decimal(text).as_tuple().exponent)))
    return float(text) - unit / 2 - SLIGHT <= number < float(text) + unit


def fits_sizes(known: str, printed_sizes: Iterable[str]) -> bool | None:
    """Whether the sizes that finished methods print are all among those known to be within the tolerance."""
    sizes = {int(size) for size in printed_sizes if size}
    return sizes <= set(map(int, known.split())) if sizes else None


def fits_score(mean: float, std: float, printed_mean: str, printed_std: str, n_folds: int = 5) -> bool:
    """Whether two cross-validated means differ by less than three of their standard errors and a rounding.

    The folds of the paper are unknown, so only a large difference is evidence.
    """
    error = math.hypot(std, float(printed_std)) / math.sqrt(n_folds)
    return abs(mean - float(printed_mean)) <= 3 * error + 0.01


DECISIVE = ("optimum", "search")


def agreement(
    result: Mapping[str, Any], gaps: Iterable[Mapping[str, str]], sets: Iterable[Mapping[str, str]]
) -> dict[str, bool | str | None]:
    """Compare the result of a "reading" trial with all that is printed for its dataset and measure.

    Parameters
    ----------
    result : mapping
        With ``h_ones``, ``value``, ``bound``, ``sizes`` and the scores of all features.
    gaps : iterable of mappings
        Rows of Tables 2 and 3 (mRMR) or of Table 4 (CFS).
    sets : iterable of mappings
        Rows of Tables 5 and 6, or of Table 7.

    Returns
    -------
    dict
        By criterion whether it is met, None where nothing is printed; "against" names the methods whose printed gaps
        contradict the optimum; "compatible" when neither "optimum" nor "search"
        is violated. Sizes and scores are weaker evidence: a size may have a set that was not found, and the folds are
        unknown. Algorithm 1 has no say on sizes: as printed it may return a set of a failed iteration.
    """
    gaps, sets = list(gaps), list(sets)
    value = result["value"]
    bound = math.inf if result["bound"] is None else result["bound"]
    by_method = fits_optimum(value, bound, gaps)
    searches = [
        fits_search(result["h_ones"], value, bound, row) for row in gaps if row["method"] == "Algorithm1"
    ]
    finished = {row["method"] for row in gaps if row["time_limit_reached"] == "false"} - {"Algorithm1"}
    sizes = [
        row["n_selected"] for row in sets if row["method"] in finished and "Heuristic" not in row["method"]
    ]
    full = next(row for row in sets if row["method"] == "FullSet")
    criteria = {
        "optimum": all(by_method.values()) if by_method else None,
        "search": searches[0] if searches else None,
        "sizes": fits_sizes(result["sizes"], sizes),
    } | {
        name: fits_score(
            result[f"{name}_mean"], result[f"{name}_std"], full[f"{name}_mean"], full[f"{name}_std"]
        )
        for name in ("f1_nb", "f1_rf")
    }
    against = ", ".join(method for method, fits in by_method.items() if not fits)
    return {
        **criteria,
        "against": against,
        "compatible": all(criteria[name] is not False for name in DECISIVE),
    }
