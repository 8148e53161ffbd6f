"""Engines for exact pricing side by side at the same duals."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learning import compile_kernels
from compactml.boolean_rules.pricing.constraint_program import ConstraintPricing
from compactml.boolean_rules.pricing.integer_program import IntegerPricing
from compactml.boolean_rules.pricing.priced import Priced, Pricing
from compactml.boolean_rules.pricing.search import Search
from compactml.chapters.boolean_rules.trials.instances import duals_without_beam, whole_dataset
from compactml.clock import Clock
from compactml.solvers import ModelTooLargeError, SolverNotAvailableError
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

OURS = "branch and bound"
SOLVERS = {"HiGHS": "highs", "Gurobi": "gurobi", "CPLEX": "cplex"}
ENGINES = (OURS, *SOLVERS, "CP-SAT")


@dataclass(frozen=True)
class Answer:
    """What an engine says of a pricing problem: best f found and proved, in rows; only the outcome if it gave none."""

    outcome: str
    finished: int
    best: float | None = None
    bound: float | None = None
    price: float | None = None
    seconds: float | None = None


def exact(search: Search, duals: Duals, clock: Clock) -> Priced:
    """Our search alone, to the end."""
    result = search.best(duals, stopped=clock.stopped)
    return Priced(result.clauses, max(result.best, 0) if result.complete else None)


def engine(name: str, instance: Instance, search: Search, limit: float) -> Pricing:
    """One way to solve the pricing problem, with one thread."""
    if name == OURS:
        return partial(exact, search)
    if name in SOLVERS:
        return IntegerPricing(instance, search.max_clause_size, solver=SOLVERS[name], time_limit=limit)
    return ConstraintPricing(instance, search.max_clause_size, time_limit=limit)


def run_engine(trial: Trial) -> Answer:
    """Time one engine on the pricing problem that column generation meets when its heuristics fail."""
    compile_kernels()
    instance = whole_dataset(trial.dataset)
    complexity = int(dict(trial.parameters)["C"] or 0)
    search = Search(instance, complexity - 1)
    duals = duals_without_beam(instance, complexity, search)
    assert trial.time_limit is not None
    pricing = engine(trial.method, instance, search, trial.time_limit)
    started = time.perf_counter()
    try:
        priced = pricing(duals, Clock(trial.time_limit))
    except (ModelTooLargeError, SolverNotAvailableError) as error:
        return Answer(outcome=type(error).__name__, finished=0)
    return answer(priced, instance, duals, time.perf_counter() - started)


def answer(priced: Priced, instance: Instance, duals: Duals, seconds: float) -> Answer:
    """Best f found and proved, in rows; finished when they meet within 1e-5."""
    best = max((duals.f(instance, clause) for clause in priced.clauses), default=0) / UNIT
    bound = None if priced.at_most is None else priced.at_most / UNIT
    finished = bound is not None and bound - best <= 1e-5 * max(1.0, best)
    return Answer(
        outcome="proved" if finished else "time limit",
        finished=int(finished),
        best=best,
        bound=bound,
        price=duals.price / UNIT,
        seconds=seconds,
    )


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core; some engines may use up their time limit."""
    return 1.0 if trial.method in (OURS, "Gurobi", "CPLEX") else trial.time_limit or 0.0


ENGINE = Kind("engine", run_engine, Answer, cost)
