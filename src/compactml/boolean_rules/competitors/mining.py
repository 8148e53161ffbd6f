"""Candidate clauses for Bayesian Rule Sets: frequent among the positive rows, informative of the class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from compactml.boolean_rules.competitors.base import Clause

__all__ = ["candidate_clauses"]


def candidate_clauses(
    X: NDArray[np.bool_], y: NDArray[np.bool_], *, max_length: int, min_support: float, n_clauses: int
) -> tuple[tuple[Clause, ...], NDArray[np.bool_]]:
    """Level-wise search: clauses of one column, then those with one more, keeping the most informative at each length.

    A clause that holds on the same rows as a shorter one, or as one found before, is left out, and in the end those
    whose rows are positive no more often than all rows are. With at most
    ``n_clauses`` at each length nothing frequent is lost; beyond that the search is a beam.

    Parameters
    ----------
    X : ndarray of bool, shape (n, d)
    y : ndarray of bool, shape (n,)
    max_length : int
    min_support : float
        Least share of the positive rows that a clause covers.
    n_clauses : int
        Clauses kept at each length and in the end.

    Returns
    -------
    tuple of clauses, ndarray of bool, shape (n, clauses)
        Clauses, most informative first, and the rows that each covers.
    """
    least = min_support * y.sum()
    clauses: list[Clause] = [()]
    rows = np.ones((len(y), 1), dtype=bool)
    seen = {_key(rows[:, 0])}
    levels: list[tuple[list[Clause], NDArray[np.bool_]]] = []
    for _ in range(max_length):
        clauses, rows = _extended(clauses, rows, X, y, least, n_clauses, seen)
        levels.append((clauses, rows))
    every = [clause for level, _ in levels for clause in level]
    table = np.hstack([covered for _, covered in levels])
    positive, total = y @ table.astype(np.float32), table.sum(axis=0)
    helpful = np.flatnonzero(positive > y.mean() * total)
    order = helpful[np.argsort(-_information(positive, total, y)[helpful], kind="stable")][:n_clauses]
    return tuple(every[i] for i in order), table[:, order]


def _extended(
    clauses: list[Clause],
    rows: NDArray[np.bool_],
    X: NDArray[np.bool_],
    y: NDArray[np.bool_],
    least: float,
    n_clauses: int,
    seen: set[bytes],
) -> tuple[list[Clause], NDArray[np.bool_]]:
    """The most informative frequent clauses with one column more, columns in increasing order where nothing is cut."""
    table = X.astype(np.float32)
    positive = rows[y].T.astype(np.float32) @ table[y]
    total = rows.T.astype(np.float32) @ table
    score = _information(positive, total, y)
    score[positive < least] = -1.0
    new: list[Clause] = []
    columns: list[NDArray[np.bool_]] = []
    for flat in np.argsort(-score, axis=None, kind="stable"):
        k, j = divmod(int(flat), X.shape[1])
        if score[k, j] < 0 or len(new) == n_clauses:
            break
        both = rows[:, k] & X[:, j]
        if (key := _key(both)) not in seen:
            seen.add(key)
            new.append(tuple(sorted((*clauses[k], j))))
            columns.append(both)
    return new, np.array(columns, dtype=bool).reshape(len(new), len(y)).T


def _key(rows: NDArray[np.bool_]) -> bytes:
    return np.packbits(rows).tobytes()


def _information(positive: NDArray, total: NDArray, y: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Information gain, in nats, of splitting the rows by a clause: Wang et al. (2017) screen their rules by it."""
    n, p = len(y), float(y.sum())
    inside = _entropy(positive, total)
    outside = _entropy(p - positive, n - total)
    return np.asarray(_entropy(np.asarray(p), np.asarray(n)) - inside - outside, dtype=np.float64) / n


def _entropy(positive: NDArray, total: NDArray) -> NDArray[np.float64]:
    """Rows times their entropy."""
    positive, total = np.asarray(positive, dtype=np.float64), np.asarray(total, dtype=np.float64)
    return entr(positive) + entr(total - positive) - entr(total)
