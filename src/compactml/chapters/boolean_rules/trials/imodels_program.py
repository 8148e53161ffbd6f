"""Bayesian rule sets by imodels' port of the authors' code, in the environment of ``environments/imodels.txt``.

Run as a program with a file of one fold's literals and settings, see `compactml.chapters.boolean_rules.trials.brs`;
writes one line of JSON with the rule set of each kappa. It imports nothing of this project, and imodels only when it
runs.
"""

from __future__ import annotations

import json
import random
import sys
from importlib.metadata import version
from math import comb
from typing import Any

import numpy as np

MAX_LENGTH, N_ITERATIONS, N_CHAINS, N_RULES, SUPPORT = 3, 5000, 3, 2000, 5
ALPHA, BETA = 500, 1
"""The parameters of the example that stands beside the authors' code."""
ALPHA_L = 1
"""Of the prior, for every length of a clause, as in that code; beta is kappa times the number of such clauses."""
NEGATED = "_neg"


def rule_set(X: Any, y: Any, kappa: float, seed: int, mined: dict[str, Any]) -> Any:
    """Names of the conditions of the clauses that simulated annealing chooses, ``c7`` or ``c7_neg``.

    Three things are replaced. The port counts the clauses of a length by listing them, which takes hours, and counts
    its negated columns twice: here binomial coefficients count those of the literals given, each of which has its
    negation among them. Where no row is wrong it fails or leaves the set as it is: here it leaves it. The table of
    rows and candidates gets smaller numbers, row by row, which halves the time of a step and changes no result.
    ``mined`` keeps the candidates of the first kappa: the others have the same data and seed, so the same ones.
    """
    from imodels.rule_set.brs import BayesianRuleSetClassifier

    sizes = [float(comb(X.shape[1], length)) for length in range(1, MAX_LENGTH + 1)]

    class Counted(BayesianRuleSetClassifier):
        rules_: Any
        RMatrix: Any

        def _set_pattern_space(self) -> None:
            self.pattern_space = np.array([0.0, *sizes])

        def _generate_rules(self, X: Any, y: Any, verbose: bool) -> None:
            if not mined:
                super()._generate_rules(X, y, verbose)
                mined.update(rules_=self.rules_, RMatrix=np.ascontiguousarray(self.RMatrix, dtype=np.int8))
            self.rules_, self.RMatrix = mined["rules_"], mined["RMatrix"]
            self._set_pattern_space()
            random.seed(seed)  # the annealing draws from both, as the mining does: alike, mined anew or not
            np.random.seed(seed)  # noqa: NPY002

        def _propose(self, rules_curr: Any, rules_norm: Any, q: float, y: Any) -> Any:
            if ((self.RMatrix[:, rules_curr].sum(axis=1) > 0) == y).all():
                return rules_curr, rules_norm
            return super()._propose(rules_curr, rules_norm, q, y)

    model = Counted(
        n_rules=N_RULES, supp=SUPPORT, maxlen=MAX_LENGTH, num_iterations=N_ITERATIONS, num_chains=N_CHAINS,
        alpha_pos=ALPHA, beta_pos=BETA, alpha_neg=ALPHA, beta_neg=BETA,
        alpha_l=[ALPHA_L] * MAX_LENGTH, beta_l=[ALPHA_L * kappa * size for size in sizes],
    )  # fmt: skip
    model.random_state = seed  # its constructor drops what it is given
    model.fit(X.astype(int), y.astype(np.int8), feature_names=[f"c{j}" for j in range(X.shape[1])])
    return [list(rule) for rule in model.rules_]


def main(file: str) -> None:
    """Fit what the file asks for."""
    with np.load(file) as asked:
        X, y, seed = asked["X"], asked["y"], int(asked["seed"])
        mined: dict[str, Any] = {}
        chosen = [rule_set(X, y, kappa, seed, mined) for kappa in asked["kappas"].tolist()]
    print(json.dumps({"chosen": chosen, "version": version("imodels")}))


if __name__ == "__main__":
    main(sys.argv[1])
