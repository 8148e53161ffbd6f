"""What the claims of the chapter share: what is covered, which settings we inferred, and how sizes are read.

Every check takes the recorded tables by id. A size counts only where it is certified. Of the paper's text only a
version without its numbers could be had (how many learners, how deep, which alpha and beta). So what differs refutes
nothing where a setting is inferred, and cells from which it was inferred are not counted.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.pace.datasets import DATASETS
from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.protocol import PROTOCOLS, RUNS
from compactml.chapters.pace.rows import sizes_of, stopped
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, PACE
from compactml.study.judging.evidence import Coverage, Evidence, Share, because
from compactml.study.profile import Profile

__all__ = [
    "ABLATIONS", "CERTIFIED_ONLY", "DEPTH_LIMITED", "EXACTLY", "HISTORIES", "LOOPS", "N_DATASETS", "ORDER", "PRINT",
    "PRINTED_DIGITS", "PROSE", "REDUCTIONS", "REGIONS", "TABLES_1_AND_3", "WHOLE_SPACE", "WINS", "Tables",
    "against_fipe", "certificates", "complete", "covered", "decided", "listed",
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

ORDER = "order of the sizes"
EXACTLY = "exact"
CERTIFIED_ONLY = "ours: only certified sizes count"
PROSE = "the prose"
PRINT = "the printed cells"
PRINTED_DIGITS = "the printed digits"

REDUCTIONS = {
    RANDOM_FOREST: {"Htru2": 50, "House-16H": 36, "Ionosphere": 33},
    ADABOOST: {"Diabetes": 96, "Elec2": 94, "Pol": 90, "Htru2": 80},
}
"""Section E.2: by how many percent Pace is smaller than Fipe."""
WINS = {RANDOM_FOREST: 6, ADABOOST: 8}
"""Section E.2: datasets, of 11, on which Pace is strictly smaller than Fipe."""

TABLES_1_AND_3 = {
    "table_1": {"table": "table_1", "n": 1, "what": "random forests"},
    "table_3": {"table": "table_3", "n": 3, "what": "AdaBoost"},
}
"""Tables 1 and 3, as claims name them."""


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
    text: str,
    reason: str = "",
    *,
    inferred: str,
    coverage: Coverage,
    what: str = "cells",
) -> Evidence:
    """Return the evidence of one statement about many cells: it is tested if at least half of them are."""
    why = because(reason, certificates(seen, of, what))
    if 2 * seen < of:
        return Evidence.missing(why, found=text if seen else "", coverage=coverage)
    return Evidence.of_statement(true, text, why, inferred=inferred, coverage=coverage)


def complete(rows: pd.DataFrame, index: list[str], methods: list[str]) -> pd.DataFrame:
    """Sizes of the rows of the index in which all the methods are certified."""
    return sizes_of(rows, index).reindex(columns=methods).dropna()


def against_fipe(ensemble: str) -> pd.DataFrame:
    """Printed sizes of Pace and Fipe by dataset."""
    sizes = printed_sizes("table_4").reset_index()
    return sizes[sizes["ensemble"] == ensemble].set_index("dataset")[[PACE, FIPE]]


def listed(values: pd.Series, digits: int = 0) -> str:
    """Numbers with their names, as a text."""
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in values.items())
