"""How exact pricing and learning grow with the number of rows, on generated data."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.learning import compile_kernels, learn
from compactml.boolean_rules.pricing.search import Search
from compactml.chapters.boolean_rules.trials.synthetic_rows import (
    COMPLEXITY,
    LEARNING_GAP,
    LEARNING_SIZE,
    synthetic,
)
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Recipe, Trial

PRICE_PER_ROW = 0.002
"""lambda in rows, as a share of all rows: the number of nodes then hardly depends on n."""
LEARNED_UP_TO = 100_000
SIZES = (2, 3)
"""Most literals of a clause that is priced exactly."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class ExactPricing:
    """Seconds and nodes of one exact pricing."""

    exact: float
    nodes: int


@dataclass(frozen=True)
class Growth:
    """Seconds of a beam search, of exact pricing by length of the clauses, and of learning, with what was learned.

    Nothing is learned from more than ``LEARNED_UP_TO`` rows.
    """

    literals: int
    distinct: int
    beam: float
    pricing: dict[str, ExactPricing] = spread([str(size) for size in SIZES], ExactPricing)
    learn: float | None = None
    loss: int | None = None
    bound: int | None = None
    gap: float | None = None


def run_growth(trial: Trial) -> Growth:
    """Seconds of a beam search, of exact pricing for clauses of up to two and three literals, and of learning."""
    compile_kernels()
    n = number_of_rows(trial)
    instance = synthetic(n, trial.seed)
    duals = Duals.rounded(instance, instance.positives.astype(float), PRICE_PER_ROW * n)
    beam_seconds, _ = timed(lambda: Search(instance, 5).beam(duals, width=8))
    pricing = {}
    for size in SIZES:
        seconds, result = timed(lambda size=size: Search(instance, size).best(duals))  # type: ignore[misc]
        pricing[str(size)] = ExactPricing(seconds, result.nodes)
    measured = Growth(len(instance.literals), len(instance.codes), beam_seconds, pricing)
    if n > LEARNED_UP_TO:
        return measured
    seconds, learned = timed(
        lambda: learn(
            instance,
            COMPLEXITY,
            max_clause_size=LEARNING_SIZE,
            time_limit=trial.time_limit,
            gap=LEARNING_GAP,
        )
    )
    return replace(measured, learn=seconds, loss=learned.loss, bound=learned.lower_bound, gap=learned.gap)


def timed(task: Callable[[], Value]) -> tuple[float, Value]:
    """Return the seconds of a task and its result."""
    started = time.perf_counter()
    result = task()
    return time.perf_counter() - started, result


def number_of_rows(trial: Trial) -> int:
    """How many rows are generated for a trial."""
    return int(dict(trial.parameters)["n"] or 0)


def generated(trial: Trial) -> Recipe:
    """How the rows of a trial are made."""
    return synthetic, (number_of_rows(trial), trial.seed)


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 1.0 + number_of_rows(trial) / 2000


GROWTH = Kind("growth", run_growth, Growth, cost, generated)
