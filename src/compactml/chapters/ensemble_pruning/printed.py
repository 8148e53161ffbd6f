"""The tables that Bastos, Brandão and Valle (2024) print, as cells and as numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.rows import ALL_CASES, LARGER, SMALLER
from compactml.study.recording.published import published

__all__ = [
    "gap_cells", "mean_cells", "printed_gaps", "printed_means", "printed_ranks", "rank_cells", "size_cells", "stated",
]  # fmt: skip

REPETITIONS = 10
RUNS = 100
"""Of the paper's protocol: ten repetitions of ten folds."""


def stated(name: str) -> float:
    """A number that the paper's text gives."""
    numbers = published(NAME, "statements").set_index("statement")["value"]
    return float(numbers[name])


def size_cells() -> pd.DataFrame:
    """The texts of Table 2: columns ``dataset``, ``quantity``, ``value``.

    Which class is the positive one is inferred from their sizes, so these stand in the order of size.
    """
    table = published(NAME, "table_2")
    sizes = table[["N0", "N1"]].astype(int)
    table = table.assign(
        **{SMALLER: sizes.min(axis="columns").astype(str), LARGER: sizes.max(axis="columns").astype(str)}
    )
    names = ["features", "N", SMALLER, LARGER, "theta"]
    return table[["dataset", *names]].melt("dataset", var_name="quantity", value_name="value")


def gap_cells() -> pd.DataFrame:
    """The texts of Table 3: columns ``dataset``, ``method``, ``value``, ``std``, and ``std_error``, over 100 runs."""
    names = {"config": "method", "gap_avg_pct": "value", "gap_std_pct": "std"}
    cells = published(NAME, "table_3").rename(columns=names)
    return _with_error(cells[["dataset", "method", "value", "std"]], RUNS)


def mean_cells(over: int = REPETITIONS) -> pd.DataFrame:
    """The texts of Table 5: columns ``dataset``, ``K``, ``method``, ``value``, ``std`` and ``std_error``.

    What the deviations are over is not said, and they are far too small for folds.

    Parameters
    ----------
    over : int, default=10
        What they are taken to be over, the paper's repetitions; 1 takes them for standard errors themselves.
    """
    cells = published(NAME, "table_5").rename(columns={"ba_avg": "value", "ba_std": "std"})
    cells["dataset"] = cells["dataset"].replace("average_all_36", ALL_CASES)
    return _with_error(cells[["dataset", "K", "method", "value", "std"]], over)


def rank_cells(table: str) -> pd.DataFrame:
    """The texts of a table of ranks: columns ``K``, ``method``, ``value`` and ``std_error``, of which none is printed.

    Parameters
    ----------
    table : {"table_4", "table_6"}
    """
    cells = published(NAME, table)
    (value,) = (name for name in cells.columns if name.startswith("avg_rank"))
    return cells.rename(columns={value: "value"})[["K", "method", "value"]].assign(std_error=np.nan)


def _with_error(cells: pd.DataFrame, n: int) -> pd.DataFrame:
    return cells.assign(std_error=cells["std"].astype(float) / np.sqrt(n))


def printed_gaps() -> pd.DataFrame:
    """Mean gap in percent of each dataset: a column for each configuration."""
    cells = gap_cells().astype({"value": float})
    return cells.pivot_table(index="dataset", columns="method", values="value", sort=False)


def printed_ranks(table: str) -> pd.DataFrame:
    """Mean ranks of Table 4 or 6: a row for each K and "avg", a column for each method."""
    cells = rank_cells(table).astype({"value": float})
    return cells.pivot_table(index="K", columns="method", values="value", sort=False)


def printed_means(column: str = "value") -> pd.DataFrame:
    """Table 5: a row for each printed case and the average of all, a column for each method.

    Parameters
    ----------
    column : {"value", "std"}
    """
    cells = mean_cells().astype({column: float})
    return cells.pivot_table(index=["dataset", "K"], columns="method", values=column, sort=False)
