"""Printed cells that are odd beside the others, by rules applied to all: they need no run."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.trials.paper import GENERATE, PACE, PRUNE

__all__ = ["impossible_shares", "suspicious"]

OUTLYING = 3.0
"""A pruned size this many times larger or smaller than the median of the other three is listed."""


def suspicious() -> pd.DataFrame:
    """Return printed cells of Tables 1 and 3 that do not fit the others.

    Returns
    -------
    DataFrame
        Columns ``table``, ``dataset``, ``N``, ``entry``, ``why``.
    """
    rows: list[tuple[str, str, int, str, str]] = []
    for table in ("table_1", "table_3"):
        sizes, shares = (
            printed_sizes(table, measure).reset_index()
            for measure in ("final_size", "pct_generated_in_final")
        )
        for i, (dataset, n) in enumerate(zip(sizes["dataset"], sizes["N"], strict=True)):
            others = sizes[(sizes["dataset"] == dataset) & (sizes["N"] != n)]
            for entry, why in _oddities(sizes.iloc[i], shares.iloc[i], others):
                rows.append((f"Table {table[-1]}", dataset, n, entry, why))
    return pd.DataFrame(rows, columns=["table", "dataset", "N", "entry", "why"])


def _oddities(sizes: pd.Series, shares: pd.Series, others: pd.DataFrame) -> list[tuple[str, str]]:
    """What is odd about the cells of one dataset and N."""
    oddities = []
    if shares[GENERATE] != 100:
        oddities.append((f"Generate only: {shares[GENERATE]:.0f} % generated", "100 % in every other cell"))
    median = others[PRUNE].median()
    if not 1 / OUTLYING < sizes[PRUNE] / median < OUTLYING:
        same = ", as Generate only" if sizes[PRUNE] == sizes[GENERATE] else ""
        oddities.append(
            (f"Pruning only: size {sizes[PRUNE]:.0f}{same}", f"median of the other N: {median:g}")
        )
    least = sizes[[GENERATE, PRUNE]].min()
    if sizes[PACE] > least:
        oddities.append((f"Pace: size {sizes[PACE]:.0f}", f"an ablation has {least:.0f}"))
    return oddities


def impossible_shares(table: str) -> pd.DataFrame:
    """Printed cells of Pace whose share of generated learners no single ensemble of the printed size has.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``N``, ``size``, ``share``.
    """
    sizes, shares = printed_sizes(table)[PACE], printed_sizes(table, "pct_generated_in_final")[PACE]
    cells = pd.DataFrame({"size": sizes, "share": shares}).dropna().astype(int).reset_index()
    possible = [
        any(abs(100 * k / size - share) <= 0.5 for k in range(size + 1))
        for size, share in zip(cells["size"], cells["share"], strict=True)
    ]
    return cells[~np.array(possible)].reset_index(drop=True)
