"""Trials of the feature-selection chapter that were never run, and recorded tables as the paper prints them."""

from __future__ import annotations

from typing import Any

import pandas as pd
from toy_report import finished as finished_toy

from compactml.experiments import Finished, Trial
from compactml.experiments.feature_selection import CHAPTER
from compactml.experiments.feature_selection_datasets import DATASETS
from compactml.report.feature_selection_frames import printed_runs

KEYS = {one.name: one.key for one in DATASETS}
PAPER_TABLES = tuple(f"table_{number}" for number in range(2, 8))

SOLVED: dict[str, Any] = {
    "outcome": "proved", "proved": 1, "time_limit_reached": 0, "value": 0.5, "bound": 0.504, "gap_abs": 0.004,
    "gap_rel": 0.008, "gap_proved": 0.004, "seconds": 1.25, "iterations": 7, "n_selected": 4, "support": "[0, 1]",
    "f1_nb_mean": 0.84, "f1_nb_std": 0.04, "f1_rf_mean": 0.93, "f1_rf_std": 0.03,
}  # fmt: skip
STOPPED = SOLVED | {"outcome": "time limit", "proved": 0, "time_limit_reached": 1}
NO_SET = {"outcome": "no set", "proved": 0, "time_limit_reached": 1, "seconds": 3.0, "n_selected": 0}
TOO_LARGE = {"outcome": "not run: too large"}


def done(
    dataset: str, method: str, result: dict[str, Any], measure: str = "mrmr", **parameters: Any
) -> Finished:
    """One finished trial on a dataset by its printed name."""
    asked = tuple({"measure": measure, **parameters}.items())
    trial = Trial(CHAPTER, "kind", KEYS[dataset], method=method, parameters=asked, time_limit=100.0)
    return Finished(trial, result, finished_toy("none").provenance, cached=False)


def as_printed(table: str) -> pd.DataFrame:
    """A printed table as if we had measured exactly what is printed, with the paper's limit."""
    frame = printed_runs(table).assign(time_limit=3600.0)
    return frame.assign(gap_proved=frame["gap_abs"]) if "gap_abs" in frame else frame


def as_stated() -> dict[str, pd.DataFrame]:
    """The data of the claims if everything had come out as the paper says."""
    return {table: as_printed(table) for table in PAPER_TABLES} | {"readings": printed_runs("table_2")}
