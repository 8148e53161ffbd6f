"""The figure that opens the ensemble-pruning chapter."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.printed import printed_ranks
from compactml.chapters.ensemble_pruning.rows import AVERAGE, BY_ACCURACY, LABELS, Ranking, rank_cells
from compactml.study.judging.noise import STANDARD_ERRORS
from compactml.study.page.rings import Panel, Point

__all__ = ["panels", "rank_panel"]


def panels(tables: Mapping[str, pd.DataFrame]) -> list[Panel]:
    """Mean rank of test accuracy, a row a method."""
    what = "mean rank of the test accuracy; bars are two standard errors over datasets"
    return [rank_panel("table_4", tables["table_4"], BY_ACCURACY, what)]


def rank_panel(table: str, runs: pd.DataFrame, ranking: Ranking, xlabel: str) -> Panel:
    """The last row of Table 4 or 6, a row a method: the printed mean rank, and that over our runs."""
    cells = rank_cells(runs, ranking)
    ours = cells[cells["K"] == AVERAGE].set_index("method")
    printed = printed_ranks(table).T[AVERAGE].astype(float).sort_values()
    rows = {
        LABELS.get(str(name), str(name)): [
            Point(
                float(rank),
                float(ours["value"].get(name, np.nan)),
                STANDARD_ERRORS * float(np.nan_to_num(ours["std_error"].get(name, 0.0))),
            )
        ]
        for name, rank in printed.items()
    }
    return Panel("", xlabel, rows)
