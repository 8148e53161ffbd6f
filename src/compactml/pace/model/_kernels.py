"""Compiled walks of samples on the grid through trees on the grid."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def find_leaves(
    codes: NDArray[np.int32],
    feature: NDArray[np.int32],
    cut: NDArray[np.int32],
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    leaf: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None:
    """Write the number of the leaf that each sample reaches in one tree."""
    for i in range(codes.shape[0]):
        node = 0
        while feature[node] >= 0:
            node = left[node] if codes[i, feature[node]] <= cut[node] else right[node]
        out[i] = leaf[node]


@njit(cache=True)
def add_scores(
    codes: NDArray[np.int32],
    roots: NDArray[np.int64],
    feature: NDArray[np.int32],
    cut: NDArray[np.int32],
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    leaf: NDArray[np.int32],
    scores: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Add the scores of all trees, whose nodes and leaves are numbered through."""
    for i in range(codes.shape[0]):
        for root in roots:
            node = root
            while feature[node] >= 0:
                node = left[node] if codes[i, feature[node]] <= cut[node] else right[node]
            for c in range(out.shape[1]):
                out[i, c] += scores[leaf[node], c]
