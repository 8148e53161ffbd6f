"""What the chapter's third notebook shows of its trials: memory, evaluators, both relaxations together."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.condition_sharing.datasets import BY_KEY
from compactml.chapters.condition_sharing.trials.beyond import BANK_ROWS, GRID

ENSEMBLES = {"before": "original", "shared": "shared", "exceptions": "shared, c = 10 %"}


def added_bytes(growth: pd.DataFrame) -> list[float]:
    """Return the bytes of memory for each node added, from every forest to the next larger one on the same rows.

    Parameters
    ----------
    growth : DataFrame
        Columns ``n_nodes`` and ``peak_mib``.
    """
    steps = growth.sort_values("n_nodes")[["n_nodes", "peak_mib"]].diff().dropna()
    return list((steps["peak_mib"] * 2**20 / steps["n_nodes"]).astype(float))


def evaluator_study(kept: pd.DataFrame) -> pd.DataFrame:
    """Return one row per ensemble before and after sharing.

    Parameters
    ----------
    kept : DataFrame
        Results of the trials "evaluator": the bank was timed on at most `BANK_ROWS` rows, the rest on all.

    Returns
    -------
    DataFrame
        Times relative to the original ensemble ("times faster"), and time per row over that of scikit-learn's ``apply``
        on the original ensemble ("over apply").
    """
    rows = []
    for _, row in kept.iterrows():
        n_rows = BY_KEY[row["dataset"]].n
        apply, n_bank = row["apply_seconds"] / n_rows, min(n_rows, BANK_ROWS)
        for name, label in ENSEMBLES.items():
            bank, ranks = row[f"bank_seconds_{name}"], row[f"rank_seconds_{name}"]
            rows.append(
                {
                    "dataset": row["dataset"],
                    "rows": n_rows,
                    "learner": row["learner"],
                    "ensemble": label,
                    "comparators": row[f"NDC_{name}"],
                    "bytes per rank": row[f"rank_bytes_{name}"],
                    "bank, times faster": row["bank_seconds_before"] / bank,
                    "bank, over apply": bank / n_bank / apply,
                    "ranks, times faster": row["rank_seconds_before"] / ranks,
                    "ranks, over apply": ranks / n_rows / apply,
                }
            )
    return pd.DataFrame(rows)


def tradeoff_grids(kept: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the size ratio SR and the accuracy ratio AR over the grid of both relaxations, by dataset."""
    return {
        row["dataset"]: pd.DataFrame(
            [
                {
                    "sigma": sigma,
                    "c": c,
                    "SR": row[f"NDC_sigma={sigma}_c={c}"] / row["NDC"],
                    "AR": row[f"TeA_sigma={sigma}_c={c}"] / row["TeA"],
                }
                for sigma in GRID
                for c in GRID
            ]
        )
        for _, row in kept.iterrows()
    }


def smallest_of_grids(grids: Mapping[str, pd.DataFrame], least_accuracy: float) -> pd.DataFrame:
    """Return the smallest size ratio of at least this accuracy ratio, by dataset: of all pairs, and with c alone."""
    rows = []
    for dataset, grid in grids.items():
        accurate = grid[grid["AR"] >= least_accuracy]
        both, only_c = (
            frame.sort_values("SR", kind="stable").iloc[0]
            for frame in (accurate, accurate[accurate["sigma"] == 0])
        )
        rows.append(
            {
                "dataset": dataset,
                "both, SR": both["SR"],
                "both, sigma": both["sigma"],
                "both, c": both["c"],
                "c alone, SR": only_c["SR"],
                "c alone, c": only_c["c"],
            }
        )
    return pd.DataFrame(rows)
