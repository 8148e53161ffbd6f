"""Two readings of the paper's bins beside each other: deciles of all values of a feature, or of its distinct values.

Which fits Table 4 better is judged as for the number of learners, by `compactml.chapters.pace.whole_space`.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.pace.protocol import RUNS
from compactml.chapters.pace.whole_space import CASE, best_first, intervals, size_fits

__all__ = ["reading_fits"]

PLACE, COUNTS = CASE[:2], ["datasets", "within 1"]
FIRST = "first runs: "
"""Before the columns of the means of the paper's number of runs."""


def reading_fits(readings: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How well each number of learners fits Table 4 in each reading of the bins.

    Parameters
    ----------
    readings : mapping of str to DataFrame
        Whose deciles the bins have, and the rows of "settings" or "bins" so read.

    Returns
    -------
    DataFrame
        Columns ``deciles of``, those of `size_fits`, and ``first runs: datasets`` and ``first runs: within 1``, the
        same counts for the means of the paper's number of runs, the first ones; for each ensemble the one with the
        most printed sizes inside their intervals first.
    """
    parts = [_with_first_runs(rows).assign(**{"deciles of": name}) for name, rows in readings.items()]
    found = best_first(pd.concat(parts))
    return found[["deciles of", *found.columns.drop("deciles of")]]


def _with_first_runs(rows: pd.DataFrame) -> pd.DataFrame:
    fits = size_fits(intervals(rows))
    first = fits if fits.empty else size_fits(intervals(rows[rows["seed"].isin(RUNS)]))
    return fits.merge(
        first[[*PLACE, *COUNTS]].rename(columns=lambda name: FIRST + name if name in COUNTS else name)
    )
