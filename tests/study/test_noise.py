"""The rule for noise against the words of its definition."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compactml.errors import InvalidDataError
from compactml.study.judging.evidence import Evidence
from compactml.study.judging.noise import (
    CHANCE,
    Outcome,
    block_means,
    every,
    lead_of,
    outcome_of_order,
    small_error,
    within_two_errors,
)
from compactml.study.judging.verdicts import Verdict

BLOCKS = st.lists(st.floats(-100, 100), min_size=2, max_size=12)


@given(BLOCKS)
def test_an_order_is_decided_beyond_two_standard_errors(differences: list[float]) -> None:
    lead = lead_of(differences)
    mean = sum(differences) / len(differences)
    variance = sum((value - mean) ** 2 for value in differences) / (len(differences) - 1)
    error = math.sqrt(variance / len(differences))
    assert (lead.mean, lead.error) == pytest.approx((mean, error), abs=1e-9)
    if abs(mean) > 2 * error + 1e-6:
        assert lead.outcome is (Outcome.AGREES if mean > 0 else Outcome.DIFFERS)
    elif abs(mean) < 2 * error - 1e-6:
        assert lead.outcome is Outcome.INCONCLUSIVE


@given(BLOCKS)
def test_the_reversed_order_is_judged_alike(differences: list[float]) -> None:
    turned = {Outcome.AGREES: Outcome.DIFFERS, Outcome.DIFFERS: Outcome.AGREES}
    there = lead_of(differences).outcome
    assert lead_of([-value for value in differences]).outcome is turned.get(there, there)


def test_one_block_decides_nothing() -> None:
    assert lead_of([50.0]).outcome is Outcome.INCONCLUSIVE


def test_equal_means_decide_nothing() -> None:
    assert lead_of([0.0, 0.0, 0.0]).outcome is Outcome.INCONCLUSIVE


def test_a_margin_is_judged_by_the_same_rule() -> None:
    lead = lead_of([4.0, 5.0, 6.0])  # 5, error 1 / sqrt(3)
    assert [lead.above(least) for least in (3.0, 4.5, 5.5, 7.0)] == [
        Outcome.AGREES,
        Outcome.INCONCLUSIVE,
        Outcome.INCONCLUSIVE,
        Outcome.DIFFERS,
    ]
    assert lead_of([2.0, 2.0]).above(2.0) is Outcome.AGREES


@pytest.mark.parametrize("values", [[], [math.nan], [1.0, math.inf], [[1.0, 2.0]]])
def test_what_are_no_differences_is_refused(values: list[float]) -> None:
    with pytest.raises(InvalidDataError, match="differences: must be finite differences"):
        lead_of(values)


def test_runs_of_one_block_count_once() -> None:
    index = pd.MultiIndex.from_tuples([("a", 0), ("a", 1), ("b", 0)], names=["dataset", "fold"])
    means = block_means(pd.Series([1.0, 3.0, 5.0], index=index), "dataset")
    assert means.to_dict() == {"a": 2.0, "b": 5.0}


def test_a_statement_needs_all_of_its_tests() -> None:
    for outcomes in product(Outcome, repeat=3):
        found = every(outcomes)
        if "differs" in outcomes:
            assert found is Outcome.DIFFERS
        elif "inconclusive" in outcomes:
            assert found is Outcome.INCONCLUSIVE
        else:
            assert found is Outcome.AGREES
    with pytest.raises(InvalidDataError, match="outcomes"):
        every([])


def test_an_error_that_is_not_known_is_not_small() -> None:
    assert outcome_of_order(3.0, math.inf) is Outcome.INCONCLUSIVE
    assert not small_error(math.inf, 80.0, 1.0)
    assert not small_error(math.nan, 80.0)
    assert within_two_errors(1e9, math.inf)


def test_a_small_error_is_a_point_of_accuracy_or_a_tenth_of_the_value() -> None:
    errors = np.array([0.5, 1.0, 1.01, 7.9, 8.1])
    assert small_error(errors, np.full(5, 80.0), 1.0).tolist() == [True, True, False, False, False]
    assert small_error(errors, np.full(5, -80.0)).tolist() == [True, True, True, True, False]
    assert small_error(errors / 100, np.full(5, 0.8), 0.01).tolist() == [True, True, False, False, False]


def test_evidence_counts_outcomes() -> None:
    found = Evidence.of_outcomes([Outcome.AGREES, Outcome.INCONCLUSIVE, Outcome.DIFFERS], "x", stated=5)
    assert (found.stated, found.agreeing, found.differing, found.inconclusive) == (5, 1, 1, 1)
    assert found.doubt == CHANCE
    alone = Evidence.of_outcomes([Outcome.INCONCLUSIVE], "x")
    assert alone.verdict is Verdict.INCONCLUSIVE
    assert Evidence.of_outcomes([Outcome.AGREES], "x").doubt == ""


def test_a_lead_over_a_single_block_has_no_error_to_show() -> None:
    assert lead_of([1.0, 2.0, 3.0]).shown(2) == "+2.00 (0.58)"
    assert lead_of([-0.04]).shown(1) == "-0.0 (no error)"
