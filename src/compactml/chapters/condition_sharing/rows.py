"""Results of the condition-sharing trials as the rows of the paper's tables and figures."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compactml.chapters.condition_sharing.datasets import BY_KEY, DATASETS
from compactml.chapters.condition_sharing.trials.paper import BAGGED, LEARNERS, N_FOLDS
from compactml.study.running.worker import Finished

NAMES = [dataset.name for dataset in DATASETS]
CELL = ["dataset", "learner", "measure"]
TABLE_2 = ("TrA", "TeA", "NDC", "SR", "AR")
TABLE_3 = ("SR_all", "SR_tree", "SR_tree_over_all", "AR_all", "AR_tree", "AR_tree_over_all")


def fold_means(finished: Sequence[Finished]) -> pd.DataFrame:
    """Mean of every measure over the folds, one row per dataset and learner with all its folds.

    The paper's ratios are ratios of these means.
    """
    rows = [
        {"dataset": BY_KEY[one.trial.dataset].name, "learner": one.trial.method, **one.result}
        for one in finished
    ]
    if not rows:
        return pd.DataFrame(index=pd.MultiIndex.from_arrays([[], []], names=CELL[:2]))
    groups = pd.DataFrame(rows).groupby(["dataset", "learner"], sort=False)
    means = groups.mean(numeric_only=True)[groups.size() == N_FOLDS]
    order = [(name, learner) for name in NAMES for learner in LEARNERS if (name, learner) in means.index]
    return means.reindex(pd.MultiIndex.from_tuples(order, names=CELL[:2]))


def table_2(finished: Sequence[Finished]) -> pd.DataFrame:
    """Rows of Table 2: TrA, TeA, NDC before sharing, SR and AR of sharing; ``ties`` bounds what a tie can move."""
    means = fold_means(finished)
    if means.empty:
        return pd.DataFrame(columns=[*CELL, "value", "ties"])
    values = means.assign(SR=means["NDC_shared"] / means["NDC"], AR=means["TeA_shared"] / means["TeA"])
    accuracy_ties = {"TeA": means["ties"], "AR": means[["ties", "ties_shared"]].sum(axis=1)}
    return _long(values, TABLE_2, accuracy_ties)


def table_3(finished: Sequence[Finished]) -> pd.DataFrame:
    """Rows of Table 3: sharing with all training rows against each tree's bootstrap sample."""
    means = fold_means(finished)
    means = means[means.index.get_level_values("learner").isin(BAGGED)]
    if means.empty:
        return pd.DataFrame(columns=[*CELL, "value", "ties"])
    values = means.assign(
        SR_all=means["NDC_shared"] / means["NDC"],
        SR_tree=means["NDC_tree"] / means["NDC"],
        SR_tree_over_all=means["NDC_tree"] / means["NDC_shared"],
        AR_all=means["TeA_shared"] / means["TeA"],
        AR_tree=means["TeA_tree"] / means["TeA"],
        AR_tree_over_all=means["TeA_tree"] / means["TeA_shared"],
    )
    ties = {
        "AR_all": means[["ties", "ties_shared"]].sum(axis=1),
        "AR_tree": means[["ties", "ties_tree"]].sum(axis=1),
        "AR_tree_over_all": means[["ties_shared", "ties_tree"]].sum(axis=1),
    }
    return _long(values, TABLE_3, ties)


def _long(values: pd.DataFrame, measures: Sequence[str], ties: dict[str, pd.Series]) -> pd.DataFrame:
    """One row per cell; ``ties``: how far rows with equal best scores could move an accuracy, as a share."""
    parts = []
    for measure in measures:
        movable = ties.get(measure, pd.Series(0.0, index=values.index)) / values["n_test"]
        if measure.startswith("AR"):
            movable = movable / values["TeA"]
        parts.append(
            pd.DataFrame({"measure": measure, "value": values[measure], "ties": movable}).set_index(
                "measure", append=True
            )
        )
    frame = pd.concat(parts)
    order = [(*cell, measure) for cell in values.index for measure in measures]
    return frame.reindex(pd.MultiIndex.from_tuples(order, names=CELL)).reset_index()
