"""The tables that Bastos, Brandão and Valle (2024) print, as cells and as numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.plan import CHAPTER
from compactml.chapters.ensemble_pruning.rows import ALL_CASES
from compactml.study.recording.published import published

__all__ = ["printed_cells", "printed_gaps", "printed_means", "printed_ranks", "stated"]

REPETITIONS = 10
RUNS = 100
"""Of the paper's protocol: ten repetitions of ten folds."""


def stated(name: str) -> float:
    """A number that the paper's text gives."""
    numbers = published(CHAPTER, "statements").set_index("statement")["value"]
    return float(numbers[name])


def printed_cells(table: str) -> pd.DataFrame:
    """The texts of a printed table by cell.

    Returns
    -------
    DataFrame
        Columns that name the cell, ``value``, and but for Table 2 ``std_error`` (and ``std``, a text, where one is
        printed). Table 3's is over 100 runs. What Table 5's is over is not said; it is far too small for folds, so ten
        repetitions are taken. No error is printed for ranks.
    """
    frame = published(CHAPTER, table)
    if table == "table_2":
        names = {"features": "features", "N": "N", "N0": "N0", "N1": "N1", "theta": "theta"}
        return frame[["dataset", *names]].melt("dataset", var_name="quantity", value_name="value")
    if table == "table_3":
        frame = frame.rename(columns={"config": "method", "gap_avg_pct": "value", "gap_std_pct": "std"})
        return _with_error(frame[["dataset", "method", "value", "std"]], RUNS)
    if table == "table_5":
        frame = frame.rename(columns={"ba_avg": "value", "ba_std": "std"})
        frame["dataset"] = frame["dataset"].replace("average_all_36", ALL_CASES)
        return _with_error(frame[["dataset", "K", "method", "value", "std"]], REPETITIONS)
    value = next(name for name in frame.columns if name.startswith("avg_rank"))
    return frame.rename(columns={value: "value"})[["K", "method", "value"]].assign(std_error=np.nan)


def _with_error(cells: pd.DataFrame, n: int) -> pd.DataFrame:
    return cells.assign(std_error=cells["std"].astype(float) / np.sqrt(n))


def printed_gaps() -> pd.DataFrame:
    """Mean gap in percent of each dataset: a column for each configuration."""
    cells = printed_cells("table_3").astype({"value": float})
    return cells.pivot_table(index="dataset", columns="method", values="value", sort=False)


def printed_ranks(table: str) -> pd.DataFrame:
    """Mean ranks of Table 4 or 6: a row for each K and "avg", a column for each method."""
    cells = printed_cells(table).astype({"value": float})
    return cells.pivot_table(index="K", columns="method", values="value", sort=False)


def printed_means(column: str = "value") -> pd.DataFrame:
    """Table 5: a row for each printed case and the average of all, a column for each method.

    Parameters
    ----------
    column : {"value", "std"}
    """
    cells = printed_cells("table_5").astype({column: float})
    return cells.pivot_table(index=["dataset", "K"], columns="method", values=column, sort=False)
