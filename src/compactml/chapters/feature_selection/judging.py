"""Cells of the paper's Tables 2 to 7 beside ours, and which of them differ.

Only what a time limit did not decide is judged. A run that was stopped here before print was done, and the set and the
gap that any stopped run left behind, belong to a limit and a machine: they are shown without a verdict. Print's runs
had four threads and ours have one, so that print's times count four times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import rows as frames
from compactml.chapters.feature_selection.rows import CELL, RUN
from compactml.chapters.feature_selection.trials.paper import NO_SET, TIME_LIMIT
from compactml.study.judging.comparison import Agreement, compare_means

__all__ = [
    "AS_PRINT",
    "RUNS_OF",
    "SHORTER",
    "STOPPED",
    "endings",
    "gap_cells",
    "score_cells",
    "stopped_in_both",
]

Sides = Mapping[str, pd.DataFrame | None]
"""Plain rows, "recorded" and "this_build"."""
Runs = dict[tuple[str, str], dict[Any, Any]]

UNJUDGED = ""
AS_PRINT, SHORTER = "as print", "stopped before print was done"
STOPPED = (TIME_LIMIT, NO_SET)
RUNS_OF = {"table_5": "table_2", "table_6": "table_3", "table_7": "table_4"}
"""The table that says how the runs ended whose sets a table scores."""


def gap_cells(table: str, sides: Sides, missing: Sequence[str]) -> pd.DataFrame:
    """Cells of Tables 2 to 4; each takes the verdict of its run, and says so if the printed text came out.

    Parameters
    ----------
    table : str
    sides : mapping of str to DataFrame or None
    missing : sequence of str
        Datasets that are not at hand.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``quantity``, ``method``, ``published``, ``recorded``, ``this_build``, ``verdict``.
    """
    cells = frames.printed_cells(table).rename(columns={"value": "published"})
    index = pd.MultiIndex.from_frame(cells[CELL])
    for side, runs in sides.items():
        cells[side] = frames.gap_cells(runs).reindex(index).to_numpy()
    printed, ours = runs_of(frames.printed_runs(table)), our_runs(sides)
    verdicts = []
    for cell, text in zip(cells.to_dict("records"), our_text(cells), strict=True):
        run = cell["dataset"], cell["method"]
        verdict = run_verdict(printed[run], ours.get(run))
        same = verdict == UNJUDGED and str(text).removeprefix(frames.ABOUT) == cell["published"]
        verdicts.append(str(Agreement.EVERY_DIGIT) if same else verdict)
    cells["verdict"] = not_at_hand(verdicts, cells["dataset"], missing)
    return cells[[*CELL, "published", *sides, "verdict"]]


def run_verdict(printed: dict[Any, Any], ours: dict[Any, Any] | None) -> str:
    """Whether two runs ended otherwise though the one that was stopped had time enough."""
    found = ending(printed, ours)
    return UNJUDGED if found in (AS_PRINT, SHORTER) else found


def ending(printed: dict[Any, Any], ours: dict[Any, Any] | None) -> str:
    """How our run ended beside print's: not run, as print, before print was done, or otherwise.

    The heuristic always ends as print.
    """
    if ours is None or frames.not_run(ours["outcome"]):
        return str(Agreement.NOT_RUN)
    ended, other = printed["outcome"], ours["outcome"]
    if ended == other or printed["method"] == frames.METHODS["heuristic"]:
        return AS_PRINT
    # after less time than print took only a set where print has none says something
    needed = frames.THREADS * printed["seconds"]
    shorter = other in STOPPED and needed > ours["time_limit"] and ended != NO_SET
    return SHORTER if shorter else str(Agreement.DIFFERS)


def endings(table: str, sides: Sides) -> dict[str, int]:
    """Number of runs of Tables 2 to 4 by how they ended (`ending`), the heuristic's left out."""
    ours = our_runs(sides)
    printed = frames.printed_runs(table).query("method in @frames.EXACT")
    return dict(Counter(ending(one, ours.get(run)) for run, one in runs_of(printed).items()))


def stopped_in_both(table: str, sides: Sides) -> int:
    """Number of runs of Tables 2 to 4 that a limit stopped here and in print, with a set on both sides."""
    ours, printed = our_runs(sides), frames.printed_runs(table).query("method in @frames.EXACT")
    limits = {run for run, one in runs_of(printed).items() if one["outcome"] == TIME_LIMIT}
    return sum(run in ours and ours[run]["outcome"] == TIME_LIMIT for run in limits)


def score_cells(table: str, sides: Sides, missing: Sequence[str]) -> pd.DataFrame:
    """Cells of Tables 5 to 7: sizes agree exactly, F1 scores within two standard errors of the difference.

    Parameters and result as of `gap_cells`.
    """
    printed = frames.printed_cells(table)
    index = pd.MultiIndex.from_frame(printed[CELL])
    ours = {side: frames.score_cells(runs) for side, runs in sides.items()}
    pairs = zip(printed["value"], printed["std"], strict=True)
    cells = printed[CELL].assign(
        published=[f"{value} ± {std}" if std else value for value, std in pairs],
        **{side: _score_texts(frame).reindex(index).to_numpy() for side, frame in ours.items()},
    )
    numbers = printed[printed["value"] != frames.NONE]
    numbers = numbers.assign(std_error=pd.to_numeric(numbers["std"]) / np.sqrt(frames.FOLDS))
    means = compare_means(numbers, ours["recorded"], ours["this_build"], CELL).set_index(CELL)["verdict"]
    text, stopped = our_text(cells), _stopped(table, sides)
    verdicts = []
    for cell, shown, judged in zip(cells.to_dict("records"), text, means.reindex(index), strict=True):
        verdict = str(Agreement.NOT_RUN) if pd.isna(shown) else str(judged)
        if not pd.isna(shown) and (cell["dataset"], cell["method"]) in stopped:
            verdict = UNJUDGED
        verdicts.append(verdict)
    return cells.assign(verdict=not_at_hand(verdicts, cells["dataset"], missing))


def _stopped(table: str, sides: Sides) -> set[tuple[str, str]]:
    """Runs that ended at a limit in print or here, so that their set is not determined."""
    both = (runs_of(frames.printed_runs(RUNS_OF[table])), our_runs(sides))
    return {run for runs in both for run, row in runs.items() if row["outcome"] in STOPPED}


def _score_texts(scores: pd.DataFrame) -> pd.Series:
    triples = zip(scores["value"], scores["std"], scores["quantity"], strict=True)
    index = pd.MultiIndex.from_frame(scores[CELL])
    return pd.Series([frames.score_text(*one) for one in triples], index=index, dtype=object)


def runs_of(runs: pd.DataFrame | None) -> Runs:
    """Rows by dataset and method."""
    rows = [] if runs is None else runs.to_dict("records")
    return {tuple(row[name] for name in RUN): row for row in rows}


def our_runs(sides: Sides) -> Runs:
    """The runs that are judged: this build's, else the recorded ones."""
    return runs_of(sides["recorded"]) | runs_of(sides["this_build"])


def our_text(cells: pd.DataFrame) -> pd.Series:
    """The text that is judged: this build's, else the recorded one."""
    return cells["this_build"].where(cells["this_build"].notna(), cells["recorded"])


def not_at_hand(verdicts: Sequence[str], datasets: pd.Series, missing: Sequence[str]) -> list[str]:
    """Where nothing was run because the data are missing, say that."""
    return [
        str(Agreement.NOT_AT_HAND) if verdict == Agreement.NOT_RUN and name in missing else verdict
        for verdict, name in zip(verdicts, datasets, strict=True)
    ]
