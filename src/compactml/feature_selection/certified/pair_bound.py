"""The bound of Gilmore and Lawler: every feature of a set has exactly l - 1 partners there.

    F(x) = sum over j in S of (M_jj + q_j + sum of M_jk over its partners)
        >= the l smallest of  M_jj + q_j + (the l - 1 smallest M_jk of the features k free)

It needs no multipliers and proves the small sizes, where the relaxations are weak, at once; for larger ones it is
useless.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.feature_selection.parametric_form import Slice

__all__ = ["pair_bound"]

BLOCK = 256
"""Rows at a time."""


def pair_bound(node: Slice, margin: float) -> tuple[float, NDArray[np.intp]]:
    """Return the bound on F over a slice, and the free features that are in no set with F below ``margin``.

    Parameters
    ----------
    node : Slice
        With ``0 < left < len(free)``.
    margin : float
    """
    matrix, left = node.matrix, node.left
    shares = np.diagonal(matrix) + node.linear
    if left > 1:
        for first in range(0, len(matrix), BLOCK):
            rows = matrix[first : first + BLOCK].copy()
            own = np.arange(len(rows))
            rows[own, first + own] = np.inf
            rows.partition(left - 2, axis=1)
            shares[first : first + BLOCK] += rows[:, : left - 1].sum(axis=1)
    order = np.argsort(shares, kind="stable")
    bound = node.constant + float(shares[order[:left]].sum())
    later = order[left:]
    gone = later[bound + shares[later] - shares[order[left - 1]] >= margin]
    return bound, np.sort(node.free[gone])
