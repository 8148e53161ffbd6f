"""Compiled beam search for clauses with positive f: fast, and without a proof."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.boolean_rules.pricing._kernels.rows import Rows, Table, extended_weight, fill_histogram
from compactml.boolean_rules.pricing._kernels.tree import N_FOUND, Found, is_known, record

BY_VALUE, BY_GAIN = 0, 1
"""What the clauses extended are the best of: f, or FOIL's gain, which does not mind impure broad clauses."""


@njit(cache=True)
def promise(guide: int, f: int, mu_j: int, neg_j: int, log_share: float) -> int | np.int64:
    """By what a clause is chosen to be extended; ``log_share`` is the log of the share of mu at the root."""
    if guide == BY_VALUE:
        return f
    return np.int64(mu_j * (np.log(mu_j / (mu_j + neg_j)) - log_share))


@njit(cache=True)
def keep_candidate(
    kept: NDArray[np.int64],
    n_kept: int,
    worst: int | np.intp,
    score: int | np.int64,
    mu_j: int,
    neg_j: int,
    node: int,
    j: int,
) -> tuple[int, int | np.intp]:
    """Keep a clause (score, mu, neg, node, literal) among the best of its level, one for each mu and neg.

    Returns how many are kept, and the place of the worst of them when all places are taken.
    """
    if n_kept == len(kept) and score <= kept[worst, 0]:
        return n_kept, worst
    for q in range(n_kept):
        if kept[q, 1] == mu_j and kept[q, 2] == neg_j:
            return n_kept, worst
    place = worst
    if n_kept < len(kept):
        place = n_kept
        n_kept += 1
    kept[place] = (score, mu_j, neg_j, node, j)
    if n_kept == len(kept):
        worst = kept[:, 0].argmin()
    return n_kept, worst


@njit(cache=True)
def score_level(
    rows: Rows,
    start: NDArray[np.int64],
    lengths: NDArray[np.int64],
    totals: NDArray[np.int64],
    clauses: NDArray[np.int32],
    depth: int,
    table: Table,
    unit: int,
    guide: int,
    log_share: float,
    kept: NDArray[np.int64],
    counters: NDArray[np.int64],
    store: Found,
) -> int:
    """Score every extension of the clauses of a level; returns how many are kept to be extended."""
    hist_mu, hist_neg = np.zeros((2, table.offset[-1]), dtype=np.int64)
    used = np.zeros(len(table.offset), dtype=np.bool_)
    for j in range(len(table.attribute)):
        used[table.attribute[j]] = True
    attributes = np.empty(len(used), dtype=np.int64)
    n_attributes: Any = np.int64(0)
    for a in range(len(used)):
        if used[a]:
            attributes[n_attributes] = a
            n_attributes += 1
    worst: int | np.intp
    n_kept: Any = np.int64(0)  # not 0: what takes it would be compiled for the constant, too
    worst = n_kept
    for node in range(len(lengths)):
        fill_histogram(
            rows,
            start[node],
            start[node] + lengths[node],
            table,
            attributes,
            n_attributes,
            hist_mu,
            hist_neg,
        )
        for j in range(len(table.attribute)):
            neg_j = extended_weight(hist_neg, j, table)
            if depth > 0 and totals[node] - neg_j <= unit:
                continue  # as good without j
            mu_j = extended_weight(hist_mu, j, table)
            f = mu_j - neg_j - unit * (2 + depth)
            if f > 0 and not is_known(store, counters[N_FOUND], f, mu_j):
                record(store, counters, clauses[node], depth, j, f, mu_j)
            if mu_j - unit * (3 + depth) > 0:
                score = promise(guide, f, mu_j, neg_j, log_share)
                n_kept, worst = keep_candidate(kept, n_kept, worst, score, mu_j, neg_j, node, j)
    return n_kept


@njit(cache=True)
def covered_rows(rows: Rows, start: int, length: int, j: int, table: Table, out: Rows, top: int) -> int:
    """Copy the rows of a node that satisfy literal j to ``out`` from ``top`` on; returns their end."""
    a = table.attribute[j]
    for row in range(start, start + length):
        b = np.int64((rows.words[row, table.word[a]] >> table.bit[a]) & table.mask[a])
        if ((b >= table.lo[j]) and (b < table.hi[j])) != table.complement[j]:
            for w in range(rows.words.shape[1]):
                out.words[top, w] = rows.words[row, w]
            out.mu[top], out.neg[top] = rows.mu[row], rows.neg[row]
            top += 1
    return top


@njit(cache=True)
def beam(
    rows: Rows,
    table: Table,
    unit: int,
    width: int,
    guide: int,
    n_levels: int,
    counters: NDArray[np.int64],
    store: Found,
) -> None:
    """Find clauses of up to ``n_levels`` literals with f > 0, extending the ``width`` best of each level."""
    start, lengths = np.zeros(1, dtype=np.int64), np.full(1, len(rows.mu))
    totals = np.full(1, rows.neg.sum())
    clauses = np.empty((1, n_levels), dtype=np.int32)
    total_mu = rows.mu.sum()
    log_share = np.log(total_mu / (total_mu + totals[0])) if total_mu > 0 else 0.0
    for depth in range(n_levels):
        kept = np.empty((width, 5), dtype=np.int64)
        n_kept = score_level(
            rows, start, lengths, totals, clauses, depth, table, unit, guide, log_share, kept, counters, store
        )
        if n_kept == 0 or depth + 1 == n_levels:
            return
        size = 0
        for q in range(n_kept):
            size += lengths[kept[q, 3]]
        following = Rows(
            np.empty((size, rows.words.shape[1]), dtype=np.uint64),
            np.empty(size, dtype=np.int64),
            np.empty(size, dtype=np.int64),
            rows.start,
            rows.end,
        )
        next_start, next_lengths = np.zeros(n_kept, dtype=np.int64), np.zeros(n_kept, dtype=np.int64)
        next_clauses = np.empty((n_kept, n_levels), dtype=np.int32)
        top: Any = np.int64(0)  # not 0: what takes it would be compiled for the constant, too
        for q in range(n_kept):
            node, j = kept[q, 3], kept[q, 4]
            for d in range(depth):
                next_clauses[q, d] = clauses[node, d]
            next_clauses[q, depth] = j
            next_start[q] = top
            top = covered_rows(rows, start[node], lengths[node], j, table, following, top)
            next_lengths[q] = top - next_start[q]
        rows, start, lengths, clauses = following, next_start, next_lengths, next_clauses
        totals = kept[:n_kept, 2].copy()
