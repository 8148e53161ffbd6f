"""A table in a terminal: published, recorded, and yours from the last run."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compactml.study import Chapter, Finished
from compactml.study.page.html import as_printed
from compactml.study.recording import tables
from compactml.study.recording.origins import source_line, summary
from compactml.study.recording.recorded import recorded_provenance

__all__ = ["side_by_side"]

SIDES = ("published", "recorded", "yours")


def side_by_side(
    chapter: Chapter, id: str, finished: Sequence[Finished], *, all_rows: bool = True
) -> tuple[pd.DataFrame, list[str]]:
    """Return a table as lines of text cells, and where its numbers come from.

    Parameters
    ----------
    chapter : Chapter
    id : str
    finished : sequence of Finished
        Yours; empty where you have none.
    all_rows : bool
        Whether rows without a number of yours are there too.

    Returns
    -------
    DataFrame of str
        Of a table whose numbers the paper prints, a row for each printed cell: what names it, `SIDES`, and the verdict
        on yours, or on the recorded number where you have none. Of another table all rows, the recorded ones first;
        a column ``whose`` says which is whose.
    list of str
        Two lines: the runs behind the recorded numbers and behind yours.

    Raises
    ------
    UnknownTable
    """
    lines = _rows if chapter.table(id).printed is None else _cells
    frame = lines(chapter, id, finished)
    if not all_rows and len(frame):
        frame = frame[frame["yours"] != ""] if "yours" in frame else frame[frame["whose"] == "yours"]
    sources = (source_line(recorded_provenance(chapter.name, id)), source_line(summary(finished)))
    return frame, [f"{side}: {source}" for side, source in zip(SIDES[1:], sources, strict=True)]


def _cells(chapter: Chapter, id: str, finished: Sequence[Finished]) -> pd.DataFrame:
    layout, cells = tables.printed(chapter, id), tables.comparison(chapter, id, finished)
    names = [*layout.rows, layout.columns]
    frame = cells[names].astype(str)
    frame["published"] = cells["published"]
    for side, column in (("recorded", "recorded"), ("yours", "this_build")):
        frame[side] = as_printed(cells[column], cells["published"])
    frame["verdict"] = cells["verdict"].astype(str)
    return frame.astype("str")


def _rows(chapter: Chapter, id: str, finished: Sequence[Finished]) -> pd.DataFrame:
    parts = {"recorded": tables.recorded_rows(chapter, id), "yours": chapter.table(id).rows(finished)}
    shown = [rows.assign(whose=whose) for whose, rows in parts.items() if rows is not None and not rows.empty]
    if not shown:
        return pd.DataFrame()
    frame = pd.concat(shown, ignore_index=True)
    frame = frame[["whose", *(name for name in frame if name != "whose")]]
    return frame.map(_text).astype("str")


def _text(value: object) -> str:
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:.6g}"
    return "" if value is None else str(value)
