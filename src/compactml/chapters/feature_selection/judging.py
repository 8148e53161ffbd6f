"""Cells of the paper's Tables 2 to 7 beside ours, and which of them differ.

Only what a time limit did not decide is judged. A run that was stopped here before print was done, and the set and the
gap that any stopped run left behind, belong to a limit and a machine: they are shown without a verdict. Print's runs
had four threads and ours have one, so that print's times count four times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection.cells import ABOUT, gap_texts, not_run, score_cells, score_text
from compactml.chapters.feature_selection.printed import (
    CELL,
    EXACT,
    FOLDS,
    HEURISTIC,
    NONE,
    RUN,
    RUNS_OF,
    SIZE,
    THREADS,
    TIME,
    printed_gap_cells,
    printed_runs,
    printed_score_cells,
)
from compactml.chapters.feature_selection.trials.heuristics import CUT
from compactml.chapters.feature_selection.trials.solving import NO_SET, TIME_LIMIT, WORK_LIMIT
from compactml.study.judging.beside import Sides
from compactml.study.judging.comparison import Agreement, compare, compare_means

__all__ = [
    "AS_PRINT",
    "CHOSEN_BY_SIZES",
    "SHORTER",
    "STOPPED",
    "by_endings",
    "by_scores",
    "endings",
    "of_times",
    "run_counts",
]

Runs = dict[tuple[str, str], dict[Any, Any]]
"""Rows by dataset and method."""

UNJUDGED = ""
POINT = 0.01
"""One point of F1: scores are shares."""
AS_PRINT, SHORTER = "as print", "stopped before print was done"
STOPPED = (TIME_LIMIT, WORK_LIMIT, NO_SET)
CHOSEN_BY_SIZES = ("Breast_Cancer",)
"""Datasets whose reading was chosen by the printed sizes of their sets: another one fits all gaps and steps."""


def by_endings(table: str, sides: Sides) -> pd.DataFrame:
    """Cells of Table 2, 3 or 4; each takes the verdict of its run, and says so if the printed text came out.

    A cell differs where its run ended otherwise than in print (proved, time limit, no set found) and not for lack of
    time.

    Parameters
    ----------
    table : {"table_2", "table_3", "table_4"}
    sides : Sides

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``quantity``, ``method``, ``published``, ``recorded``, ``this_build``, ``verdict``.
    """
    cells = printed_gap_cells(table).rename(columns={"value": "published"})
    index = pd.MultiIndex.from_frame(cells[CELL])
    for side, runs in sides.by_name.items():
        cells[side] = None if runs is None else gap_texts(runs).reindex(index).to_numpy()
    printed, ours = runs_of(printed_runs(table)), our_runs(sides)
    verdicts = []
    for cell, text in zip(cells.to_dict("records"), our_text(cells), strict=True):
        run = cell["dataset"], cell["method"]
        verdict = run_verdict(printed[run], ours.get(run))
        same = verdict == UNJUDGED and str(text).removeprefix(ABOUT) == cell["published"]
        verdicts.append(str(Agreement.EVERY_DIGIT) if same else verdict)
    cells["verdict"] = not_at_hand(verdicts, cells["dataset"], sides.missing)
    return cells[[*CELL, "published", *sides.by_name, "verdict"]]


def of_times(cells: pd.DataFrame) -> pd.Series:
    """Which cells of Tables 2 to 4 are times: the cells of a run differ together, and one of them says how it ended."""
    return cells["quantity"] == TIME


def run_verdict(printed: dict[Any, Any], ours: dict[Any, Any] | None) -> str:
    """Whether two runs ended otherwise though the one that was stopped had time enough."""
    end = ending(printed, ours)
    return UNJUDGED if end in (AS_PRINT, SHORTER) else end


def ending(printed: dict[Any, Any], ours: dict[Any, Any] | None) -> str:
    """How our run ended beside print's: not run, as print, before print was done, or otherwise.

    The heuristic always ends as print.
    """
    if ours is None or not_run(ours["outcome"]):
        return str(Agreement.NOT_RUN)
    ended, other = printed["outcome"], ours["outcome"]
    if other in STOPPED and ours.get("time_limit_reached") == 0:
        return SHORTER  # by a limit on the work, which print did not have
    if ended == other or printed["method"] == HEURISTIC:
        return AS_PRINT
    # after less time than print took only a set where print has none says something
    needed = THREADS * printed["seconds"]
    shorter = other in STOPPED and needed > ours["time_limit"] and ended != NO_SET
    return SHORTER if shorter else str(Agreement.DIFFERS)


def endings(table: str, sides: Sides) -> dict[str, int]:
    """Number of runs of Table 2, 3 or 4 by how they ended (`ending`), the heuristic's left out."""
    ours = our_runs(sides)
    printed = printed_exact_runs(table)
    return dict(Counter(ending(row, ours.get(run)) for run, row in printed.items()))


def run_counts(table: str, sides: Sides, fits: Collection[str]) -> dict[str, int]:
    """How the runs of Table 2, 3 or 4 ended, as numbers for the prose.

    Parameters
    ----------
    table : {"table_2", "table_3", "table_4"}
    sides : Sides
        Those that are counted.
    fits : collection of str
        Datasets whose reading is compatible with print.

    Returns
    -------
    dict
        ``all`` runs that were made; those that ``agree``; ``shorter`` limits; those that ``differ``, of them those on a
        reading that is compatible with print (``differ_fitting``).
    """
    ends = endings(table, sides)
    counts = {"agree": AS_PRINT, "shorter": SHORTER, "differ": str(Agreement.DIFFERS)}
    numbers = {name: ends.get(end, 0) for name, end in counts.items()}
    cells = by_endings(table, sides)
    differs = (cells["verdict"] == Agreement.DIFFERS) & of_times(cells)
    return {
        "all": sum(numbers.values()),
        **numbers,
        "differ_fitting": int(cells.loc[differs, "dataset"].isin(fits).sum()),
    }


def by_scores(table: str, sides: Sides) -> pd.DataFrame:
    """Cells of Table 5, 6 or 7: sizes agree exactly, F1 scores within two standard errors of the difference.

    The errors are those of five folds. The sets of runs that a limit stopped, here or in print, are not judged, nor is
    a size at which the order of a heuristic was cut, nor the sizes by which the reading of a dataset was chosen.
    Parameters and result are those of `by_endings`.
    """
    printed = printed_score_cells(table)
    index = pd.MultiIndex.from_frame(printed[CELL])
    recorded, build = sides.cells(score_cells)
    pairs = zip(printed["value"], printed["std"], strict=True)
    cells = printed[CELL].assign(
        published=[f"{value} ± {std}" if std else value for value, std in pairs],
        recorded=None if recorded is None else _score_texts(recorded).reindex(index).to_numpy(),
        this_build=_score_texts(build).reindex(index).to_numpy(),
    )
    numbers = printed[printed["value"] != NONE]
    numbers = numbers.assign(std_error=pd.to_numeric(numbers["std"]) / np.sqrt(FOLDS))
    sizes = numbers["quantity"] == SIZE
    means = pd.concat(
        [
            compare(numbers[sizes], recorded, build, CELL),
            compare_means(numbers[~sizes], recorded, build, CELL, point=POINT),
        ]
    ).set_index(CELL)["verdict"]
    text, stopped, ours = our_text(cells), _stopped(table, sides), our_runs(sides)
    verdicts = []
    for cell, shown, mean in zip(cells.to_dict("records"), text, means.reindex(index), strict=True):
        verdict = str(Agreement.NOT_RUN) if pd.isna(shown) else str(mean)
        run = cell["dataset"], cell["method"]
        cut = ours.get(run, {}).get("outcome") == CUT
        imposed = cell["quantity"] == SIZE and (cut or (run[0] in CHOSEN_BY_SIZES and run[1] in EXACT))
        if not pd.isna(shown) and (run in stopped or imposed):
            verdict = UNJUDGED
        verdicts.append(verdict)
    return cells.assign(verdict=not_at_hand(verdicts, cells["dataset"], sides.missing))


def _stopped(table: str, sides: Sides) -> set[tuple[str, str]]:
    """Runs that ended at a limit in print or here, so that their set is not determined.

    That of a heuristic is: a limit cuts its order, and ours is cut where print's was.
    """
    both = (printed_exact_runs(RUNS_OF[table]), our_runs(sides))
    return {run for runs in both for run, row in runs.items() if row["outcome"] in STOPPED}


def _score_texts(scores: pd.DataFrame) -> pd.Series:
    triples = zip(scores["value"], scores["std"], scores["quantity"], strict=True)
    index = pd.MultiIndex.from_frame(scores[CELL])
    return pd.Series([score_text(*triple) for triple in triples], index=index, dtype=object)


def printed_exact_runs(table: str) -> Runs:
    """The printed runs of the methods that prove an optimum."""
    runs = printed_runs(table)
    return runs_of(runs[runs["method"].isin(EXACT)])


def runs_of(runs: pd.DataFrame | None) -> Runs:
    """Rows by dataset and method."""
    rows = [] if runs is None else runs.to_dict("records")
    return {(row[RUN[0]], row[RUN[1]]): row for row in rows}


def our_runs(sides: Sides) -> Runs:
    """The runs that are judged: this build's, else the recorded ones."""
    return runs_of(sides.recorded) | runs_of(sides.build)


def our_text(cells: pd.DataFrame) -> pd.Series:
    """The text that is judged: this build's, else the recorded one."""
    return cells["this_build"].where(cells["this_build"].notna(), cells["recorded"])


def not_at_hand(verdicts: Sequence[str], datasets: pd.Series, missing: Collection[str]) -> list[str]:
    """Where nothing was run because the data are missing, say that."""
    return [
        str(Agreement.NOT_AT_HAND) if verdict == Agreement.NOT_RUN and name in missing else verdict
        for verdict, name in zip(verdicts, datasets, strict=True)
    ]
