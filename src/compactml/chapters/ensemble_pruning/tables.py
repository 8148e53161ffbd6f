"""The ensemble-pruning chapter's tables beside print, its claims, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import rows as frames
from compactml.chapters.ensemble_pruning.claims.declared import CLAIMS
from compactml.chapters.ensemble_pruning.datasets import DATASETS
from compactml.chapters.ensemble_pruning.plan import CHAPTER
from compactml.chapters.ensemble_pruning.printed import printed_cells
from compactml.study.judging.comparison import Agreement, compare, compare_means
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

TABLES = ("table_2", "table_3", "table_4", "table_5", "table_6", "bounds", "curves", "overfitting")
TRIAL = [*frames.RUN, "kind", "method"]
"""Columns that name a trial, and in the curves its time limit."""

CELL = {
    "table_2": ["dataset", "quantity"],
    "table_3": ["dataset", "method"],
    "table_4": ["K", "method"],
    "table_5": ["dataset", "K", "method"],
    "table_6": ["K", "method"],
}
"""Columns that name a cell of a printed table."""
CELLS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "table_2": frames.dataset_cells,
    "table_3": frames.gap_cells,
    "table_4": lambda runs: frames.rank_cells(runs, "table_4"),
    "table_5": frames.balanced_cells,
    "table_6": lambda runs: frames.rank_cells(runs, "table_6"),
}
LAYOUT = {
    "table_2": ("dataset", "quantity"),
    "table_3": ("dataset", "method"),
    "table_4": ("K", "method"),
    "table_5": (["dataset", "K"], "method"),
    "table_6": ("K", "method"),
}
"""Rows and columns of each table as printed."""
DECIMALS = {"table_3": 1, "table_5": 4}
"""Digits of the tables whose cells are "mean (standard deviation)"."""
UNJUDGED = ("table_3",)
"""A gap after a limit depends on solver, machine and pool: it is shown, and judged by the claims alone."""


def record(table: str, finished: Sequence[Finished]) -> None:
    """Write a table's trials and their provenance to ``data/recorded``."""
    if not finished:
        return
    frame = frames.plain(finished)
    whole = [one.name for one in DATASETS]
    update_recorded(CHAPTER, table, frame, finished, keys=keys(table), datasets=whole)


def known(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The recorded trials of a table, and this build's for datasets that are not recorded."""
    return with_recorded(CHAPTER, table, frames.plain(finished))


def keys(table: str) -> list[str]:
    """Columns that tell the rows of a table apart: the points of a curve are runs to different limits."""
    return [*TRIAL, "time_limit"] if table == "curves" else TRIAL


def comparison(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Cells of a printed table beside recorded beside this build.

    Numbers of Table 2 agree digit by digit, means of Tables 4 to 6 within two standard errors of the difference; the
    gaps of Table 3 and the last row of Table 5, which averages datasets that are not the same here, are not judged.

    Parameters
    ----------
    table : {"table_2", ..., "table_6"}
    finished : sequence of Finished
        This build's trials.

    Returns
    -------
    DataFrame
        The columns of `compactml.study.judging.comparison.compare`.
    """
    kept = recorded(CHAPTER, table)
    ours, build = (None if one is None else CELLS[table](one) for one in (kept, frames.plain(finished)))
    missing = [one.name for one in DATASETS if not data_identity(one.key).at_hand]
    judge = compare if table == "table_2" else compare_means
    cells = judge(printed_cells(table), ours, build, CELL[table], not_at_hand=missing)
    unjudged = pd.Series(table in UNJUDGED, index=cells.index)
    if table == "table_5":
        unjudged |= cells["dataset"] == frames.ALL_CASES
    absent = cells["verdict"].isin([Agreement.NOT_AT_HAND, Agreement.NOT_RUN])
    cells.loc[unjudged & ~absent, "verdict"] = ""
    return cells


def judged(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The comparison of the recorded run alone, as the claims count it; of this build where nothing is recorded.

    A smaller profile has fewer folds and values of K, so its cells say less of the paper's.
    """
    return comparison(table, finished if recorded(CHAPTER, table) is None else [])


def reproduced(table: str, finished: Sequence[Finished]) -> Table:
    """A table in the paper's layout: published, recorded and this build side by side."""
    cells = comparison(table, finished)
    if table in DECIMALS:
        cells = with_deviations(table, cells, frames.plain(finished))
    if "method" in cells:
        cells["method"] = cells["method"].replace(frames.DIVERSITY if table == "table_3" else frames.LABELS)
    frame, verdicts = paper_layout(cells, *LAYOUT[table])
    kept, build = source_line(recorded_provenance(CHAPTER, table)), source_line(summary(finished))
    note = f"recorded: {kept} | this build: {build}"
    return show_beside_print("ensemble_pruning", table, frame, verdicts, note)


def with_deviations(table: str, cells: pd.DataFrame, build: pd.DataFrame) -> pd.DataFrame:
    """The cells as "mean (standard deviation)", and below them our cases that are not printed."""
    sides = {"recorded": recorded(CHAPTER, table), "this_build": build}
    texts = {name: _texts(one, table) for name, one in sides.items()}
    index = pd.MultiIndex.from_frame(cells[CELL[table]])
    printed = printed_cells(table).set_index(CELL[table])
    whole = cells[[*CELL[table], "verdict"]].assign(
        published=[f"{mean} ({std})" for mean, std in zip(printed["value"], printed["std"], strict=True)],
        **{name: own.reindex(index).to_numpy() for name, own in texts.items()},
    )
    extra = pd.DataFrame({name: own[~own.index.isin(index)] for name, own in texts.items()})
    if extra.empty:
        return whole
    below = extra.rename_axis(CELL[table]).reset_index().assign(published="", verdict="")
    return pd.concat([whole, below], ignore_index=True)


def _texts(runs: pd.DataFrame | None, table: str) -> pd.Series:
    """Our cells as "mean (standard deviation)"; no deviation for a single run."""
    cells = CELLS[table](pd.DataFrame() if runs is None else runs)
    index = pd.MultiIndex.from_frame(cells[CELL[table]])
    digits = DECIMALS[table]
    texts = [
        f"{row['value']:.{digits}f}" + (f" ({row['std']:.{digits}f})" if np.isfinite(row["std"]) else "")
        for row in cells.to_dict("records")
    ]
    return pd.Series(texts, index=index, dtype=object)


def claim_data() -> dict[str, pd.DataFrame]:
    """The recorded tables that the claims are checked on."""
    return recorded_tables(CHAPTER)
