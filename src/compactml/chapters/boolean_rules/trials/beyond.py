"""Trials that the paper does not have: optima on whole datasets, as far as they can be proved."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learning import Learned, compile_kernels, learn
from compactml.chapters.boolean_rules.datasets import problem
from compactml.study.trial import Result, Trial


def run_optimum(trial: Trial) -> Result:
    """The smallest Hamming loss on all rows of a dataset, as far as it is proved within the time limit."""
    compile_kernels()
    parameters: dict[str, Any] = dict(trial.parameters)
    X, y = problem(trial.dataset)
    binarizer = DecileBinarizer().fit(X)
    instance = Instance.from_codes(binarizer.codes(X), y, binarizer.literals_)
    started = time.perf_counter()
    learned = learn(instance, parameters["C"], time_limit=trial.time_limit, gap=parameters["gap"])
    seconds = time.perf_counter() - started
    return {
        "rows": len(y),
        "literals": len(instance.literals),
        **described(instance, learned),
        "seconds": seconds,
    }


def described(instance: Instance, learned: Learned) -> Result:
    """What is known of a rule set: loss and bounds, errors, size, and how much work it was."""
    hits = np.zeros(len(instance.codes), dtype=bool)
    for clause in learned.clauses:
        hits |= instance.covered(clause)
    return {
        "loss": learned.loss,
        "bound": learned.lower_bound,
        "gap": learned.gap,
        "proved": int(learned.loss == learned.lower_bound),
        "D": learned.max_clause_size,
        "lp_bound": learned.bound.value,
        "rmlp": min((one.master_value for one in learned.history), default=None),
        "complexity": sum(1 + len(clause) for clause in learned.clauses),
        "errors": int(instance.negatives[hits].sum() + instance.positives[~hits].sum()),
        "enumerated": learned.enumerated,
        "rounds": len(learned.history),
        "columns": learned.n_columns,
    }


RUN: Mapping[str, Any] = {"optimum": run_optimum}
