"""What the third notebook shows: memory by nodes, evaluators per row, the grid of both relaxations."""

from __future__ import annotations

import pandas as pd
import pytest

from compactml.chapters.condition_sharing import beyond
from compactml.chapters.condition_sharing.datasets import BY_KEY
from compactml.chapters.condition_sharing.figures import tradeoff
from compactml.chapters.condition_sharing.trials.beyond import BANK_ROWS, GRID
from compactml.study.page.picture import WIDE


def test_memory_is_counted_by_node_added() -> None:
    growth = pd.DataFrame({"n_nodes": [40, 10, 20], "peak_mib": [1700, 500, 520]})
    growth["peak_mib"] /= 2**20
    assert beyond.added_bytes(growth) == pytest.approx([2, 59])


def evaluator(dataset: str) -> dict[str, float | str]:
    row: dict[str, float | str] = {"dataset": dataset, "learner": "RF", "apply_seconds": 2.0}
    for i, name in enumerate(beyond.ENSEMBLES):
        row |= {f"NDC_{name}": 100 - i, f"rank_bytes_{name}": 2}
        row |= {f"bank_seconds_{name}": 8.0 / 2**i, f"rank_seconds_{name}": 4.0}
    return row


def test_evaluators_are_compared_per_row_with_apply() -> None:
    study = beyond.evaluator_study(pd.DataFrame([evaluator("wdbc"), evaluator("magic")]))
    assert study["bank, times faster"].to_list() == [1, 2, 4] * 2
    assert study["ranks, times faster"].to_list() == [1] * 6
    assert study["ranks, over apply"].to_list() == pytest.approx([2] * 6)
    # wdbc: the bank had all rows, as apply; magic: only the first of them
    share = BANK_ROWS / BY_KEY["magic"].n
    assert study["bank, over apply"].to_list() == pytest.approx([4, 2, 1, 4 / share, 2 / share, 1 / share])


def relaxations(dataset: str, at: tuple[float, float]) -> dict[str, float | str]:
    """Every pair keeps half of 100 conditions at half of the accuracy, but one pair keeps 10 at all of it."""
    row: dict[str, float | str] = {"dataset": dataset, "NDC": 100, "TeA": 0.8}
    for sigma in GRID:
        for c in GRID:
            plain = sigma == c == 0
            chosen = (sigma, c) == at
            row[f"NDC_sigma={sigma}_c={c}"] = 10 if chosen else 50
            row[f"TeA_sigma={sigma}_c={c}"] = 0.8 if chosen or plain else 0.4
    return row


def test_the_smallest_accurate_ensemble_of_each_grid_is_found() -> None:
    kept = pd.DataFrame([relaxations("wdbc", (0.1, 0.2)), relaxations("magic", (0.0, 0.3))])
    grids = beyond.tradeoff_grids(kept)
    smallest = beyond.smallest_of_grids(grids, 0.995).set_index("dataset")
    assert smallest.loc["wdbc"].to_list() == pytest.approx([0.1, 0.1, 0.2, 0.5, 0])
    assert smallest.loc["magic"].to_list() == pytest.approx([0.1, 0, 0.3, 0.1, 0.3])
    titles = [ax.get_title() for ax in tradeoff(grids, WIDE).axes]
    assert [title for title in titles if title] == [
        f"{name}: {what}" for name in grids for what in ("size ratio", "accuracy ratio")
    ]
