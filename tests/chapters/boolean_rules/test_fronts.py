"""Rows of one fold each, the cells and points made of them, and fronts compared fold by fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.boolean_rules import fold_rows
from compactml.chapters.boolean_rules.fronts import dominates
from compactml.chapters.boolean_rules.methods import OUR_CG
from compactml.study.judging.noise import Outcome
from tests.chapters.boolean_rules.toy_tables import done

AGREES, DIFFERS, OPEN = Outcome.AGREES, Outcome.DIFFERS, Outcome.INCONCLUSIVE
NOISE = np.array([0.3, -0.3, 0.1, -0.1])


def trial(method: str, fold: int, **result: Any) -> Any:
    """A trial of two values of the parameter, of which the second was chosen."""
    given = {"parameter": 10.0, "values": "4.0 10.0", "accuracies": "0.7 0.8", "complexities": "3 9"}
    return done("paper_cg", "pima", method, given | result, fold)


def test_a_fold_has_a_row_for_each_value_and_a_cell_for_the_one_chosen() -> None:
    other = trial("CG", 1, accuracies="0.6 0.9", complexities="3 -")
    rows = fold_rows.fold_rows([trial("CG", 0), other])
    assert rows.columns.to_list() == fold_rows.FOLD_COLUMNS
    assert rows[["fold", "parameter", "chosen", "accuracy"]].to_numpy().tolist() == [
        [0, 4, 0, 70], [0, 10, 1, 80], [1, 4, 0, 60], [1, 10, 1, 90],
    ]  # fmt: skip
    (cell,) = fold_rows.cells(rows, "table_1").to_dict("records")
    assert (cell["value"], cell["folds"]) == (85, 2)
    assert np.isnan(cell["std_error"])  # that of two folds would decide something
    third = fold_rows.fold_rows([trial("CG", 0), other, trial("CG", 2, accuracies="0.6 1.0")])
    (cell,) = fold_rows.cells(third, "table_1").to_dict("records")
    assert (cell["value"], cell["std_error"], cell["folds"]) == (
        pytest.approx(90),
        pytest.approx(10 / 3**0.5),
        3,
    )
    (size,) = fold_rows.cells(rows, "table_2").to_dict("records")
    assert (size["value"], size["folds"]) == (9, 1)
    few, _ = fold_rows.points(rows).to_dict("records")
    assert (few["parameter"], few["accuracy"], few["complexity"]) == (4, pytest.approx(65), 3)


def test_a_program_without_a_parameter_has_one_chosen_row() -> None:
    rows = fold_rows.fold_rows(
        [trial("R", 0, parameter=None, values="-", accuracies="0.5", complexities="7")]
    )
    assert rows["chosen"].to_list() == [1]
    assert rows["parameter"].isna().all()
    assert len(fold_rows.points(rows)) == 1


def test_our_cells_are_those_of_all_folds_for_each_dataset_that_is_recorded() -> None:
    older = pd.DataFrame(
        {"dataset": ["heart", "pima"], "method": "CG", "value": [2.0, 1.0], "std_error": 0.1, "folds": 5}
    )
    assert fold_rows.our_cells({"table_1": older}, "table_1")["value"].to_list() == [2.0, 1.0]
    newer = fold_rows.fold_rows([trial(OUR_CG, 0)])
    found = fold_rows.our_cells({"table_1": older, "our_cg": newer}, "table_1")
    assert found[["dataset", "method", "value"]].to_numpy().tolist() == [
        ["heart", OUR_CG, 2.0],
        ["pima", OUR_CG, 80.0],
    ]
    assert len(fold_rows.our_cells({"our_cg": newer}, "table_1")) == 1
    assert fold_rows.our_cells({}, "table_1").empty


def test_steps_are_means_over_folds() -> None:
    counted = {
        "nonzeros": 100,
        "sampled": 0,
        "by_program": 2,
        "by_heuristic": 5,
        "generated": 40,
        "least_gap": 0.5,
        "literals": 50,
        "lp_solved": 1,
        "values": "6 15",
        "best_train_accuracy": 0.8,
        "train_accuracy": 0.6,
    }
    later = counted | {"by_program": 4, "train_accuracy": 0.8}
    steps = fold_rows.paper_steps([trial("CG", 0, **counted), trial("CG", 1, **later)])
    assert steps.loc[0, ["nonzeros", "by_program", "by_heuristic", "folds"]].to_list() == [100, 3, 5, 2]
    assert steps.loc[0, ["proved", "train_accuracy"]].to_list() == [0.5, 80.0]
    chosen = steps.loc[0, ["chosen_train_accuracy", "chosen_train_error"]].to_list()
    assert chosen == pytest.approx([70.0, 10.0])


def curve(method: str, *points: tuple[float, float], noise: Any = 0.0) -> list[dict[str, Any]]:
    """Four folds of points (complexity, accuracy)."""
    spread = np.zeros(4) + noise
    return [
        {"dataset": "a", "method": method, "fold": fold, "parameter": float(i), "chosen": 0,
         "accuracy": accuracy + spread[fold], "complexity": size}
        for i, (size, accuracy) in enumerate(points)
        for fold in range(4)
    ]  # fmt: skip


OWN = ((4.0, 70.0), (8.0, 90.0), (6.0, 60.0))
"""The last one is not Pareto-optimal."""


@pytest.mark.parametrize(
    ("rival", "noise", "expected"),
    [
        ((6.0, 79.0), 0.0, AGREES),  # below the line from (4, 70) to (8, 90), which is at 80 there
        ((6.0, 81.0), 0.0, DIFFERS),
        ((6.0, 79.9), NOISE, OPEN),  # below, and within two errors
        ((6.0, 80.1), NOISE, OPEN),
        ((6.0, 79.0), NOISE, AGREES),
        ((9.0, 89.0), 0.0, AGREES),  # the front goes on at the height of its last point
        ((9.0, 90.5), 0.0, DIFFERS),
        ((2.0, 50.0), 0.0, OPEN),  # and has no credit left of its first, where it may lack a value
        ((2.0, 95.0), 0.0, DIFFERS),
    ],
)
def test_dominance_is_judged_against_the_joined_front(
    rival: tuple[float, float], noise: Any, expected: Outcome
) -> None:
    folds = pd.DataFrame(curve("CG", *OWN) + curve("BRS", rival, noise=noise))
    assert dominates(folds, "CG", "BRS") is expected


def test_all_points_of_a_rival_count_that_none_of_its_own_beats() -> None:
    below, above, beaten = (5.0, 60.0), (8.0, 95.0), (9.0, 94.0)
    for points, expected in (((below,), AGREES), ((below, above), DIFFERS), ((above, beaten), DIFFERS)):
        folds = pd.DataFrame(curve("CG", *OWN) + curve("BRS", *points))
        assert dominates(folds, "CG", "BRS") is expected


def test_without_a_common_fold_nothing_is_compared() -> None:
    folds = pd.DataFrame(curve("CG", *OWN))
    assert dominates(folds, "CG", "BRS") is None
    other = pd.DataFrame(curve("BRS", (5.0, 60.0))).assign(fold=9)
    assert dominates(pd.concat([folds, other]), "CG", "BRS") is None


def test_folds_that_lack_a_value_of_the_parameter_are_left_out() -> None:
    rival = pd.DataFrame(curve("BRS", (5.0, 60.0), (7.0, 70.0)))
    missed = (rival["parameter"] == 1.0) & (rival["fold"] == 3)
    rival.loc[(rival["parameter"] == 0.0) & (rival["fold"] == 3), "accuracy"] = 500.0
    assert dominates(pd.concat([pd.DataFrame(curve("CG", *OWN)), rival[~missed]]), "CG", "BRS") is AGREES
