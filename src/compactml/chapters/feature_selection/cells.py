"""Our rows as the cells of the paper's Tables 2 to 7, written as the paper writes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection.printed import (
    CELL,
    EXACT,
    FOLDS,
    GAPS,
    ITERATIONS,
    LARGE,
    LIMIT,
    NONE,
    PARAMETRIC,
    SCORES,
    SIZE,
    TIME,
)
from compactml.chapters.feature_selection.trials.solving import NO_SET, TIME_LIMIT, WORK_LIMIT

__all__ = ["ABOUT", "gap_text", "gap_texts", "not_run", "score_cells", "score_text"]

ABOUT = "≈ "
"""Before a gap of ours that is an estimate and no bound: Algorithm 2's, where a limit stopped it."""
WORK_ENDED = "work"
"""In place of a time: a limit on the work ended a run of the quick profile."""
LARGEST_GAP = 100.0
OURS = "ours"


def not_run(outcome: Any) -> bool:
    """Whether a run was left out, its model being too large; baselines have no outcome."""
    return isinstance(outcome, str) and outcome.startswith("not run")


def gap_text(value: Any, decimals: int) -> str:
    """A gap as the paper writes it; one that is missing is unbounded and a +, like one above 100."""
    return LARGE if pd.isna(value) or value > LARGEST_GAP else f"{value:.{decimals}f}"


def gap_texts(runs: pd.DataFrame) -> pd.Series:
    """Cells of Tables 2 to 4 as texts, from rows of trials; the heuristic has a time only."""
    cells = {
        (row["dataset"], name, row["method"]): text
        for row in runs.to_dict("records")
        for name, text in _run_texts(row).items()
    }
    index = pd.MultiIndex.from_tuples(list(cells), names=CELL) if cells else _NO_CELLS
    return pd.Series(list(cells.values()), index=index, dtype=object)


def _run_texts(row: dict[Any, Any]) -> dict[str, str]:
    ended = row["outcome"]
    if not_run(ended):
        return {TIME: ended.removeprefix("not run: ")}
    limits = {TIME_LIMIT: LIMIT, NO_SET: LIMIT, WORK_LIMIT: WORK_ENDED}
    texts = {TIME: limits.get(ended, f"{row['seconds']:.1f}")}
    if row["method"] in (*EXACT, OURS):
        about = ABOUT if row["method"] == PARAMETRIC[1] and ended in (TIME_LIMIT, WORK_LIMIT) else ""
        for column, (name, decimals) in GAPS.items():
            texts[name] = NONE if ended == NO_SET else about + gap_text(row[column], decimals)
    if row["method"] in PARAMETRIC:
        texts[ITERATIONS] = f"{row['iterations']:.0f}"
    return texts


_NO_CELLS = pd.MultiIndex.from_arrays([[], [], []], names=CELL)


def score_cells(runs: pd.DataFrame) -> pd.DataFrame:
    """Cells of Tables 5 to 7, from rows of trials.

    Columns `CELL`, ``value`` (missing where no set was found), ``std`` and ``std_error``.
    """
    cells = []
    for row in runs[~runs["outcome"].map(not_run).astype(bool)].to_dict("records"):
        cell = {"dataset": row["dataset"], "method": row["method"]}
        size = row["n_selected"] if row["outcome"] != NO_SET else None
        cells.append(cell | {"quantity": SIZE, "value": size, "std": None})
        for column, name in SCORES.items():
            pair = {"value": row[f"{column}_mean"], "std": row[f"{column}_std"]}
            cells.append(cell | {"quantity": name, **pair})
    frame = pd.DataFrame(cells, columns=[*CELL, "value", "std"]).astype({"value": float, "std": float})
    return frame.assign(std_error=frame["std"] / np.sqrt(FOLDS))


def score_text(value: float, std: float, quantity: str) -> str:
    """A size, "0.84 ± 0.04", or a dash where no set was found."""
    if np.isnan(value):
        return NONE
    return f"{value:.0f}" if quantity == SIZE else f"{value:.2f} ± {std:.2f}"
