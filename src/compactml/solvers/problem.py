"""One form for every linear, mixed-integer and binary quadratic problem of the project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.errors import InvalidDataError, check_choice
from compactml.solvers.errors import NonBinaryProductError

__all__ = ["MixedIntegerProgram", "leaves_time_for"]

INFINITE = 1e20  # the solvers take bounds from here on as no bound; a finite value there is a mistake
WRITING_SECONDS = 3e-7
"""For each entry of a matrix, to write it down, to check and scale it and to hand it over: 0.2 to 0.3 microseconds."""


def leaves_time_for(n_entries: int, clock: Clock) -> bool:
    """Whether there is time to write down a program of about so many entries and to hand it to a solver."""
    return clock.left > WRITING_SECONDS * n_entries


@dataclass(frozen=True, eq=False, init=False)
class MixedIntegerProgram:
    """Minimise or maximise offset + c'x + x'Qx subject to row_lower <= A x <= row_upper, lower <= x <= upper.

    Scalars stand for constant vectors. The arrays are copied, checked and made read-only.

    Parameters
    ----------
    objective : array-like of float, shape (n,)
        c.
    matrix : sparse or dense matrix, shape (m, n), or None
        A, kept as a CSR array without duplicates; None for a problem without rows.
    row_lower, row_upper : array-like of float, shape (m,)
        Infinite where a row has no such side.
    lower, upper : array-like of float, shape (n,)
    integrality : array-like of bool, shape (n,)
        Columns that must be integer.
    sense : {"min", "max"}
    quadratic : sparse or dense symmetric matrix, shape (n, n), optional
        Q in x'Qx, without a factor 1/2: the product x_i x_j has the coefficient Q_ij + Q_ji. Only binary columns
        (integer in [0, 1]) may take part, so that every solver has an exact way to the same problem.
    offset : float
    names : sequence of str, optional
        Names of the columns, for messages.

    Raises
    ------
    InvalidDataError
        A wrong shape, what is no number, NaN, an infinite coefficient, a bound that crosses its counterpart, an
        asymmetric Q.
    NonBinaryProductError
        A quadratic term with a column that is not binary.

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, solve
    >>> knapsack = MixedIntegerProgram([3, 2], [[2, 2]], row_upper=3, upper=1, integrality=True, sense="max")
    >>> solve(knapsack).x.tolist()
    [1.0, 0.0]
    """

    objective: NDArray[np.float64]
    matrix: sparse.csr_array
    row_lower: NDArray[np.float64]
    row_upper: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    integrality: NDArray[np.bool_]
    sense: Literal["min", "max"]
    quadratic: sparse.csr_array | None
    offset: float
    names: tuple[str, ...] | None

    def __init__(
        self,
        objective: ArrayLike,
        matrix: Any = None,
        row_lower: ArrayLike = -np.inf,
        row_upper: ArrayLike = np.inf,
        lower: ArrayLike = 0.0,
        upper: ArrayLike = np.inf,
        integrality: ArrayLike = False,
        sense: Literal["min", "max"] = "min",
        quadratic: Any = None,
        offset: float = 0.0,
        names: Sequence[str] | None = None,
    ) -> None:
        check_choice("sense", sense, ("min", "max"))
        checked = _vector("objective", objective, None)
        n = checked.size
        if n == 0:
            raise InvalidDataError("objective", "a vector with at least one entry", "none")
        rows = _matrix("matrix", np.zeros((0, n)) if matrix is None else matrix, (None, n))
        m = rows.shape[0]
        # The way to fill a frozen dataclass.
        vars(self).update(
            objective=checked,
            matrix=rows,
            row_lower=_vector("row_lower", row_lower, m, bound=True),
            row_upper=_vector("row_upper", row_upper, m, bound=True),
            lower=_vector("lower", lower, n, bound=True),
            upper=_vector("upper", upper, n, bound=True),
            integrality=_mask("integrality", integrality, n),
            sense=sense,
            offset=float(_vector("offset", offset, 1)[0]),
            names=_names(names, n),
        )
        _check_order("row_lower", self.row_lower, "row_upper", self.row_upper)
        _check_order("lower", self.lower, "upper", self.upper)
        vars(self)["quadratic"] = None if quadratic is None else self._checked_quadratic(quadratic)

    def _checked_quadratic(self, values: Any) -> sparse.csr_array | None:
        """Check Q; one without entries is no Q."""
        quadratic = _matrix("quadratic", values, (self.n_columns, self.n_columns))
        if (quadratic != quadratic.T).nnz:
            raise InvalidDataError("quadratic", "symmetric", "an asymmetric matrix")
        for j in quadratic.indices[~self.binary[quadratic.indices]][:1]:
            raise NonBinaryProductError(
                self.column_name(j), bool(self.integrality[j]), self.lower[j], self.upper[j]
            )
        return quadratic if quadratic.nnz else None

    @property
    def n_columns(self) -> int:
        """Number of columns, n."""
        return int(self.objective.size)

    @property
    def n_rows(self) -> int:
        """Number of rows, m."""
        return int(self.matrix.shape[0])

    @property
    def is_lp(self) -> bool:
        """Whether no column is integer (then there is no quadratic term either)."""
        return not self.integrality.any()

    @cached_property
    def binary(self) -> NDArray[np.bool_]:
        """Columns that are integer within [0, 1], shape (n,)."""
        return self.integrality & (self.lower >= 0) & (self.upper <= 1)

    def column_name(self, j: int) -> str:
        """Return the name of column j, its number where there are no names."""
        return self.names[j] if self.names else str(int(j))

    def value(self, x: NDArray[np.float64]) -> float:
        """Return offset + c'x + x'Qx."""
        quadratic = 0.0 if self.quadratic is None else x @ (self.quadratic @ x)
        return float(self.offset + self.objective @ x + quadratic)

    def with_columns(
        self, objective: ArrayLike, matrix: Any, lower: ArrayLike = 0.0, upper: ArrayLike = np.inf
    ) -> MixedIntegerProgram:
        """Return this problem with k continuous columns more at its end; ``matrix`` has the shape (m, k)."""
        new = MixedIntegerProgram(objective, matrix, lower=lower, upper=upper)  # checks them
        k = new.n_columns
        if new.n_rows != self.n_rows:
            raise InvalidDataError("matrix", f"of {self.n_rows} rows", f"{new.n_rows}")
        quadratic = self.quadratic
        return replace(
            self,
            objective=np.append(self.objective, new.objective),
            matrix=sparse.hstack([self.matrix, new.matrix], format="csr"),
            lower=np.append(self.lower, new.lower),
            upper=np.append(self.upper, new.upper),
            integrality=np.append(self.integrality, np.zeros(k, dtype=bool)),
            quadratic=quadratic
            if quadratic is None
            else sparse.block_diag([quadratic, sparse.csr_array((k, k))]),
            names=None if self.names is None else (*self.names, *(f"{self.n_columns + j}" for j in range(k))),
        )

    def with_rows(
        self, matrix: Any, row_lower: ArrayLike = -np.inf, row_upper: ArrayLike = np.inf
    ) -> MixedIntegerProgram:
        """Return this problem with k rows more at its end; ``matrix`` has the shape (k, n)."""
        new = _matrix("matrix", matrix, (None, self.n_columns))
        k = new.shape[0]
        return replace(
            self,
            matrix=sparse.vstack([self.matrix, new], format="csr"),
            row_lower=np.append(self.row_lower, _vector("row_lower", row_lower, k, bound=True)),
            row_upper=np.append(self.row_upper, _vector("row_upper", row_upper, k, bound=True)),
        )


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def floats(name: str, values: Any) -> NDArray[np.float64]:
    """Copy to an array of floats."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError(name, "numbers", f"what is none ({error})") from error


def _vector(name: str, values: Any, size: int | None, *, bound: bool = False) -> NDArray[np.float64]:
    """Copy to a read-only float vector of the wanted size; only a bound may be infinite."""
    vector = floats(name, values)
    if size is not None and vector.ndim == 0:
        vector = np.full(size, vector)
    if vector.ndim != 1 or (size is not None and vector.size != size):
        raise InvalidDataError(name, f"of shape ({'n' if size is None else size},)", f"shape {vector.shape}")
    if np.isnan(vector).any():
        raise InvalidDataError(name, "numbers", f"NaN at {int(np.isnan(vector).argmax())}")
    allowed = np.abs(vector) < INFINITE
    if bound:
        allowed |= np.isinf(vector)
    if not allowed.all():
        allowed_text = f"smaller than {INFINITE:g}" + (" or infinite" if bound else "")
        raise InvalidDataError(name, allowed_text, f"{vector[~allowed][0]:g} at {int((~allowed).argmax())}")
    return _frozen(vector)


def _matrix(name: str, values: Any, shape: tuple[int | None, int]) -> sparse.csr_array:
    """Copy to a canonical CSR float array of the wanted shape."""
    if not sparse.issparse(values):
        values = floats(name, values)
    wanted = tuple("m" if size is None else size for size in shape)
    if values.ndim != 2 or any(
        w is not None and w != got for w, got in zip(shape, values.shape, strict=True)
    ):
        raise InvalidDataError(name, f"of shape {wanted}", f"shape {values.shape}")
    matrix = sparse.csr_array(values, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    if not (np.abs(matrix.data) < INFINITE).all():  # NaN compares as false
        raise InvalidDataError(name, f"numbers smaller than {INFINITE:g}", "NaN or a larger one")
    for part in (matrix.data, matrix.indices, matrix.indptr):
        _frozen(part)
    return matrix


def _mask(name: str, values: Any, n: int) -> NDArray[np.bool_]:
    try:
        mask = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise InvalidDataError(name, f"of shape ({n},)", str(error)) from error
    if mask.shape not in ((), (n,)):
        raise InvalidDataError(name, f"of shape ({n},)", f"shape {mask.shape}")
    try:
        known = mask.dtype == bool or bool(np.isin(mask, (0, 1)).all())
    except (TypeError, ValueError):  # pandas' NA, or lists within the list, compared entry by entry
        known = False
    if not known:
        raise InvalidDataError(name, "true or false", "other values")
    return _frozen(np.array(np.broadcast_to(mask, n), dtype=bool))


def _names(names: Any, n: int) -> tuple[str, ...] | None:
    if names is None:
        return None
    if isinstance(names, str | bytes) or not isinstance(names, Sequence | np.ndarray):
        raise InvalidDataError("names", f"{n} names", type(names).__name__)
    if len(names) != n:
        raise InvalidDataError("names", f"{n} names", f"{len(names)}")
    return tuple(map(str, names))


def _check_order(low_name: str, low: NDArray[np.float64], high_name: str, high: NDArray[np.float64]) -> None:
    """No empty interval, and none that holds infinity only."""
    wrong = (low > high) | (low == np.inf) | (high == -np.inf)
    if wrong.any():
        j = int(wrong.argmax())
        raise InvalidDataError(
            low_name, f"at most {high_name} everywhere", f"[{low[j]:g}, {high[j]:g}] at {j}"
        )
