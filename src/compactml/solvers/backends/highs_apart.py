"""HiGHS in a process of its own, which is ended where it does not stop by itself.

The process tells of each better solution and bound; the last ones are the answer where it had to be ended. It ends with
the process that began it, however that one ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection, Pipe
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.solvers.adapter import grace
from compactml.solvers.errors import SolverStatusError
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import Outcome, RawResult, SolveOptions

__all__ = ["IS_POSSIBLE", "Told", "solved_apart"]

Told = Callable[[NDArray[np.float64] | None, float], object]
"""Is called with a better solution, or None, and the bound so far."""
IS_POSSIBLE = os.name == "posix"
"""Elsewhere no end of a pipe is handed on by its number."""
PROGRAM = """
from compactml.solvers.backends.highs import Highs
from compactml.solvers.backends.highs_apart import serve
serve(Highs().solve_here)
"""


def solved_apart(problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
    """Solve with a limit of time that holds whether or not HiGHS looks at its clock.

    Raises
    ------
    SolverStatusError
        The process ended without an answer, or HiGHS raised an error.
    """
    assert options.time_limit is not None  # only a limit needs a process
    clock = Clock(options.time_limit)
    best = RawResult(Outcome.NO_SOLUTION, bound=np.nan)
    with _process() as connection:
        try:
            while connection.poll(clock.left + grace(options.time_limit)):
                said = connection.recv()
                if isinstance(said, RawResult):
                    return said
                if isinstance(said, str):
                    raise SolverStatusError("highs", said)
                if said is None:  # it has started
                    connection.send((problem, replace(options, time_limit=clock.left)))
                else:
                    best = _better(best, problem, options, *said)
        except (EOFError, OSError) as error:
            raise SolverStatusError("highs", "its process ended without an answer") from error
    return best


def _better(
    best: RawResult,
    problem: MixedIntegerProgram,
    options: SolveOptions,
    x: NDArray[np.float64] | None,
    bound: float,
) -> RawResult:
    """Return what is known with a solution or a bound more."""
    best = replace(best, bound=bound)
    if x is None:
        return best
    pool = (*best.pool, x) if options.pool else ()
    return replace(best, outcome=Outcome.FEASIBLE, x=x, objective=problem.value(x), pool=pool)


@contextmanager
def _process() -> Iterator[Connection[Any, Any]]:
    """Start a process that takes a job, and end it whatever happens."""
    ours, theirs = Pipe()
    command = [sys.executable, "-c", PROGRAM, str(theirs.fileno())]
    with ours:
        with theirs:
            process = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # it finds what this one found
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        try:
            yield ours
        finally:
            process.kill()
            process.wait()


def serve(solve_here: Callable[[MixedIntegerProgram, SolveOptions, Told], RawResult]) -> None:
    """Take a job, tell of what is found, and answer: the other process's part."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's, which ends this one
    connection = Connection(int(sys.argv[1]))
    connection.send(None)
    problem, options = connection.recv()
    threading.Thread(target=_end_with_the_other, args=(connection,), daemon=True).start()
    last = np.nan

    def tell(x: NDArray[np.float64] | None, bound: float) -> None:
        nonlocal last
        if x is not None or bound != last:
            last = bound
            connection.send((x, bound))

    said: RawResult | str
    try:
        said = solve_here(problem, options, tell)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    connection.send(said)


def _end_with_the_other(connection: Connection[Any, Any]) -> None:
    """End this process with the one that began it: nothing more is sent, so what can be read is the end."""
    connection.poll(None)
    os._exit(1)
