"""Pairwise failure crediting: the worked examples, exact values, and its limits."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from compactml.ensemble_pruning._failure_credit import (
    Diversity,
    failure_credit,
    failure_patterns,
    pairwise_failure_crediting,
)
from compactml.ensemble_pruning.errors import DiversityInfeasibleError, DiversityUndecidedError
from compactml.errors import InvalidDataError
from tests.ensemble_pruning.tiny_ensembles import O3, O4, bits, failure_credits, is_diverse, random_votes


def credit_of(patterns):
    return failure_credit(bits(patterns).astype(bool).T)


def test_o1_the_paper_s_pair():
    assert credit_of("0011011101, 0110001110")[0, 1] == 5 / 9


def test_o2_three_that_never_fail_together():
    credit = credit_of("110, 101, 011")
    np.testing.assert_array_equal(credit, 1 - np.eye(3))
    np.testing.assert_array_equal(pairwise_failure_crediting(credit, np.arange(3)), 1)


def test_o2_equal_patterns_have_none():
    assert credit_of("110, 110")[0, 1] == 0


def test_two_that_never_fail_have_none():
    np.testing.assert_array_equal(credit_of("11, 11"), 0)


@pytest.mark.parametrize("example", [O3, O4])
def test_the_credits_and_limits_of_o3_and_o4(example):
    credit = failure_credit(failure_patterns(example.votes, example.y))
    for (k, l), value in example.credit.items():  # noqa: E741
        assert credit[k, l] == credit[l, k] == float(value)
    pfc = pairwise_failure_crediting(credit, np.arange(5))
    assert pfc.min() == pytest.approx(float(example.tau), abs=1e-12)
    assert (pfc.min() + pfc.mean()) / 2 == pytest.approx(float(example.gamma), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_against_the_definition(seed):
    votes, y = random_votes(seed)
    credit, exact = failure_credit(failure_patterns(votes, y)), failure_credits(votes, y)
    assert all(credit[pair] == float(value) for pair, value in exact.items())
    tau, gamma = Fraction(2, 5), Fraction(1, 2)
    diversity = Diversity(credit, float(tau), float(gamma))
    for selected in ([], [0], [0, 1], [1, 2, 4], [0, 1, 2, 3, 4]):
        assert diversity.met(np.array(selected, dtype=np.intp)) == is_diverse(selected, exact, tau, gamma)


def test_a_single_classifier_has_no_pair():
    assert np.isnan(pairwise_failure_crediting(np.zeros((2, 2)), np.array([1]))).all()
    assert Diversity(np.zeros((2, 2)), 1.0, 1.0).met(np.array([1]))


def test_a_limit_that_is_attained_is_met():
    credit = failure_credit(failure_patterns(O3.votes, O3.y))
    everyone = np.arange(5)
    pfc = pairwise_failure_crediting(credit, everyone)
    assert Diversity(credit, pfc.min(), pfc.mean()).met(everyone)
    assert not Diversity(credit, 0.0, pfc.mean() + 1e-6).met(everyone)
    assert not Diversity(credit, pfc.min() + 1e-6, 0.0).met(everyone)


def test_credits_with_nan_are_refused():
    with pytest.raises(InvalidDataError, match="credit"):
        Diversity(np.array([[0.0, np.nan], [np.nan, 0.0]]))


@pytest.mark.parametrize(
    "error", [DiversityInfeasibleError("min_pfc", 0.9, 0.5, "2 to 5"), DiversityUndecidedError(2, 1.5)]
)
def test_errors_survive_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
