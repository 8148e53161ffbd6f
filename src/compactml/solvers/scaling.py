"""Powers of two that bring a program's numbers to where the solvers' absolute tolerances mean something.

Every solver has absolute tolerances (1e-7 for rows and reduced costs here): to it, costs of 1e-8 are no costs at
all, and any point is optimal. A power of two changes no digit of a number, so that the way there and back is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import SolveOptions
from compactml.solvers.verify import Verified

__all__ = ["Scaling"]

LEAST, ENOUGH, MOST = -4, 14, 20
"""Exponents: the smallest cost is raised to 2**LEAST as far as the largest stays below
2**ENOUGH, and no cost is above 2**MOST."""
SMALL_ROW = -10
"""A row whose coefficients are all below 2**SMALL_ROW is raised. No row is lowered: that would loosen it."""
LARGE = 1e19
"""What a target is cut to: the solvers take nothing above, and no objective gets there."""


@dataclass(frozen=True, eq=False)
class Scaling:
    """Exponents of two for the objective and for each row.

    Attributes
    ----------
    objective : int
    rows : ndarray of int, shape (m,)
    """

    objective: int
    rows: NDArray[np.int64]

    @classmethod
    def of(cls, problem: MixedIntegerProgram) -> Scaling:
        """Return the scaling that a program needs, most often none."""
        return cls(objective_exponent(problem), _row_exponents(problem))

    def problem(self, problem: MixedIntegerProgram) -> MixedIntegerProgram:
        """Return the scaled program, the same one where there is nothing to do."""
        if self.objective:
            quadratic = problem.quadratic
            if quadratic is not None:
                data = np.ldexp(quadratic.data, self.objective)
                quadratic = sparse.csr_array((data, quadratic.indices, quadratic.indptr), quadratic.shape)
            problem = replace(
                problem,
                objective=np.ldexp(problem.objective, self.objective),
                quadratic=quadratic,
                offset=float(np.ldexp(problem.offset, self.objective)),
            )
        if self.rows.any():
            matrix, of_entry = problem.matrix, np.repeat(self.rows, np.diff(problem.matrix.indptr))
            problem = replace(
                problem,
                matrix=sparse.csr_array(
                    (np.ldexp(matrix.data, of_entry), matrix.indices, matrix.indptr), matrix.shape
                ),
                row_lower=np.ldexp(problem.row_lower, self.rows),
                row_upper=np.ldexp(problem.row_upper, self.rows),
            )
        return problem

    def options(self, options: SolveOptions) -> SolveOptions:
        """Scale what is in units of the objective: the target and the absolute gap."""
        if not self.objective:
            return options
        target = options.target
        if target is not None:
            target = float(np.clip(np.ldexp(target, self.objective), -LARGE, LARGE))
        return replace(options, target=target, gap_abs=min(self.up(options.gap_abs), LARGE))

    def up(self, value: float) -> float:
        """Scale a value of the objective."""
        return float(np.ldexp(value, self.objective))

    def down(self, value: float) -> float:
        """Take the scale from a value of the objective."""
        return float(np.ldexp(value, -self.objective))

    def answer(self, problem: MixedIntegerProgram, verified: Verified) -> Verified:
        """Return a verified answer of the scaled program as one of the program itself."""
        if not self.objective and not self.rows.any():
            return verified
        objective, bound = problem.value(verified.x), self.down(verified.bound)
        bound = min(bound, objective) if problem.sense == "min" else max(bound, objective)
        duals = costs = None
        if verified.duals is not None and verified.reduced_costs is not None:
            duals = np.ldexp(verified.duals, self.rows - self.objective)
            costs = np.ldexp(verified.reduced_costs, -self.objective)
            duals.flags.writeable = costs.flags.writeable = False
        return replace(verified, objective=objective, bound=bound, duals=duals, reduced_costs=costs)


def objective_exponent(problem: MixedIntegerProgram) -> int:
    """Return the exponent that the costs need."""
    sizes = np.abs(problem.objective[problem.objective != 0])
    if problem.quadratic is not None:
        sizes = np.append(sizes, np.abs(problem.quadratic.data))
    if not sizes.size:
        return 0
    top, low = _exponent(sizes.max()), _exponent(sizes.min())
    if top > MOST:
        return MOST - top
    wanted = max(0, -top, LEAST - low)
    allowed = max(ENOUGH - top, 0)
    if problem.offset:
        allowed = min(allowed, max(2 * MOST - _exponent(abs(problem.offset)), 0))
    return min(wanted, allowed)


def _row_exponents(problem: MixedIntegerProgram) -> NDArray[np.int64]:
    """Raise a row of small coefficients to about 1, as far as its activities stay below 2**MOST."""
    exponents = np.zeros(problem.n_rows, dtype=np.int64)
    matrix = problem.matrix
    filled = np.flatnonzero(np.diff(matrix.indptr))
    if not filled.size:
        return exponents
    largest = np.maximum.reduceat(np.abs(matrix.data), matrix.indptr[filled])
    small = filled[largest < 2.0**SMALL_ROW]
    if not small.size:
        return exponents
    reach = np.maximum(np.abs(problem.lower), np.abs(problem.upper))
    activity = abs(matrix[small]) @ np.minimum(reach, 1e100)
    sides = np.abs(np.stack([problem.row_lower[small], problem.row_upper[small]]))
    activity = np.maximum(activity, np.where(np.isfinite(sides), sides, 0.0).max(axis=0))
    wanted = 1 - np.frexp(largest[largest < 2.0**SMALL_ROW])[1]
    allowed = MOST - np.frexp(np.maximum(activity, np.finfo(float).tiny))[1]
    exponents[small] = np.clip(allowed, 0, wanted)
    return exponents


def _exponent(number: float) -> int:
    """Return e with 2**e <= number < 2**(e + 1)."""
    return int(np.frexp(number)[1]) - 1
