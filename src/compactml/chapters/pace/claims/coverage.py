"""What stands behind the evidence of the Pace chapter: shares of the paper's data and time, and settings we inferred.

Of the paper's text only a version without its numbers could be had: how many learners, how deep, which alpha and beta.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.pace.datasets import DATASETS
from compactml.chapters.pace.protocol import PROTOCOLS, RUNS
from compactml.chapters.pace.rows import stopped
from compactml.study.judging.evidence import Coverage, Evidence, Share, because
from compactml.study.profile import Profile

__all__ = [
    "ABLATIONS", "DEPTH_LIMITED", "HISTORIES", "LOOPS", "N_DATASETS", "REGIONS", "WHOLE_SPACE", "Tables",
    "certificates", "covered", "decided",
]  # fmt: skip

Tables = Mapping[str, pd.DataFrame]

N_DATASETS = len(DATASETS)
PAPER_RUNS = len(RUNS)
PAPER_LIMIT = PROTOCOLS[Profile.PAPER].limit
"""20 hours, in seconds; its solvers are Gurobi 10 and CP-SAT 9.14, on eight threads."""

ABLATIONS = "N, depth, alpha and beta of Tables 1 and 3, and how deep their new trees may be"
WHOLE_SPACE = "N of Table 4, and how deep its new trees may be"
REGIONS = "N and depth of the ensembles of Figs 3, 4, 6 and 7, and how deep their new trees may be"
LOOPS = "N and depth of the ensembles of Figs 2, 5, 8 and 9"
HISTORIES = "N, depth and alpha of Figs 10 and 11, and how deep their new trees may be"
"""What the paper's text has lost, by group of tables: inferred from printed sizes, or chosen by us."""
DEPTH_LIMITED = "our generated trees have a limited depth, which the paper does not state"


def covered(rows: pd.DataFrame, datasets: int, of: int = N_DATASETS) -> Coverage:
    """Shares of the paper's data, runs and time.

    Parameters
    ----------
    rows : DataFrame
        Rows. The least number of runs of a dataset counts, and the least limit that stopped one (or any).
    datasets : int
        That were tested.
    of : int
        Of the paper.
    """
    limits = stopped(rows)["time_limit"].dropna()
    runs = rows.groupby("dataset")["seed"].nunique().min()
    return Coverage(
        Share(datasets, of, "dataset" if of == 1 else "datasets"),
        Share(int(runs), PAPER_RUNS, "runs"),
        Share(float(limits.min()), PAPER_LIMIT, "s, on one thread of the paper's eight")
        if len(limits)
        else None,
    )


def certificates(seen: int, stated: int, what: str = "cells") -> str:
    """How many of the paper's cells have no certified counterpart, as a reason."""
    return f"{stated - seen} of {stated} {what} not run, or not certified in time" if seen < stated else ""


def decided(
    true: bool,
    seen: int,
    of: int,
    found: str,
    reason: str = "",
    *,
    inferred: str,
    coverage: Coverage,
    what: str = "cells",
) -> Evidence:
    """Evidence of one statement about many cells: it is tested if at least half of them are."""
    why = because(reason, certificates(seen, of, what))
    if 2 * seen < of:
        return Evidence.missing(why, found=found if seen else "", coverage=coverage)
    return Evidence.of_statement(true, found, why, inferred=inferred, coverage=coverage)
