"""What is asked of a solver besides the problem, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidParameterError, check_finite, check_fraction, check_integer

__all__ = ["Outcome", "SolveOptions", "SolveResult", "SolverChoice"]

MAX_SEED = 2_000_000_000  # Gurobi's largest
FEASIBILITY = 1e-7
"""Tolerance of rows, integrality and dual feasibility that every solver is given."""
EXACT = 1e-9
"""Relative and absolute gap that stands for none."""


class Outcome(StrEnum):
    """How a solve ended; any other end raises.

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, Outcome, solve
    >>> never = MixedIntegerProgram([1.0], [[1.0]], row_lower=2, upper=1)
    >>> solve(never).outcome is Outcome.INFEASIBLE
    True
    """

    OPTIMAL = "optimal"  # proved within the gap that was asked for
    FEASIBLE = "feasible"  # stopped at a limit with a solution
    NO_SOLUTION = "no solution"  # stopped at a limit without a solution: nothing is known
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"


@dataclass(frozen=True, eq=False)
class SolveOptions:
    """Limits and seeds, the same for every solver.

    Attributes
    ----------
    time_limit : float, optional
        Seconds of wall clock. Stops where it falls, so a run with it need not be repeatable. HiGHS does not look at
        the clock on the way through presolve, so that a limit too short for it goes without. Where a large program
        may keep it from the clock for longer than a tenth of the limit it has a process of its own, which is ended.
    work_limit : float, optional
        A deterministic limit, in Gurobi's work units (about a second of one core); CPLEX gets 1000 of its
        ticks for each, HiGHS and SCIP, which count no work, 1000 branch-and-bound nodes or, for an LP, 10000 simplex
        iterations. It repeats a run of one solver and says nothing across solvers.
    target : float, optional
        The first solution whose objective is at least as good ends the run: FEASIBLE, unless it is proved besides.
        Ignored for an LP.
    gap : float
        Relative gap ``abs(objective - bound) / abs(objective)`` at which an answer counts as proved. The default 0
        means a proof within 1e-9, relative or absolute, on top of the feasibility tolerance of 1e-7 of every solver.
    gap_abs : float
        Absolute gap that counts as proved too, whichever of the two is met first.
    threads : int
    seed : int
    start : array of float, shape (n,), optional
        A solution to begin from, NaN where unknown. Ignored for an LP.
    interior : bool
        Solve an LP by the interior point method and crossover: of many optimal vertices another one than the simplex
        method's, and not at the rim of the optimal face.
    pool : bool
        Keep the other solutions of an integer program that the solver came by on its way, see `SolveResult.pool`.

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, SolveOptions, solve
    >>> problem = MixedIntegerProgram([1.0, 2.0], [[1, 1]], row_lower=1, integrality=True)
    >>> solve(problem, "highs", SolveOptions(time_limit=10, gap=0.01)).objective
    1.0
    """

    time_limit: float | None = None
    work_limit: float | None = None
    target: float | None = None
    gap: float = 0.0
    gap_abs: float = 0.0
    threads: int = 1
    seed: int = 0
    start: NDArray[np.float64] | None = None
    interior: bool = False
    pool: bool = False

    def __post_init__(self) -> None:
        for name in ("time_limit", "work_limit"):
            value = getattr(self, name)
            number = isinstance(value, Real) and not isinstance(value, bool)
            if value is not None and not (number and 0 <= value < np.inf):
                raise InvalidParameterError(name, "None or a finite number of at least 0", value)
        check_fraction("gap", self.gap)
        if self.target is not None:
            check_finite("target", self.target)
        check_finite("gap_abs", self.gap_abs, 0.0)
        check_integer("threads", self.threads, 1, 1024)
        check_integer("seed", self.seed, 0, MAX_SEED)


@dataclass(frozen=True)
class SolverChoice:
    """Which solver answered, under which licence, and why that one.

    Attributes
    ----------
    solver, version, licence, reason : str
        As in "gurobi 13.0.3, size-limited licence, 812 of 2000 rows used".

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, solve
    >>> choice = solve(MixedIntegerProgram([1.0], lower=2), "highs").choice
    >>> choice.solver, choice.licence
    ('highs', 'open source')
    """

    solver: str
    version: str
    licence: str
    reason: str

    def __str__(self) -> str:
        return f"{self.solver} {self.version}, {self.licence}, {self.reason}"


@dataclass(frozen=True, eq=False)
class SolveResult:
    """A verified answer: plain numbers and arrays, no solver object; can be pickled.

    Attributes
    ----------
    outcome : Outcome
    x : ndarray of float, shape (n,), or None
        Integer columns hold exact integers wherever rounding keeps the point feasible.
    objective : float or None
        Recomputed from the problem's data, not the solver's word.
    bound : float or None
        Proved bound on the optimum, from below for "min"; infinite where a limit came before any bound. Of an LP,
        the value of its dual solution, recomputed.
    gap : float or None
        ``abs(objective - bound) / abs(objective)``.
    duals : ndarray of float, shape (m,), or None
        Only of an LP: derivative of the optimal objective with respect to the row's right-hand side, in the
        problem's own sense. So, in a minimisation, a binding >= row has a dual >= 0 and a binding <= row one
        <= 0; in a maximisation the other way round.
    reduced_costs : ndarray of float, shape (n,), or None
        c - A'y with these duals.
    seconds : float
        Wall clock, with building, reading back and verification.
    nodes : int
        Branch-and-bound nodes; 0 for an LP.
    choice : SolverChoice
    failures : tuple of str
        What was tried before and refused, failed, or gave an answer that did not stand up to the verification; in
        the reason of ``choice`` too.
    pool : tuple of ndarray of float, each of shape (n,)
        With ``options.pool``, the feasible points that the solver kept, ``x`` among them, the best first and none
        twice; which and how many is the solver's own affair. Points that do not stand up to the verification are left
        out.

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, solve
    >>> result = solve(MixedIntegerProgram([1.0, 2.0], [[1, 1]], row_lower=1), "highs")
    >>> str(result.outcome), result.objective, result.x.tolist(), result.duals.tolist()
    ('optimal', 1.0, [1.0, 0.0], [1.0])
    """

    outcome: Outcome
    x: NDArray[np.float64] | None
    objective: float | None
    bound: float | None
    gap: float | None
    duals: NDArray[np.float64] | None
    reduced_costs: NDArray[np.float64] | None
    seconds: float
    nodes: int
    choice: SolverChoice
    failures: tuple[str, ...] = ()
    pool: tuple[NDArray[np.float64], ...] = ()


@dataclass(frozen=True, eq=False)
class RawResult:
    """A solver's word, before verification. UNBOUNDED here may mean infeasible: `solve` finds out."""

    outcome: Outcome
    x: NDArray[np.float64] | None = None
    objective: float = np.nan
    bound: float = np.nan
    duals: NDArray[np.float64] | None = None
    nodes: int = 0
    pool: tuple[NDArray[np.float64], ...] = ()
