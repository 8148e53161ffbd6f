"""Continuous relaxations of mRMR, with and without a cardinality: what a solver's root node sees.

With u = x / sum(x) the value of a set is u'Bu, so the relaxation without a cardinality maximises over the simplex, and
that with cardinality l over 0 <= u <= 1/l besides. Only the latter can use that x is 0 or 1: u_j**2 = u_j / l there,
which lets a multiple of sum(u_j**2) - 1/l be added. These are the weak bounds that the chapter shows beside its own,
which has a multiplier for each feature and each pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, minimize

from compactml.errors import InvalidDataError
from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.certified.relaxation import Relaxation
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm

__all__ = ["box_bound", "diagonal_bound", "free_bound", "multiplier_bound"]

Vector = NDArray[np.float64]


def free_bound(program: FractionalProgram) -> float:
    """Upper bound on the value of every set, from the relaxation that knows no cardinality.

    Raises
    ------
    InvalidDataError
        Not mRMR, or a matrix that is not concave on the simplex, where this relaxation is no convex problem.
    """
    return _concave_bound(_matrix(program), 1.0, 1)


def box_bound(program: FractionalProgram, n_features: int) -> float:
    """Upper bound on the value of every set of ``n_features`` features: u <= 1/l, nothing else of integrality."""
    return _concave_bound(_matrix(program), 1.0 / n_features, n_features)


def diagonal_bound(program: FractionalProgram, n_features: int) -> float:
    """Return the bound of `box_bound` with one multiplier for all the equations u_j**2 = u_j / l."""
    matrix = _matrix(program)
    shift = -_largest_curvature(matrix)
    shifted = matrix + shift * np.eye(len(matrix))
    return _concave_bound(shifted, 1.0 / n_features, n_features) - shift / n_features


def multiplier_bound(program: FractionalProgram, n_features: int, n_iterations: int = 200) -> float:
    """Return the bound of `box_bound` with multipliers y_j and N_jk from the doubly-nonnegative relaxation.

    It needs at least four features. A picture's bound: exact but for rounding, which the certificates of the package
    take care of.
    """
    p, l = program.n_features, n_features  # noqa: E741
    form = ParametricForm.of(program, 0.0)  # t only adds t l**2
    _matrix(program)
    dual = Relaxation(form.matrix, form.linear, l).run(n_iterations)
    multipliers = Multipliers.made_valid(form, np.arange(p), dual.y, dual.n)
    k = multipliers.convex_matrix(form)
    gradient = 2 * k @ dual.x + multipliers.y + form.linear
    least = np.sort(gradient)[:l].sum() - dual.x @ k @ dual.x
    return float(-least / l**2)


def _matrix(program: FractionalProgram) -> Vector:
    if program.measure != "mrmr":
        raise InvalidDataError("program", "an mRMR program", repr(program.measure))
    if _largest_curvature(program.b) > 1e-9 * max(1.0, float(np.abs(program.b).max())):
        raise InvalidDataError("program", "concave on the simplex", "one with a convex direction")
    return program.b


def _largest_curvature(matrix: Vector) -> float:
    """Largest eigenvalue on the vectors that sum to 0; 0 where there is only one variable."""
    p = len(matrix)
    if p == 1:
        return 0.0
    # columns 2 .. p of the orthogonal factor span what is orthogonal to the ones
    basis = np.linalg.qr(np.column_stack([np.ones(p), np.eye(p)[:, 1:]]))[0][:, 1:]
    return float(np.linalg.eigvalsh(basis.T @ matrix @ basis)[-1])


def _concave_bound(matrix: Vector, upper: float, l: int) -> float:  # noqa: E741
    """Maximise u'Bu over sum(u) = 1, 0 <= u <= ``upper``; the bound is the tangent's and valid at any point."""
    p = len(matrix)
    result = minimize(
        lambda u: -u @ matrix @ u,
        np.full(p, 1.0 / p),
        jac=lambda u: -2 * matrix @ u,
        bounds=[(0.0, upper)] * p,
        constraints=[LinearConstraint(np.ones((1, p)), 1.0, 1.0)],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    u = np.clip(result.x, 0.0, upper)
    gradient = 2 * matrix @ u
    best_vertex = upper * np.sort(gradient)[-l:].sum()
    return float(u @ matrix @ u - gradient @ u + best_vertex)
