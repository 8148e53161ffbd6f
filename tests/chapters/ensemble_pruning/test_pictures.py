"""Tables and figures of the notebooks: what is shown is what was given, on wide and on narrow screens."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning import beyond, figures
from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.rows import BY_ACCURACY
from compactml.study.page.picture import NARROW, WIDE
from compactml.study.page.style import PALETTE
from tests.chapters.ensemble_pruning.toy_tables import PROGRAM, accuracies_as_stated, done, with_columns

pytestmark = pytest.mark.usefixtures("as_on_a_page")


BOUNDS: dict[str, Any] = {
    "n_validation": 100, "n_patterns": 40, "errors_isotonic": 4.0, "errors_asummability": 6.0, "gap_isotonic": 0.05,
    "gap_asummability": 0.03, "seconds_isotonic": 0.01, "seconds_asummability": 2.0, "errors_branching": 6.5,
    "gap_branching": 0.02, "seconds_branching": 3.0,
}  # fmt: skip


def test_bounds_are_averaged_over_the_folds_beside_the_papers_gap() -> None:
    trials = [
        done("DRD", fold=fold, kind="bounds", **BOUNDS | {"errors_isotonic": 4.0 + fold}) for fold in (0, 1)
    ]
    whole = PROGRAM | {"n_validation": 100, "value": 91.0, "bound": 93.0, "gap": 2 / 91}
    trials += [done("DRD", fold=fold, **whole) for fold in (0, 1)]
    (row,) = beyond.bounds_table(CHAPTER.table("bounds").rows(trials)).to_dict("records")
    errors = [
        row[f"errors {name}"]
        for name in ("≥, isotonic", "≥, asummability", "≥, branching", "≥, whole method", "found")
    ]
    assert errors == [4.5, 6.0, 6.5, 7.0, 9.0]
    assert (row["folds"], row["gap, whole method (%)"], row["paper's gap (%)"]) == (
        2,
        pytest.approx(200 / 91),
        4.3,
    )


def test_what_diversity_costs_is_counted_by_run() -> None:
    values = {"F1": [250.0, 250.0, 9.0], "F2": [250.0, 249.0], "F3": [247.0, 250.0]}
    trials = [
        done("QSR", method, fold=fold, **PROGRAM | {"value": value})
        for method, own in values.items()
        for fold, value in enumerate(own)
    ]
    (row,) = beyond.diversity_table(CHAPTER.table("table_4").rows(trials)).to_dict("records")
    assert (row["runs"], row["right, F1"], row["right, F2"]) == (
        2,
        250,
        249.5,
    )  # the third run lacks F2 and F3
    assert [row[f"{one} reaches F1"] for one in ("F2", "F3")] == [1, 1]
    assert [row[f"most lost by {one}"] for one in ("F2", "F3")] == [1, 3]


def test_overfitting_is_the_loss_from_validation_to_test() -> None:
    trials = [
        done(dataset, method, fold=fold, **PROGRAM | {"test_accuracy": 0.8 - fall, "n_selected": 5})
        for method, folds in (("F1", 2), ("FE", 3))
        for fold in range(folds)
        for dataset, fall in (("QSR", 0.02 * fold), ("DRD", 0.05 - 0.02 * fold))
    ]
    table = beyond.overfitting_table(CHAPTER.table("overfitting").rows(trials), ("F1", "FE"))
    assert table["method"].to_list() == ["F1", "FE"]
    loss = [11.0, 14.0]  # by dataset; the third run lacks F1
    expected = [95, 90, 77.5, np.mean(loss), np.std(loss, ddof=1) / np.sqrt(2), 5]
    assert table.iloc[1, 1:].to_list() == pytest.approx(expected)
    ax = figures.generalisation(table, WIDE).axes[0]
    lines = {line.get_label(): line.get_xdata().tolist() for line in ax.lines}
    assert lines == {"validation": pytest.approx([90, 90]), "test": pytest.approx([77.5, 77.5])}


def curve(dataset: str, method: str, limit: float, gap: float | None, fold: int = 0) -> dict[str, object]:
    return {"dataset": dataset, "K": 40, "method": method, "time_limit": limit, "gap": gap, "fold": fold}


def test_a_curve_begins_where_every_fold_has_a_gap() -> None:
    rows = with_columns(
        "curves",
        [
            curve("DRD", "plain", 1.0, None),
            curve("DRD", "plain", 2.0, 0.2),
            curve("DRD", "isotonic", 1.0, 0.1),
            curve("DRD", "isotonic", 1.0, None, fold=1),
            curve("DRD", "isotonic", 2.0, 0.0),
            curve("SPA", "plain", 1.0, 0.5),
            curve("DRD", "plain", 0.5, 0.3) | {"K": 20},
        ],
    )
    first, second = figures.curves(rows, WIDE).axes
    assert first.get_title() == "DRD, K = 40"
    plain_line, isotonic, paper = first.lines
    assert plain_line.get_xydata().tolist() == [[2.0, 20.0]]
    assert isotonic.get_xydata().tolist() == [[2.0, figures.LEAST_GAP]]
    assert paper.get_ydata() == [4.3, 4.3]
    assert "SPA" in second.get_title()


def test_the_last_points_of_the_curves_are_averaged_over_the_folds() -> None:
    rows = with_columns(
        "curves",
        [
            curve("DRD", "plain", 1.0, 0.9),
            curve("DRD", "plain", 2.0, 0.2),
            curve("DRD", "plain", 2.0, 0.1, fold=1),
        ],
    )
    (row,) = beyond.curves_table(rows).to_dict("records")
    assert (row["formulation"], row["limit (s)"], row["gap (%)"]) == ("plain model", 2.0, pytest.approx(15))


def test_without_runs_the_figures_say_so() -> None:
    runs, empty = CHAPTER.table("table_4").rows([]), CHAPTER.table("curves").rows([])
    assert figures.rank_comparison(runs, BY_ACCURACY) is None
    texts = [
        fig.axes[0].texts[0].get_text()
        for fig in (figures.curves(empty, NARROW), figures.ranks(None, NARROW))
    ]
    assert texts == ["no result here", "two datasets at least are needed"]
    assert beyond.curves_table(empty).empty


def test_sizes_are_those_of_the_largest_pool() -> None:
    rows = pd.DataFrame(
        {"K": [40, 100, 100, 100], "method": ["F1", "F1", "F1", "BFT"], "n_selected": [1, 5, 9, 20]}
    )
    ax = figures.sizes(rows, ["F1", "BFT"], NARROW).axes[0]
    assert ax.get_xlabel() == "classifiers selected, of 100"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["F1", "BFT"]
    medians = [line.get_xdata().tolist() for line in ax.lines if line.get_color() == PALETTE[1]]
    assert medians == [[7, 7], [20, 20]]


def test_ranks_for_the_tests_are_those_of_the_datasets_means() -> None:
    found = figures.rank_comparison(accuracies_as_stated(), BY_ACCURACY)
    assert found is not None
    assert found.n_blocks == 9
    # F2 wins single cases, but HC-CON has the best mean on every dataset
    assert found.ranks[["HC-CON", "FE"]].to_list() == [1, 7]
    labels = [label.get_text() for label in figures.ranks(found, WIDE).axes[0].get_yticklabels()]
    assert (labels[0], labels[-1]) == ("HC-CON", "FE")
