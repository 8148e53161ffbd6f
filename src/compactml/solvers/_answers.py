"""Which back ends answered: a log that whoever wants to know opens around some work, and that is free otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from functools import cache, wraps
from importlib.metadata import version
from typing import Any, TypeVar

from compactml.solvers.errors import MasterNotSolvedError
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import SolverChoice, SolveResult

__all__ = ["BackEnd", "answers", "note", "noted", "noted_master", "package_version"]


@dataclass
class BackEnd:
    """What one solver answered.

    Attributes
    ----------
    solver, version, licence : str
    answers : int
        How often it was asked and answered.
    rows, columns : int
        Of the largest program that it answered, each by itself.
    statuses : dict of str to int
        How often each came.
    seconds : float
        Wall clock of all answers together.

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, answers, solve
    >>> with answers() as log:
    ...     for _ in range(2):
    ...         result = solve(MixedIntegerProgram([1.0, 2.0], [[1, 1]], row_lower=1), "highs")
    >>> [(one.solver, one.answers, one.rows, one.columns) for one in log.values()]
    [('highs', 2, 1, 2)]
    """

    solver: str
    version: str
    licence: str
    answers: int = 0
    rows: int = 0
    columns: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary that JSON can hold."""
        return asdict(self) | {"seconds": round(self.seconds, 4)}


Log = dict[tuple[str, str, str], BackEnd]
_LOG: ContextVar[Log | None] = ContextVar("answers", default=None)


@contextmanager
def answers() -> Iterator[Log]:
    """Yield a log of the back ends that answer in this thread until the block ends, by name, version and licence."""
    log: Log = {}
    token = _LOG.set(log)
    try:
        yield log
    finally:
        _LOG.reset(token)


def note(
    solver: str, version: str, licence: str, shape: tuple[int, int], status: str, seconds: float
) -> None:
    """Add an answer to the log, if one is open.

    Parameters
    ----------
    solver, version, licence : str
    shape : tuple of int
        Rows and columns.
    status : str
    seconds : float
        Wall clock.
    """
    log = _LOG.get()
    if log is None:
        return
    backend = log.setdefault((solver, version, licence), BackEnd(solver, version, licence))
    backend.answers += 1
    backend.rows, backend.columns = max(backend.rows, shape[0]), max(backend.columns, shape[1])
    backend.statuses[status] = backend.statuses.get(status, 0) + 1
    backend.seconds += seconds


package_version = cache(version)
"""Version of an installed distribution, read once per process."""
Function = TypeVar("Function", bound=Callable[..., Any])


def noted(function: Function) -> Function:
    """Decorate `solve`: who gave its result is noted."""

    @wraps(function)
    def wrapped(problem: MixedIntegerProgram, *arguments: Any, **options: Any) -> SolveResult:
        result: SolveResult = function(problem, *arguments, **options)
        _note(result.choice, problem, str(result.outcome), result.seconds)
        return result

    return wrapped  # type: ignore[return-value]


def noted_master(method: Function) -> Function:
    """Decorate `RestrictedMaster.solve`: who solved the LP as it stands is noted, also where it found no optimum."""

    @wraps(method)
    def wrapped(self: Any, *arguments: Any, **options: Any) -> Any:
        started = time.perf_counter()
        status = "optimal"
        try:
            return method(self, *arguments, **options)
        except MasterNotSolvedError as error:
            status = error.outcome
            raise
        except BaseException:
            status = "failed"
            raise
        finally:
            _note(self.choice, self.problem, status, time.perf_counter() - started)

    return wrapped  # type: ignore[return-value]


def _note(choice: SolverChoice, problem: MixedIntegerProgram, status: str, seconds: float) -> None:
    shape = problem.n_rows, problem.n_columns
    note(choice.solver, choice.version, choice.licence, shape, status, seconds)
