"""Algorithms 1 and 2: the root of v(t) = max f(x) - t g(x), one binary quadratic problem (15) for each t.

v(t) > 0 exactly where t < lambda*. Mehmanchi, Gómez and Prokopyev (2021), section 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.errors import InvalidParameterError
from compactml.feature_selection.allowed_sets import (
    first_set,
    largest_value,
    least_denominator,
    size_limits,
)
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult, Iterate, Tolerance
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, SolverChoice, solve
from compactml.watch import Watch

__all__ = ["binary_search", "newton", "parametric_problem", "start_interval"]

POSITIVE = 1e-6
"""A value of (15) that is surely above 0: Algorithm 1 needs no more to raise its lower bound."""
PAPER_UPPER, PAPER_MARGIN = 3.0, 0.01
"""Where Algorithm 1 starts: these ends fit the gaps the paper prints; its text does not give them."""


def parametric_problem(
    program: FractionalProgram, t: float, n_features: int | None = None
) -> MixedIntegerProgram:
    """Build (15), the maximum of f(x) - t g(x) over nonempty sets, or over sets of ``n_features``."""
    linear, quadratic = program.parametric(t)
    return MixedIntegerProgram(
        linear,
        np.ones((1, program.n_features)),
        *size_limits(n_features),
        upper=1.0,
        integrality=True,
        sense="max",
        quadratic=quadratic,
    )


class _Answer(NamedTuple):
    """What is known of (15): ``found`` is h of the best solution; undecided where a limit stopped the solver."""

    value: float
    bound: float
    found: float
    decided: bool


@dataclass
class _Run:
    """What a run has found so far; the best set is the best ratio, not the last x^i."""

    program: FractionalProgram
    tolerance: Tolerance
    solver: str
    watch: Watch
    n_features: int | None
    work_limit: float | None = None
    bound: float = math.inf
    choice: SolverChoice | None = None
    history: list[Iterate] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.least = least_denominator(self.program, self.n_features)
        self.support: NDArray[np.intp] = first_set(self.program, self.n_features)
        self.value = self.program.value(self.support)

    @property
    def clock(self) -> Clock:
        """Of the whole run."""
        return self.watch.clock

    def early_stop(self, t: float) -> _Answer | None:
        """The early stop of Algorithm 1: any set with f - t g > 0 tells the sign of v(t); the best one may be it."""
        if self.value <= t:
            return None
        chosen = self.support
        denominator = self.program.c[chosen].sum() + self.program.d[np.ix_(chosen, chosen)].sum()
        return _Answer(float((self.value - t) * denominator), math.inf, self.value, True)

    def solve(self, t: float, target: float | None) -> _Answer:
        """Solve (15) in the time left, or to a solution of the value ``target``; keep a better set and bound.

        For every allowed set f <= t g + v, so h <= t + v / g, and v / g is at most v / min g where v >= 0.
        """
        start = np.isin(np.arange(self.program.n_features), self.support).astype(float)
        problem = parametric_problem(self.program, t, self.n_features)
        options = SolveOptions(
            time_limit=self.clock.allowance(), work_limit=self.work_limit, start=start, target=target
        )
        result = solve(problem, self.solver, options)
        self.choice = result.choice
        bound = math.inf if result.bound is None else result.bound
        self.bound = min(self.bound, t + max(bound, 0.0) / self.least)
        enough = target is not None and result.objective is not None and result.objective >= target
        decided = result.outcome is Outcome.OPTIMAL or enough
        if not decided and self.work_limit is None:
            self.clock.end()  # a solver may stop well before its limit
        if result.x is None or result.objective is None:
            return _Answer(-math.inf, bound, -math.inf, decided)
        support = np.flatnonzero(result.x > 0.5)
        ratio = self.program.value(support)
        if ratio > self.value:
            self.support, self.value = support, ratio
        return _Answer(result.objective, bound, ratio, decided)

    def record(self, t: float, answer: _Answer, gap: float, lower: float) -> None:
        """Note an iteration and the paper's gap after it."""
        relative = gap / abs(lower) if lower else math.inf
        self.history.append(Iterate(t, answer.value, answer.bound, gap, relative))
        self.watch.tell(self.value, max(self.bound, self.value))

    def result(self) -> FractionalResult:
        """Close the run."""
        bound = max(self.bound, self.value)  # a solver's rounding must not put the bound below a set
        return FractionalResult(
            value=self.value,
            bound=bound,
            support=self.support,
            proved=bound - self.value <= self.tolerance.allows(self.value),
            certificate=None,
            iterations=len(self.history),
            seconds=self.clock.seconds,
            choice=self.choice,
            history=tuple(self.history),
        )


def newton(
    program: FractionalProgram,
    tolerance: Tolerance,
    *,
    solver: str = "auto",
    time_limit: float | None = None,
    work_limit: float | None = None,
    n_features: int | None = None,
    early_stop: bool = True,
    watch: Watch | None = None,
) -> FractionalResult:
    """Algorithm 2, the Newton-like method of Dinkelbach: t = h(x) of the last solution, all features at first.

    It ends when v(t) <= abs(t) * relative or v(t) <= absolute tolerance, v being the proved bound divided by min g
    (1 for mRMR and CFS): then the bound t + v is within the tolerance.

    Parameters
    ----------
    program : FractionalProgram
    tolerance : Tolerance
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
    time_limit : float, optional
        Seconds for all iterations together.
    work_limit : float, optional
        Of each parametric problem, see `compactml.solvers.SolveOptions`; the first that it stops ends the run.
    n_features : int, optional
        Exact size of the set.
    early_stop : bool, default True
        End a parametric problem at the first set with a value above both tolerances (section 4.2); else solve it to
        the end.
    watch : Watch, optional
        Whose clock counts in place of ``time_limit``; it is told of value and bound after each parametric problem.

    Returns
    -------
    FractionalResult
        With an `Iterate` for each parametric problem in ``history``.
    """
    watch = watch or Watch("newton", Clock(time_limit))
    run = _Run(program, tolerance, solver, watch, n_features, work_limit)
    t = run.value
    with watch.interruptible():
        while not run.clock.stopped():
            enough = run.least * tolerance.allows(t)
            answer = run.solve(t, max(enough, POSITIVE) if early_stop else None)
            run.record(t, answer, answer.found - t, t)
            if answer.bound <= enough or not answer.decided or run.value <= t:
                break
            t = run.value
    return run.result()


def start_interval(program: FractionalProgram, n_features: int | None = None) -> tuple[float, float]:
    """Return the interval from which Algorithm 1 starts.

    Below, the paper's h(1) - 0.01. Above, its 3 for mRMR and CFS, which is no proved bound but above all of its
    data; for other programs, and where the lower end is 3 or more, the proved bound of
    `compactml.feature_selection.allowed_sets.largest_value`.
    """
    lower = program.value(first_set(program, n_features)) - PAPER_MARGIN
    if program.measure in ("mrmr", "cfs") and lower < PAPER_UPPER:
        return lower, PAPER_UPPER
    return lower, largest_value(program, least_denominator(program, n_features))


def binary_search(
    program: FractionalProgram,
    tolerance: Tolerance,
    *,
    lower: float | None = None,
    upper: float | None = None,
    solver: str = "auto",
    time_limit: float | None = None,
    work_limit: float | None = None,
    n_features: int | None = None,
    early_stop: bool = True,
    watch: Watch | None = None,
) -> FractionalResult:
    """Algorithm 1: halve an interval by the sign of v at its midpoint until it is no wider than the tolerance.

    Where every step raised the lower end, the upper one was no bound: then the search goes on up to a proved one.

    Parameters
    ----------
    program : FractionalProgram
    tolerance : Tolerance
    lower, upper : float, optional
        The interval at first, `start_interval` by default. The bound of the result does not rest on it: it comes
        from the parametric problems that were solved, and from the signs of the coefficients.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
    time_limit : float, optional
        Seconds for all iterations together.
    work_limit : float, optional
        Of each parametric problem, see `compactml.solvers.SolveOptions`; the first that it stops ends the run.
    n_features : int, optional
        Exact size of the set.
    early_stop : bool, default True
        Take the sign of v from any set that shows it (section 4.1), one that is known already or the first that the
        solver finds; else solve every parametric problem to the end.
    watch : Watch, optional
        Whose clock counts in place of ``time_limit``; it is told of value and bound after each parametric problem.

    Returns
    -------
    FractionalResult
        With an `Iterate` for each parametric problem in ``history``.

    Raises
    ------
    InvalidParameterError
        ``lower`` is not below ``upper``.
    """
    watch = watch or Watch("binary_search", Clock(time_limit))
    run = _Run(program, tolerance, solver, watch, n_features, work_limit)
    run.bound = largest_value(program, run.least)
    low, high = start_interval(program, n_features)
    low, high = (low if lower is None else lower), (high if upper is None else upper)
    if not -math.inf < low < high < math.inf:
        raise InvalidParameterError("lower and upper", "finite, lower below upper", (low, high))
    lowered = high >= run.bound  # whether the upper end is a proved bound
    with watch.interruptible():
        while not run.clock.stopped() and run.value < run.bound:
            middle = (low + high) / 2
            # no number lies between the two, or none that matters
            if high - low <= tolerance.allows(low) or not low < middle < high:
                if lowered:
                    break
                high, lowered = run.bound, True
                continue
            answer = run.early_stop(middle) if early_stop else None
            answer = answer or run.solve(middle, POSITIVE if early_stop else None)
            if answer.value >= 0:
                low = middle
            if answer.decided and answer.value <= 0:  # v = 0 closes the interval
                high, lowered = middle, True
            run.record(middle, answer, high - low, low)
            if not answer.decided:
                break
    return run.result()
