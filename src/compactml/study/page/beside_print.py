"""A printed table and ours on one page: in the paper's layout, and the list of the cells that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compactml.study.chapter import Chapter
from compactml.study.judging.comparison import Agreement
from compactml.study.page.html import ShownTable, paper_layout, show_beside_print, show_differing
from compactml.study.page.words import words_of
from compactml.study.recording import tables
from compactml.study.recording.origins import both_sources
from compactml.study.recording.published import folder_name
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.running.worker import Finished

__all__ = ["beside_print", "differing", "of_paper"]


def beside_print(
    chapter: Chapter, id: str, finished: Sequence[Finished], left_out: Sequence[Finished] = ()
) -> ShownTable:
    """Return a table in the paper's layout: published, recorded and this build side by side.

    The line below it names the trials that were ``left_out``, since the clock ended them.

    Raises
    ------
    UnknownTable
    InvalidParameterError
        The paper prints no numbers of it.
    """
    printed, sides = tables.printed(chapter, id), tables.sides(chapter, id, finished)
    comparison = cells = printed.judge(sides)
    if printed.text is not None:
        cells = printed.text(cells, sides)
    rows = printed.rows[0] if len(printed.rows) == 1 else printed.rows
    frame, verdicts = paper_layout(cells, rows, printed.columns)
    note = both_sources(recorded_provenance(chapter.name, id), finished, left_out)
    shown = show_beside_print(
        folder_name(chapter.name), id, frame, verdicts, note, cells=printed.unit, data=comparison
    )
    return of_paper(shown, chapter)


def differing(
    chapter: Chapter, id: str, finished: Sequence[Finished], left_out: Sequence[Finished] = ()
) -> ShownTable:
    """Return the list of the cells that are counted and differ from print; sides without a cell are left out.

    Raises
    ------
    UnknownTable
    InvalidParameterError
        The paper prints no numbers of it.
    """
    printed, cells = tables.printed(chapter, id), tables.counted_cells(chapter, id, finished)
    differs = cells["verdict"] == Agreement.DIFFERS
    if printed.listed is not None:
        differs &= printed.listed(cells)
    unused = [side for side in ("recorded", "this_build") if cells[side].isna().all()]
    shown = cells[differs].drop(columns=["verdict", *unused]).reset_index(drop=True)
    table = show_differing(folder_name(chapter.name), id, shown)
    sources = both_sources(recorded_provenance(chapter.name, id), finished, left_out)
    return of_paper(replace(table, source=sources), chapter)


def of_paper(table: ShownTable, chapter: Chapter) -> ShownTable:
    """Return a table that names the chapter's paper where it is cited, and speaks in the chapter's words."""
    return replace(table, paper=chapter.citation, words=words_of(chapter))
