"""The pool: reproducible, nested, with votes that are its classifiers' rounded probabilities; bad input."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.datasets import make_classification

from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool, stratified_rows
from compactml.ensemble_pruning.pool.families import FAMILIES, Choice, Integers, Reals, families_table
from compactml.ensemble_pruning.pool.voting import positive_votes, unpack
from compactml.errors import InvalidDataError, InvalidParameterError


@pytest.fixture(scope="module")
def data() -> tuple[NDArray[Any], NDArray[Any]]:
    X, y = make_classification(160, 6, n_informative=4, flip_y=0.05, random_state=0)
    return X, np.where(y == 1, "yes", "no")


@pytest.fixture(scope="module")
def pool(data: tuple[Any, Any]) -> ClassifierPool:
    return ClassifierPool(25, random_state=3).fit(data[0][:100], data[1][:100])


def test_there_are_ten_families_and_equally_many_of_each() -> None:
    assert len({family.name for family in FAMILIES}) == len(FAMILIES) == 10


def test_votes_are_probabilities_of_at_least_one_half(pool: ClassifierPool, data: tuple[Any, Any]) -> None:
    votes = pool.votes(data[0])
    assert votes.shape == (160, 25)
    assert list(pool.classes_) == ["no", "yes"]
    for column, estimator in zip(votes.T, pool.estimators_, strict=True):
        assert (column == (estimator.predict_proba(data[0])[:, 1] >= 0.5)).all()
    right = (votes == (data[1] == "yes")[:, None])[100:].mean(axis=0)
    assert np.median(right) > 0.6  # better than guessing, so that "yes" is not taken for "no"
    assert (unpack(pool.packed_votes(data[0]), 25) == votes).all()


def test_a_smaller_pool_is_the_beginning_of_a_larger_one(pool: ClassifierPool, data: tuple[Any, Any]) -> None:
    smaller = clone(pool).set_params(n_classifiers=12).fit(data[0][:100], data[1][:100])
    assert smaller.families_ == pool.families_[:12]
    assert smaller.parameters_ == pool.parameters_[:12]
    assert (smaller.votes(data[0]) == pool.votes(data[0])[:, :12]).all()


def test_another_seed_draws_other_parameters_for_every_classifier(
    pool: ClassifierPool, data: tuple[Any, Any]
) -> None:
    other = clone(pool).set_params(random_state=4).fit(data[0][:100], data[1][:100])
    assert all(mine != theirs for mine, theirs in zip(pool.parameters_, other.parameters_, strict=True))
    assert pool.parameters_[0] != pool.parameters_[10]  # two draws of one family


def test_processes_and_progress_change_nothing(
    pool: ClassifierPool, data: tuple[Any, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    parallel = ClassifierPool(25, random_state=3, n_jobs=2, progress=True).fit(data[0][:100], data[1][:100])
    assert (parallel.votes(data[0]) == pool.votes(data[0])).all()
    assert "25/25" in capsys.readouterr().err


def test_a_fitted_pool_can_be_pickled(pool: ClassifierPool, data: tuple[Any, Any]) -> None:
    assert (pickle.loads(pickle.dumps(pool)).votes(data[0]) == pool.votes(data[0])).all()


def test_training_does_not_follow_column_scales_or_constants(data: tuple[Any, Any]) -> None:
    X = np.column_stack([data[0] * 10.0 ** np.arange(6), np.ones(160)])
    votes = ClassifierPool(10).fit(X[:100], data[1][:100]).votes(X)
    assert votes.shape == (160, 10)


def test_every_family_learns_from_a_handful_of_rows() -> None:
    X = np.random.default_rng(0).normal(size=(6, 8))
    assert ClassifierPool(10).fit(X, [0, 0, 1, 1, 1, 2]).votes(X).shape == (6, 10)
    pool = ClassifierPool(100).fit(X, [0, 1, 0, 1, 0, 1])
    assert pool.votes(X).shape == (6, 100)


def test_distributions_stay_within_what_they_state() -> None:
    rng = np.random.default_rng(0)
    reals = [Reals(1e-3, 10.0, log=True).draw(rng) for _ in range(2000)]
    assert 1e-3 <= min(reals) < 2e-3 < 0.08 < np.median(reals) < 0.13 < 5 < max(reals) <= 10.0
    assert {Integers(1, 7, 2).draw(rng) for _ in range(200)} == {1, 3, 5, 7}
    assert {Choice((None, "a")).draw(rng) for _ in range(50)} == {None, "a"}
    assert str(Integers(1, 7, 2)) == "1, 3, ..., 7"
    assert {row["family"] for row in families_table()} == {family.name for family in FAMILIES}


def test_samples_of_rows_keep_the_shares_of_the_classes() -> None:
    positive = np.arange(1000) % 50 == 0
    rows = stratified_rows(positive, 100, np.random.default_rng(0))
    assert len(set(rows)) == len(rows) == 100
    assert positive[rows].sum() == 2
    assert positive[stratified_rows(positive, 5, np.random.default_rng(0))].sum() == 1  # never none
    assert (stratified_rows(positive, None, np.random.default_rng(0)) == np.arange(1000)).all()


class Stub:
    """A fitted classifier with given probabilities."""

    def __init__(self, probabilities: Any) -> None:
        self.probabilities = probabilities
        self.classes_ = np.array([0, 1])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        p = np.asarray(self.probabilities, dtype=float)
        return np.column_stack([1 - p, p])


def test_one_half_is_a_positive_vote_and_rounding_errors_pass() -> None:
    votes = positive_votes([Stub([0.5, 0.49, -1e-9, 1 + 1e-9])], np.zeros((4, 1)), 1)
    assert votes[:, 0].tolist() == [True, False, False, True]


@pytest.mark.parametrize("wrong", [np.nan, 1.2, -0.1, np.inf])
def test_a_wrong_probability_names_its_classifier(wrong: float) -> None:
    with pytest.raises(InvalidDataError, match=r"estimators\[1\] \(Stub\): must be within \[0, 1\]"):
        positive_votes([Stub([0.5, 0.5]), Stub([0.5, wrong])], np.zeros((2, 1)), 1)


@pytest.mark.parametrize("name", ["n_classifiers", "random_state"])
@pytest.mark.parametrize("value", [-1, 1.5, True, None])
def test_bad_parameters(name: str, value: Any, data: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidParameterError, match=name):
        ClassifierPool(**{name: value}).fit(*data)


def test_bad_labels(data: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidDataError, match="at least two classes"):
        ClassifierPool(2).fit(data[0], np.ones(160))
    with pytest.raises(InvalidParameterError, match="at least 2"):
        ClassifierPool(1).fit(*data)


def test_several_classes_are_predicted_by_each_classifier(data: tuple[Any, Any]) -> None:
    X, names = data[0], np.array(["a", "b", "c"])[np.arange(160) % 3]
    pool = ClassifierPool(10).fit(X, names)
    votes = pool.votes(X)
    for column, estimator in zip(votes.T, pool.estimators_, strict=True):
        assert (column == pool.classes_[estimator.predict(X)]).all()
    with pytest.raises(InvalidDataError, match="two: bits"):
        pool.packed_votes(X)
