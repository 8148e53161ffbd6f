"""Instances small enough to look at whole: listed, and as tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from compactml.ensemble_pruning._failure_credit import Diversity, pairwise_failure_crediting
from compactml.ensemble_pruning.instance import PruningInstance, called_positive

__all__ = [
    "as_text", "conflicts", "credited_sets", "diverse", "ensembles", "fractions", "monotone_table", "votes_of",
]  # fmt: skip


def votes_of(positive: str, negative: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Votes and labels from the rows of B and A, written as words of 0 and 1.

    Parameters
    ----------
    positive, negative : str
        "11100 10011": votes on two positive (negative) points, classifiers from left to right.

    Returns
    -------
    votes : ndarray of bool, shape (n, K)
    y : ndarray of bool, shape (n,)
    """
    rows = [*positive.split(), *negative.split()]
    votes = np.array([[letter == "1" for letter in row] for row in rows])
    return votes, np.arange(len(rows)) < len(positive.split())


def as_text(row: ArrayLike) -> str:
    """A row of 0 and 1 as a word."""
    return "".join("1" if one else "0" for one in np.asarray(row))


def monotone_table(n_selected: int, threshold: int) -> pd.DataFrame:
    """What an ensemble calls a point, by its number of positive votes.

    Returns
    -------
    DataFrame
        Columns ``positive votes`` (0 to ``n_selected``) and ``call``.
    """
    rows = np.tril(np.ones((n_selected + 1, n_selected), dtype=bool), -1)  # row i has i positive votes
    called = called_positive(rows, np.arange(n_selected), threshold)
    return pd.DataFrame(
        {"positive votes": rows.sum(axis=1), "call": np.where(called, "positive", "negative")}
    )


def ensembles(instance: PruningInstance) -> pd.DataFrame:
    """Every set of classifiers with every threshold below its size, and the empty set: "all negative".

    Returns
    -------
    DataFrame
        Columns ``x`` (a word of 0 and 1), ``L``, ``T+``, ``F-``, ``T-``, ``F+`` and ``value``, the objective (1); best
        first. 1 + sum of s C(K, s) rows: for K of a dozen at most.
    """
    k, y = instance.n_classifiers, instance.y
    sets = (np.arange(2**k)[:, np.newaxis] >> np.arange(k)[::-1]) & 1
    sums = instance.votes.astype(np.int64) @ sets.T
    sizes = np.maximum(sets.sum(axis=1), 1)  # the empty set has the threshold 0
    which, threshold = np.nonzero(np.arange(k) < sizes[:, np.newaxis])
    called = sums[:, which] > threshold
    cells = {
        "T+": called[y].sum(axis=0),
        "F-": (~called[y]).sum(axis=0),
        "T-": (~called[~y]).sum(axis=0),
        "F+": called[~y].sum(axis=0),
    }
    w = instance.weights
    worth = map(float, (w.true_positive, w.false_negative, w.true_negative, w.false_positive))
    value = np.round(sum(weight * cell for weight, cell in zip(worth, cells.values(), strict=True)), 9)
    words = [as_text(sets[i]) for i in which]
    frame = pd.DataFrame({"x": words, "L": threshold, **cells, "value": value})
    return frame.sort_values("value", ascending=False, kind="stable").reset_index(drop=True)


def members(word: str) -> NDArray[np.intp]:
    """The classifiers of a set that is written as a word of 0 and 1."""
    return np.flatnonzero([letter == "1" for letter in word])


def credited_sets(listed: pd.DataFrame, credit: NDArray[np.float64]) -> pd.DataFrame:
    """Every set of two classifiers or more, with its best threshold and its failure credits.

    Parameters
    ----------
    listed : DataFrame
        From `ensembles`.
    credit : ndarray of float, shape (K, K)

    Returns
    -------
    DataFrame
        Columns ``x``, ``value`` and ``mean`` and ``least``, of the members' mean credits (PFC).
    """
    best = listed.groupby("x", sort=False)["value"].max().reset_index()
    best = best[best["x"].str.count("1") >= 2]
    pfc = [pairwise_failure_crediting(credit, members(word)) for word in best["x"]]
    return best.assign(mean=[one.mean() for one in pfc], least=[one.min() for one in pfc])


def diverse(found: pd.DataFrame, diversity: Diversity) -> pd.DataFrame:
    """The rows of `ensembles` whose sets meet (18) and (20)."""
    return found[[diversity.met(members(word)) for word in found["x"]]]


def fractions(matrix: NDArray[np.float64], largest: int = 1000) -> pd.DataFrame:
    """A matrix of simple fractions as texts, numbered from 1; its lower triangle stays empty."""
    texts = [[str(Fraction(value).limit_denominator(largest)) for value in row] for row in matrix]
    names = [str(i + 1) for i in range(len(matrix))]
    frame = pd.DataFrame(texts, index=names, columns=names)
    return frame.where(np.triu(np.ones(matrix.shape, dtype=bool), 1), "").rename_axis("k")


def conflicts(instance: PruningInstance) -> list[tuple[int, int]]:
    """Pairs (positive pattern b, negative pattern a) with b <= a in every classifier: not both can be right."""
    patterns, gains = instance.patterns, instance.gains
    positive, negative = np.flatnonzero(gains > 0), np.flatnonzero(gains < 0)
    return [(int(b), int(a)) for b in positive for a in negative if not (patterns[b] & ~patterns[a]).any()]
