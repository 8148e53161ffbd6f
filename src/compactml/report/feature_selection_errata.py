"""What the printed numbers of Mehmanchi, Gómez and Prokopyev (2021) say of themselves: checks that need no run."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.experiments.feature_selection import CHAPTER
from compactml.experiments.feature_selection_evidence import printed, size_of_incumbent
from compactml.feature_selection.measures import symmetrical_uncertainty
from compactml.report.claims import Evidence, Verdict
from compactml.report.feature_selection_checks import Tables
from compactml.report.feature_selection_frames import PRINTED_METHODS, printed_runs
from compactml.report.published import published

INTERVALS = ("MILP1", "MILP2", "MILP3", "Algorithm1")
"""Methods whose printed gaps are proved: between a value found and an upper bound. Algorithm 2's are estimates."""


def cfs_intervals(dataset: str) -> pd.DataFrame:
    """What each method of Table 4 says of a dataset's optimum: it found ``at_least``, and proved ``at_most``.

    CFS is never negative, so the size of the incumbent is its value.
    """
    frame = published(CHAPTER, "table_4").query("dataset == @dataset")
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


def consistent(tables: Tables, dataset: str) -> Evidence:
    """No method of Table 4 finds a value above what another one proves impossible."""
    found = cfs_intervals(dataset)
    low, high = (found.iloc[int(one)] for one in (found["at_least"].argmax(), found["at_most"].argmin()))
    return Evidence(
        Verdict.DOES_NOT_HOLD if impossible(dataset) else Verdict.HOLDS,
        f"{low['method']} found at least {low['at_least']:.2f}, {high['method']} proves at most {high['at_most']:.2f}",
        "from the two gaps of each row; no run is needed",
    )


def heuristic_sizes(tables: Tables) -> Evidence:
    """No method selects more features than there are."""
    frame = pd.concat([printed_runs(table) for table in ("table_5", "table_6", "table_7")])
    wrong = frame[frame["n_selected"] > frame["p"]].drop_duplicates(["dataset", "n_selected"])
    names = ", ".join(f"{row.dataset} {row.n_selected:.0f} of {row.p}" for row in wrong.itertuples())
    return Evidence(
        Verdict.DOES_NOT_HOLD if len(wrong) else Verdict.HOLDS,
        names,
        "the heuristic's implementation appends the last feature once more when it runs out of features",
    )


def milp3_times(tables: Tables) -> Evidence:
    """MILP1 and MILP3 have the same numbers in Tables 2 and 3."""
    keys = ["dataset", "method"]
    both = printed_runs("table_2").merge(printed_runs("table_3"), on=keys, suffixes=("_2", "_3"))
    equal = [
        np.isclose(both[f"{name}_2"], both[f"{name}_3"], equal_nan=True)
        for name in ("gap_abs", "gap_rel", "seconds")
    ]
    wrong = both[~np.logical_and.reduce(equal)]
    names = ", ".join(
        f"{row.dataset} {row.method}: {row.seconds_2:.1f} s and {row.seconds_3:.1f} s"
        for row in wrong.itertuples()
    )
    return Evidence(
        Verdict.DOES_NOT_HOLD if len(wrong) else Verdict.HOLDS,
        names or f"{len(both)} rows",
        "one of the two may be a misreading of a rotated page" if names else "",
    )


def uncertainty_range(tables: Tables) -> Evidence:
    """The printed SU = I / (H + H) takes the value 1: two equal variables should have it."""
    entropy = np.log([2.0])  # of a fair coin, which is also the information that it has about itself
    largest = float(symmetrical_uncertainty(entropy, entropy, entropy, "printed")[0])
    return Evidence(
        Verdict.HOLDS if np.isclose(largest, 1) else Verdict.DOES_NOT_HOLD,
        f"two equal variables have {largest:g}",
        "I is at most the smaller entropy, so I / (H + H) is at most 1/2; a factor 2 is missing",
    )
