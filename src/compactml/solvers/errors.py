"""What can go wrong between a problem and its verified solution."""

from __future__ import annotations

from compactml.errors import CompactmlError


class SolverNotAvailableError(CompactmlError, RuntimeError):
    """The solver that was asked for is not installed, or has no valid licence."""

    def __init__(self, solver: str, reason: str) -> None:
        super().__init__(
            f"{solver}: must be installed and licensed, got: {reason}. "
            f"Use solver='auto' or 'highs', or see `compactml solvers`."
        )
        self.solver, self.reason = solver, reason


class ModelTooLargeError(CompactmlError, RuntimeError):
    """The model exceeds what the installed licence may solve."""

    def __init__(
        self, solver: str, columns: int, rows: int, max_columns: int, max_rows: int, quadratic: bool = False
    ) -> None:
        kind = "quadratic model" if quadratic else "model"
        super().__init__(
            f"{solver}: the {kind} must have at most {max_columns} columns and {max_rows} rows for this "
            f"licence, got {columns} columns and {rows} rows. Use solver='auto' or 'highs', or install a full "
            f"licence."
        )
        self.solver, self.columns, self.rows = solver, columns, rows
        self.max_columns, self.max_rows, self.quadratic = max_columns, max_rows, quadratic


class NonBinaryProductError(CompactmlError, ValueError):
    """A quadratic term has a column that is not binary: no exact linearisation would exist."""

    def __init__(self, column: str, integer: bool, lower: float, upper: float) -> None:
        kind = "integer" if integer else "continuous"
        super().__init__(
            f"quadratic: must be products of binary columns only, "
            f"got column {column}, {kind} in [{lower:g}, {upper:g}]."
        )
        self.column, self.integer, self.lower, self.upper = column, integer, lower, upper


class SolverStatusError(CompactmlError, RuntimeError):
    """A solver stopped in a way that is neither an answer nor a limit (numerical trouble, no memory, ...)."""

    def __init__(self, solver: str, status: str) -> None:
        super().__init__(f"{solver}: must stop with an answer or at a limit, got status {status!r}.")
        self.solver, self.status = solver, status


class VerificationError(CompactmlError, ArithmeticError):
    """A solver's answer does not stand up to the check from the matrix; it is not handed on."""

    def __init__(self, solver: str, what: str, allowed: float, found: float) -> None:
        super().__init__(f"{solver}: {what} must be at most {allowed:.3g}, got {found:.6g}.")
        self.solver, self.what, self.allowed, self.found = solver, what, allowed, found


class MasterNotSolvedError(CompactmlError, RuntimeError):
    """A restricted master LP ended without an optimum."""

    def __init__(self, solver: str, outcome: str) -> None:
        super().__init__(f"{solver}: the master LP must be solved to optimality, got outcome {outcome!r}.")
        self.solver, self.outcome = solver, outcome
