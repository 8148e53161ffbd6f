"""The tables that Akkerman, Ferry, Guyard and Vidal (2026) print, as cells and as numbers."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.protocol import SIZES
from compactml.study.recording.published import published

__all__ = ["LIMIT", "MEASURES", "NEAR", "printed_cells", "printed_data", "printed_sizes", "printed_texts"]

NEAR = 1
"""Learners by which two sizes may differ and still count as reproduced, or as the same."""
LIMIT = "tlim"
"""Printed where the limit of 20 hours was reached."""
MEASURES = {"final_size": "size", "pct_generated_in_final": "generated (%)", "time_s": "time (s)"}
"""The three sub-columns of Tables 1, 3 and 4; the headers are lost, the names come from prose and units."""
QUANTITIES = {
    "binary_features": "binary",
    "numerical_features": "numerical",
    "samples": "samples",
    "classes": "classes",
    "class_share_1": "share 1",
    "class_share_2": "share 2",
    "class_share_3": "share 3",
}
"""Columns of Table 2."""


def _rows(table: str) -> pd.DataFrame:
    """A table as printed, its column groups as the ensemble sizes N that they are taken for."""
    frame = published(NAME, table).rename(columns={"ensemble_type": "ensemble"})
    if "column_group" in frame:
        frame["N"] = frame["column_group"].astype(int).map(lambda group: SIZES[group - 1])
        reached = frame["time_limit_20h_reached"] == "true"
        frame.loc[reached, ["final_size", "time_s"]] = LIMIT
    return frame


def _heads(table: str) -> str:
    """What heads the columns of Table 1, 3 or 4."""
    return "ensemble" if table == "table_4" else "N"


def printed_data() -> pd.DataFrame:
    """The values of Table 2, as printed.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``quantity`` and ``value``.
    """
    cells = published(NAME, "table_2").rename(columns=QUANTITIES).melt("dataset", var_name="quantity")
    return cells[cells["value"] != ""].reset_index(drop=True)


def printed_cells(table: str) -> pd.DataFrame:
    """The final sizes of Table 1, 3 or 4, as printed.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``method``, ``N`` (or ``ensemble``) and ``value``.
    """
    sizes = _rows(table).rename(columns={"final_size": "value"})
    return sizes[["dataset", "method", _heads(table), "value"]]


def printed_texts(table: str) -> pd.Series:
    """Cells of Tables 1, 3 and 4 with all three sub-columns: "7 · 100 % · 191 s"; indexed as `printed_cells`."""
    frame = _rows(table)
    texts = [
        LIMIT if size == LIMIT else " · ".join([size, f"{share} %" if share else "–", f"{int(seconds):,} s"])
        for size, share, seconds in zip(*(frame[name] for name in MEASURES), strict=True)
    ]
    names = ["dataset", "method", _heads(table)]
    return pd.Series(texts, index=pd.MultiIndex.from_frame(frame[names]), dtype=object)


def printed_sizes(table: str, measure: str = "final_size") -> pd.DataFrame:
    """Numbers of Table 1, 3 or 4: a row for each dataset and N (or ensemble), a column for each method.

    Parameters
    ----------
    table : {"table_1", "table_3", "table_4"}
    measure : {"final_size", "pct_generated_in_final", "time_s"}
        Missing where the limit was reached, or nothing is printed.
    """
    frame = _rows(table)
    frame[measure] = pd.to_numeric(frame[measure], errors="coerce")
    return frame.set_index(["dataset", _heads(table), "method"])[measure].unstack("method")  # noqa: PD010, nothing to add up
