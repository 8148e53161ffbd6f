"""Rules, the binarizer, and what learns on codes."""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml import boolean_rules as rules
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import learned, of_record, with_targets

__all__ = ["TARGETS"]

NAMES = ("a", "b", "c")


def _codes(rng: np.random.Generator) -> dict[str, Any]:
    codes = rng.integers(0, 2, (12, 3))
    return {"codes": codes, "y": (codes[:, 0] == 1) ^ (np.arange(12) < 2)}


def _instance(rng: np.random.Generator) -> rules.Instance:
    return rules.Instance.from_codes(**_codes(rng), literals=rules.Literals.binary(NAMES))


def _small() -> rules.Instance:
    return _instance(np.random.default_rng(0))


def _search(
    instance: Any, max_clause_size: Any, mu: Any, price: Any, n_clauses: Any, above: Any, width: Any
) -> Any:
    search, duals = rules.Search(instance, max_clause_size), rules.Duals(mu, price)
    found = search.best(duals, above=above, n_clauses=n_clauses)
    return [found, search.beam(duals, width=width), search.all_above(duals, 0, capacity=n_clauses)]


def _searched(rng: np.random.Generator) -> dict[str, Any]:
    instance = _instance(rng)
    mu = rules.Duals.left_by(instance, []).mu
    return {
        "instance": instance,
        "max_clause_size": 2,
        "mu": mu,
        "price": 10,
        "n_clauses": 20,
        "above": 0,
        "width": 4,
    }


def _priced(instance: Any, mu: Any, price: Any) -> Any:
    duals = rules.Duals(mu, price)
    duals.check(instance)
    return [duals.value(4), duals.f(instance, (0,))]


def _counted(X: Any, y: Any, within: Any, most: Any, sample_weight: Any, complexity: Any) -> Any:
    estimator = rules.BooleanRuleClassifier(complexity)
    return rules.count_rule_sets(estimator, X, y, sample_weight, within=within, most=most)


PARAMETERS = {
    "complexity": 4, "max_clause_size": 2, "form": "dnf", "pricing": "branch_and_bound", "gap": 0.0, "solver": "auto",
    "binarizer": "deciles", "random_state": 0, "pos_label": None, "class_weight": None, "error_costs": (1.0, 2.0),
    "forbidden_columns": None, "monotone": None, "loss": "hamming", "max_flagged": None, "verbose": False,
    "forced_columns": None,
}  # fmt: skip
TARGETS = (
    Target("boolean_rules.BooleanRuleClassifier", learned(rules.BooleanRuleClassifier, "predict", "predict_proba"),
           lambda rng: with_targets(rng, **PARAMETERS, sample_weight=np.ones(24))),
    Target("boolean_rules.BooleanRuleClassifierCV", learned(rules.BooleanRuleClassifierCV, "predict"),
           lambda rng: with_targets(rng, complexities=(2, 4), cv=2, scoring=None,
                                    estimator=rules.BooleanRuleClassifier())),
    Target("boolean_rules.DecileBinarizer", learned(rules.DecileBinarizer, "transform", "codes"),
           lambda rng: with_targets(rng, n_thresholds=3, categorical="auto", missing="never")),
    Target("boolean_rules.Duals", _priced,
           lambda rng: {name: value for name, value in _searched(rng).items() if name in ("instance", "mu", "price")}),
    Target("boolean_rules.Instance", rules.Instance.from_codes,
           lambda rng: {**_codes(rng), "literals": rules.Literals.binary(NAMES), "weights": np.ones(12, dtype=int)}),
    Target("boolean_rules.Literals", lambda names, codes: rules.Literals.binary(names).evaluate(codes),
           lambda rng: {"names": NAMES, "codes": _codes(rng)["codes"]}),
    Target("boolean_rules.Search", _search, _searched),
    Target("boolean_rules.count_rule_sets", _counted,
           lambda rng: {**with_targets(rng, 12), "within": 0.05, "most": 30, "sample_weight": None, "complexity": 3}),
    Target("boolean_rules.learn", rules.learn,
           lambda rng: {"instance": _instance(rng), "complexity": 4, "max_clause_size": 2, "pricing": "heuristic",
                        "pricing_time_limit": 1.0, "gap": 0.0, "solver": "auto", "random_state": 0}),
    of_record("boolean_rules", lambda: rules.learn(_small(), 4)),
    of_record("boolean_rules", lambda: rules.Rules("ill", "dnf", (("age > 60", "smokes"), ("fever",)))),
    of_record("boolean_rules", lambda: rules.RuleList((rules.Rules("ill", "dnf", (("fever",),)),), "well")),
    of_record("boolean_rules", lambda: rules.RuleSetCount(3, True, 1.0, 2.0)),
)  # fmt: skip
