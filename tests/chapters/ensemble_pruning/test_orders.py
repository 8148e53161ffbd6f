"""The claims' orders: datasets are the blocks, and the rule for noise decides."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning.claims.orders import as_printed, lead, no_further_apart, order, some
from compactml.chapters.ensemble_pruning.rows import RUN, complete_runs
from compactml.study.judging.noise import Lead, Outcome
from tests.chapters.ensemble_pruning.toy_claims import row_of
from tests.chapters.ensemble_pruning.toy_tables import as_stated, rows, setting

AGREES, DIFFERS, INCONCLUSIVE = Outcome.AGREES, Outcome.DIFFERS, Outcome.INCONCLUSIVE


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
    assert lead(difference) == Lead(4.0, pytest.approx(2.0), 2)  # of the means 2 and 6
    assert lead(difference, ("seed", "fold")).error == pytest.approx(abs(13 / 3 - 3) / 2)
    assert lead(difference[["PRK"]]).error == np.inf


def test_more_runs_of_one_dataset_make_no_error_smaller() -> None:
    few = scores_of(A=[[1.0], [4.0]], B=[[0.0], [0.0]])
    many = scores_of(A=[[1.0] * 9, [4.0] * 9], B=[[0.0] * 9, [0.0] * 9])
    assert lead(few["A"] - few["B"]).error == pytest.approx(lead(many["A"] - many["B"]).error)


@pytest.mark.parametrize(
    ("leads", "expected"),
    [
        ([1.0, 1.2, 0.8, 1.0], AGREES),
        ([1.0, -1.0, 1.5, -0.5], INCONCLUSIVE),
        ([-1.0, 1.0, -1.5, 0.5], INCONCLUSIVE),
        ([-1.0, -1.2, -0.8, -1.0], DIFFERS),
        ([0.0, 0.0, 0.0, 0.0], INCONCLUSIVE),
    ],
)
def test_a_lead_within_two_errors_decides_nothing_whichever_way_it_lies(
    leads: list[float], expected: Outcome
) -> None:
    values = scores_of(A=[[one] for one in leads], B=[[0.0]] * 4)
    assert order(values, ("A",), ("B",)) == expected


def test_an_order_needs_every_pair() -> None:
    values = scores_of(A=[[2.0], [2.0]], B=[[1.0], [1.0]], C=[[1.0], [3.1]])
    assert order(values, ("A",), ("B",)) == AGREES
    assert order(values, ("A",), ("B", "C")) == INCONCLUSIVE
    assert order(values, ("B",), ("A", "C")) == DIFFERS


@pytest.mark.parametrize(
    ("leads", "expected"),
    [([0.2, 0.2], AGREES), ([-0.3, -0.3], AGREES), ([-0.9, -0.9], DIFFERS), ([0.0, 0.6], INCONCLUSIVE)],
)
def test_a_spread_is_that_of_the_methods_furthest_apart(leads: list[float], expected: Outcome) -> None:
    values = scores_of(A=[[one] for one in leads], B=[[0.0]] * 2, C=[[0.01]] * 2)
    assert no_further_apart(values, 0.33) == expected


def test_one_of_several_is_enough() -> None:
    assert some([DIFFERS, INCONCLUSIVE, AGREES]) == AGREES
    assert some([DIFFERS, INCONCLUSIVE]) == INCONCLUSIVE
    assert some([DIFFERS, DIFFERS]) == DIFFERS


@pytest.mark.parametrize(
    ("mean", "error", "expected"),
    [(0.31, 0.01, AGREES), (0.31, 0.04, INCONCLUSIVE), (0.31, np.inf, INCONCLUSIVE), (0.6, 0.04, DIFFERS)],
)
def test_a_number_is_as_printed_if_its_error_is_small(mean: float, error: float, expected: Outcome) -> None:
    assert as_printed(Lead(mean, error, 8), 0.3) == expected


def test_time_is_that_of_the_methods_that_are_compared() -> None:
    tables = as_stated()
    for method, limit in (("F1", 60.0), ("KAPPA", 200.0), ("FE", 100.0)):
        setting("overfitting", "time_limit", limit, method=method)(tables)
    for method in ("BFT", "HC-CON", "HC-UWA", "HC-ACC", "HC-COM"):
        setting("overfitting", "time_limit", 100.0, method=method)(tables)
    assert str(row_of(tables, "best-benchmarks")["time"]).startswith("200 of 300 s a benchmark")
    setting("table_4", "time_limit", 60.0, method="F2")(tables)
    assert str(row_of(tables, "f2-wins")["time"]).startswith("60 of 300 s a program")
