"""The one door: a problem goes in, a verified answer of the best usable solver comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.errors import CompactmlError, InvalidDataError, check_instance
from compactml.solvers import verify
from compactml.solvers._answers import noted
from compactml.solvers._linearise import solve_linearised
from compactml.solvers.adapter import Solver
from compactml.solvers.choice import candidates
from compactml.solvers.errors import (
    ModelTooLargeError,
    SolverNotAvailableError,
    SolverStatusError,
    VerificationError,
)
from compactml.solvers.problem import MixedIntegerProgram, floats
from compactml.solvers.registry import adapter
from compactml.solvers.result import Outcome, RawResult, SolveOptions, SolverChoice, SolveResult
from compactml.solvers.scaling import Scaling

__all__ = ["answer_of", "refusal", "solve"]

Failure = ModelTooLargeError | SolverNotAvailableError | SolverStatusError | VerificationError


@noted
def solve(
    problem: MixedIntegerProgram, solver: str = "auto", options: SolveOptions | None = None
) -> SolveResult:
    """Solve a problem and check the answer from the problem's own matrix.

    The solver sees the program in powers of two that bring small costs and rows to where its tolerances mean
    something, see `compactml.solvers.scaling`; what comes back is in the problem's own units.

    Parameters
    ----------
    problem : MixedIntegerProgram
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
        "auto" takes COMPACTML_SOLVER if it is set; else the first of full Gurobi, full CPLEX, a size-limited licence
        that the model fits, HiGHS for linear and SCIP for quadratic programs. It passes on to the next where one
        refuses or fails. A solver named here or by COMPACTML_SOLVER is forced: it is asked once more without its start,
        as any is, and no other one takes its place, since who names a solver asks what that solver says.
    options : SolveOptions, optional
        With a start, an answer that fails is asked for once more without it before the next solver's turn comes. All
        have the one time limit together.

    Returns
    -------
    SolveResult
        With the outcome NO_SOLUTION an LP stopped at a limit even where the solver had a feasible point. A
        complete feasible ``options.start`` of an integer problem is not lost at a limit. ``failures`` says what
        failed before.

    Raises
    ------
    ModelTooLargeError, SolverNotAvailableError
        A forced solver cannot take the model.
    VerificationError
        The forced or last solver's answer is wrong: infeasible, another objective than it says, or a bound beyond it or
        beyond the start's.
    SolverStatusError
        The forced or last solver stopped without an answer and not at a limit.
    InvalidParameterError, InvalidDataError
        An unknown solver; a start of the wrong shape.
    """
    check_instance("problem", problem, MixedIntegerProgram)
    if options is not None:
        check_instance("options", options, SolveOptions)
    options = options or SolveOptions()
    if options.start is not None:
        options = replace(options, start=_checked_start(problem, options.start))
    task = _Task.of(problem, options)
    attempts = (True, False) if options.start is not None and not problem.is_lp else (True,)
    failures: list[str] = []
    last: Failure | None = None
    for choice in candidates(problem, solver):
        for with_start in attempts:
            known = replace(choice, reason="; ".join([choice.reason, *failures]))
            try:
                return task.result(known, with_start=with_start, failures=tuple(failures))
            except (ModelTooLargeError, SolverNotAvailableError) as error:
                last = last or error
                failures.append(refusal(error))
                break
            except (SolverStatusError, VerificationError) as error:
                last = error
                begun = ", begun from the start" if with_start and len(attempts) > 1 else ""
                failures.append(f"failed{begun}: {str(error).rstrip('.')}")
    assert last is not None  # `candidates` raises rather than be empty
    raise last


def refusal(error: ModelTooLargeError | SolverNotAvailableError) -> str:
    """Say in short why a solver that had been chosen did not answer."""
    if isinstance(error, ModelTooLargeError):
        return f"{error.solver}: {error.columns} columns and {error.rows} rows refused when solved"
    return f"{error.solver}: {error.reason}"


def answer_of(solver: Solver, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
    """Ask a solver; whatever it raises or returns that is no answer becomes an error of this project.

    Raises
    ------
    ModelTooLargeError, SolverNotAvailableError, SolverStatusError
    """
    try:
        if problem.quadratic is None or solver.features.quadratic:
            raw = solver.solve(problem, options)
        else:
            raw = solve_linearised(solver.solve, problem, options)
    except CompactmlError:
        raise
    except Exception as error:
        raise SolverStatusError(solver.name, f"{type(error).__name__}: {error}") from error
    return checked_answer(solver.name, raw)


def checked_answer(solver: str, raw: RawResult) -> RawResult:
    """Return an answer that has a solution where it says so.

    Raises
    ------
    SolverStatusError
        There is no answer, or no solution with it.
    """
    if not isinstance(raw, RawResult):
        raise SolverStatusError(solver, f"no answer ({type(raw).__name__})")
    if raw.x is None and raw.outcome in (Outcome.OPTIMAL, Outcome.FEASIBLE):
        raise SolverStatusError(solver, f"{raw.outcome} without a solution")
    return raw


def _checked_start(problem: MixedIntegerProgram, start: NDArray[np.float64]) -> NDArray[np.float64]:
    start = floats("start", start)
    if start.shape != (problem.n_columns,) or np.isinf(start).any():
        raise InvalidDataError("start", f"{problem.n_columns} finite numbers or NaN", f"shape {start.shape}")
    return start


@dataclass(frozen=True, eq=False)
class _Task:
    """A problem, its scaled form, which the solvers see, and the clock that all of them share."""

    problem: MixedIntegerProgram
    scaling: Scaling
    scaled: MixedIntegerProgram
    options: SolveOptions
    clock: Clock

    @classmethod
    def of(cls, problem: MixedIntegerProgram, options: SolveOptions) -> _Task:
        clock, scaling = Clock(options.time_limit), Scaling.of(problem)
        return cls(problem, scaling, scaling.problem(problem), scaling.options(options), clock)

    def result(self, choice: SolverChoice, *, with_start: bool, failures: tuple[str, ...]) -> SolveResult:
        """Solve with one solver and verify its word; the only way to a `SolveResult`."""
        solver, options = adapter(choice.solver), self._options()
        if self.options.time_limit and self.clock.stopped():  # scaling took all of it
            raw = RawResult(Outcome.NO_SOLUTION, bound=np.nan)
        else:
            raw = answer_of(solver, self.scaled, options if with_start else replace(options, start=None))
        if raw.outcome is Outcome.UNBOUNDED:
            raw = self._unbounded_or_infeasible(solver)
        point = self._known()
        if raw.outcome is Outcome.NO_SOLUTION and point is not None:
            value = self.scaled.value(point)
            raw = replace(raw, outcome=Outcome.FEASIBLE, x=point.copy(), objective=value)
        if point is not None:
            verify.check_known(self.scaled, choice.solver, raw, point)
        if raw.x is not None:
            found = verify.verified(self.scaled, choice.solver, raw, options.gap, options.gap_abs)
            answer = vars(self.scaling.answer(self.problem, found))
            answer = {**answer, "pool": verify.pool(self.problem, answer["x"], raw.pool)}
        else:
            answer = dict.fromkeys(("x", "objective", "bound", "gap", "duals", "reduced_costs"))
            if raw.outcome is Outcome.NO_SOLUTION:
                bound = verify.bound_or_infinite(self.scaled, raw.bound)
                answer["bound"] = self.scaling.down(bound)
        return SolveResult(
            raw.outcome,
            **answer,
            seconds=self.clock.seconds,
            nodes=int(raw.nodes),
            choice=choice,
            failures=failures,
        )

    def _options(self) -> SolveOptions:
        """The options in the time that is left."""
        return replace(self.options, time_limit=self.clock.allowance())

    def _known(self) -> NDArray[np.float64] | None:
        """The start, where it is complete and feasible."""
        start = self.options.start
        if start is None or self.problem.is_lp or np.isnan(start).any():
            return None
        return start if verify.violation(self.scaled, start) <= verify.TOLERANCE else None

    def _unbounded_or_infeasible(self, solver: Solver) -> RawResult:
        """Decide by looking for any feasible point: a ray alone does not say that there is one.

        Only a linear objective can be unbounded, since quadratic terms have binary columns only.
        """
        nothing = np.zeros(self.problem.n_columns)
        anywhere = replace(self.scaled, objective=nothing, quadratic=None, offset=0.0)
        raw = answer_of(solver, anywhere, self._options())
        if raw.outcome in (Outcome.OPTIMAL, Outcome.FEASIBLE):
            return RawResult(Outcome.UNBOUNDED, nodes=raw.nodes)
        return replace(raw, bound=np.nan)
