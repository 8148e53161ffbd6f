"""Bayesian Rule Sets: mining and posterior against brute force, tic-tac-toe, bad input."""

from itertools import chain, combinations
from math import comb, exp, lgamma, log

import numpy as np
import pytest
from sklearn.base import clone

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.competitors.brs import BayesianRuleSetClassifier, _Posterior
from compactml.boolean_rules.competitors.mining import _information, candidate_clauses
from compactml.datasets.generators import tic_tac_toe_endgames
from compactml.errors import InvalidParameterError


def small(seed: int, n: int = 40, d: int = 6):
    rng = np.random.default_rng(seed)
    X = rng.random((n, d)) < 0.6
    return X, ((X[:, 0] & X[:, 1]) | X[:, 2]) ^ (rng.random(n) < 0.1)


def subsets(items, least, most):
    return chain.from_iterable(combinations(items, k) for k in range(least, most + 1))


def test_information_gain_by_hand():
    y = np.array([1, 1, 0, 0], dtype=bool)
    perfect, useless, half = _information(np.array([2, 1, 1]), np.array([2, 2, 1]), y)
    assert perfect == pytest.approx(log(2))
    assert useless == pytest.approx(0)
    rest = -(1 / 3) * log(1 / 3) - (2 / 3) * log(2 / 3)
    assert half == pytest.approx(log(2) - 0.75 * rest)


@pytest.mark.parametrize("seed", range(10))
def test_mining_finds_what_enumeration_finds(seed):
    """Every frequent set of rows that a clause of up to three columns describes, with its shortest description."""
    X, y = small(seed)
    shortest = {}
    for clause in subsets(range(X.shape[1]), 1, 3):
        rows = X[:, list(clause)].all(axis=1)
        frequent = (rows & y).sum() >= 0.1 * y.sum()
        if frequent and not rows.all() and rows[y].mean() > rows.mean():
            shortest.setdefault(rows.tobytes(), len(clause))
    clauses, table = candidate_clauses(X, y, max_length=3, min_support=0.1, n_clauses=1000)
    assert {rows.tobytes(): len(clause) for rows, clause in zip(table.T, clauses, strict=True)} == shortest
    for clause, rows in zip(clauses, table.T, strict=True):
        assert (X[:, list(clause)].all(axis=1) == rows).all()


def log_beta(a, b):
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def log_posterior(X, y, rules, kappa):
    """Section 3 of Wang et al. (2017), straight from the formulas."""
    hit = np.zeros(len(y), dtype=bool)
    for rule in rules:
        hit |= X[:, list(rule)].all(axis=1)
    value = 0.0
    for length in (1, 2, 3):
        size, used = comb(X.shape[1], length), sum(len(rule) == length for rule in rules)
        value += log_beta(used + 1, size - used + kappa * size) - log_beta(1, kappa * size)
    for right, wrong in (((hit & y).sum(), (hit & ~y).sum()), ((~hit & ~y).sum(), (~hit & y).sum())):
        value += log_beta(right + 100, wrong + 1) - log_beta(100, 1)
    return value


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kappa", [1.0, 100.0])
def test_annealing_finds_the_most_probable_set(seed, kappa):
    X, y = small(seed, d=4)
    model = BayesianRuleSetClassifier(kappa, n_iterations=500, random_state=seed).fit(X, y)
    clauses, _ = candidate_clauses(X, y, max_length=3, min_support=0.05, n_clauses=2000)
    best = max(log_posterior(X, y, rules, kappa) for rules in subsets(clauses, 0, len(clauses)))
    assert model.log_posterior_ == pytest.approx(log_posterior(X, y, model.rules_, kappa))
    assert model.log_posterior_ == pytest.approx(best)


def test_posterior_sums_to_one_over_the_labels():
    """Beta-binomial likelihoods of all labellings, for a fixed set, are probabilities."""
    rows = np.array([True, True, True, False, False])
    total = 0.0
    for labels in np.ndindex(*[2] * 5):
        y = np.array(labels, dtype=bool)
        posterior = _Posterior(y, np.array([1]), np.array([4.0]), 1.0, 3.0, 2.0)
        total += exp(posterior(rows.astype(int), [0]))
    prior = exp(log_beta(1 + 1, 4 - 1 + 4) - log_beta(1, 4))
    assert total == pytest.approx(prior)


def test_tic_tac_toe():
    """The eight lines of x: every board right, complexity 32, as in the paper's Tables 1 and 2."""
    data = tic_tac_toe_endgames()
    X, y = DecileBinarizer().fit_transform(data.X), data.y == "positive"
    model = BayesianRuleSetClassifier(n_iterations=2000, n_chains=2).fit(X, y)
    assert model.score(X, y) >= 0.99
    assert model.complexity_ <= 36
    assert clone(model).fit(X, y).rules_ == model.rules_


def test_nothing_to_learn_gives_the_empty_set():
    model = BayesianRuleSetClassifier(n_iterations=50).fit(np.zeros((6, 3), dtype=int), [0, 1, 0, 1, 0, 0])
    assert model.rules_ == ()
    assert not model.predict(np.ones((2, 3), dtype=int)).any()


@pytest.mark.parametrize(
    "parameters",
    [{"kappa": 0.0}, {"max_length": 0}, {"min_support": 2.0}, {"n_chains": 1.5}, {"alpha": -1.0}],
)
def test_bad_parameters_are_refused(parameters):
    with pytest.raises(InvalidParameterError, match=next(iter(parameters))):
        BayesianRuleSetClassifier(**parameters).fit(np.eye(2), [0, 1])
