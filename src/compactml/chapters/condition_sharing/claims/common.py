"""What the claims of the chapter share: how tables are read, and what counts as covered.

Every check takes the tables as a mapping: "table_2", "table_3" (dataset, learner, measure, value, ties) and "fig_4"
(points). Where data are not at hand, medians and counts are taken over the datasets that are, for the paper and for us
alike; the others count as not tested (unless those at hand decide).
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.datasets import DATASETS
from compactml.chapters.condition_sharing.trials.paper import N_FOLDS
from compactml.study.judging.evidence import Coverage, Evidence, Share, lacking
from compactml.study.recording.published import published

Tables = Mapping[str, pd.DataFrame]

LEARNERS = {
    "RF": "random forests", "ERT": "extra trees", "ABoost": "AdaBoost", "GBoost": "gradient boosting",
}  # fmt: skip
ROW_ORDER = {"epileptic seizure": "the UCI file's row order is lost (folds differ)"}
OLDER = "_scikit_learn_1_1"
"""Ending of the tables that an older scikit-learn gave."""
PRINTED = "the digits printed"
PROSE = "the prose"
PROSE_DIGIT = "half of the last digit of the prose"


def values(table: pd.DataFrame, learner: str, measure: str) -> pd.Series:
    """Return one measure of one learner by dataset."""
    chosen = table[(table["learner"] == learner) & (table["measure"] == measure)]
    return chosen.set_index("dataset")["value"].astype(float)


def over(n_datasets: int, of: int = len(DATASETS)) -> Coverage:
    """Return the datasets as a share of the paper's; all folds were run, and no clock ends anything here."""
    return Coverage(Share(n_datasets, of, "datasets"), Share(N_FOLDS, N_FOLDS, "folds"))


def counts(tables: Tables, table: str) -> tuple[int, int]:
    """Return how many datasets of a table were seen and how many are printed."""
    return tables[table]["dataset"].nunique(), published(NAME, table)["dataset"].nunique()


def over_all(tables: Tables, holds: bool, summary: str) -> Evidence:
    """Return evidence of a statement over all datasets of Table 2 that is right or wrong of those seen."""
    seen, stated = counts(tables, "table_2")
    return Evidence.of_cells(
        [holds] * seen, summary, lacking(seen, stated), stated=stated, coverage=over(seen, stated)
    )
