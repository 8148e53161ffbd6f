"""Tables 1 to 4 of the paper as squares, by what became of each number."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.pace.claims.sizes import ENSEMBLE, fitted_datasets
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.rows import ENSEMBLES
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PRUNE
from compactml.study.judging.comparison import Agreement
from compactml.study.page.squares import Squares
from compactml.study.page.style import MIXED, OPEN, PARTLY, UNTESTED, YES
from compactml.study.recording.results import Results

__all__ = ["CLOSE", "OUTCOMES", "SAME", "data", "of_sizes", "outcome", "sizes"]

SAME, CLOSE, OFF = "the same", "within one tree", "further off"
DECIDED, NOT_COMPARED, NOT_RUN = "decided a setting here", "no certificate, or not comparable", "not run"
OUTCOMES = {
    SAME: YES,
    CLOSE: PARTLY,
    OFF: MIXED,
    DECIDED: OPEN,
    NOT_COMPARED: UNTESTED,
    NOT_RUN: UNTESTED,
}
"""What became of a size, and its colour: none is red, since an inferred setting refutes nothing."""
ABSENT = (Agreement.NOT_AT_HAND, Agreement.NOT_RUN)


def outcome(verdict: str, method: str, difference: float, decided: bool) -> str:
    """Return what became of a printed size, a key of `OUTCOMES`.

    Parameters
    ----------
    verdict : str
    method : str
        "Generate only" is not comparable: ours keeps the initial trees.
    difference : float
        Ours less the printed size.
    decided : bool
        Whether a setting was inferred from it.
    """
    if verdict in ABSENT:
        return NOT_RUN
    if verdict == "" or method == GENERATE:
        return NOT_COMPARED
    if decided:
        return DECIDED
    if verdict == Agreement.EVERY_DIGIT:
        return SAME
    return CLOSE if abs(round(difference)) <= NEAR else OFF


def of_sizes(results: Results, id: str) -> pd.DataFrame:
    """Return the counted cells of Table 1, 3 or 4 with what became of each.

    Parameters
    ----------
    results : Results
    id : {"table_1", "table_3", "table_4"}

    Returns
    -------
    DataFrame
        The counted cells, with the columns ``decided``, whether a setting was inferred from the printed size, and
        ``outcome``, a key of `OUTCOMES`.
    """
    cells = results.counted_cells(id)
    cells = cells.assign(decided=_decided(results, id, cells))
    columns = cells[["verdict", "method", "difference", "decided"]]
    return cells.assign(outcome=[outcome(*row) for row in columns.itertuples(index=False)])


def sizes(results: Results, id: str, width: float) -> Figure:
    """Draw the sizes of Table 1, 3 or 4.

    Parameters
    ----------
    results : Results
    id : {"table_1", "table_3", "table_4"}
    width : float
        Inches.
    """
    cells = of_sizes(results, id)
    if id == "table_4":
        lines = cells["method"] + ", " + cells["ensemble"].map(ENSEMBLES)
        cells = cells.assign(line=lines, part="").sort_values("method", ascending=False, kind="stable")
        return Squares(cells, ["line", "dataset"], "part", OUTCOMES).draw(width)
    cells["N"] = "N = " + cells["N"].astype(str)
    return Squares(cells, ["dataset", "method"], "N", OUTCOMES).draw(width)


def _decided(results: Results, id: str, cells: pd.DataFrame) -> list[bool]:
    """Of which cells the printed size, or that of a smaller ensemble of the same data, served to infer a setting."""
    if id == "table_4":
        return list(cells["method"] == FIPE)
    fitted = fitted_datasets({"settings": results.recorded("settings")}, ENSEMBLE[id])
    return list((cells["method"] == PRUNE) & cells["dataset"].isin(fitted))


def data(results: Results, width: float) -> Figure:
    """Draw the numbers of Table 2."""
    cells = results.counted_cells("table_2").assign(part="")
    return Squares(cells, ["quantity", "dataset"], "part").draw(width)
