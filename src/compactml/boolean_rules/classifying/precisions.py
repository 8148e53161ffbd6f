"""How likely a class is where its rules are true, and where they are not: what `predict_proba` says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Precisions"]

DECIDED = 1e-6
"""A probability lies on the side of one half that the rules say, at least by this."""


@dataclass(frozen=True)
class Precisions:
    """Laplace estimates ``(hits + 1) / (rows + 2)`` of the class that a DNF describes.

    Attributes
    ----------
    clauses : ndarray of float, shape (n_clauses,)
        Where a clause is true.
    rest : float
        Where none is.
    """

    clauses: NDArray[np.float64]
    rest: float

    @classmethod
    def of(cls, true: NDArray[np.bool_], y: NDArray[np.bool_], weights: NDArray[np.float64]) -> Precisions:
        """Count weighted training rows.

        Parameters
        ----------
        true : ndarray of bool, shape (n, n_clauses)
        y : ndarray of bool, shape (n,)
            Rows of the class described.
        weights : ndarray of float, shape (n,)
        """
        regions = np.column_stack([true, ~true.any(axis=1)]).T
        rates = (regions @ (weights * y) + 1) / (regions @ weights + 2)
        return cls(rates[:-1], float(rates[-1]))

    def probability(self, true: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Probability of the class described for each row, that of its most precise clause.

        Above one half where a clause is true and below where none is: it never contradicts the rules.

        Parameters
        ----------
        true : ndarray of bool, shape (n, n_clauses)

        Returns
        -------
        ndarray of float, shape (n,)
        """
        best = np.where(true, self.clauses, 0.0).max(axis=1, initial=0.0)
        fires = true.any(axis=1)
        return np.where(fires, np.maximum(best, 0.5 + DECIDED), min(self.rest, 0.5 - DECIDED))
