"""One Bayesian rule set by imodels' port of the authors' code, in the environment of ``environments/imodels.txt``.

Run as a program with a file of one fold's candidate clauses and settings, see
`compactml.chapters.boolean_rules.trials.brs`; writes one line of JSON with the clauses chosen. It
imports nothing of this project, and imodels only when it runs.
"""

from __future__ import annotations

import json
import random
import sys
from importlib.metadata import version
from math import comb
from typing import Any

import numpy as np

MAX_LENGTH, N_ITERATIONS, N_CHAINS, ALPHA, BETA = 3, 5000, 3, 500, 1
"""The parameters of the example that stands beside the authors' code."""
ALPHA_L = 1
"""Of the prior, by the length of a clause, as in that code; beta is kappa times the number of clauses of a length."""


def rule_set(rows: Any, y: Any, clauses: list[Any], n_columns: int, kappa: float, seed: int) -> Any:
    """The clauses that simulated annealing chooses.

    Two things of the port are replaced. It mines by random forests, as its call of FP-growth is broken: the candidates
    are given. It counts the clauses of a length by listing them, its negated columns twice: they are counted by
    binomial coefficients.
    """
    from imodels.rule_set.brs import BayesianRuleSetClassifier

    sizes = [float(comb(n_columns, length)) for length in range(1, MAX_LENGTH + 1)]

    class Given(BayesianRuleSetClassifier):  # type: ignore[misc]
        def _set_pattern_space(self) -> None:
            self.pattern_space = np.array([0.0, *sizes])

        def _generate_rules(self, X: Any, y: Any, verbose: bool) -> None:
            self.rules_, self.RMatrix = clauses, rows.astype(np.int8)

    model = Given(
        maxlen=MAX_LENGTH, num_iterations=N_ITERATIONS, num_chains=N_CHAINS,
        alpha_pos=ALPHA, beta_pos=BETA, alpha_neg=ALPHA, beta_neg=BETA,
        alpha_l=[ALPHA_L] * MAX_LENGTH, beta_l=[ALPHA_L * kappa * size for size in sizes],
    )  # fmt: skip
    model.random_state = seed  # its constructor drops what it is given
    random.seed(seed)
    model.fit(np.arange(2) + np.zeros((len(y), 2)), y.astype(int))
    return model.rules_


def main(file: str) -> None:
    """Fit what the file asks for."""
    with np.load(file) as asked:
        chosen = rule_set(
            asked["rows"], asked["y"], json.loads(str(asked["clauses"])), int(asked["n_columns"]),
            float(asked["kappa"]), int(asked["seed"]),
        )  # fmt: skip
    print(json.dumps({"chosen": chosen, "version": version("imodels")}))


if __name__ == "__main__":
    main(sys.argv[1])
