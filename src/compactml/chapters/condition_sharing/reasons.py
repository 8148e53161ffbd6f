"""Tables 2 and 3 beside print, and for every cell that differs a reason that was measured."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims.common import ROW_ORDER
from compactml.chapters.condition_sharing.rows import CELL
from compactml.study.judging.beside import Sides
from compactml.study.judging.comparison import Agreement, compare, printed_decimals, same_digits
from compactml.study.recording.published import published
from compactml.study.recording.recorded import recorded

__all__ = ["BY_RELEASE", "OLDER", "ROUNDING", "older_tables", "with_reasons"]

OLDER = {"1.1.3": "_scikit_learn_1_1", "1.1.0": "_scikit_learn_1_1_0"}
"""Endings of the tables whose ensembles are of another release of scikit-learn."""
BY_RELEASE = {release: f"every digit with scikit-learn {release}" for release in OLDER}
ROUNDING = "moves between our environments; none gives the printed digits"


def with_reasons(id: str, sides: Sides) -> pd.DataFrame:
    """Published beside recorded beside this build, and for every cell that differs a reason that was measured.

    Returns
    -------
    DataFrame
        The columns of `compactml.study.judging.comparison.compare` and ``reason``.
    """
    build, kept = sides.build, sides.recorded
    ours = build if kept is None else pd.concat([build, kept]).drop_duplicates(CELL)
    cells = compare(published(NAME, id), kept, build, CELL, not_at_hand=sides.missing)
    older = {release: table["value"].to_dict() for release, table in older_tables(id).items()}
    our_cells = ours.set_index(CELL)
    now, ties = our_cells["value"].to_dict(), our_cells["ties"].to_dict()
    reasons = []
    for _, cell in cells.iterrows():
        key = tuple(cell[CELL])
        values = {release: table[key] for release, table in older.items() if key in table}
        reasons.append(_reason(cell, now.get(key, np.nan), values, ties.get(key, 0.0)))
    return cells.assign(reason=reasons)


def older_tables(id: str) -> dict[str, pd.DataFrame]:
    """What is recorded of a table under older releases of scikit-learn, by release, with the cells as the index."""
    found = {release: recorded(NAME, id + ending) for release, ending in OLDER.items()}
    return {release: table.set_index(CELL) for release, table in found.items() if table is not None}


def _reason(cell: pd.Series, value: float, older: Mapping[str, float], ties: float) -> str:
    """Why a cell differs: a lost row order, another library version, a tie in the vote, trees that rounding moves.

    ``older`` has the cell's value in each older release; a cell moves if its own value is not the same in all.
    """
    if cell["verdict"] != Agreement.DIFFERS:
        return ""
    if cell["dataset"] in ROW_ORDER:
        return ROW_ORDER[cell["dataset"]]
    for release, other in older.items():
        if same_digits(other, cell["published"]):
            return BY_RELEASE[release]
    if ties and abs(cell["difference"]) <= ties + 0.5 * 10.0 ** -printed_decimals(cell["published"]):
        return "rows with a tied vote can move it that far"
    if not np.allclose(list(older.values()), value, rtol=1e-12, atol=0):
        return ROUNDING
    return "not explained"
