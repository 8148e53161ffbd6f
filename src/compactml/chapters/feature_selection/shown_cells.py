"""Cells of Tables 2 to 7 as they are shown: the printed ones, and below them ours of which nothing is printed.

Our certified method, the small datasets that every build runs, and the heuristic's times where the paper has none.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from compactml.chapters.feature_selection.cells import OURS, gap_texts, score_cells, score_text
from compactml.chapters.feature_selection.datasets import LIVE
from compactml.chapters.feature_selection.printed import CELL
from compactml.study.judging.beside import Sides

__all__ = ["with_gaps", "with_scores"]


SHOWN = [*CELL, "published", "recorded", "this_build", "verdict"]


def with_gaps(cells: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """Return the cells of Table 2, 3 or 4 with those that are not printed."""
    return _with_unprinted(cells, sides, gap_texts)


def with_scores(cells: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """Return the cells of Table 5, 6 or 7 with those that are not printed."""
    return _with_unprinted(cells, sides, _score_texts)


def _with_unprinted(
    cells: pd.DataFrame, sides: Sides, texts_of: Callable[[pd.DataFrame], pd.Series]
) -> pd.DataFrame:
    ours = {
        side: None if rows is None else texts_of(_unprinted(rows)) for side, rows in sides.by_name.items()
    }
    every = [text.index for text in ours.values() if text is not None]
    index = every[0].append(every[1:]).unique()
    more = pd.DataFrame(index=index).reset_index()
    for side, texts in ours.items():
        more[side] = None if texts is None else texts.reindex(index).to_numpy()
    return pd.concat([cells[SHOWN], more.assign(published="", verdict="")[SHOWN]], ignore_index=True)


def _unprinted(rows: pd.DataFrame) -> pd.DataFrame:
    live = {dataset.name for dataset in LIVE}
    return rows[(rows["method"] == OURS) | rows["dataset"].isin(live)]


def _score_texts(rows: pd.DataFrame) -> pd.Series:
    scores = score_cells(rows)
    triples = zip(scores["value"], scores["std"], scores["quantity"], strict=True)
    texts = [score_text(*triple) for triple in triples]
    return pd.Series(texts, index=pd.MultiIndex.from_frame(scores[CELL]), dtype=object)
