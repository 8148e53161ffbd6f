"""The feature-selection chapter's tables beside print, its claims, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pandas as pd

from compactml.chapters.feature_selection import rows as frames
from compactml.chapters.feature_selection.claims.declared import CLAIMS
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.judging import (
    AS_PRINT,
    SHORTER,
    endings,
    gap_cells,
    score_cells,
    stopped_in_both,
)
from compactml.chapters.feature_selection.plan import CHAPTER
from compactml.chapters.feature_selection.readings import fitting
from compactml.chapters.feature_selection.rows import GAP_TABLES, RUN, SCORE_TABLES
from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.study.judging.comparison import Agreement
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
    "CLAIMS", "claim_data", "comparison", "ends", "judged", "known", "record", "reproduced", "run_counts", "table_1",
]  # fmt: skip

KEYS = {
    **dict.fromkeys((*GAP_TABLES, *SCORE_TABLES), RUN),
    "readings": ["dataset", "key", "measure", "discretizer", "su", "drop_constant"],
    "beyond": ["dataset", "measure"],
    "exact": ["dataset", "measure"],
    "growth": ["method", "p"],
}
"""Columns that name a row; where both sides have one, the recorded one is taken."""


def table_1() -> pd.DataFrame:
    """Table 1 with the sizes of the data as read here (missing where they are not at hand)."""
    kept = recorded(CHAPTER, "table_1")
    if kept is not None:
        return kept
    names = ["dataset", "p", "n", "data_type", "class_type"]
    here = {}
    for one in DATASETS:
        with suppress(DatasetNotAvailable):
            here[one.name] = prepared(one.key).X.shape
    sizes = pd.DataFrame.from_dict(here, orient="index", columns=["n_here", "p_here"]).astype("Int64")
    return published(CHAPTER, "table_1")[names].join(sizes[["p_here", "n_here"]], on="dataset")


def record(table: str, finished: Sequence[Finished]) -> None:
    """Write a table's rows and their provenance to ``data/recorded``."""
    if table == "table_1":
        write_recorded(CHAPTER, table, table_1(), finished)
    if table not in KEYS or not finished:
        return
    frame = frames.plain(finished)
    whole = [one.name for one in DATASETS] if table in (*GAP_TABLES, *SCORE_TABLES) else []
    update_recorded(CHAPTER, table, frame, finished, keys=KEYS[table], datasets=whole)


def known(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The recorded rows of a table, and this build's rows for datasets that are not recorded."""
    return with_recorded(CHAPTER, table, frames.plain(finished))


def comparison(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """Cells of a printed table beside recorded beside this build, as texts, each with a verdict.

    A cell of Tables 2 to 4 differs where its run ended otherwise than in print (proved, time limit, no set found) and
    not for lack of time. In Tables 5 to 7 sizes agree exactly and F1 scores within two standard errors of the
    difference over five folds; the sets of runs that a limit stopped, here or in print, are not judged.

    Parameters
    ----------
    table : {"table_2", ..., "table_7"}
    finished : sequence of Finished
        This build's trials.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``quantity``, ``method``, ``published``, ``recorded``, ``this_build``, ``verdict``.
    """
    judge = gap_cells if table in GAP_TABLES else score_cells
    missing = [one.name for one in DATASETS if not data_identity(one.key).at_hand]
    return judge(table, _sides(table, finished), missing)


def judged(table: str, finished: Sequence[Finished]) -> pd.DataFrame:
    """The comparison that is counted: the recorded run's, and this build's of the datasets that are not recorded.

    A smaller profile has shorter limits, so its runs say less of the paper's.
    """
    return comparison(table, _not_recorded(table, finished))


def ends(table: str, finished: Sequence[Finished]) -> dict[str, int]:
    """Number of runs of Tables 2 to 4, those of `judged`, by how they ended beside print."""
    return endings(table, _sides(table, _not_recorded(table, finished)))


def run_counts(table: str, finished: Sequence[Finished]) -> dict[str, int]:
    """How the runs of `ends` ended, as numbers for the prose.

    Returns
    -------
    dict
        ``all`` runs that were made; those that ``agree``, of them those stopped in both (``both_stopped``); ``shorter``
        limits; those that ``differ``, of them those on a reading that is compatible with print (``differ_fitting``).
    """
    found = ends(table, finished)
    counts = {"agree": AS_PRINT, "shorter": SHORTER, "differ": str(Agreement.DIFFERS)}
    numbers = {name: found.get(end, 0) for name, end in counts.items()}
    fits = fitting(known("readings", []), "cfs" if table == "table_4" else "mrmr")
    cells = judged(table, finished)
    differs = (cells["verdict"] == Agreement.DIFFERS) & (cells["quantity"] == frames.TIME)
    return {
        "all": sum(numbers.values()),
        **numbers,
        "both_stopped": stopped_in_both(table, _sides(table, _not_recorded(table, finished))),
        "differ_fitting": int(cells.loc[differs, "dataset"].isin(fits).sum()),
    }


def _not_recorded(table: str, finished: Sequence[Finished]) -> list[Finished]:
    kept = recorded(CHAPTER, table)
    names = set() if kept is None else set(kept["dataset"])
    return [one for one in finished if frames.display_name(one.trial.dataset) not in names]


def _sides(table: str, finished: Sequence[Finished]) -> dict[str, pd.DataFrame | None]:
    return {"recorded": recorded(CHAPTER, table), "this_build": frames.plain(finished)}


def reproduced(table: str, finished: Sequence[Finished]) -> tuple[Table, Table]:
    """A table in the paper's layout, and the list of the cells that differ, by `judged`."""
    cells = comparison(table, finished)
    frame, verdicts = paper_layout(cells, ["dataset", "quantity"], "method")
    kept, build = source_line(recorded_provenance(CHAPTER, table)), source_line(summary(finished))
    note = f"recorded: {kept} | this build: {build}"
    counted = judged(table, finished)
    differs = counted["verdict"] == Agreement.DIFFERS
    if table in GAP_TABLES:  # its cells differ together: one line says how a run ended
        differs &= counted["quantity"] == frames.TIME
    unused = [side for side in ("recorded", "this_build") if counted[side].isna().all()]
    differing = counted[differs].drop(columns=["verdict", *unused]).reset_index(drop=True)
    return (
        show_beside_print("feature_selection", table, frame, verdicts, note),
        show_differing("feature_selection", table, differing.fillna("")),
    )


def claim_data() -> dict[str, pd.DataFrame]:
    """The recorded tables that the claims are checked on."""
    return recorded_tables(CHAPTER)
