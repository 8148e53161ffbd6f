"""What each solver on this machine may do, found out by asking it, once per process and only when needed.

The limits of the licences that come with the pip packages are not written down in the packages; they were measured
(Gurobi 13.0.3: 2000 columns and 2000 rows, 200 columns with a quadratic objective; CPLEX 22.2 Community Edition:
1000 and 1000, also quadratic), and the tests measure them again.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from math import inf
from typing import Any

from compactml.exceptions import check_choice

__all__ = ["SOLVERS", "Level", "Licence", "licence"]

SOLVERS = ("gurobi", "cplex", "highs")
"""In the order in which equally capable ones are preferred."""

GUROBI_TOO_LARGE, CPLEX_TOO_LARGE = 10010, 1016  # error codes of the size-limited licences
NEVER = 99999999  # Gurobi's LicenseExpiration of a licence without a last day


class Level(StrEnum):
    """How far a licence goes."""

    OPEN = "open source"
    FULL = "full licence"
    SIZE_LIMITED = "size-limited licence"
    EXPIRED = "expired licence"
    UNUSABLE = "no valid licence"
    MISSING = "not installed"


@dataclass(frozen=True)
class Licence:
    """What a solver may do here.

    Attributes
    ----------
    solver : str
    level : Level
    version : str
        Empty where the package is missing.
    detail : str
        The solver's own message where it cannot be used.
    max_columns, max_rows, max_quadratic_columns : float
        Infinite without a limit.
    expires : date or None
        None where there is no last day or the solver does not tell.
    """

    solver: str
    level: Level
    version: str = ""
    detail: str = ""
    max_columns: float = inf
    max_rows: float = inf
    max_quadratic_columns: float = inf
    expires: date | None = None

    @property
    def usable(self) -> bool:
        """Whether the solver takes any model at all."""
        return self.level in (Level.OPEN, Level.FULL, Level.SIZE_LIMITED)

    @property
    def refusal(self) -> str:
        """Why the solver cannot be used."""
        return f"{self.level} ({self.detail})" if self.detail else str(self.level)


@cache
def licence(solver: str) -> Licence:
    """Ask a solver for its licence; the answer is kept for the life of the process.

    Raises
    ------
    InvalidParameterError
        An unknown solver.
    """
    check_choice("solver", solver, SOLVERS)
    probe = {"gurobi": _probe_gurobi, "cplex": _probe_cplex, "highs": _probe_highs}[solver]
    try:
        return probe()
    except (ImportError, OSError) as error:  # OSError: a shared library does not load
        missing = isinstance(error, ModuleNotFoundError)
        return Licence(solver, Level.MISSING, detail="" if missing else str(error))


def _probe_highs() -> Licence:
    importlib.import_module("highspy")
    highs: Any = importlib.import_module("compactml.solvers.highs")
    return Licence("highs", Level.OPEN, highs.VERSION)


def _probe_gurobi() -> Licence:
    """Solve a model one column too large for the size-limited licence."""
    gurobi: Any = importlib.import_module("gurobipy")
    version = ".".join(map(str, gurobi.gurobi.version()))
    try:
        with gurobi.Env(params={"OutputFlag": 0}) as env, gurobi.Model(env=env) as model:
            model.addMVar(2001)
            expires = _gurobi_date(model.LicenseExpiration)
            try:
                model.optimize()
            except gurobi.GurobiError as error:
                if error.errno != GUROBI_TOO_LARGE:
                    raise
                return Licence("gurobi", Level.SIZE_LIMITED, version, "", 2000, 2000, 200, expires)
            return Licence("gurobi", Level.FULL, version, expires=expires)
    except gurobi.GurobiError as error:
        return _refused("gurobi", version, str(error))


def _gurobi_date(number: int) -> date | None:
    """Read Gurobi's yyyymmdd."""
    return None if number >= NEVER else date(number // 10000, number // 100 % 100, number % 100)


def _probe_cplex() -> Licence:
    """Solve a model one column too large for the Community Edition."""
    cplex: Any = importlib.import_module("cplex")
    version = ""
    try:
        with cplex.Cplex() as model:
            version = model.get_version()
            silence_cplex(model)
            model.variables.add(obj=[1.0] * 1001)
            model.solve()
        return Licence("cplex", Level.FULL, version)
    except cplex.exceptions.CplexError as error:
        if error.args[-1] == CPLEX_TOO_LARGE:
            return Licence("cplex", Level.SIZE_LIMITED, version, "", 1000, 1000, 1000)
        return _refused("cplex", version, str(error.args[0]))


def silence_cplex(model: Any) -> None:
    """Close all of a CPLEX model's streams; the mode of its licence comes as a warning."""
    for stream in ("log", "results", "warning", "error"):
        getattr(model, f"set_{stream}_stream")(None)


def _refused(solver: str, version: str, message: str) -> Licence:
    level = Level.EXPIRED if "expired" in message.lower() else Level.UNUSABLE
    return Licence(solver, level, version, message)
