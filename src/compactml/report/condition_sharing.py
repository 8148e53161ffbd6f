"""The condition-sharing chapter's tables beside print, its claims, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pandas as pd

from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.experiments.condition_sharing import CHAPTER
from compactml.experiments.condition_sharing_datasets import DATASETS
from compactml.experiments.engine import Finished
from compactml.experiments.fingerprint import data_identity
from compactml.report import condition_sharing_frames as frames
from compactml.report.comparison import Agreement, compare, printed_decimals, same_digits
from compactml.report.condition_sharing_claims import CLAIMS
from compactml.report.origins import source_line, summary
from compactml.report.published import published
from compactml.report.recorded import (
    recorded,
    recorded_provenance,
    update_recorded,
    with_recorded,
    write_recorded,
)
from compactml.report.tables import Table, paper_layout, show_beside_print, show_differing

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
OLDER = ("_scikit_learn_1_1", "_scikit_learn_1_1_0")
"""Endings of the recorded tables that `benchmarks/older_scikit_learn.py` writes, with 1.1.3 and with 1.1.0."""

ROUNDING = "moves between releases and processors; none at hand is the paper's"
ROW_ORDER = {"epileptic seizure": "the UCI file's row order is lost (folds differ)"}


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
        The columns of `compactml.report.comparison.compare` and ``reason``.
    """
    build, kept = FRAMES[table](finished), recorded(CHAPTER, table)
    own = build if kept is None else pd.concat([build, kept]).drop_duplicates(frames.CELL)
    missing = [dataset.name for dataset in DATASETS if not data_identity(dataset.key).at_hand]
    cells = compare(published(CHAPTER, table), kept, build, frames.CELL, not_at_hand=missing)
    older = pd.concat([own[[*frames.CELL, "value"]], *older_tables(table)])
    values = older.groupby(frames.CELL)["value"].agg(list).to_dict()
    moving = older.groupby(frames.CELL)["value"].nunique().groupby(level=["dataset", "learner"]).max() > 1
    ties = own.set_index(frames.CELL)["ties"].to_dict()
    reasons = [
        _reason(
            cell,
            values.get(tuple(cell[frames.CELL]), []),
            ties.get(tuple(cell[frames.CELL]), 0.0),
            moves=bool(moving.get((cell["dataset"], cell["learner"]), False)),
        )
        for _, cell in cells.iterrows()
    ]
    return cells.assign(reason=reasons)


def older_tables(table: str) -> list[pd.DataFrame]:
    """What is recorded of a table under older releases of scikit-learn."""
    found = [recorded(CHAPTER, table + ending) for ending in OLDER]
    return [frame[[*frames.CELL, "value"]] for frame in found if frame is not None]


def _reason(cell: pd.Series, values: Sequence[float], ties: float, *, moves: bool) -> str:
    """Why a cell differs: another library version, a tie in the vote, a lost row order, trees that rounding moves.

    ``values`` are those of all environments recorded; ``moves`` says that the environments disagree about the cells of
    this dataset and learner among themselves.
    """
    if cell["verdict"] != Agreement.DIFFERS:
        return ""
    if cell["dataset"] in ROW_ORDER:
        return ROW_ORDER[cell["dataset"]]
    if any(same_digits(value, cell["published"]) for value in values):
        return "every digit with scikit-learn 1.1"
    if ties and abs(cell["difference"]) <= ties + 0.5 * 10.0 ** -printed_decimals(cell["published"]):
        return "rows with a tied vote can move it that far"
    if moves:
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
    """The recorded rows of a table or figure, and this build's rows for what is not recorded."""
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
    kept = {name: recorded(CHAPTER, name) for name in FRAMES}
    older = {f"{name}_older": recorded(CHAPTER, name + OLDER[0]) for name in ("table_2", "table_3")}
    found = {name: frame for name, frame in (kept | older).items() if frame is not None}
    sizes = recorded(CHAPTER, "table_1")
    return found | {"table_1": table_1() if sizes is None else sizes}
