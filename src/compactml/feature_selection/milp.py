"""The mixed-integer linear programs of Mehmanchi, Gómez and Prokopyev (2021), section 3.

MILP1 (after Chang 2001) and MILP2 (after Nguyen et al. 2009) are for any fractional program, with y = 1 / g(x) in
[0, 1 / min g]; MILP3 and the model (12) are for g = (sum x)^2, that of mRMR. The first p columns are always x, and only
they count in a solution. At least one feature, or exactly ``n_features``, is imposed everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.errors import InvalidDataError
from compactml.feature_selection.allowed_sets import least_denominator, size_limits
from compactml.feature_selection.program import FractionalProgram
from compactml.solvers import MixedIntegerProgram

__all__ = ["milp1", "milp2", "milp3", "n_rows", "value_disjunction"]

Indices = NDArray[np.intp]


class _Columns:
    """Columns in named groups: their numbers, bounds and which are binary."""

    def __init__(self) -> None:
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.integrality: list[bool] = []

    def add(self, count: int, lower: float, upper: float, *, binary: bool = False) -> Indices:
        """Append a group and return its numbers, shape (count,)."""
        first = len(self.lower)
        self.lower += [lower] * count
        self.upper += [upper] * count
        self.integrality += [binary] * count
        return np.arange(first, first + count)

    def binary(self, count: int) -> Indices:
        """Append 0-1 columns."""
        return self.add(count, 0.0, 1.0, binary=True)


class _Rows:
    """Rows in blocks of equal form, kept as the three arrays of a COO matrix."""

    def __init__(self) -> None:
        self._parts: list[tuple[Indices, Indices, NDArray[np.float64]]] = []
        self._lower: list[NDArray[np.float64]] = []
        self._upper: list[NDArray[np.float64]] = []
        self.count = 0

    def add(self, *terms: tuple[Any, Indices], lower: Any = -np.inf, upper: Any = np.inf) -> None:
        """Append a block: the sum of coefficient * column over the terms, between two sides.

        Columns of shape (m,) have one entry in each of m rows, of shape (m, w) w entries; of shape (1,) or (1, w)
        they are the same in all rows. Coefficients broadcast in the same way.
        """
        wide = [(_one_per_row(coefficient), _one_per_row(columns)) for coefficient, columns in terms]
        block = max(part.shape[0] for term in wide for part in term)
        for coefficient, columns in wide:
            shape = (block, columns.shape[1])
            rows = self.count + np.broadcast_to(np.arange(block)[:, None], shape)
            values = np.broadcast_to(coefficient, shape).astype(float)
            self._parts.append((rows.ravel(), np.broadcast_to(columns, shape).ravel(), values.ravel()))
        self._lower.append(np.broadcast_to(lower, block).astype(float))
        self._upper.append(np.broadcast_to(upper, block).astype(float))
        self.count += block

    def program(self, objective: NDArray[np.float64], columns: _Columns) -> MixedIntegerProgram:
        """Make the maximisation; entries of one row in one column add up."""
        rows, places, values = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        return MixedIntegerProgram(
            objective,
            sparse.csr_array((values, (rows, places)), shape=(self.count, objective.size)),
            np.concatenate(self._lower),
            np.concatenate(self._upper),
            columns.lower,
            columns.upper,
            columns.integrality,
            sense="max",
        )


def _one_per_row(values: Any) -> NDArray[Any]:
    array = np.atleast_1d(values)
    return array[:, None] if array.ndim == 1 else array


def milp1(program: FractionalProgram, n_features: int | None = None) -> MixedIntegerProgram:
    """MILP1: a column z_jk = x_j x_k y for each pair j <= k, four rows each.

    Parameters
    ----------
    program : FractionalProgram
    n_features : int, optional
        Exact size of the set.
    """
    p, y_max = program.n_features, 1 / least_denominator(program, n_features)
    (j, k), columns, rows = np.triu_indices(p), _Columns(), _Rows()
    x, y = columns.binary(p), columns.add(1, 0.0, y_max)
    z_bar, z = columns.add(p, 0.0, y_max), columns.add(j.size, 0.0, y_max)
    _size(rows, x, n_features)
    rows.add(
        (program.c[None], z_bar[None]), (_of_pairs(program.d)[None], z[None]), lower=1.0, upper=1.0
    )  # (7b)
    rows.add((1.0, z), (-y_max, x[j]), upper=0.0)  # Omega_jk
    rows.add((1.0, z), (-y_max, x[k]), upper=0.0)
    rows.add((1.0, z), (-1.0, y), (-y_max, x[j]), (-y_max, x[k]), lower=-2 * y_max)
    rows.add((1.0, z), (-1.0, y), upper=0.0)
    _products_with_y(rows, x, y, z_bar, y_max)
    return rows.program(np.concatenate([np.zeros(p + 1), program.a, _of_pairs(program.b)]), columns)  # (7a)


def milp2(program: FractionalProgram, n_features: int | None = None) -> MixedIntegerProgram:
    """MILP2: columns v^b_j = x_j sum_k b_jk x_k y and v^d_j = x_j sum_k d_jk x_k y, so 4 p + 1 columns in all.

    v^d is defined with d (the paper prints b). The big constants are the sums of absolute values of a row times the
    bound of y, which is 1 for mRMR and CFS. Those of the paper are the same but for one: for v^d of mRMR it prints n,
    the number of samples, where this sum is p, the number of features.

    Parameters
    ----------
    program : FractionalProgram
    n_features : int, optional
        Exact size of the set.
    """
    p, y_max = program.n_features, 1 / least_denominator(program, n_features)
    columns, rows = _Columns(), _Rows()
    x, y, z_bar = columns.binary(p), columns.add(1, 0.0, y_max), columns.add(p, 0.0, y_max)
    v_b, v_d = columns.add(p, -np.inf, np.inf), columns.add(p, -np.inf, np.inf)
    _size(rows, x, n_features)
    rows.add((program.c[None], z_bar[None]), (1.0, v_d[None]), lower=1.0, upper=1.0)  # (10b)
    for v, weights in ((v_b, program.b), (v_d, program.d)):
        big = y_max * np.abs(weights).sum(axis=1)
        rows.add((1.0, v), (-big, x), upper=0.0)  # (10c), (10e)
        rows.add((1.0, v), (big, x), lower=0.0)
        rows.add((1.0, v), (-weights, z_bar[None]), (-big, x), lower=-big)  # (10d), (10f)
        rows.add((1.0, v), (-weights, z_bar[None]), (big, x), upper=big)
    _products_with_y(rows, x, y, z_bar, y_max)
    return rows.program(
        np.concatenate([np.zeros(p + 1), program.a, np.ones(p), np.zeros(p)]), columns
    )  # (10a)


def milp3(program: FractionalProgram, n_features: int | None = None) -> MixedIntegerProgram:
    """MILP3: w_l = 1 for a set of l features, r = f(x) over t_jk = x_j x_k, and s_l = r w_l.

    Parameters
    ----------
    program : FractionalProgram
        With g = (sum x)^2.
    n_features : int, optional
        Exact size of the set.

    Raises
    ------
    InvalidDataError
        Another denominator.
    """
    _check_square(program)
    p, weights = program.n_features, _of_pairs(program.b + np.diag(program.a))  # x_j = t_jj
    (j, k), columns, rows = np.triu_indices(p), _Columns(), _Rows()
    x, w, t = columns.binary(p), columns.binary(p), columns.add(j.size, 0.0, np.inf)
    s, r = columns.add(p, -np.inf, np.inf), columns.add(1, -np.inf, np.inf)
    _size(rows, x, n_features)
    _size_is_chosen(rows, x, w)
    rows.add((1.0, r), (-weights[None], t[None]), lower=0.0, upper=0.0)  # (13b)
    rows.add((1.0, t), (-1.0, x[j]), upper=0.0)
    rows.add((1.0, t), (-1.0, x[k]), upper=0.0)
    rows.add((1.0, t), (-1.0, x[j]), (-1.0, x[k]), lower=-1.0)
    big = np.abs(weights).sum()
    rows.add((1.0, s), (-big, w), upper=0.0)  # lower bounds of s are not needed, it is maximised
    rows.add((1.0, s), (-1.0, r), (big, w), upper=big)
    return rows.program(np.concatenate([np.zeros(2 * p + t.size), _inverse_squares(p), np.zeros(1)]), columns)


def value_disjunction(program: FractionalProgram, n_features: int | None = None) -> MixedIntegerProgram:
    """Model (12): a column u_ljk = x_j x_k w_l for each size l and pair j <= k, four rows each.

    Parameters
    ----------
    program : FractionalProgram
        With g = (sum x)^2.
    n_features : int, optional
        Exact size of the set.

    Raises
    ------
    InvalidDataError
        Another denominator.
    """
    _check_square(program)
    p, weights = program.n_features, _of_pairs(program.b + np.diag(program.a))
    pairs, columns, rows = np.triu_indices(p), _Columns(), _Rows()
    x, w, u = columns.binary(p), columns.binary(p), columns.add(p * weights.size, 0.0, np.inf)
    size = np.repeat(w, weights.size)
    j, k = (np.tile(x[part], p) for part in pairs)
    _size(rows, x, n_features)
    _size_is_chosen(rows, x, w)
    for factor in (size, j, k):
        rows.add((1.0, u), (-1.0, factor), upper=0.0)  # (12d)
    rows.add((1.0, u), (-1.0, size), (-1.0, j), (-1.0, k), lower=-2.0)  # (12e)
    return rows.program(np.concatenate([np.zeros(2 * p), np.kron(_inverse_squares(p), weights)]), columns)


def n_rows(model: str, p: int) -> int:
    """Return the number of rows of a model over ``p`` features, without building it.

    Parameters
    ----------
    model : {"milp1", "milp2", "milp3", "value_disjunction"}
    p : int
    """
    pairs = p * (p + 1) // 2
    return {
        "milp1": 2 + 4 * pairs + 3 * p,
        "milp2": 2 + 11 * p,
        "milp3": 4 + 3 * pairs + 2 * p,
        "value_disjunction": 3 + 4 * p * pairs,
    }[model]


def _of_pairs(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients of the pairs j <= k that stand for both orders, in the order of `numpy.triu_indices`."""
    j, k = np.triu_indices(len(matrix))
    pairs: NDArray[np.float64] = np.where(j == k, 1.0, 2.0) * matrix[j, k]
    return pairs


def _inverse_squares(p: int) -> NDArray[np.float64]:
    return 1.0 / np.arange(1, p + 1) ** 2


def _size(rows: _Rows, x: Indices, n_features: int | None) -> None:
    """At least one feature, or exactly ``n_features``."""
    low, high = size_limits(n_features)
    rows.add((1.0, x[None]), lower=low, upper=high)


def _size_is_chosen(rows: _Rows, x: Indices, w: Indices) -> None:
    """(11b), (11c): sum x = sum l w_l, sum w = 1."""
    rows.add((1.0, x[None]), (-np.arange(1.0, x.size + 1)[None], w[None]), lower=0.0, upper=0.0)
    rows.add((1.0, w[None]), lower=1.0, upper=1.0)


def _products_with_y(rows: _Rows, x: Indices, y: Indices, z_bar: Indices, y_max: float) -> None:
    """(8): z_bar_j = x_j y."""
    rows.add((1.0, z_bar), (-y_max, x), upper=0.0)
    rows.add((1.0, z_bar), (-1.0, y), (-y_max, x), lower=-y_max)
    rows.add((1.0, z_bar), (-1.0, y), upper=0.0)


def _check_square(program: FractionalProgram) -> None:
    """Only where g = (sum x)^2 is 1 / g a function of the number of features."""
    if program.c.any() or not (program.d == 1).all():
        raise InvalidDataError(
            "program",
            "one with g = (sum x)^2, as mRMR that counts own entropies",
            f"another g (measure {program.measure!r})",
        )
