"""The constraints (2)-(7) of Bastos, Brandão and Valle (2024), one function each, on points.

Columns: x (K) the selected classifiers, L (1) the threshold, t+ and f- (N_1) the true positives and false negatives,
t- and f+ (N_0) the true negatives and false positives. ``big`` is the big constant of each row: the paper's, or the
least one that the tight form allows (`BigM`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.ensemble_pruning.program.rows import RowGroup, each

__all__ = [
    "BigM",
    "call_of_negative",
    "call_of_positive",
    "no_false_negative",
    "no_false_positive",
    "no_true_negative",
    "no_true_positive",
]

Votes: TypeAlias = sparse.csr_array
Big: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class BigM:
    """Big constants of rows with the given votes.

    The paper has K + 1, in (5) and (6) K. With L = K and a point without positive votes, (6) with K reads
    K + 1 <= K, so K + 1 is taken there too. If a positive call exists, L + 1 <= sum x, then L + 1 - v'x is at most
    K - sum v, and v'x - L at most sum v.
    """

    votes: Votes
    tight: bool

    @property
    def below(self) -> Big:
        """Largest L + 1 - v'x, shape (m,)."""
        m, k = self.votes.shape
        return k - self._counts if self.tight else np.full(m, k + 1.0)

    @property
    def above(self) -> Big:
        """Largest v'x - L, as (3) has it, shape (m,)."""
        m, k = self.votes.shape
        return self._counts if self.tight else np.full(m, k + 1.0)

    @property
    def above_negative(self) -> Big:
        """Largest v'x - L, as (5) has it, shape (m,)."""
        m, k = self.votes.shape
        return self._counts if self.tight else np.full(m, float(k))

    @property
    def _counts(self) -> Big:
        counts: Big = np.asarray(self.votes.sum(axis=1), dtype=float)
        return counts


def no_true_positive(votes: Votes, big: Big) -> RowGroup:
    """(2): L + 1 - sum_k beta_ik x_k <= big (1 - t_i+)."""
    return RowGroup({"x": -votes, "L": _column(votes), "t+": each(big, big.size)}, upper=big - 1)


def no_false_negative(votes: Votes, big: Big) -> RowGroup:
    """(3): sum_k beta_ik x_k - L <= big t_i+."""
    return RowGroup({"x": votes, "L": -_column(votes), "t+": each(-big, big.size)}, upper=0.0)


def call_of_positive(count: int) -> RowGroup:
    """(4): t_i+ + f_i- = 1."""
    return RowGroup({"t+": each(1.0, count), "f-": each(1.0, count)}, 1.0, 1.0)


def no_true_negative(votes: Votes, big: Big) -> RowGroup:
    """(5): sum_k alpha_jk x_k - L <= big (1 - t_j-)."""
    return RowGroup({"x": votes, "L": -_column(votes), "t-": each(big, big.size)}, upper=big)


def no_false_positive(votes: Votes, big: Big) -> RowGroup:
    """(6): L + 1 - sum_k alpha_jk x_k <= big t_j-, with K + 1 for the paper's K (see `BigM`)."""
    return RowGroup({"x": -votes, "L": _column(votes), "t-": each(-big, big.size)}, upper=-1.0)


def call_of_negative(count: int) -> RowGroup:
    """(7): f_j+ + t_j- = 1."""
    return RowGroup({"f+": each(1.0, count), "t-": each(1.0, count)}, 1.0, 1.0)


def _column(votes: Votes) -> sparse.csr_array:
    return sparse.csr_array(np.ones((votes.shape[0], 1)))
