"""Words for the columns and names of the chapter's tables, for its pages."""

from __future__ import annotations

import pandas as pd

__all__ = ["HEADS", "WORDS", "readable", "with_sizes"]

HEADS = {
    "apply_seconds": "time, apply (s)",
    "c_peak_mib": "memory, exceptional intervals (MiB)",
    "c_seconds": "time, exceptional intervals (s)",
    "interval_seconds": "time, intervals (s)",
    "n_nodes": "nodes",
    "n_rows": "rows",
    "peak_mib": "largest memory (MiB)",
    "points_dynamic": "points, dynamic program",
    "printed": "nodes by the paper's program (share)",
    "ratio": "ratio of times",
    "row_visits": "visits of rows",
    "search_seconds": "time, our search (s)",
    "seconds_dynamic": "time, dynamic program (s)",
    "set_seconds": "time, points (s)",
    "sigma_peak_mib": "memory, exceptional samples (MiB)",
    "sigma_seconds": "time, exceptional samples (s)",
    "times_faster": "times faster",
}
WORDS = {
    "SR_all": "SR(all)",
    "SR_tree": "SR(tree)",
    "SR_tree_over_all": "SR(tree) / SR(all)",
    "AR_all": "AR(all)",
    "AR_tree": "AR(tree)",
    "AR_tree_over_all": "AR(tree) / AR(all)",
}
"""Measures of Table 3 as the paper prints them."""


def readable(dataset: str) -> str:
    """Return a dataset's name, of generated data their size ("19,020 rows x 10")."""
    kind, _, size = dataset.partition(":")
    rows, _, features = size.partition("x")
    return f"{int(rows):,} rows x {features}" if features else kind


def with_sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows in which generated data bear their size."""
    return rows.assign(dataset=rows["dataset"].map(readable))
