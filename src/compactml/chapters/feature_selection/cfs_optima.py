"""What the gaps of Table 4 say of the optima of CFS, and which of its rows cannot be right."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.printed import PRINTED_METHODS
from compactml.chapters.feature_selection.trials.evidence import printed, size_of_incumbent
from compactml.study.recording.published import published

INTERVALS = ("MILP1", "MILP2", "MILP3", "Algorithm1")
"""Methods whose printed gaps are proved: between a value found and an upper bound. Algorithm 2's are estimates."""


def cfs_intervals(dataset: str) -> pd.DataFrame:
    """What each method of Table 4 says of a dataset's optimum: it found ``at_least``, and proved ``at_most``.

    CFS is never negative, so the size of the incumbent is its value.
    """
    frame = published(NAME, "table_4").query("dataset == @dataset")
    rows = []
    for row in frame.to_dict("records"):
        found = size_of_incumbent(row["gap_abs"], row["gap_rel"])
        if found is not None and row["method"] in INTERVALS:
            at_most = found.high + printed(row["gap_abs"]).high
            rows.append({"method": PRINTED_METHODS[row["method"]], "at_least": found.low, "at_most": at_most})
    return pd.DataFrame(rows, columns=["method", "at_least", "at_most"])


def impossible(dataset: str) -> tuple[str, ...]:
    """Methods of Table 4 that found, by their gaps, more than another one proves possible."""
    found = cfs_intervals(dataset)
    return tuple(found.loc[found["at_least"] > found["at_most"].min(), "method"])
