"""The same program by another solver: does it confirm what the first one says?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.errors import InvalidDataError, check_choice, check_instance
from compactml.solvers._solve import solve
from compactml.solvers.errors import (
    ModelTooLargeError,
    SolverNotAvailableError,
    SolverStatusError,
    VerificationError,
)
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.registry import SOLVERS, by_preference, licence
from compactml.solvers.result import Outcome, SolveOptions, SolveResult
from compactml.solvers.scaling import Scaling
from compactml.solvers.verify import TOLERANCE, rounding_error, violation

__all__ = ["Opinion", "Stated", "Verdict", "opinion_on", "second_opinion"]


class Verdict(StrEnum):
    """What another solver says of a result.

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, Stated, Verdict, opinion_on
    >>> problem = MixedIntegerProgram([1.0], [[1.0]], row_lower=2, integrality=True)
    >>> opinion_on(problem, Stated(2, 2), "highs").verdict is Verdict.CONFIRMED
    True
    """

    CONFIRMED = "confirmed"  # it proves the same value, or the same outcome
    NOT_REFUTED = "not refuted"  # it came to no end, or there is none
    REFUTED = "refuted"  # it has a better solution than the bound allows, or one where there should be none


@dataclass(frozen=True, eq=False)
class Stated:
    """What is said of a problem: value, bound, outcome, and the point that has the value, where it is at hand.

    A bound or outcome of another solver that excludes the value counts against that solver if the point is at hand;
    without a point it refutes the value.

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, Stated, opinion_on
    >>> knapsack = MixedIntegerProgram([3, 2], [[2, 2]], row_upper=3, upper=1, integrality=True, sense="max")
    >>> str(opinion_on(knapsack, Stated(2, 2), "highs").verdict)
    'refuted'
    """

    objective: float | None
    bound: float | None
    outcome: Outcome = Outcome.OPTIMAL
    x: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Opinion:
    """A second opinion.

    Attributes
    ----------
    verdict : Verdict
    solver : str or None
        Name and version; None where no other solver takes the program.
    value, bound : float or None
        Of its own solution, verified as every result, and its own bound.
    outcome : Outcome or None
    reason : str
        Why the verdict is not CONFIRMED, and which solvers failed; may be empty.
    seconds : float

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, second_opinion, solve
    >>> knapsack = MixedIntegerProgram([3, 2], [[2, 2]], row_upper=3, upper=1, integrality=True, sense="max")
    >>> opinion = second_opinion(knapsack, solve(knapsack, "highs"), "scip")
    >>> str(opinion.verdict), opinion.value
    ('confirmed', 3.0)
    """

    verdict: Verdict
    solver: str | None
    value: float | None
    bound: float | None
    outcome: Outcome | None
    reason: str
    seconds: float

    def as_dict(self) -> dict[str, str | float | None]:
        """Return all but the outcome as plain values, as the result of a trial."""
        return {
            "verdict": str(self.verdict),
            "solver": self.solver,
            "value": self.value,
            "bound": None if self.bound is None or math.isinf(self.bound) else self.bound,
            "reason": self.reason,
            "seconds": self.seconds,
        }


def second_opinion(
    problem: MixedIntegerProgram,
    result: SolveResult,
    solver: str = "auto",
    options: SolveOptions | None = None,
) -> Opinion:
    """Ask another solver for the same program and compare.

    Parameters
    ----------
    problem : MixedIntegerProgram
    result : SolveResult
        What `solve` returned for it.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
        "auto" is the first usable one that takes the program and did not give the result; COMPACTML_SOLVER does not
        count here. One that fails passes on to the next.
    options : SolveOptions, optional
        The limits and gaps of the first run. A start or a target is left out: the opinion is to be its own.

    Returns
    -------
    Opinion
        REFUTED where the other solver has a verified solution beyond the bound of the result, or any one where the
        result says that there is none, or says that there is none better than what the result calls unbounded.
        CONFIRMED where it proves that nothing is better than the result's value by more than the gap, or comes to
        the same outcome without a solution. Else NOT_REFUTED.

    Raises
    ------
    InvalidParameterError
        An unknown solver.
    InvalidDataError
        The result's solution is none of this problem.

    Examples
    --------
    >>> knapsack = MixedIntegerProgram([3, 2], [[2, 2]], row_upper=3, upper=1, integrality=True, sense="max")
    >>> opinion = second_opinion(knapsack, solve(knapsack, "highs"), "scip")
    >>> str(opinion.verdict), opinion.value
    ('confirmed', 3.0)
    """
    check_instance("problem", problem, MixedIntegerProgram)
    check_instance("result", result, SolveResult)
    if result.x is not None and not (
        result.x.shape == (problem.n_columns,) and violation(problem, result.x) <= 10 * TOLERANCE
    ):
        raise InvalidDataError("result", "a result of this problem", "a point that it does not allow")
    stated = Stated(result.objective, result.bound, result.outcome, result.x)
    return opinion_on(problem, stated, solver, options, not_by=result.choice.solver)


def opinion_on(
    problem: MixedIntegerProgram,
    stated: Stated,
    solver: str = "auto",
    options: SolveOptions | None = None,
    *,
    not_by: str | None = None,
) -> Opinion:
    """Ask a solver for a program whose value somebody states, and compare; as `second_opinion`, without its result.

    Parameters
    ----------
    problem : MixedIntegerProgram
    stated : Stated
        Its point, where there is one, is taken at its word.
    solver, options
        See `second_opinion`.
    not_by : str, optional
        The solver that "auto" leaves out.

    Raises
    ------
    InvalidParameterError
        An unknown solver.
    """
    check_instance("problem", problem, MixedIntegerProgram)
    check_instance("stated", stated, Stated)
    check_choice("solver", solver, ("auto", *SOLVERS))
    if options is not None:
        check_instance("options", options, SolveOptions)
    options = replace(options or SolveOptions(), start=None, target=None)
    clock, failures = Clock(options.time_limit), []
    for name in _others(not_by) if solver == "auto" else (solver,):
        left = replace(options, time_limit=clock.allowance())
        try:
            other = solve(problem, name, left)
        except (ModelTooLargeError, SolverNotAvailableError, SolverStatusError, VerificationError) as error:
            failures.append(str(error))
            continue
        comparison = _Comparison(problem, stated, other, options)
        if comparison.other_is_wrong():
            failures.append(f"{name}: its bound or outcome excludes the verified solution of the result")
            continue
        verdict, reason = comparison.verdict()
        return Opinion(
            verdict,
            f"{other.choice.solver} {other.choice.version}",
            other.objective,
            other.bound,
            other.outcome,
            "; ".join([*failures, *reason]),
            clock.seconds,
        )
    nothing = "; ".join(failures) or "no other usable solver"
    return Opinion(Verdict.NOT_REFUTED, None, None, None, None, nothing, clock.seconds)


def _others(solver: str | None) -> list[str]:
    """Return the usable solvers but one, best licence first."""
    usable = [found for found in map(licence, SOLVERS) if found.usable and found.solver != solver]
    return [found.solver for found in by_preference(usable)]


class _Comparison:
    """Two results of one problem; values in the scaled problem's units, the smaller the better, infinite for none."""

    def __init__(
        self, problem: MixedIntegerProgram, result: Stated, other: SolveResult, options: SolveOptions
    ) -> None:
        scaling = Scaling.of(problem)
        scaled, sign = scaling.problem(problem), 1.0 if problem.sense == "min" else -1.0

        def of(value: float | None, missing: float) -> float:
            return missing if value is None else sign * scaling.up(value)

        self.result, self.other = result, other
        self.value, self.bound = of(result.objective, math.inf), of(result.bound, -math.inf)
        self.their_value, self.their_bound = of(other.objective, math.inf), of(other.bound, -math.inf)
        points = [x for x in (result.x, other.x) if x is not None]
        self.allowed = max((rounding_error(scaled, x) for x in points), default=TOLERANCE)
        self.gap = max(options.gap * abs(self.value), scaling.options(options).gap_abs)

    def other_is_wrong(self) -> bool:
        """Return whether the other solver's word excludes a solution that has been verified."""
        excluded = self.other.outcome is Outcome.INFEASIBLE or self.their_bound > self.value + self.allowed
        return self.result.x is not None and excluded

    def verdict(self) -> tuple[Verdict, list[str]]:
        """Compare what both say."""
        theirs, ours = self.other.outcome, self.result.outcome
        if ours in (Outcome.INFEASIBLE, Outcome.UNBOUNDED):
            if theirs is ours:
                return Verdict.CONFIRMED, []
            ended = theirs in (Outcome.OPTIMAL, Outcome.INFEASIBLE, Outcome.UNBOUNDED)
            if ended or (ours is Outcome.INFEASIBLE and self.other.x is not None):
                return Verdict.REFUTED, [f"{theirs}, not {ours}"]
            return Verdict.NOT_REFUTED, [str(theirs)]
        if self.bound > -math.inf and theirs is Outcome.UNBOUNDED:
            return Verdict.REFUTED, [f"{theirs}, not {ours}"]
        if self.their_value < self.bound - self.allowed:
            return Verdict.REFUTED, ["a better solution than the bound allows"]
        if theirs is Outcome.INFEASIBLE or self.their_bound > self.value + self.allowed:
            return Verdict.REFUTED, ["no solution is as good as the value that was stated without a point"]
        if self.value - self.their_bound <= self.gap + self.allowed:
            return Verdict.CONFIRMED, []
        return Verdict.NOT_REFUTED, [f"{theirs}: it proves less"]
