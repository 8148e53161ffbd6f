"""The clauses generated so far: the columns of the restricted master problem."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.boolean_rules.instance import Clause, Instance

__all__ = ["Columns"]


class Columns:
    """Distinct clauses k = 1..K with c_k, the negatives N_k they cover and the positive rows they cover.

    Parameters
    ----------
    instance : Instance

    Attributes
    ----------
    clauses : list of Clause
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.clauses: list[Clause] = []
        self._known: set[Clause] = set()
        self._rows: list[NDArray[np.int32]] = []
        self._negatives: list[int] = []

    def __len__(self) -> int:
        return len(self.clauses)

    def add(self, clauses: Iterable[Clause]) -> int:
        """Append the clauses that are not there yet; returns their number."""
        before = len(self)
        rows = self.instance.positive_rows
        for clause in clauses:
            if clause in self._known:
                continue
            covered = self.instance.covered(clause)
            self._known.add(clause)
            self.clauses.append(clause)
            self._rows.append(np.flatnonzero(covered[rows]).astype(np.int32))
            self._negatives.append(int(self.instance.negatives[covered].sum()))
        return len(self) - before

    @property
    def negatives(self) -> NDArray[np.int64]:
        """N_k, number of negative samples covered by each clause, shape (K,)."""
        return np.array(self._negatives, dtype=np.int64)

    @property
    def complexities(self) -> NDArray[np.int64]:
        """c_k = 1 + number of literals, shape (K,)."""
        return np.array([1 + len(clause) for clause in self.clauses], dtype=np.int64)

    def coverage(self, first: int = 0) -> sparse.csr_matrix:
        """0/1 matrix of the clauses from ``first`` on by the rows of `Instance.positive_rows`."""
        rows = self._rows[first:]
        pointer = np.concatenate([[0], np.cumsum([len(one) for one in rows])]).astype(np.int64)
        indices = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int32)
        shape = (len(rows), len(self.instance.positive_rows))
        return sparse.csr_matrix((np.ones(len(indices)), indices, pointer), shape=shape)

    def subset(self, keep: NDArray[np.bool_]) -> Columns:
        """The clauses that a mask names, in the same order."""
        chosen = Columns(self.instance)
        for k in np.flatnonzero(keep):
            chosen.clauses.append(self.clauses[k])
            chosen._known.add(self.clauses[k])
            chosen._rows.append(self._rows[k])
            chosen._negatives.append(self._negatives[k])
        return chosen
