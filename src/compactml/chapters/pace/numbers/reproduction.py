"""The numbers of the second notebook: sizes of pruning beside the paper's, data, and single runs of the search."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.pictures.squares import CLOSE, SAME, of_sizes
from compactml.chapters.pace.rows import ratios
from compactml.chapters.pace.trials.paper import PRUNE
from compactml.study.judging.comparison import Agreement
from compactml.study.recording.results import Results

__all__ = ["data", "pruned", "single_runs"]

DECIDED = (SAME, CLOSE)
JUDGED = [Agreement.EVERY_DIGIT, Agreement.DIFFERS]
LOOPS = ("fig_2", "fig_5")


def pruned(results: Results) -> dict[str, int]:
    """Return how many certified sizes of pruning forests are within one tree of the paper's.

    Cells from which the settings were inferred are left out, as in `compactml.chapters.pace.claims.sizes`.
    """
    cells = of_sizes(results, "table_1")
    cells = cells[(cells["method"] == PRUNE) & cells["verdict"].isin(JUDGED) & ~cells["decided"]]
    return {"pace_pruned": len(cells), "pace_pruned_near": int(cells["outcome"].isin(DECIDED).sum())}


def data(results: Results) -> dict[str, int]:
    """Return how many numbers of Table 2 agree."""
    cells = results.counted_cells("table_2")
    cells = cells[cells["verdict"].isin(JUDGED)]
    return {
        "pace_data": len(cells),
        "pace_data_agree": int((cells["verdict"] == Agreement.EVERY_DIGIT).sum()),
    }


def single_runs(results: Results) -> dict[str, int]:
    """Return in how many runs to faithfulness the objective is faster than the constraint form, and their datasets."""
    rows = pd.concat([results.rows(id).assign(figure=id) for id in LOOPS], ignore_index=True)
    compared = pd.concat(
        [ratios(rows[rows["figure"] == id], "seconds", "objective")["ratio"] for id in LOOPS]
    )
    return {
        "pace_loop_datasets": rows["dataset"].nunique(),
        "pace_objective_compared": len(compared),
        "pace_objective_faster": int((compared < 1).sum()),
    }
