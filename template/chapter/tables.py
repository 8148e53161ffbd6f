"""The tables: their trials, their rows, and how they stand beside print."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from compactml.chapters.sixth_paper import NAME
from compactml.chapters.sixth_paper.datasets import DATASETS
from compactml.chapters.sixth_paper.trials.scoring import SCORING
from compactml.study.chapter import Printed, Table
from compactml.study.frames import frame
from compactml.study.judging.beside import within_errors
from compactml.study.profile import Profile
from compactml.study.recording.published import published
from compactml.study.running.worker import Finished
from compactml.study.trial import Trial

CELL = ("dataset", "measure")
"""Columns that name a cell of the printed table."""
SEEDS = {Profile.QUICK: 2, Profile.STANDARD: 5, Profile.PAPER: 20}


def scores(profile: Profile) -> list[Trial]:
    """The trials of a profile: every dataset, as many seeds as the profile runs."""
    return [
        Trial(NAME, SCORING.name, key, seed=seed)
        for key in DATASETS.values()
        for seed in range(SEEDS[profile])
    ]


def mean_scores(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row a cell: mean accuracy over the seeds, and its standard error."""
    names = {key: name for name, key in DATASETS.items()}
    trials = pd.DataFrame(
        [(names[item.trial.dataset], item.result["accuracy"]) for item in finished],
        columns=["dataset", "accuracy"],
    )
    groups = trials.astype({"accuracy": float}).groupby("dataset", sort=False)["accuracy"]
    means = pd.DataFrame({"value": groups.mean(), "std_error": groups.sem()}).reset_index()
    rows = [{str(name): value for name, value in row.items()} for row in means.to_dict("records")]
    return frame([{**row, "measure": "accuracy"} for row in rows], [*CELL, "value", "std_error"], texts=CELL)


TABLES = (
    Table(
        "table_1",
        trials=scores,
        rows=mean_scores,
        key=CELL,
        datasets=DATASETS,
        printed=Printed(
            judge=within_errors(partial(published, NAME, "table_1"), CELL),
            rows=("dataset",),
            columns="measure",
        ),
    ),
)
