"""Tables 1, 3 and 4 beside print: which sizes are compared, and how the cells are shown."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.pace.printed import LIMIT, printed_cells, printed_texts
from compactml.chapters.pace.rows import ENSEMBLES, cell_texts, size_cells
from compactml.study.judging.beside import Sides, digit_by_digit, unjudged

__all__ = ["SIZE_UNIT", "compare_sizes", "with_texts"]

SIZE_UNIT = "learners · share of generated ones · seconds"


def compare_sizes(table: str, by: str, sides: Sides) -> pd.DataFrame:
    """Compare the final sizes digit by digit.

    A size without a certificate is not judged, nor is one where print has none.

    Parameters
    ----------
    table : {"table_1", "table_3", "table_4"}
    by : {"N", "ensemble"}
        What heads the columns.
    sides : Sides

    Returns
    -------
    DataFrame
        The columns of `compactml.study.judging.comparison.compare`.
    """
    key, cells_of = _key(by), partial(size_cells, by=by)
    cells = digit_by_digit(partial(printed_cells, table), key, cells_of)(sides)
    index = pd.MultiIndex.from_frame(cells[key])
    recorded, build = (_certified(ours, key, index) for ours in sides.cells(cells_of))
    certified = np.where(cells["this_build"].notna(), build, recorded)
    return unjudged(cells, (certified != True) | (cells["published"] == LIMIT))  # noqa: E712, missing is not certified


def with_texts(table: str, by: str, cells: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """Return compared cells as they are shown: size, share of generated learners and seconds.

    A dagger marks a size that is not proved to be the smallest, a double dagger one that is not certified.

    Parameters
    ----------
    table, by, sides
        As for `compare_sizes`.
    cells : DataFrame
        From `compare_sizes`.

    Returns
    -------
    DataFrame
        The same with texts in ``published``, ``recorded`` and ``this_build``, and headings in ``by``.
    """
    index = pd.MultiIndex.from_frame(cells[_key(by)])
    texts = cells.assign(published=printed_texts(table).reindex(index).to_numpy())
    for name, ours in zip(("recorded", "this_build"), sides.cells(partial(size_cells, by=by)), strict=True):
        texts[name] = _shown(ours, _key(by), index)
    for name in ("published", "recorded", "this_build"):  # a number stays with its unit
        texts[name] = texts[name].map(_unbroken)
    heads = ENSEMBLES if by == "ensemble" else {size: f"N = {size}" for size in texts[by]}
    texts[by] = texts[by].map(heads)
    return texts


def _key(by: str) -> list[str]:
    return ["dataset", "method", by]


def _certified(ours: pd.DataFrame | None, key: list[str], index: pd.MultiIndex) -> Any:
    """Whether each cell is certified, missing where there is none."""
    return np.nan if ours is None else ours.set_index(key)["certified"].reindex(index).to_numpy(object)


def _shown(ours: pd.DataFrame | None, key: list[str], index: pd.MultiIndex) -> Any:
    """The text of each cell, missing where there is none."""
    if ours is None:
        return np.nan
    texts = pd.Series(cell_texts(ours), index=pd.MultiIndex.from_frame(ours[key]), dtype=object)
    return texts.reindex(index).to_numpy()


def _unbroken(text: Any) -> Any:
    """A cell with no-break spaces before its units; a missing one as it is."""
    return re.sub(r" (?=[%s])", "\N{NO-BREAK SPACE}", text) if isinstance(text, str) else text
