"""The Boolean-rules chapter's tables beside print, its claims, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import rows as frames
from compactml.chapters.boolean_rules.claims.declared import CLAIMS
from compactml.chapters.boolean_rules.datasets import DATASETS, PRINTED
from compactml.chapters.boolean_rules.plan import CHAPTER
from compactml.study.judging.comparison import Agreement, compare_means, printed_decimals
from compactml.study.keys.fingerprint import data_identity
from compactml.study.page.html import Table, paper_layout, show_beside_print, show_differing
from compactml.study.recording.origins import source_line, summary
from compactml.study.recording.published import published
from compactml.study.recording.recorded import (
    recorded,
    recorded_provenance,
    recorded_tables,
    update_recorded,
    with_recorded,
)
from compactml.study.running.engine import Finished

__all__ = ["CLAIMS", "claim_data", "comparison", "judged", "known", "record", "reproduced", "rows"]

FRAMES: dict[str, Callable[[Sequence[Finished]], pd.DataFrame]] = {
    "table_1": frames.table_1,
    "table_2": frames.table_2,
    "fig_1": frames.figure_1,
    "liver_reading": frames.liver_reading,
}
PAPER_TABLES = ("table_1", "table_2", "fig_1")
UNITS = {
    "table_1": "test accuracy in percent (standard error)",
    "table_2": "complexity (standard error)",
}
KEYS = {
    "table_1": frames.CELL,
    "table_2": frames.CELL,
    "fig_1": frames.CELL,
    "fico_rule": ["method"],
    "optima": ["dataset", "C"],
    "liver_reading": ["class"],
    "fico_cuts": ["dataset"],
    "engines": ["dataset", "method", "C"],
    "growth": ["method", "n"],
}
"""Columns whose values are taken from one side whole: points of one curve are not mixed."""


def rows(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Long rows of a table or figure: the paper's cells or points, or the plain results of our own trials."""
    return FRAMES.get(table, frames.plain)(finished)


def record(table: str, finished: Sequence[Finished]) -> None:
    """Write a table's rows and their provenance to ``data/recorded``."""
    if not finished:
        return
    frame = rows(table, finished)
    whole = [one.name for one in PRINTED] if table in PAPER_TABLES else []
    update_recorded(CHAPTER, table, frame, finished, keys=KEYS[table], datasets=whole)


def comparison(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Published beside recorded beside this build; means agree within two standard errors of their difference.

    Parameters
    ----------
    table : {"table_1", "table_2"}
    finished : sequence of Finished
        This build's trials.

    Returns
    -------
    DataFrame
        The columns of `compactml.study.judging.comparison.compare_means`.
    """
    missing = [one.name for one in DATASETS if not data_identity(one.key).at_hand]
    return compare_means(
        published(CHAPTER, table),
        recorded(CHAPTER, table),
        FRAMES[table](finished) if finished else None,
        frames.CELL,
        not_at_hand=missing,
    )


def judged(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The comparison of the recorded run alone, as the claims count it; of this build where nothing is recorded.

    A smaller profile has fewer folds and values of C, so its cells say less of the paper's.
    """
    return comparison(table, finished if recorded(CHAPTER, table) is None else [])


def reproduced(table: str, finished: Sequence[Finished]) -> tuple[Table, Table]:
    """A table in the paper's layout with our other readings below, and the list of the cells that differ."""
    cells = comparison(table, finished)
    sides = {"recorded": recorded(CHAPTER, table), "this_build": FRAMES[table](finished)}
    whole = pd.concat([as_printed(table, cells, sides), extra_rows(sides)], ignore_index=True)
    frame, verdicts = paper_layout(whole, "dataset", "method")
    kept, build = source_line(recorded_provenance(CHAPTER, table)), source_line(summary(finished))
    note = f"recorded: {kept} | this build: {build}"
    counted = judged(table, finished)
    unused = [side for side in sides if counted[side].isna().all()]
    differing = counted[counted["verdict"] == Agreement.DIFFERS].drop(columns=["verdict", *unused])
    return (
        show_beside_print("boolean_rules", table, frame, verdicts, note, cells=UNITS[table]),
        show_differing("boolean_rules", table, differing.reset_index(drop=True)),
    )


def as_printed(table: str, cells: pd.DataFrame, sides: dict[str, pd.DataFrame | None]) -> pd.DataFrame:
    """The cells as "mean (standard error)", ours with the digits of print."""
    errors = published(CHAPTER, table).set_index(frames.CELL)["std_error"]
    index = pd.MultiIndex.from_frame(cells[frames.CELL])
    texts = cells[[*frames.CELL, "verdict"]].assign(
        published=[f"{mean} ({error})" for mean, error in zip(cells["published"], errors[index], strict=True)]
    )
    for side, frame in sides.items():
        own = _texts(frame, printed_decimals(cells["published"].iloc[0]))
        texts[side] = own.reindex(index).to_numpy()
    return texts


def extra_rows(sides: dict[str, pd.DataFrame | None]) -> pd.DataFrame:
    """Other readings of a printed row, of which nothing is printed and nothing is judged."""
    names = [one.name for one in DATASETS if one.extra]
    own = {side: _texts(frame, 1) for side, frame in sides.items()}
    found = pd.DataFrame(own).reset_index(names=frames.CELL)
    return found[found["dataset"].isin(names)].assign(published="", verdict="")


def _texts(frame: pd.DataFrame | None, decimals: int) -> pd.Series:
    """Our cells as "mean (standard error)" by dataset and method; no error for a single fold."""
    if frame is None or frame.empty:
        empty = pd.MultiIndex.from_arrays([[], []], names=frames.CELL)
        return pd.Series(dtype=object, index=empty)
    errors = [
        f" ({error:.{decimals}f})" if np.isfinite(error) else "" for error in frame["std_error"].astype(float)
    ]
    texts = [f"{value:.{decimals}f}{error}" for value, error in zip(frame["value"], errors, strict=True)]
    return pd.Series(texts, index=pd.MultiIndex.from_frame(frame[frames.CELL]), dtype=object)


def known(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The recorded rows of a table or figure, and this build's rows for datasets that are not recorded."""
    return with_recorded(CHAPTER, table, rows(table, finished))


def claim_data() -> dict[str, pd.DataFrame]:
    """The recorded tables that the claims are checked on."""
    return recorded_tables(CHAPTER)
