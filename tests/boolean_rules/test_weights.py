"""Weights, costs and the class that is described: against all rule sets of tiny instances."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from compactml.boolean_rules import BooleanRuleClassifier, DecileBinarizer, Instance, Literals, learn
from compactml.boolean_rules.classifying.weights import whole_weights
from compactml.boolean_rules.pricing import search
from compactml.errors import InvalidDataError, InvalidParameterError
from tests.boolean_rules.tiny_instances import f_by_hand, largest_f, random_duals

NAMES = ("a", "b", "c", "d")


def tiny(seed: int, n: int = 30) -> tuple[NDArray[Any], NDArray[Any], np.random.Generator]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (n, 4)), rng.random(n) < 0.5, rng


def weighted_loss(X: NDArray[Any], y: NDArray[Any], weights: NDArray[Any], rules: Any) -> float:
    """Hamming loss of clauses of columns, row by row."""
    loss = 0.0
    for row, label, weight in zip(X, y, weights, strict=True):
        true = sum(all(row[j] for j in clause) for clause in rules)
        loss += weight * (true if not label else true == 0)
    return float(loss)


def least_loss(X: NDArray[Any], y: NDArray[Any], weights: NDArray[Any], complexity: int) -> float:
    """Of all rule sets, by trying them."""
    clauses = [clause for k in range(1, complexity) for clause in combinations(range(X.shape[1]), k)]
    sets = (
        chosen
        for k in range(complexity // 2 + 1)
        for chosen in combinations(clauses, k)
        if sum(1 + len(clause) for clause in chosen) <= complexity
    )
    return min(weighted_loss(X, y, weights, chosen) for chosen in sets)


def clauses_of(model: BooleanRuleClassifier) -> list[tuple[int, ...]]:
    return [tuple(int(name[1:]) for name in clause) for clause in model.rules_]


@pytest.mark.parametrize("seed", range(8))
def test_whole_weights_are_proved_exactly(seed: int) -> None:
    X, y, rng = tiny(seed)
    weights = rng.integers(0, 5, len(y))
    instance = Instance.from_codes(X, y, Literals.binary(NAMES), weights)
    learned = learn(instance, 5)
    assert learned.loss == learned.lower_bound == least_loss(X, y, weights, 5)
    repeated = Instance.from_codes(X.repeat(weights, axis=0), y.repeat(weights), Literals.binary(NAMES))
    assert (repeated.positives == instance.positives).all()
    assert (repeated.negatives == instance.negatives).all()


@pytest.mark.parametrize("seed", range(8))
def test_a_search_on_bitsets_counts_heavy_rows(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(search, "ROWS_FOR_BITSETS", 1)
    X, y, rng = tiny(seed)
    instance = Instance.from_codes(X, y, Literals.binary(NAMES), rng.integers(1, 200, len(y)))
    assert instance.negatives.sum() > 2 * len(instance.negatives)  # or each negative has a bit of its own
    duals = random_duals(rng, instance)
    found = search.Search(instance, 3).best(duals)
    best = largest_f(instance, duals, 3)
    assert found.complete
    if best > 0:
        assert found.best == best == f_by_hand(instance, duals, found.clauses[0])
    else:
        assert not found.clauses


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("seed", range(4))
def test_bound_holds_for_weights_that_have_to_be_rounded(seed: int, form: str) -> None:
    X, y, rng = tiny(seed)
    weights = rng.random(len(y)) + 0.01
    model = BooleanRuleClassifier(4, form=form, binarizer=None).fit(X, y, sample_weight=weights)
    # a CNF is the DNF of the opposite literals for the other class
    rows, label = (X, y) if form == "dnf" else (1 - X, ~y)
    least = least_loss(rows, label, weights, 4)
    assert model.lower_bound_ <= least
    assert model.objective_ == pytest.approx(weighted_loss(rows, label, weights, clauses_of(model)))
    assert model.objective_ <= 1.02 * least  # as near as the unit of rounding
    assert model.gap_ == pytest.approx(1 - model.lower_bound_ / model.objective_)
    assert model.learned_[0].gap == 0  # of the rounded weights


@pytest.mark.parametrize("seed", range(4))
def test_costs_and_class_weights_are_weights(seed: int) -> None:
    X, y, rng = tiny(seed)
    rows = rng.integers(1, 4, len(y))
    for parameters, factor in (
        ({"error_costs": (5, 2)}, np.where(y, 5, 2)),
        ({"error_costs": (5, 2), "pos_label": False}, np.where(y, 2, 5)),
        ({"class_weight": {True: 3.0}}, np.where(y, 3, 1)),
        ({"class_weight": {True: 3.0}, "error_costs": [1, 4]}, np.where(y, 3, 4)),
    ):
        label = y if "pos_label" not in parameters else ~y
        model = BooleanRuleClassifier(5, binarizer=None, **parameters).fit(X, y, rows)
        assert model.objective_ == model.lower_bound_ == least_loss(X, label, rows * factor, 5)
        assert (model.predict(X) == model.rules_.label).any() == bool(len(model.rules_))


def test_balanced_classes_weigh_the_same() -> None:
    X, y, rng = tiny(3, 60)
    y &= rng.random(60) < 0.4
    model = BooleanRuleClassifier(4, binarizer=None, class_weight="balanced").fit(X, y)
    weights = np.where(y, 60 / (2 * y.sum()), 60 / (2 * (~y).sum()))
    least = least_loss(X, y, weights, 4)
    rounding = 1 + 1e-9
    assert model.lower_bound_ <= least * rounding <= model.objective_ * rounding**2 <= 1.02 * least
    assert model.lower_bound_ >= 0.98 * least


def test_the_described_class_is_chosen() -> None:
    X, y, _ = tiny(1)
    labels = np.where(y, "ill", "healthy")
    for label in ("ill", "healthy"):
        model = BooleanRuleClassifier(6, binarizer=None, pos_label=label).fit(X, labels)
        true = np.zeros(len(X), dtype=bool)
        for clause in clauses_of(model):
            true |= X[:, clause].all(axis=1)
        assert model.rules_.label == label
        assert ((model.predict(X) == label) == true).all()
        assert model.classes_.tolist() == ["healthy", "ill"]
        assert ((model.decision_function(X) > 0) == (model.predict(X) == "ill")).all()


@pytest.mark.parametrize(
    ("weights", "unit"),
    [([2.0, 4, 6, 0], 2), ([0.5, 1.5, 1.0], 0.5), ([1, 1, 1], 1), ([0.1, 0.3, 0.7], 0.1)],
)
def test_multiples_of_a_unit_are_exact(weights: list[float], unit: float) -> None:
    whole = whole_weights(np.array(weights))
    assert whole.exact
    assert whole.unit == pytest.approx(unit)
    assert whole.counts * whole.unit == pytest.approx(weights)


@pytest.mark.parametrize("seed", range(5))
def test_rounding_is_downwards_and_fine(seed: int) -> None:
    weights = np.random.default_rng(seed).lognormal(0, 2, 300)
    whole = whole_weights(weights)
    assert not whole.exact
    assert (whole.unit * whole.counts <= weights * (1 + 1e-9)).all()
    assert whole.unit >= weights.mean() / 129
    assert whole.unit * whole.counts.sum() >= 0.98 * weights.sum()


def test_quantiles_count_rows_as_often_as_they_weigh() -> None:
    rng = np.random.default_rng(0)
    X, counts = rng.normal(size=(50, 2)), rng.integers(0, 6, 50)
    X[::7, 1] = np.nan
    weighted = DecileBinarizer().fit(X, sample_weight=counts)
    assert weighted.literals_.names == DecileBinarizer().fit(X.repeat(counts, axis=0)).literals_.names
    halves = DecileBinarizer().fit(X, sample_weight=counts / 2)
    assert halves.literals_.names == DecileBinarizer().fit(X[counts > 0]).literals_.names


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            np.zeros(30),
            "sample_weight: .*(nothing but zeros|at least one non-zero)",
        ),
        (np.r_[-1.0, np.ones(29)], "sample_weight: must be not negative, got -1"),
        (np.r_[np.nan, np.ones(29)], "sample_weight: .*NaN"),
        (np.ones(29), "sample_weight"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(weights: NDArray[Any], message: str) -> None:
    X, y, _ = tiny(0)
    for binarizer in ("deciles", None):
        with pytest.raises(InvalidDataError, match=message):
            BooleanRuleClassifier(binarizer=binarizer).fit(X, y, weights)
    with pytest.raises(InvalidDataError, match=message):
        DecileBinarizer().fit(X, sample_weight=weights)


@pytest.mark.parametrize(
    "weights",
    [np.zeros(30, dtype=int), np.full(30, -1), np.ones(30), np.ones(4, dtype=int), np.full(30, 1 << 36)],
)
def test_an_instance_refuses_weights_that_are_not_counts(weights: NDArray[Any]) -> None:
    X, y, _ = tiny(0)
    with pytest.raises(InvalidDataError, match=r"^weights: must be"):
        Instance.from_codes(X, y, Literals.binary(NAMES), weights)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("class_weight", "even"),
        ("class_weight", {"maybe": 2}),
        ("class_weight", {True: 0}),
        ("class_weight", {True: -1}),
        ("error_costs", (1, 0)),
        ("error_costs", (1, -1)),
        ("error_costs", (1,)),
        ("error_costs", 3),
        ("error_costs", "ab"),
        ("pos_label", "maybe"),
    ],
)
def test_a_parameter_of_weights_outside_its_range_is_named(name: str, value: Any) -> None:
    X, y, _ = tiny(0)
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        BooleanRuleClassifier(binarizer=None, **{name: value}).fit(X, y)


def test_the_described_class_is_one_of_two() -> None:
    X, _, rng = tiny(0)
    with pytest.raises(InvalidParameterError, match=r"^pos_label: must be None with more than two classes"):
        BooleanRuleClassifier(binarizer=None, pos_label=1).fit(X, rng.integers(0, 3, len(X)))
