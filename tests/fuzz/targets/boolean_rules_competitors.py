"""The methods that rules are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml.boolean_rules import competitors
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import learned

__all__ = ["TARGETS"]


def _bits(rng: np.random.Generator, **parameters: Any) -> dict[str, Any]:
    X = rng.integers(0, 2, (20, 4))
    return {"X": X, "y": X[:, 0] ^ (np.arange(20) < 2), **parameters}


def _forest(**parameters: Any) -> Any:
    return competitors.random_forest(**parameters).get_params()


TARGETS = (
    Target("boolean_rules.competitors.BayesianRuleSetClassifier",
           learned(competitors.BayesianRuleSetClassifier, "predict"),
           lambda rng: _bits(rng, kappa=1.0, max_length=2, min_support=0.05, n_candidates=20, alpha=100.0, beta=1.0,
                             n_iterations=50, n_chains=1, random_state=0),
           ("n_candidates", "n_iterations", "n_chains", "max_length")),
    Target("boolean_rules.competitors.RipperClassifier", learned(competitors.RipperClassifier, "predict"),
           lambda rng: _bits(rng, n_optimizations=1, random_state=0), ("n_optimizations",)),
    Target("boolean_rules.competitors.TwoLevelRuleClassifier", learned(competitors.TwoLevelRuleClassifier, "predict"),
           lambda rng: _bits(rng, method="bcd", n_clauses=3, regularization=0.001, max_rounds=3, random_state=0),
           ("n_clauses", "max_rounds")),
    Target("boolean_rules.competitors.random_forest", _forest,
           lambda rng: {"min_samples_leaf": 1, "random_state": 0}),
)  # fmt: skip
