"""The paper's tables as squares: how runs ended, how sizes and scores agree, what is known of the data."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.feature_selection import readings as forensics
from compactml.chapters.feature_selection.cells import not_run
from compactml.chapters.feature_selection.datasets import DATASETS, MEASURES
from compactml.chapters.feature_selection.judging import (
    AS_PRINT,
    SHORTER,
    STOPPED,
    ending,
    our_runs,
    printed_exact_runs,
)
from compactml.chapters.feature_selection.printed import FULL_SET, HEURISTIC, SCORES, SIZE
from compactml.study.judging.comparison import Agreement
from compactml.study.page.squares import Squares
from compactml.study.page.style import NO, OPEN, PARTLY, UNTESTED, YES
from compactml.study.recording.results import Results
from compactml.study.recording.tables import counted_sides

__all__ = ["MEASURE_NAMES", "data", "endings", "runs_as_printed", "scores"]

GAPS, SETS = ("table_2", "table_3", "table_4"), ("table_5", "table_6", "table_7")
MEASURE_NAMES = {"mrmr": "mRMR", "cfs": "CFS"}
PROVED, BOTH_STOPPED, SOONER, OTHERWISE, NOT_RUN = (
    "proved in both", "stopped by a clock in both", "stopped here sooner", "ended otherwise", "not run",
)  # fmt: skip
ENDINGS = {PROVED: YES, BOTH_STOPPED: PARTLY, SOONER: OPEN, OTHERWISE: NO, NOT_RUN: UNTESTED}
"""How a run ended beside the printed one, and its colour."""
STOPPED_SET = "ended by a clock, or not run"
SCORED = {
    "as printed": YES, "within the errors": PARTLY, "too noisy to tell": OPEN, "differs": NO, STOPPED_SET: UNTESTED,
}  # fmt: skip
BY_VERDICT = {
    str(Agreement.EVERY_DIGIT): "as printed",
    str(Agreement.WITHIN_ERRORS): "within the errors",
    str(Agreement.INCONCLUSIVE): "too noisy to tell",
    str(Agreement.DIFFERS): "differs",
}
NOTHING = "nothing to compare"
WORDS = {"yes": "fits", "no": "does not fit"}
FITS = {"fits": YES, "does not fit": NO, NOTHING: UNTESTED}
SHORT = {
    SIZE: "size", SCORES["f1_nb"]: "NB", SCORES["f1_rf"]: "RF", HEURISTIC: "heuristic", "Algorithm 1": "Alg. 1",
    "Algorithm 2": "Alg. 2",
}  # fmt: skip
"""Heads of columns, shorter than in the tables."""
EVIDENCE = {"optimum": "optimum", "search": "search", "sizes": "sizes", "f1_nb": "NB", "f1_rf": "RF"}


def _head(id: str) -> str:
    """The head of a printed table's columns ("Table 2")."""
    return id.replace("_", " ").capitalize()


def runs_as_printed(results: Results) -> pd.DataFrame:
    """Every run of Tables 2 to 4 with how it ended beside the printed one.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``method``, ``table`` and ``outcome``, a key of `ENDINGS`.
    """
    rows = []
    for id in GAPS:
        ours = our_runs(counted_sides(results.chapter, id, results.finished(id)))
        for (dataset, method), row in printed_exact_runs(id).items():
            end = _ending(row, ours.get((dataset, method)))
            rows.append((str(dataset), SHORT.get(method, method), _head(id), end))
    return pd.DataFrame(rows, columns=["dataset", "method", "table", "outcome"])


def _ending(printed: dict[Any, Any], ours: dict[Any, Any] | None) -> str:
    if ours is None or not_run(ours["outcome"]):
        return NOT_RUN
    both = BOTH_STOPPED if printed["outcome"] in STOPPED else PROVED
    return {AS_PRINT: both, SHORTER: SOONER}.get(ending(printed, ours), OTHERWISE)


def endings(results: Results, width: float) -> Figure:
    """Tables 2 to 4, a square a run."""
    return Squares(runs_as_printed(results), ["dataset", "method"], "table", ENDINGS).draw(width)


def scores(results: Results, width: float) -> Figure:
    """Tables 5 to 7, a square a size or a score; the scores of the full set, the same in all three, once."""
    parts = []
    for id in SETS:
        cells = results.counted_cells(id)
        once = (cells["quantity"] != SIZE) & (id == SETS[0])
        cells = cells[(cells["method"] != FULL_SET) | once]
        names = cells["method"].map(lambda name: SHORT.get(name, name)) + " " + cells["quantity"].map(SHORT)
        outcomes = cells["verdict"].map(lambda verdict: BY_VERDICT.get(verdict, STOPPED_SET))
        parts.append(
            pd.DataFrame(
                {
                    "dataset": cells["dataset"],
                    "column": names,
                    "table": _head(id),
                    "outcome": outcomes,
                }
            )
        )
    return Squares(pd.concat(parts), ["dataset", "column"], "table", SCORED).draw(width)


def data(results: Results, width: float) -> Figure:
    """Table 1, and whether the data as we read them fit what Tables 2 to 7 print, by kind of evidence."""
    sizes = results.rows("table_1").set_index("dataset")
    trials = results.rows("readings")
    taken = forensics.taken(trials, forensics.with_evidence(trials)).set_index(["dataset", "measure"])
    rows = []
    for dataset in DATASETS:
        for head, (printed, column) in {
            "features": (dataset.p, "p_here"),
            "rows": (dataset.n, "n_here"),
        }.items():
            here = sizes[column].get(dataset.name)
            fits = NOTHING if pd.isna(here) else WORDS["yes" if here == printed else "no"]
            rows.append((dataset.name, head, "files", fits))
        for measure in MEASURES:
            for name, head in EVIDENCE.items():
                answer = str(taken[name].get((dataset.name, measure)))
                rows.append((dataset.name, head, MEASURE_NAMES[measure], WORDS.get(answer, NOTHING)))
    cells = pd.DataFrame(rows, columns=["dataset", "column", "group", "outcome"])
    return Squares(cells, ["dataset", "column"], "group", FITS).draw(width)
