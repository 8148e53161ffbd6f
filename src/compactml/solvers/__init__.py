"""One problem form, three solvers, a choice that knows their licences, and independent checks.

Importing this package imports no solver and touches no licence.
"""

from compactml.solvers.answers import BackEnd, answers
from compactml.solvers.choice import candidates
from compactml.solvers.errors import (
    MasterNotSolvedError,
    ModelTooLargeError,
    NonBinaryProductError,
    SolverNotAvailableError,
    SolverStatusError,
    VerificationError,
)
from compactml.solvers.identity import SolverIdentity, solver_identity
from compactml.solvers.licences import SOLVERS, Level, Licence, licence
from compactml.solvers.linearise import linearise
from compactml.solvers.master import MasterSolution, RestrictedMaster
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import Outcome, SolveOptions, SolverChoice, SolveResult
from compactml.solvers.solve import solve
from compactml.solvers.table import self_test, solver_table, usable_solvers
from compactml.solvers.verify import violation

__all__ = [
    "SOLVERS",
    "BackEnd",
    "Level",
    "Licence",
    "MasterNotSolvedError",
    "MasterSolution",
    "MixedIntegerProgram",
    "ModelTooLargeError",
    "NonBinaryProductError",
    "Outcome",
    "RestrictedMaster",
    "SolveOptions",
    "SolveResult",
    "SolverChoice",
    "SolverIdentity",
    "SolverNotAvailableError",
    "SolverStatusError",
    "VerificationError",
    "answers",
    "candidates",
    "licence",
    "linearise",
    "self_test",
    "solve",
    "solver_identity",
    "solver_table",
    "usable_solvers",
    "violation",
]
