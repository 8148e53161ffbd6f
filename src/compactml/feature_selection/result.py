"""What a method says about a fractional program."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from compactml.solvers import SolverChoice

if TYPE_CHECKING:
    from compactml.feature_selection.certificate import Certificate

__all__ = ["FractionalResult", "Iterate", "Tolerance"]


@dataclass(frozen=True)
class Tolerance:
    """When a run stops: one of the two gaps between bound and value is met (section 4 of the paper: 1 % or 1e-3).

    Examples
    --------
    >>> from compactml.feature_selection import Tolerance
    >>> tolerance = Tolerance(relative=0.01, absolute=0.0)
    >>> tolerance.allows(200.0)
    2.0
    """

    relative: float = 0.01
    absolute: float = 0.001

    def allows(self, value: float) -> float:
        """Largest difference of bound and value that counts as proved."""
        return max(self.relative * abs(value), self.absolute)


@dataclass(frozen=True)
class Iterate:
    """One parametric problem of a run.

    Attributes
    ----------
    t : float
        The parameter.
    value : float
        f - t g of the solution found, v(t) where it was solved to the end; -inf without one.
    bound : float
        Proved upper bound on v(t); inf where a set that was known had a positive value, so that nothing was solved.
    gap_abs, gap_rel : float
        The paper's gaps after this iteration: the width (18) of the interval in Algorithm 1, the estimate (19)
        v(t) / g(x) = h(x) - t in Algorithm 2, which is no bound on anything; each also divided by abs(lower bound).
    """

    t: float
    value: float
    bound: float
    gap_abs: float
    gap_rel: float


@dataclass(frozen=True, eq=False)
class FractionalResult:
    """The best set found and the bound proved.

    Attributes
    ----------
    value : float
        f / g of ``support``; -inf when no set was found.
    bound : float
        Proved upper bound on the value of every set; inf when there is none.
    support : ndarray of int
        Numbers of the chosen variables.
    proved : bool
        Whether bound and value differ by no more than the tolerance.
    certificate : Certificate or None
        Proof of the bound that `compactml.feature_selection.verify` checks; only the method "certified" writes one.
    iterations : int
        Parametric problems solved.
    seconds : float
    choice : SolverChoice or None
        The solver that was used, None for our own methods.
    history : tuple of Iterate
        The parametric problems of Algorithms 1 and 2, with the paper's gaps (18) and (19).

    Examples
    --------
    >>> from compactml.feature_selection import measure, mrmr_program, solve
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> measures = measure(X, [0, 1, 2, 3])
    >>> result = solve(mrmr_program(measures, count_own_entropy=True))
    >>> result.proved, bool(result.value <= result.bound)
    (True, True)
    """

    value: float
    bound: float
    support: NDArray[np.intp]
    proved: bool
    certificate: Certificate | None
    iterations: int
    seconds: float
    choice: SolverChoice | None
    history: tuple[Iterate, ...] = ()

    @property
    def gap_abs(self) -> float:
        """Bound less value; inf when one of them is missing."""
        return self.bound - self.value

    @property
    def gap_rel(self) -> float:
        """(bound - value) / abs(value), the paper's relative gap; inf when the value is 0 and the gap is not."""
        if self.gap_abs <= 0:
            return 0.0
        return self.gap_abs / abs(self.value) if self.value and math.isfinite(self.value) else math.inf
