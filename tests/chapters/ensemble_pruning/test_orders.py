"""Orders of means: errors with the datasets as blocks, and what may be chance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning.claims.orders import Order, error_of, every, order
from compactml.chapters.ensemble_pruning.rows import RUN, complete_runs
from tests.chapters.ensemble_pruning.toy_tables import rows


def scores_of(**by_method: list[list[float]]) -> pd.DataFrame:
    """Complete runs with these percentages: a list for each of some datasets, a number for each fold."""
    frame = []
    for i, dataset in enumerate(("PRK", "MSK", "BCW", "QSR")[: len(next(iter(by_method.values())))]):
        frame += rows({method: values[i] for method, values in by_method.items()}, dataset, 40, "accuracy")
    return 100 * complete_runs(pd.DataFrame(frame), "accuracy", list(by_method))


def test_errors_take_the_datasets_for_observations() -> None:
    difference = pd.Series(
        [1.0, 3.0, 5.0, 7.0],
        index=pd.MultiIndex.from_tuples(
            [("PRK", 40, 0, 0), ("PRK", 40, 0, 1), ("MSK", 40, 0, 0), ("MSK", 80, 0, 0)], names=RUN
        ),
    )
    assert error_of(difference) == pytest.approx(2.0)  # of the means 2 and 6
    assert error_of(difference, ("seed", "fold")) == pytest.approx(abs(13 / 3 - 3) / 2)
    assert error_of(difference[["PRK"]]) == np.inf


def test_more_runs_of_one_dataset_make_no_error_smaller() -> None:
    few = scores_of(A=[[1.0], [4.0]], B=[[0.0], [0.0]])
    many = scores_of(A=[[1.0] * 9, [4.0] * 9], B=[[0.0] * 9, [0.0] * 9])
    assert error_of(few["A"] - few["B"]) == pytest.approx(error_of(many["A"] - many["B"]))


@pytest.mark.parametrize(
    ("leads", "expected"),
    [
        ([1.0, 1.2, 0.8, 1.0], Order(True, False)),
        ([1.0, -1.0, 1.5, -0.5], Order(True, True)),
        ([-1.0, 1.0, -1.5, 0.5], Order(False, True)),
        ([-1.0, -1.2, -0.8, -1.0], Order(False, False)),
        ([0.0, 0.0, 0.0, 0.0], Order(False, True)),
    ],
)
def test_a_lead_within_two_errors_may_be_chance(leads: list[float], expected: Order) -> None:
    values = scores_of(A=[[one] for one in leads], B=[[0.0]] * 4)
    assert order(values, ("A",), ("B",)) == expected


def test_a_statement_is_in_doubt_only_if_all_that_is_wrong_of_it_is() -> None:
    right, luck, wrong, doubtful = (
        Order(True, False),
        Order(True, True),
        Order(False, False),
        Order(False, True),
    )
    assert every(right, luck) == luck
    assert every(right, doubtful) == doubtful
    assert every(luck, doubtful, wrong) == wrong
