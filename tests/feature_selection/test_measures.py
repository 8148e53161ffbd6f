"""Entropies and information against the definition, scikit-learn, and what must always hold."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_digits
from sklearn.metrics import mutual_info_score

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import (
    class_information,
    encode,
    entropies,
    mutual_information,
    symmetrical_uncertainty,
)
from compactml.feature_selection.measures import information_of_pairs

X, Y, Z, W = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]])

tables = arrays(np.int64, st.tuples(st.integers(2, 30), st.integers(1, 5)), elements=st.integers(-2, 4)).map(
    encode
)


def by_definition(first, second):
    """Sum of P(x, y) log P(x, y) / (P(x) P(y)) over a contingency table."""
    joint = pd.crosstab(first, second).to_numpy() / len(first)
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    return (joint[seen] * np.log(joint[seen] / independent[seen])).sum()


def test_information_of_four_samples_by_hand():
    table = np.column_stack([X, Y, Z, W])
    information = mutual_information(table)
    assert information[0, 1] == pytest.approx(np.log(2), abs=1e-15)
    assert information[0, 2] == 0
    assert information[0, 3] == pytest.approx(0.215762, abs=5e-7)
    assert entropies(table)[3] == pytest.approx(0.562335, abs=5e-7)


@pytest.mark.parametrize(
    ("variant", "value"), [("printed", 0.171856), ("usual", 0.343711), ("geometric", 0.345592)]
)
def test_uncertainty_of_four_samples_by_hand(variant, value):
    table = np.column_stack([X, W])
    information, own = mutual_information(table), entropies(table)
    assert symmetrical_uncertainty(information, own[:, None], own, variant)[0, 1] == pytest.approx(
        value, abs=5e-7
    )


@pytest.mark.parametrize("n_values", [1, 2, 3, 17, 400])
def test_every_pair_as_by_definition_and_as_scikit_learn(n_values):
    rng = np.random.default_rng(n_values)
    table = encode(rng.integers(0, n_values, (300, 6)) * (rng.random((300, 6)) < [0.02, 0.3, 0.5, 0.9, 1, 1]))
    table[:, 5] = (table[:, 4] > table[:, 3]) + 2 * (table[:, 2] > 0)
    information = mutual_information(encode(table))
    for j, first in enumerate(table.T):
        for k, second in enumerate(table.T):
            assert information[j, k] == pytest.approx(by_definition(first, second), abs=1e-13)
            assert information[j, k] == pytest.approx(mutual_info_score(first, second), abs=1e-13)


def test_real_columns_with_each_other_and_with_the_class():
    digits, label = load_digits(return_X_y=True)
    table = encode(digits)
    information, relevance = mutual_information(table), class_information(table, label)
    for j in range(0, 64, 7):
        assert relevance[j] == pytest.approx(mutual_info_score(digits[:, j], label), abs=1e-13)
        for k in range(64):
            expected = mutual_info_score(digits[:, j], digits[:, k])
            assert information[j, k] == pytest.approx(expected, abs=1e-13)


@given(tables)
def test_what_always_holds(table):
    information, own = mutual_information(table), entropies(table)
    np.testing.assert_array_equal(information, information.T)
    np.testing.assert_array_equal(np.diagonal(information), own)
    assert (information >= 0).all()
    assert (information <= np.minimum(own[:, None], own) + 1e-13).all()
    np.testing.assert_allclose(class_information(table, table[:, 0]), information[0], atol=1e-13)
    again = mutual_information(
        encode(-table[::-1].astype(int))
    )  # other names of the values, other order of samples
    np.testing.assert_allclose(again, information, atol=1e-13)


@given(tables)
def test_the_variants_of_uncertainty_are_ordered_and_in_their_ranges(table):
    information, own = mutual_information(table), entropies(table)
    printed, usual, geometric = (
        symmetrical_uncertainty(information, own[:, None], own, variant)
        for variant in ("printed", "usual", "geometric")
    )
    np.testing.assert_allclose(usual, 2 * printed)
    assert (usual <= geometric + 1e-12).all()  # the geometric mean is at most the arithmetic one
    assert (geometric <= 1 + 1e-12).all()
    np.testing.assert_allclose(np.diagonal(usual), own > 0)


def test_codes_may_have_gaps():
    table = np.array([[0, 5], [90, 5], [0, 700], [90, 0]])
    np.testing.assert_array_equal(mutual_information(table), mutual_information(encode(table)))


def test_a_class_for_each_sample():
    with pytest.raises(InvalidDataError, match="target: must be 4 codes"):
        class_information(X[:, None], np.arange(5))


def test_a_constant_has_no_entropy_and_no_uncertainty():
    table = np.column_stack([np.zeros(7, dtype=int), np.arange(7)])
    information, own = mutual_information(table), entropies(table)
    assert information[0].tolist() == [0, 0]
    for variant in ("printed", "usual", "geometric"):
        assert symmetrical_uncertainty(information, own[:, None], own, variant)[0].tolist() == [0, 0]


def test_an_unknown_variant_is_refused():
    with pytest.raises(InvalidParameterError, match="su: must be one of 'geometric', 'usual', 'printed'"):
        symmetrical_uncertainty(np.zeros(1), np.zeros(1), np.zeros(1), "harmonic")


def test_a_look_after_each_column_is_told_the_share_of_the_pairs():
    table, shares = encode(np.random.default_rng(0).integers(3, size=(50, 4))), []
    assert (information_of_pairs(table, shares.append) == mutual_information(table)).all()
    assert shares == pytest.approx([3 / 6, 5 / 6, 1])

    def enough(share):
        raise StopIteration

    with pytest.raises(StopIteration):
        information_of_pairs(table, enough)
