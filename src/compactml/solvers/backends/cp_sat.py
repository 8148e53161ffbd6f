"""CP-SAT as this project runs it; not imported with the package, since few need it and it is slow to load."""

from __future__ import annotations

import math
import time
from typing import Any

from ortools.sat.python import cp_model

from compactml.solvers._answers import note, package_version

__all__ = ["cp_solver"]


class NotedSolver(cp_model.CpSolver):
    """CP-SAT, whose answers are noted."""

    def solve(self, model: cp_model.CpModel, solution_callback: Any = None) -> Any:
        """Solve a model."""
        started = time.perf_counter()
        status = super().solve(model, solution_callback)
        shape = len(model.proto.constraints), len(model.proto.variables)
        name = self.status_name(status).lower()
        note("cp-sat", package_version("ortools"), "open source", shape, name, time.perf_counter() - started)
        return status


def cp_solver(random_state: int, seconds: float = math.inf) -> cp_model.CpSolver:
    """Return a solver with one worker, so that a run repeats.

    Parameters
    ----------
    random_state : int
    seconds : float, optional
        Time limit; infinite for none.
    """
    solver = NotedSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = random_state
    # OR-tools 9.15: a step of presolve that this turns off can cut off all solutions (google/or-tools issue 5293)
    solver.parameters.presolve_inclusion_work_limit = 0
    if math.isfinite(seconds):
        solver.parameters.max_time_in_seconds = seconds
    return solver
