"""Compiled walks of samples on the grid through trees on the grid."""

from __future__ import annotations

from numba import njit


@njit(cache=True)
def find_leaves(codes, feature, cut, left, right, leaf, out):  # type: ignore[no-untyped-def]
    """Write the number of the leaf that each sample reaches in one tree."""
    for i in range(codes.shape[0]):
        node = 0
        while feature[node] >= 0:
            node = left[node] if codes[i, feature[node]] <= cut[node] else right[node]
        out[i] = leaf[node]


@njit(cache=True)
def add_scores(codes, roots, feature, cut, left, right, leaf, scores, out):  # type: ignore[no-untyped-def]
    """Add the scores of all trees, whose nodes and leaves are numbered through."""
    for i in range(codes.shape[0]):
        for root in roots:
            node = root
            while feature[node] >= 0:
                node = left[node] if codes[i, feature[node]] <= cut[node] else right[node]
            for c in range(out.shape[1]):
                out[i, c] += scores[leaf[node], c]
