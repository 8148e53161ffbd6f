"""What claims on generation read: runs in the paper's order, under the one reading of what it leaves open.

The reading is `compactml.chapters.pace.plans.readings.JUDGED`; the other readings are shown beside it. None of them was
chosen by a size with generated trees, and none refutes anything, since the paper does not state it.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from compactml.chapters.pace.claims.common import N_DATASETS, covered
from compactml.chapters.pace.plans.readings import JUDGED, PAPERS
from compactml.chapters.pace.trials.paper import GENERATE, PACE, PRUNE
from compactml.chapters.pace.trials.readings import MOST, TIME
from compactml.study.judging.evidence import Coverage, Evidence

__all__ = [
    "LATE",
    "LIMITED",
    "OTHERS",
    "READING",
    "SHARE",
    "SMALLEST",
    "awaited",
    "beside_others",
    "sized",
    "under_reading",
    "used",
    "with_pruned",
]

READING = "duals of (P1) as a simplex method returns them, new trees of any depth, no more of them than initial ones"
SMALLEST = 25
"""N of the ensembles of Tables 1 and 3 that are scanned."""
LATE, SHARE = "late", "share"
LIMITED = "the time or our limit on new trees ended their generation, which more of either may change"
OTHERS = "duals/depth of new trees"


def awaited(scan: str, stated: int) -> Evidence:
    """Evidence that decides nothing, since the scan has no runs yet."""
    doubt = f"the scan of duals and depths in the paper's order is still to be recorded ({scan})"
    return Evidence(stated, 0, 0, "", inconclusive=stated, doubt=doubt, inferred=READING)


def under_reading(rows: pd.DataFrame, **fixed: object) -> pd.DataFrame:
    """Return the certified runs of a scan that claims are judged on.

    Parameters
    ----------
    rows : DataFrame
    **fixed
        Values of further columns, ``ensemble`` say.

    Returns
    -------
    DataFrame
        With the columns `PACE` and `GENERATE` (sizes), ``share`` (of generated learners) and ``late`` (the time ended
        the generation, or as many new trees as there were initial ones).
    """
    wanted = {**JUDGED._asdict(), "separation": PAPERS, **fixed}
    return sized(_with(rows, wanted))


def sized(rows: pd.DataFrame) -> pd.DataFrame:
    """Certified runs with sizes under the names of the methods."""
    certified = rows[rows["certified"] == 1].copy()
    certified[PACE] = certified["final_size"].astype(float)
    certified[GENERATE] = certified["weighed_size"].astype(float)
    certified[SHARE] = certified["n_generated"].astype(float) / certified[PACE]
    certified[LATE] = certified["ended"].isin((TIME, MOST))
    return certified


def with_pruned(runs: pd.DataFrame, rows: pd.DataFrame, by: list[str], method: str = PRUNE) -> pd.DataFrame:
    """Return runs of a scan with the certified size of the same ensemble without generation, those that have one.

    Parameters
    ----------
    runs : DataFrame
        From `under_reading`.
    rows : DataFrame
        Recorded runs of ``method`` among others, from which those of the same seed are taken.
    by : list of str
        Columns that name an ensemble with its region.
    method : str
    """
    pruned = rows[(rows["method"] == method) & (rows["certified"] == 1)]
    sizes = pruned.set_index([*by, "seed"])["final_size"].astype(float).rename(method)
    joined = runs.join(sizes, on=[*by, "seed"], how="inner").set_index(by)
    return joined.sort_index()


def used(runs: pd.DataFrame, scan: pd.DataFrame, of: int = N_DATASETS) -> Coverage:
    """What is covered by the runs of the reading, whose limits are not those of the whole scan."""
    own = runs.reset_index()
    return covered(own if len(own) else scan, own["dataset"].nunique(), of)


def beside_others(rows: pd.DataFrame, right: Callable[[pd.DataFrame], int], **fixed: object) -> str:
    """Return what the other readings of the scan say, as a text: in how many certified runs something holds.

    Parameters
    ----------
    rows : DataFrame
        A scan; forms of separation are not told apart.
    right : callable DataFrame -> int
        Counts runs, of a frame like that of `under_reading`.
    **fixed
        Values of further columns.
    """
    texts = []
    for (duals, depth), own in _with(rows, fixed).groupby(["duals", "depth_limit"], sort=False):
        certified = sized(own.drop_duplicates(["dataset", "ensemble", "alpha", "beta"], keep="last"))
        if (duals, depth) != (JUDGED.duals, JUDGED.depth_limit) and len(certified):
            texts.append(f"{duals}/{depth} {right(certified)} of {len(certified)}")
    return f"; by {OTHERS}: {', '.join(texts)}" if texts else ""


def _with(rows: pd.DataFrame, wanted: dict[str, object]) -> pd.DataFrame:
    """Rows that have these values."""
    for name, value in wanted.items():
        rows = rows[rows[name] == value]
    return rows
