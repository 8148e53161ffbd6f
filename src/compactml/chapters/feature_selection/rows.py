"""Trials of the feature-selection chapter as the rows of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.datasets import BY_KEY
from compactml.chapters.feature_selection.printed import FULL_SET, HEURISTIC
from compactml.chapters.feature_selection.trials.paper import PARAMETRIC
from compactml.chapters.feature_selection.trials.readings import READING
from compactml.chapters.feature_selection.trials.sizes import SIZES
from compactml.study.chapter import Kind
from compactml.study.frames import frame
from compactml.study.recording.published import published
from compactml.study.results import columns
from compactml.study.running.worker import Finished

__all__ = [
    "CUT", "METHODS", "PROBLEM", "display_name", "early_stop_rows", "reading_rows", "size_rows", "trial_rows",
]  # fmt: skip

METHODS = {
    "full": FULL_SET,
    "milp1": "MILP1",
    "milp2": "MILP2",
    "milp3": "MILP3",
    "binary_search": "Algorithm 1",
    "newton": "Algorithm 2",
    "raw_heuristic": HEURISTIC,
    "scikit_feature": HEURISTIC,
    "certified": "ours",
    "value_disjunction": "model (12)",
}
"""Our names of the methods and those in the tables, in the paper's order of columns."""
PROBLEM = ("discretizer", "measure")
"""Parameters of the trials of every table but that of the readings, which has further ones."""
CUT = "cut"
"""Parameter of the heuristic: the size at which its order is cut."""
EARLY_STOP = "early_stop"
READING_PARAMETERS = ("discretizer", "drop_constant", "measure", "su")
TEXTS = (
    "dataset",
    "key",
    "method",
    "discretizer",
    "measure",
    "su",
    "table",
    "outcome",
    "sizes",
    "solver",
    "refused",
)
"""Columns that hold text."""
NOT_SHOWN = ("support",)
"""What a result has for its second opinion only."""


def display_name(key: str) -> str:
    """Return the paper's name of a dataset, or the key of one that only our own tables use."""
    return BY_KEY[key].name if key in BY_KEY else key


def trial_rows(
    finished: Sequence[Finished], kinds: Sequence[Kind], parameters: Sequence[str] = PROBLEM
) -> pd.DataFrame:
    """Return one row per trial: what was asked and what was measured; methods under the names of the tables.

    Parameters
    ----------
    finished : sequence of Finished
    kinds : sequence of Kind
        Of the table's trials: their results are the columns.
    parameters : sequence of str
        Of the table's trials.
    """
    rows = [{"dataset": display_name(item.trial.dataset), **_measured(item)} for item in finished]
    return _frame(rows, ("dataset",), kinds, parameters)


def reading_rows(finished: Sequence[Finished]) -> pd.DataFrame:
    """Return one row per reading of a dataset: under its printed name, with the data that were read as ``key``."""
    rows = []
    for item in finished:
        measured = _measured(item)
        rows.append({"dataset": measured.pop("name"), "key": item.trial.dataset, **measured})
    return _frame(rows, ("dataset", "key"), (READING,), READING_PARAMETERS)


def size_rows(finished: Sequence[Finished]) -> pd.DataFrame:
    """Return Table 1's rows: the sizes that it prints, none for a dataset that it has not, and those read here."""
    shown = ["p", "n", "data_type", "class_type"]
    printed = published(NAME, "table_1").set_index("dataset")[shown]
    rows = [{"dataset": display_name(item.trial.dataset), **item.result} for item in finished]
    here = frame(rows, ["dataset", *columns(SIZES.result)], texts=("dataset",))
    return here.join(printed, on="dataset")[["dataset", *shown, *columns(SIZES.result)]]


def early_stop_rows(finished: Sequence[Finished]) -> pd.DataFrame:
    """Return one row per run with or without the early stop, which a trial that does not name it has."""
    rows = trial_rows(finished, (PARAMETRIC,), (*PROBLEM, EARLY_STOP))
    return rows.assign(**{EARLY_STOP: [known is not False for known in rows[EARLY_STOP]]})


def _measured(item: Finished) -> dict[str, Any]:
    return {
        "method": METHODS.get(item.trial.method, item.trial.method),
        "time_limit": item.trial.time_limit,
        **dict(item.trial.parameters),
        "outcome": "",  # the full set has none
        **{name: value for name, value in item.result.items() if name not in NOT_SHOWN},
    }


def _frame(
    rows: Sequence[dict[str, Any]], names: Sequence[str], kinds: Sequence[Kind], parameters: Sequence[str]
) -> pd.DataFrame:
    measured = [name for name in columns(*(kind.result for kind in kinds)) if name not in NOT_SHOWN]
    every = dict.fromkeys((*names, "method", "time_limit", *parameters, "outcome", *measured))
    return frame(rows, list(every), texts=TEXTS)
