"""RIPPER: description lengths and steps by hand, tic-tac-toe, noise, bad input."""

import pickle
from math import log2

import numpy as np
import pytest
from sklearn.base import clone

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.competitors.description_length import data_bits, rule_bits, subset_bits
from compactml.boolean_rules.competitors.ripper import RipperClassifier, _Ripper, _worth
from compactml.datasets.generators import tic_tac_toe_endgames
from compactml.errors import InvalidDataError, InvalidParameterError


def test_description_lengths_by_hand():
    assert subset_bits(4, 1, 0.5) == 4
    assert subset_bits(8, 2, 0.25) == pytest.approx(2 * 2 + 6 * log2(4 / 3))
    assert subset_bits(5, 0, 0.0) == subset_bits(5, 5, 1.0) == 0
    assert rule_bits(0, 10) == 0
    assert rule_bits(1, 2) == 0.5 * (log2(1) + 2)  # one of two columns: one bit for each
    assert rule_bits(4, 8) == 0.5 * (2 + 2 * 1 + 8)
    # no errors: only their number is sent
    assert data_bits(15, 5, 0, 0, 0.5) == data_bits(15, 10, 0, 0, 0.5) == 4
    # 3 of 15 covered, none rightly missed: half of two errors expected among the 12 others
    assert data_bits(15, 3, 0, 2, 0.5) == pytest.approx(4 + subset_bits(12, 2, 1 / 12))
    assert data_bits(15, 12, 2, 0, 0.5) == pytest.approx(4 + subset_bits(12, 2, 1 / 12))


def test_growing_takes_the_column_of_greatest_foil_gain():
    X = np.array([[1, 1, 0], [1, 1, 1], [1, 0, 1], [0, 1, 1], [0, 0, 1], [1, 0, 0]], dtype=bool)
    target = np.array([1, 1, 0, 0, 0, 0], dtype=bool)
    ripper = _Ripper(X, target, np.random.default_rng(0))

    def gain(p, t):
        return p * (log2((p + 1) / (t + 1)) - log2(3 / 7))

    assert (
        gain(2, 3) > gain(2, 4) > gain(1, 4)
    )  # columns 1, 0 and 2: first 1, and then only 0 is left to help
    assert ripper.grow((), np.arange(6)) == (1, 0)
    assert ripper.grow((0,), np.arange(6)) == (0, 1)


def test_pruning_keeps_the_shortest_of_the_best_prefixes():
    X = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 1]], dtype=bool)
    target = np.array([1, 1, 0, 0], dtype=bool)
    rows = np.arange(4)
    ripper = _Ripper(X, target, np.random.default_rng(0))
    worths = [_worth(target, X[:, :k].all(axis=1)) for k in (1, 2, 3)]
    assert worths == [pytest.approx(1 / 3), 1.0, 1.0]
    assert ripper.pruned((0, 1, 2), lambda hits: _worth(target, hits), rows) == (0, 1)
    assert _worth(target, np.zeros(4, dtype=bool)) == -1


def test_rules_for_the_rarer_class_and_complexity():
    """Not (a and b) over all 8 boards, 20 times: class 0 is rarer and its rule is a and b."""
    X = np.tile(np.array(np.meshgrid(*[[0, 1]] * 3)).reshape(3, -1).T, (20, 1))
    y = np.where(X[:, 0] & X[:, 1], "no", "yes")
    model = RipperClassifier().fit(X, y)
    assert [sorted(rule) for rule in model.rules_] == [[0, 1]]
    assert model.classes_[model.rule_class_] == "no"
    assert model.complexity_ == 3
    assert model.score(X, y) == 1


@pytest.fixture(scope="module")
def boards():
    data = tic_tac_toe_endgames()
    return DecileBinarizer().fit_transform(data.X), data.y.to_numpy()


@pytest.mark.parametrize("seed", range(3))
def test_tic_tac_toe(boards, seed):
    """Class "negative" is rarer: lines of o explain all of it but the 16 draws."""
    X, y = boards
    model = RipperClassifier(random_state=seed).fit(X, y)
    assert model.score(X, y) >= 1 - 16 / 958
    assert 32 <= model.complexity_ <= 40


def test_noise_gives_few_rules():
    rng = np.random.default_rng(0)
    X, y = rng.random((600, 40)) < 0.5, rng.random(600) < 0.3
    assert RipperClassifier().fit(X, y).complexity_ <= 10


def test_deterministic_picklable_and_cloned(boards):
    X, y = boards
    model = RipperClassifier(random_state=5).fit(X, y)
    assert clone(model).fit(X, y).rules_ == model.rules_
    assert (pickle.loads(pickle.dumps(model)).predict(X) == model.predict(X)).all()


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[0.5], [1.0]], [0, 1], "X: must be 0 and 1 only"),
        ([[0], [1]], [1, 1], "2 of 1"),
        ([[0], [1], [1]], [0, 1, 2], "3 of 3"),
        ([[0], [1]], [0, 1, 1], "3 of 2"),
    ],
)
def test_bad_data_is_refused(X, y, message):
    with pytest.raises(InvalidDataError, match=message):
        RipperClassifier().fit(np.array(X), np.array(y))


def test_duplicate_rows_with_both_labels_and_constant_columns():
    X = np.zeros((6, 3), dtype=int)
    model = RipperClassifier().fit(X, [0, 1, 0, 1, 0, 0])
    assert model.rules_ == ()
    assert model.complexity_ == 0
    assert model.predict(X).tolist() == [0] * 6


def test_bad_parameter_is_refused():
    with pytest.raises(InvalidParameterError, match="n_optimizations"):
        RipperClassifier(n_optimizations=-1).fit(np.eye(2), [0, 1])
