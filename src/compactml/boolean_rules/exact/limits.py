"""What a rule set must keep in its predictions: rows that it may flag, equal rates, columns that it must use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.instance import Clause, Instance

__all__ = ["Limits"]

TOLERANCE = 1e-12
"""Of a difference of two shares."""


@dataclass(frozen=True)
class Limits:
    """Limits on rows counted once, whatever they weigh; the rows are those of an instance.

    Attributes
    ----------
    samples : ndarray of int64, shape (U,)
        How many training rows each row of the instance stands for.
    least, most : int
        Training rows of which a clause is true.
    groups : ndarray of int64, shape (U, n_groups)
        Of each row the training rows of the class whose rates are compared, by group; no group without any.
    widest : float
        Largest difference between the shares of two groups of which a clause is true.
    columns : ndarray of int64, shape (n_literals,)
        Bits of the forced columns that each literal looks at; all that occur must be used.
    n_columns : int
    """

    samples: NDArray[np.int64]
    least: int
    most: int
    groups: NDArray[np.int64]
    widest: float
    columns: NDArray[np.int64]
    n_columns: int

    @classmethod
    def none(cls, instance: Instance) -> Limits:
        """No limits."""
        samples = np.zeros(len(instance.codes), dtype=np.int64)
        groups = np.zeros((len(samples), 0), dtype=np.int64)
        return cls(samples, 0, 0, groups, 1.0, np.zeros(len(instance.literals), dtype=np.int64), 0)

    @property
    def all_columns(self) -> int:
        """The bits of all forced columns."""
        return (1 << self.n_columns) - 1

    def columns_of(self, clause: Clause) -> int:
        """Bits of the forced columns that a clause uses."""
        return int(np.bitwise_or.reduce(self.columns[list(clause)]))

    def kept_by(self, instance: Instance, rules: list[Clause]) -> bool:
        """Whether a rule set keeps them all; each of its conditions must tell rows apart."""
        covered = np.zeros(len(instance.codes), dtype=bool)
        used = 0
        for clause in rules:
            covered |= instance.covered(clause)
            used |= self.columns_of(clause)
        if used != self.all_columns or not self.least <= self.samples[covered].sum() <= self.most:
            return False
        if not self.groups.shape[1]:
            return True
        shares = self.groups[covered].sum(axis=0) / self.groups.sum(axis=0)
        return bool(shares.max() - shares.min() <= self.widest + TOLERANCE)
