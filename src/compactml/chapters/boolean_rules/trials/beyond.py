"""Trials that the paper does not have: optima on whole datasets, as far as they can be proved."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learning import Learned, compile_kernels, learn
from compactml.chapters.boolean_rules.protocol import QUICK_OPTIMA
from compactml.chapters.boolean_rules.trials.instances import whole_dataset
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

EASY_OPTIMUM = 5.0
"""Rough seconds on one core for a dataset of the quick profile."""


@dataclass(frozen=True)
class Optimum:
    """What is known of a rule set on all rows: loss and bounds, errors, size, and how much work it was."""

    rows: int
    literals: int
    loss: int
    bound: int
    gap: float
    proved: int
    D: int
    lp_bound: int
    rmlp: float | None
    complexity: int
    errors: int
    enumerated: int | None
    rounds: int
    columns: int
    seconds: float


def run_optimum(trial: Trial) -> Optimum:
    """The smallest Hamming loss on all rows of a dataset, as far as it is proved within the time limit."""
    compile_kernels()
    parameters: dict[str, Any] = dict(trial.parameters)
    instance = whole_dataset(trial.dataset)
    started = time.perf_counter()
    learned = learn(instance, parameters["C"], time_limit=trial.time_limit, gap=parameters["gap"])
    return described(instance, learned, time.perf_counter() - started)


def described(instance: Instance, learned: Learned, seconds: float) -> Optimum:
    """What is known of a rule set that was learned in so many seconds."""
    hits = np.zeros(len(instance.codes), dtype=bool)
    for clause in learned.clauses:
        hits |= instance.covered(clause)
    return Optimum(
        rows=int(instance.positives.sum() + instance.negatives.sum()),
        literals=len(instance.literals),
        loss=learned.loss,
        bound=learned.lower_bound,
        gap=learned.gap,
        proved=int(learned.loss == learned.lower_bound),
        D=learned.max_clause_size,
        lp_bound=learned.bound.value,
        rmlp=min((one.master_value for one in learned.history), default=None),
        complexity=sum(1 + len(clause) for clause in learned.clauses),
        errors=int(instance.negatives[hits].sum() + instance.positives[~hits].sum()),
        enumerated=learned.enumerated,
        rounds=len(learned.history),
        columns=learned.n_columns,
        seconds=seconds,
    )


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core; a hard one may use up its time limit."""
    return EASY_OPTIMUM if trial.dataset in QUICK_OPTIMA else trial.time_limit or 1.0


OPTIMUM = Kind("optimum", run_optimum, Optimum, cost)
