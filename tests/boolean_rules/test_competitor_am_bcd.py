"""AM and BCD: objective and LP against their definitions, small cases by hand, tic-tac-toe, bad input."""

from itertools import chain, combinations

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.base import clone

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.competitors import am_bcd
from compactml.boolean_rules.competitors.am_bcd import TwoLevelRuleClassifier, _TwoLevelProblem
from compactml.datasets.generators import tic_tac_toe_endgames
from compactml.errors import InvalidParameterError

METHODS = ["am", "bcd"]


def small(seed: int, n: int = 20, d: int = 5):
    rng = np.random.default_rng(seed)
    return rng.random((n, d)) < 0.6, np.append([True, False], rng.random(n - 2) < 0.5)


def hamming_loss(X, y, rules) -> int:
    """Row by row, as the docstring defines it; a clause that is off is the one whose only condition nobody meets."""
    total = 0
    for row, positive in zip(X, y, strict=True):
        failed = [1 if rule is None else sum(not row[j] for j in rule) for rule in rules]
        total += min(failed) if positive else failed.count(0)
    return total


@pytest.mark.parametrize("seed", range(10))
def test_objective_is_its_definition(seed):
    X, y = small(seed)
    rules = [(0, 1), (2,), None, (1, 3, 4)]
    problem = _TwoLevelProblem(X, y, 0.03)
    assert problem.objective(rules) == pytest.approx(hamming_loss(X, y, rules) / len(y) + 0.03 * 6)


@pytest.mark.parametrize(
    ("first_rows", "first_conditions"), [(1, 1), (am_bcd.FIRST_ROWS, am_bcd.FIRST_CONDITIONS)]
)
@pytest.mark.parametrize("seed", range(10))
def test_relaxation_agrees_with_the_primal_and_bounds_every_clause(
    seed, first_rows, first_conditions, monkeypatch
):
    monkeypatch.setattr(am_bcd, "FIRST_ROWS", first_rows)  # fewer than there are: the others enter
    monkeypatch.setattr(am_bcd, "FIRST_CONDITIONS", first_conditions)
    X, y = small(seed)
    problem = _TwoLevelProblem(X, y, 0.01)
    own = np.arange(y.sum()) % 2 == 0
    linear, off, price = (~X[y])[own].sum(axis=0), float(own.sum()), 0.01 * len(y)
    cost = np.concatenate([linear + price, [off], np.ones((~y).sum())])
    rows = np.hstack([~X[~y], np.ones(((~y).sum(), 1)), np.eye((~y).sum())])
    bounds = [(0, 1)] * (X.shape[1] + 1) + [(0, None)] * (~y).sum()
    primal = linprog(cost, A_ub=-rows, b_ub=-np.ones(len(rows)), bounds=bounds)
    w = problem.relaxed(linear.astype(float), off)
    w_off = np.clip(1 - (~X[~y]) @ w, 0, None)  # the best w_0 is one of these values, 0 or 1
    values = [
        w @ (linear + price) + off * o + np.clip(1 - (~X[~y]) @ w - o, 0, None).sum()
        for o in [0, *np.minimum(w_off, 1)]
    ]
    assert min(values) == pytest.approx(primal.fun)

    def cost_of(rule):
        return problem.false_cost(rule) + linear[list(rule)].sum()

    every = chain.from_iterable(combinations(range(X.shape[1]), k) for k in range(1, X.shape[1] + 1))
    best = min(off, *(cost_of(rule) for rule in every))
    found = problem.clause(own)
    value = off if found is None else cost_of(found)
    assert primal.fun - 1e-9 <= best <= value <= off


@pytest.mark.parametrize("seed", range(10))
def test_descent_never_rises_and_the_result_is_as_reported(seed):
    X, y = small(seed, 60, 8)
    problem = _TwoLevelProblem(X, y, 0.005)
    rules = problem.first_rules(4, np.random.default_rng(seed))
    for _ in range(3):
        after = problem.descend(rules)
        assert problem.objective(after) <= problem.objective(rules)
        rules = after
    for method in METHODS:
        model = TwoLevelRuleClassifier(method, 4, 0.005, random_state=seed).fit(X, y)
        loss = (
            hamming_loss(X, y, [*model.rules_, None])
            if len(model.rules_) < 4
            else hamming_loss(X, y, model.rules_)
        )
        conditions = model.complexity_ - len(model.rules_)
        assert loss / len(y) + 0.005 * conditions <= model.objective_ + 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_one_clause_is_found(method):
    X = np.array(np.meshgrid(*[[0, 1]] * 4)).reshape(4, -1).T
    y = X[:, 1] & X[:, 3]
    model = TwoLevelRuleClassifier(method).fit(X, y)
    assert model.rules_ == ((1, 3),)
    assert model.complexity_ == 3
    assert model.objective_ == pytest.approx(2e-3)


@pytest.mark.parametrize("method", METHODS)
def test_strong_regularisation_switches_every_clause_off(method):
    """ILPD and transfusion in the paper's Table 2: complexity 0, accuracy of the larger class."""
    X, y = small(0, 50, 5)
    model = TwoLevelRuleClassifier(method, regularization=1.0).fit(X, y)
    assert model.rules_ == ()
    assert not model.predict(X).any()
    assert model.objective_ == pytest.approx(y.mean())


@pytest.mark.parametrize("method", METHODS)
def test_tic_tac_toe(method):
    """At least the share of the larger class that the paper's runs reach is beaten; rules stay within ten clauses."""
    data = tic_tac_toe_endgames()
    X, y = DecileBinarizer().fit_transform(data.X), data.y == "positive"
    model = TwoLevelRuleClassifier(method).fit(X, y)
    assert model.score(X, y) > 0.8
    assert len(model.rules_) <= 10
    assert clone(model).fit(X, y).rules_ == model.rules_


@pytest.mark.parametrize(
    "parameters", [{"method": "lp"}, {"n_clauses": 0}, {"regularization": -1.0}, {"max_rounds": 0}]
)
def test_bad_parameters_are_refused(parameters):
    with pytest.raises(InvalidParameterError, match=next(iter(parameters))):
        TwoLevelRuleClassifier(**parameters).fit(np.eye(2), [0, 1])
