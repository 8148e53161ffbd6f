"""No support of a given size keeps every label of S: a proof by the heaviest learners of a support.

Let J be a support of s learners with weights w >= 0 and A w > 0 on every row of S, and C its d heaviest learners, t the
least weight among them. Rows combine with integers u >= 0 to gains g = A'u, and g'w > 0. Where no learner of C has a
positive gain, these lose at least t times the sum of |g_h| over C, and the other s - d learners, of weight at most t
each, win back at most t times the sum of the s - d largest positive gains. So u refutes C if

    sum of |g_h| over C  >=  sum of the s - d largest positive gains,                                           (*)

and if every C of a family through which each support must pass is refuted, no support has s learners, or fewer. With
d = s this is a cut of `compactml.pace.weights.hitting`; with d < s one u stands for all that could follow. All of (*)
is computed in integers: what is proved holds exactly, without a least margin epsilon.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.pace.weights._kernels.heaviest import extended_sets, refuted
from compactml.solvers import MixedIntegerProgram

__all__ = ["Combinations", "larger_sets", "least_rest", "strict"]

PRECISION = 10**7
"""Of the multipliers: the largest one of a combination."""
LARGEST = 2**62
"""Sums of gains stay below it."""
STRICT = 1e-4
"""Added to the margins of heaviest learners, so that what refutes a set does not rest on a solver's tolerances."""


class Combinations:
    """Combinations of rows, and which sets of heaviest learners they refute.

    Parameters
    ----------
    k : int
        Number of learners.
    """

    def __init__(self, k: int) -> None:
        self.k, self.multipliers = k, list[tuple[NDArray[np.intp], NDArray[np.int64]]]()
        self._gains = np.zeros((64, k), dtype=np.int64)
        self._most = np.zeros((64, k + 1), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.multipliers)

    def add(
        self,
        integers: NDArray[np.int64],
        places: NDArray[np.intp],
        multipliers: NDArray[np.float64],
        heaviest: NDArray[np.int64],
        left: int,
    ) -> bool:
        """Round multipliers to integers, and keep the combination if it refutes a set.

        Parameters
        ----------
        integers : ndarray of int64, shape (m, k)
            Rows: margins of the learners.
        places : ndarray of int, shape (a,)
            The rows that the multipliers belong to.
        multipliers : ndarray of float, shape (a,)
            Not negative.
        heaviest : ndarray of int64, shape (d,)
        left : int
            How many learners of a support are not among its heaviest ones.
        """
        used = np.flatnonzero(multipliers > 0)
        if len(used) == 0 or not np.isfinite(multipliers).all():
            return False
        rows = integers[places[used]]
        bound = len(used) * self.k * max(int(np.abs(rows).max()), 1)
        whole = np.rint(multipliers[used] / multipliers[used].max() * min(PRECISION, LARGEST // bound))
        u = whole.astype(np.int64)
        gains = u @ rows
        most = np.concatenate([[0], np.cumsum(np.sort(np.maximum(gains, 0))[::-1])])
        if not refuted(heaviest[None], gains[None], most[None], left)[0]:
            return False
        n = len(self)
        if n == len(self._gains):
            self._gains = np.concatenate([self._gains, np.zeros_like(self._gains)])
            self._most = np.concatenate([self._most, np.zeros_like(self._most)])
        self._gains[n], self._most[n] = gains, most
        self.multipliers.append((places[used], u))
        return True

    def refuted(self, sets: NDArray[np.int64], left: int, first: int = 0) -> NDArray[np.bool_]:
        """Which sets, of shape (n, d), a combination refutes, of those from the number ``first`` on."""
        known = slice(first, len(self))
        return refuted(sets, self._gains[known], self._most[known], left)


def larger_sets(sets: NDArray[np.int64], k: int) -> NDArray[np.int64] | None:
    """Return the sets of one learner more that contain one of ``sets``, each once; None if they are too many to count.

    Parameters
    ----------
    sets : ndarray of int64, shape (n, d)
        Each ascending.
    k : int
        Number of learners.
    """
    d = sets.shape[1] + 1
    if k**d > LARGEST:
        return None
    codes = np.unique(extended_sets(sets, k))
    return (codes[:, None] // k ** np.arange(d - 1, -1, -1)) % k


def strict(margins: NDArray[np.float64], heaviest: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows of `least_rest`: margins of all learners, and a column that makes each LP feasible at a price."""
    rows = np.column_stack([margins, np.ones(len(margins))])
    rows[:, heaviest] += STRICT
    return rows


def least_rest(margins: NDArray[np.float64], heaviest: NDArray[np.int64]) -> MixedIntegerProgram:
    """The LP of the least weight of the others beside a set of heaviest learners.

        min  sum of w_h over h not in C   s.t.  A w >= 0,  w_h >= 1 in C,  0 <= w_h <= 1 elsewhere

    The multipliers of its rows are a combination that loses most beside what the others can win back.

    Parameters
    ----------
    margins : ndarray of float, shape (m, k)
    heaviest : ndarray of int64, shape (d,)
    """
    k = margins.shape[1]
    prices, lower, upper = np.append(np.ones(k), k), np.zeros(k + 1), np.append(np.ones(k), np.inf)
    prices[heaviest], lower[heaviest], upper[heaviest] = 0.0, 1.0, np.inf
    rows = strict(margins, heaviest)
    return MixedIntegerProgram(prices, rows, row_lower=np.zeros(len(rows)), lower=lower, upper=upper)
