"""Engines for exact pricing side by side at the same duals, and how ours grows with the number of rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learning import compile_kernels, learn
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.master import Master
from compactml.boolean_rules.pricing.constraint_program import ConstraintPricing
from compactml.boolean_rules.pricing.integer_program import IntegerPricing
from compactml.boolean_rules.pricing.priced import Priced, Pricing
from compactml.boolean_rules.pricing.search import Search
from compactml.chapters.boolean_rules.datasets import GENERATED, problem
from compactml.clock import Clock
from compactml.solvers import ModelTooLargeError, SolverNotAvailableError
from compactml.study.profile import Profile
from compactml.study.trial import Recipe, Result, Trial

TABLES = ("engines", "growth")

OURS = "branch and bound"
SOLVERS = {"HiGHS": "highs", "Gurobi": "gurobi", "CPLEX": "cplex"}
ENGINES = (OURS, *SOLVERS, "CP-SAT")
WIDTHS = (8, 64)

TASKS: Mapping[str, int] = {
    "blood_transfusion": 15,
    "banknote": 25,
    GENERATED: 32,
    "heart_cleveland_complete_rows": 15,
    "liver_drinks": 12,
    "ilpd_complete_rows": 12,
    "pima": 10,
}
"""Bound C on the complexity by dataset; every clause length up to C - 1 is allowed."""
QUICK_TASKS = {"blood_transfusion": 15}
LIMIT = {Profile.QUICK: 20.0, Profile.STANDARD: 60.0, Profile.PAPER: 300.0}

N_ATTRIBUTES, N_BINS, COMPLEXITY, NOISE = 12, 10, 14, 0.1
ROWS = {
    Profile.QUICK: (1_000, 10_000),
    Profile.STANDARD: (1_000, 10_000, 100_000, 1_000_000),
    Profile.PAPER: (1_000, 10_000, 100_000, 1_000_000),
}
PRICE_PER_ROW = 0.002
"""lambda of the growth study in rows, as a share of all rows: the number of nodes then hardly depends on n."""
LEARNED_UP_TO = 100_000
LEARNING_LIMIT, LEARNING_GAP, LEARNING_SIZE = 120.0, 0.01, 3


def duals_without_beam(instance: Instance, complexity: int, search: Search) -> Duals:
    """Duals at which the beam searches find nothing more: those of the first exact call of column generation."""
    columns = Columns(instance)
    master = Master(columns, complexity)
    duals = Duals.rounded(instance, instance.positives.astype(float), 0.0)
    while found := next((c for w in WIDTHS if (c := search.beam(duals, width=w).clauses)), None):
        if not columns.add(found):
            break
        solution = master.solve()
        duals = Duals.rounded(instance, solution.mu, solution.price)
    return duals


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


def run_engine(trial: Trial) -> Result:
    """Time one engine on the pricing problem that column generation meets when its heuristics fail."""
    compile_kernels()
    X, y = problem(trial.dataset)
    binarizer = DecileBinarizer().fit(X)
    instance = Instance.from_codes(binarizer.codes(X), y, binarizer.literals_)
    complexity = int(dict(trial.parameters)["C"] or 0)
    search = Search(instance, complexity - 1)
    duals = duals_without_beam(instance, complexity, search)
    assert trial.time_limit is not None
    pricing = engine(trial.method, instance, search, trial.time_limit)
    started = time.perf_counter()
    try:
        priced = pricing(duals, Clock(trial.time_limit))
    except (ModelTooLargeError, SolverNotAvailableError) as error:
        return {"outcome": type(error).__name__, "finished": 0}
    seconds = time.perf_counter() - started
    return {**answer(priced, instance, duals), "seconds": seconds}


def answer(priced: Priced, instance: Instance, duals: Duals) -> Result:
    """Best f found and proved, in rows; finished when they meet within 1e-5."""
    best = max((duals.f(instance, clause) for clause in priced.clauses), default=0) / UNIT
    bound = None if priced.at_most is None else priced.at_most / UNIT
    finished = bound is not None and bound - best <= 1e-5 * max(1.0, best)
    return {
        "outcome": "proved" if finished else "time limit",
        "finished": int(finished),
        "best": best,
        "bound": bound,
        "price": duals.price / UNIT,
    }


def synthetic(n: int, seed: int) -> Instance:
    """Uniform bins of ``N_ATTRIBUTES`` attributes, a DNF of three clauses as label, and noise on the label."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, N_BINS, (n, N_ATTRIBUTES)).astype(np.int16)
    y = in_clause(codes, 0) | in_clause(codes, 3) | in_clause(codes, 6)
    return Instance.from_codes(codes, y ^ (rng.random(n) < NOISE), thresholds())


def generated(trial: Trial) -> Recipe | None:
    """How the rows of the growth study are made; None for a dataset with a name of its own."""
    if trial.kind != "growth":
        return None
    return synthetic, (dict(trial.parameters)["n"], trial.seed)


def in_clause(codes: NDArray[np.int16], first: int) -> NDArray[np.bool_]:
    """Rows of one true clause: the lower, the middle and the upper bins of three attributes."""
    low, middle, high = (codes[:, first + k] for k in range(3))
    return np.asarray((low < 6) & (middle >= 2) & (middle < 8) & (high >= 4))


def thresholds() -> Literals:
    """``<=`` and ``>`` at each inner border of the bins."""
    cut = np.tile(np.arange(1, N_BINS, dtype=np.int32), 2 * N_ATTRIBUTES)
    attribute = np.repeat(np.arange(N_ATTRIBUTES, dtype=np.int32), 2 * (N_BINS - 1))
    upper = np.tile(np.repeat([False, True], N_BINS - 1), N_ATTRIBUTES)
    names = tuple(
        f"x{a} {'>' if above else '<='} {t}" for a, above, t in zip(attribute, upper, cut, strict=True)
    )
    return Literals(
        attribute,
        np.where(upper, cut, 0).astype(np.int32),
        np.where(upper, N_BINS, cut).astype(np.int32),
        np.zeros(len(cut), dtype=bool),
        (2 * attribute + upper).astype(np.int32),
        names,
        np.full(N_ATTRIBUTES, N_BINS, dtype=np.int32),
    )


def run_growth(trial: Trial) -> Result:
    """Seconds of a beam search, of exact pricing for clauses of up to two and three literals, and of learning."""
    compile_kernels()
    parameters = dict(trial.parameters)
    n = int(parameters["n"] or 0)
    instance = synthetic(n, trial.seed)
    duals = Duals.rounded(instance, instance.positives.astype(float), PRICE_PER_ROW * n)
    result: Result = {"literals": len(instance.literals), "distinct": len(instance.codes)}
    result["beam"] = timed(lambda: Search(instance, 5).beam(duals, width=8))[0]
    for size in (2, 3):
        seconds, found = timed(lambda size=size: Search(instance, size).best(duals))  # type: ignore[misc]
        result |= {f"exact_{size}": seconds, f"nodes_{size}": found.nodes}
    if n <= LEARNED_UP_TO:
        seconds, learned = timed(
            lambda: learn(
                instance,
                COMPLEXITY,
                max_clause_size=LEARNING_SIZE,
                time_limit=trial.time_limit,
                gap=LEARNING_GAP,
            )
        )
        result |= {"learn": seconds, "loss": learned.loss, "bound": learned.lower_bound, "gap": learned.gap}
    return result


def timed(task: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    found = task()
    return time.perf_counter() - started, found


RUN: Mapping[str, Callable[[Trial], Result]] = {"engine": run_engine, "growth": run_growth}


def trials(chapter: str, table: str, profile: Profile) -> list[Trial]:
    """Trials of one of these tables."""
    if table == "growth":
        return [
            Trial(
                chapter, "growth", "synthetic", method=OURS, parameters=(("n", n),), time_limit=LEARNING_LIMIT
            )
            for n in ROWS[profile]
        ]
    tasks = QUICK_TASKS if profile is Profile.QUICK else TASKS
    return [
        Trial(chapter, "engine", key, method=name, parameters=(("C", c),), time_limit=LIMIT[profile])
        for key, c in tasks.items()
        for name in ENGINES
    ]


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    if trial.kind == "growth":
        return 1.0 + float(dict(trial.parameters)["n"] or 0) / 2000
    return 1.0 if trial.method in (OURS, "Gurobi", "CPLEX") else (trial.time_limit or 0.0)
