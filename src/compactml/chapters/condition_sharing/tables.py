"""The condition-sharing chapter's tables beside print, its claims, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np
import pandas as pd

from compactml.chapters.condition_sharing import rows as frames
from compactml.chapters.condition_sharing.claims.checks import ROW_ORDER
from compactml.chapters.condition_sharing.claims.declared import CLAIMS
from compactml.chapters.condition_sharing.datasets import DATASETS
from compactml.chapters.condition_sharing.plan import CHAPTER
from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.study.judging.comparison import Agreement, compare, printed_decimals, same_digits
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
    write_recorded,
)
from compactml.study.running.engine import Finished

__all__ = [
    "CLAIMS",
    "beyond",
    "claim_data",
    "comparison",
    "known",
    "record",
    "repeated",
    "reproduced",
    "table_1",
]

FRAMES = {"table_2": frames.table_2, "table_3": frames.table_3, "fig_4": frames.figure_4}
OLDER = {"1.1.3": "_scikit_learn_1_1", "1.1.0": "_scikit_learn_1_1_0"}
"""Endings of the recorded tables that `benchmarks/older_scikit_learn.py` writes, by release of scikit-learn."""

BY_RELEASE = {release: f"every digit with scikit-learn {release}" for release in OLDER}
ROUNDING = "moves between our environments; none gives the printed digits"


def table_1() -> pd.DataFrame:
    """Table 1 with the sizes of the data as read here (missing where they are not at hand)."""
    rows = []
    for dataset in DATASETS:
        here: tuple[int | None, int | None] = (None, None)
        with suppress(DatasetNotAvailable):
            here = prepared(dataset.key).X.shape
        rows.append(
            {"dataset": dataset.name, "n": dataset.n, "d": dataset.d, "n_here": here[0], "d_here": here[1]}
        )
    return pd.DataFrame(rows).astype({"n_here": "Int64", "d_here": "Int64"})


def rows(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Long rows of a table or figure: the paper's cells, or the plain results of our own trials."""
    if table in FRAMES:
        return FRAMES[table](finished)
    return beyond(finished)


def beyond(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row per trial of the third notebook: what was asked and what was measured."""
    return pd.DataFrame(
        [
            {
                "dataset": one.trial.dataset,
                "learner": one.trial.method,
                **dict(one.trial.parameters),
                **one.result,
            }
            for one in finished
        ]
    )


def record(table: str, finished: Sequence[Finished]) -> None:
    """Write a table's rows and their provenance to ``data/recorded``; figures drawn from tables have none."""
    if table == "table_1":
        write_recorded(CHAPTER, table, table_1(), finished)
    if not finished or table in ("table_1", "fig_2", "fig_3", "fig_5"):
        return
    frame = rows(table, finished)
    whole = [one.name for one in DATASETS] if table in FRAMES else []
    update_recorded(CHAPTER, table, frame, finished, keys=frames.KEYS, datasets=whole)


def comparison(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Published beside recorded beside this build, and for every cell that differs a reason that was measured.

    Parameters
    ----------
    table : {"table_2", "table_3"}
    finished : sequence of Finished
        This build's trials.

    Returns
    -------
    DataFrame
        The columns of `compactml.study.judging.comparison.compare` and ``reason``.
    """
    build, kept = FRAMES[table](finished), recorded(CHAPTER, table)
    own = build if kept is None else pd.concat([build, kept]).drop_duplicates(frames.CELL)
    missing = [dataset.name for dataset in DATASETS if not data_identity(dataset.key).at_hand]
    cells = compare(published(CHAPTER, table), kept, build, frames.CELL, not_at_hand=missing)
    older = {release: kept["value"].to_dict() for release, kept in older_tables(table).items()}
    own_cells = own.set_index(frames.CELL)
    now, ties = own_cells["value"].to_dict(), own_cells["ties"].to_dict()
    reasons = []
    for _, cell in cells.iterrows():
        key = tuple(cell[frames.CELL])
        values = {release: kept[key] for release, kept in older.items() if key in kept}
        reasons.append(_reason(cell, now.get(key, np.nan), values, ties.get(key, 0.0)))
    return cells.assign(reason=reasons)


def older_tables(table: str) -> dict[str, pd.DataFrame]:
    """What is recorded of a table under older releases of scikit-learn, by release, with the cells as the index."""
    found = {release: recorded(CHAPTER, table + ending) for release, ending in OLDER.items()}
    return {release: frame.set_index(frames.CELL) for release, frame in found.items() if frame is not None}


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


def reproduced(table: str, finished: Sequence[Finished]) -> tuple[Table, Table]:
    """The whole table in the paper's layout, and the list of the cells that differ with their reasons."""
    cells = comparison(table, finished)
    frame, verdicts = paper_layout(cells, ["dataset", "measure"], "learner")
    kept, build = source_line(recorded_provenance(CHAPTER, table)), source_line(summary(finished))
    differing = cells[cells["verdict"] == Agreement.DIFFERS].drop(columns="verdict").reset_index(drop=True)
    note = f"recorded: {kept} | this build: {build}"
    return (
        show_beside_print("condition_sharing", table, frame, verdicts, note),
        show_differing("condition_sharing", table, differing),
    )


def known(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The recorded rows of a table or figure, and this build's rows for datasets that are not recorded."""
    return with_recorded(CHAPTER, table, rows(table, finished))


def repeated(table: str, finished: Sequence[Finished]) -> tuple[int, int]:
    """How many numbers of this build are the recorded ones, of how many that both have."""
    build, kept = rows(table, finished), recorded(CHAPTER, table)
    if kept is None or build.empty:
        return 0, 0
    keys = [column for column in frames.KEYS if column in kept.columns]
    both = build.merge(kept, on=keys, suffixes=("", "_recorded"))
    measured = [column for column in ("value", "AR", "SR") if column in build.columns]
    equal = [np.isclose(both[name], both[f"{name}_recorded"], rtol=1e-12, atol=0) for name in measured]
    return int(sum(part.sum() for part in equal)), len(both) * len(measured)


def claim_data() -> dict[str, pd.DataFrame]:
    """The recorded tables that the claims are checked on."""
    return recorded_tables(CHAPTER)
