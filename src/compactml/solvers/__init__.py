"""One problem form, four solvers, a choice that knows their licences, and independent checks.

Importing this package imports no solver and touches no licence.
"""

from compactml.solvers._answers import BackEnd, answers
from compactml.solvers._linearise import linearise
from compactml.solvers._solve import solve
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
from compactml.solvers.licences import Level, Licence
from compactml.solvers.master import MasterSolution, RestrictedMaster
from compactml.solvers.opinion import Opinion, Stated, Verdict, opinion_on, second_opinion
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.registry import SOLVERS, licence
from compactml.solvers.result import Outcome, SolveOptions, SolverChoice, SolveResult
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
    "Opinion",
    "Outcome",
    "RestrictedMaster",
    "SolveOptions",
    "SolveResult",
    "SolverChoice",
    "SolverIdentity",
    "SolverNotAvailableError",
    "SolverStatusError",
    "Stated",
    "Verdict",
    "VerificationError",
    "answers",
    "candidates",
    "licence",
    "linearise",
    "opinion_on",
    "second_opinion",
    "self_test",
    "solve",
    "solver_identity",
    "solver_table",
    "usable_solvers",
    "violation",
]
