"""The Pace chapter's tables beside print, its claims, and what is recorded of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.pace import rows as frames
from compactml.chapters.pace.claims.declared import CLAIMS
from compactml.chapters.pace.datasets import DATASETS
from compactml.chapters.pace.plan import CHAPTER, EXPERIMENT
from compactml.chapters.pace.printed import LIMIT, printed_cells, printed_texts
from compactml.study.judging.comparison import Agreement, compare
from compactml.study.keys.fingerprint import data_identity
from compactml.study.page.html import Table, paper_layout, show_beside_print
from compactml.study.recording.origins import source_line, summary
from compactml.study.recording.recorded import (
    recorded,
    recorded_provenance,
    recorded_tables,
    update_recorded,
    with_recorded,
)
from compactml.study.running.engine import Finished

__all__ = ["CLAIMS", "claim_data", "comparison", "judged", "known", "record", "reproduced"]

TABLES = EXPERIMENT.tables
HISTORIES = ("fig_10", "fig_11")
"""Figures that draw the record of the generation phase."""
CELL = {
    "table_1": ["dataset", "method", "N"],
    "table_2": ["dataset", "quantity"],
    "table_3": ["dataset", "method", "N"],
    "table_4": ["dataset", "method", "ensemble"],
}
"""Columns that name a cell of a printed table."""
CELLS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "table_1": frames.size_cells,
    "table_2": frames.dataset_cells,
    "table_3": frames.size_cells,
    "table_4": lambda rows: frames.size_cells(rows, "ensemble"),
}
TRIAL = [
    "dataset", *frames.SETTING, "deciles_of", "pricing", "generated_depth", "seed", "kind", "method",
]  # fmt: skip
"""Columns that name a trial; of two limits the recorded one counts."""


def record(table: str, finished: Sequence[Finished]) -> None:
    """Write a table's trials and their provenance to ``data/recorded``."""
    if not finished:
        return
    frame = frames.plain(finished, history=table in HISTORIES)
    whole = [one.name for one in DATASETS]
    update_recorded(CHAPTER, table, frame, finished, keys=TRIAL, datasets=whole)


def known(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The recorded trials of a table, and this build's for datasets that are not recorded."""
    build = frames.plain(finished, history=table in HISTORIES)
    return with_recorded(CHAPTER, table, build)


def comparison(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Cells of a printed table beside recorded beside this build.

    Compared digit by digit are the numbers of Table 2 and the final sizes of Tables 1, 3 and 4. A size without a
    certificate is not judged, nor is one where print has none.

    Parameters
    ----------
    table : {"table_1", "table_2", "table_3", "table_4"}
    finished : sequence of Finished
        This build's trials.

    Returns
    -------
    DataFrame
        The columns of `compactml.study.judging.comparison.compare`.
    """
    ours = {name: CELLS[table](rows) for name, rows in _sides(table, finished).items()}
    missing = [one.name for one in DATASETS if not data_identity(one.key).at_hand]
    cells = compare(
        printed_cells(table), ours["recorded"], ours["this_build"], CELL[table], not_at_hand=missing
    )
    if table == "table_2":
        return cells
    index = pd.MultiIndex.from_frame(cells[CELL[table]])
    proved = [side.set_index(CELL[table])["certified"].reindex(index).to_numpy() for side in ours.values()]
    certified = np.where(cells["this_build"].notna(), proved[1], proved[0])
    unjudged = (certified != True) | (cells["published"] == LIMIT)  # noqa: E712, missing is not certified
    absent = cells["verdict"].isin([Agreement.NOT_AT_HAND, Agreement.NOT_RUN])
    cells.loc[unjudged & ~absent, "verdict"] = ""
    return cells


def judged(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The comparison of the recorded run alone, as the claims count it; of this build where nothing is recorded.

    A smaller profile stops earlier, so its sizes say less of the paper's.
    """
    return comparison(table, finished if recorded(CHAPTER, table) is None else [])


def _sides(table: str, finished: Sequence[Finished]) -> dict[str, pd.DataFrame]:
    kept = recorded(CHAPTER, table)
    return {"recorded": pd.DataFrame() if kept is None else kept, "this_build": frames.plain(finished)}


def reproduced(table: str, finished: Sequence[Finished]) -> Table:
    """A table in the paper's layout: published, recorded and this build side by side.

    A dagger marks a size that is not proved to be the smallest, a double dagger one that is not certified.
    """
    cells = comparison(table, finished)
    rows, columns = CELL[table][:-1], CELL[table][-1]
    if table != "table_2":
        cells = _with_texts(table, cells, finished)
    frame, verdicts = paper_layout(cells, rows[0] if len(rows) == 1 else rows, columns)
    kept, build = source_line(recorded_provenance(CHAPTER, table)), source_line(summary(finished))
    what = "" if table == "table_2" else "learners · share of generated ones · seconds"
    note = f"recorded: {kept} | this build: {build}"
    return show_beside_print("pace", table, frame, verdicts, note, cells=what)


def _with_texts(table: str, cells: pd.DataFrame, finished: Sequence[Finished]) -> pd.DataFrame:
    index = pd.MultiIndex.from_frame(cells[CELL[table]])
    texts = cells.assign(published=printed_texts(table).reindex(index).to_numpy())
    for name, rows in _sides(table, finished).items():
        own = CELLS[table](rows)
        shown = pd.Series(
            frames.cell_texts(own), index=pd.MultiIndex.from_frame(own[CELL[table]]), dtype=object
        )
        texts[name] = shown.reindex(index).to_numpy()
    for name in ("published", "recorded", "this_build"):  # a number stays with its unit
        texts[name] = texts[name].map(_unbroken)
    heads = (
        frames.ENSEMBLES if table == "table_4" else {size: f"N = {size}" for size in texts[CELL[table][-1]]}
    )
    texts[CELL[table][-1]] = texts[CELL[table][-1]].map(heads)
    return texts


def _unbroken(text: Any) -> Any:
    """A cell with no-break spaces before its units; a missing one as it is."""
    return re.sub(r" (?=[%s])", "\N{NO-BREAK SPACE}", text) if isinstance(text, str) else text


def claim_data() -> dict[str, pd.DataFrame]:
    """The recorded tables that the claims are checked on."""
    return recorded_tables(CHAPTER)
