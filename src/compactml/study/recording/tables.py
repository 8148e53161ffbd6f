"""A chapter's tables and what is recorded of them: writing, reading, putting together, and standing beside print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compactml.errors import InvalidParameterError
from compactml.study.chapter import Chapter, Printed, Table
from compactml.study.judging.beside import Sides
from compactml.study.keys.fingerprint import data_identity
from compactml.study.recording.recorded import recorded, recorded_tables, update_recorded, with_recorded
from compactml.study.running.worker import Finished

__all__ = [
    "claim_tables", "combined_rows", "comparison", "counted_cells", "counted_sides", "printed", "record",
    "recorded_rows", "repeated", "sides",
]  # fmt: skip


def record(chapter: Chapter, id: str, finished: Sequence[Finished]) -> None:
    """Write a table's rows and their provenance to the record; a figure that is drawn from another's rows has none."""
    table = chapter.table(id)
    if table.recorded and (finished or table.without_trials):
        frame = table.rows(finished)
        update_recorded(chapter.name, id, frame, finished, keys=table.key, datasets=table.datasets)


def recorded_rows(chapter: Chapter, id: str) -> pd.DataFrame | None:
    """Return the recorded rows of a table with all its columns, None where nothing is recorded.

    A column that the record lacks, since it is older, is missing in every row.
    """
    kept = recorded(chapter.name, id)
    return None if kept is None else _with_columns(chapter.table(id), kept)


def _with_columns(table: Table, kept: pd.DataFrame) -> pd.DataFrame:
    if table.without_trials:
        return kept
    lacking = [str(name) for name in table.rows([]) if name not in kept]
    return kept.assign(**dict.fromkeys(lacking, np.nan))


def claim_tables(chapter: Chapter) -> dict[str, pd.DataFrame]:
    """Return what the chapter's claims are checked on: its recorded tables by id, each with all its columns."""
    found = recorded_tables(chapter.name)
    return {
        id: _with_columns(chapter.table(id), kept) if id in chapter.table_ids else kept
        for id, kept in found.items()
    }


def combined_rows(chapter: Chapter, id: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Return the recorded rows of a table, and this build's for the datasets of which nothing is recorded.

    Rows of one dataset are never mixed, see `compactml.study.recording.recorded.with_recorded`.
    """
    return with_recorded(recorded_rows(chapter, id), chapter.table(id).rows(finished))


def printed(chapter: Chapter, id: str) -> Printed:
    """Return what is printed of a table.

    Raises
    ------
    UnknownTable
    InvalidParameterError
        The paper prints no numbers of it.
    """
    printed_table = chapter.table(id).printed
    if printed_table is None:
        asked = [table.id for table in chapter.tables if table.printed is not None]
        raise InvalidParameterError("id", f"a table of which numbers are printed, of {asked}", id)
    return printed_table


def sides(chapter: Chapter, id: str, finished: Sequence[Finished]) -> Sides:
    """Return our two sides of a table."""
    table = chapter.table(id)
    missing = tuple(name for name, key in table.datasets.items() if not data_identity(key).at_hand)
    return Sides(recorded_rows(chapter, id), table.rows(finished), missing)


def comparison(chapter: Chapter, id: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Return the cells of a printed table beside the recorded ones and this build's, with a verdict each.

    Judged is this build's cell where there is one, else the recorded one.

    Returns
    -------
    DataFrame
        The columns that name a cell, ``published``, ``recorded``, ``this_build``, ``verdict``, and what the table's
        judge adds.

    Raises
    ------
    UnknownTable
    InvalidParameterError
        The paper prints no numbers of it.
    """
    return printed(chapter, id).judge(sides(chapter, id, finished))


def counted_sides(chapter: Chapter, id: str, finished: Sequence[Finished]) -> Sides:
    """Return the sides that are counted: the recorded run's, and this build's of datasets that are not recorded.

    A smaller profile has fewer repetitions and shorter limits, so its cells say less of the paper's. Where a cell is
    over all datasets, this build's few would take the place of the recorded mean: then it counts only if nothing is
    recorded.
    """
    counts = printed(chapter, id).build_counts
    return sides(chapter, id, finished if counts else _not_recorded(chapter, id, finished))


def counted_cells(chapter: Chapter, id: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Return the comparison of the sides that are counted, see `counted_sides`."""
    return printed(chapter, id).judge(counted_sides(chapter, id, finished))


def _not_recorded(chapter: Chapter, id: str, finished: Sequence[Finished]) -> list[Finished]:
    """Return the trials of datasets of which nothing is recorded; none where a cell is over all datasets."""
    kept, table, layout = recorded(chapter.name, id), chapter.table(id), printed(chapter, id)
    if kept is None:
        return list(finished)
    if "dataset" not in (*layout.rows, layout.columns):
        return []
    names = {key: name for name, key in table.datasets.items()}
    there = set(kept["dataset"]) if "dataset" in kept else set(names.values())
    return [one for one in finished if names.get(one.trial.dataset, one.trial.dataset) not in there]


def repeated(
    chapter: Chapter, id: str, finished: Sequence[Finished], measured: Sequence[str]
) -> tuple[int, int]:
    """Return how many numbers of this build, in the columns ``measured``, are the recorded ones, of how many."""
    table, kept = chapter.table(id), recorded_rows(chapter, id)
    build = table.rows(finished)
    if kept is None or build.empty:
        return 0, 0
    both = build.merge(kept, on=[name for name in table.key if name in kept], suffixes=("", "_recorded"))
    equal = [np.isclose(both[name], both[f"{name}_recorded"], rtol=1e-12, atol=0) for name in measured]
    return int(sum(part.sum() for part in equal)), len(both) * len(measured)
