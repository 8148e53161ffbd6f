"""The bound of Gilmore and Lawler: every feature of a set has exactly l - 1 partners there.

    F(x) = sum over j in S of (M_jj + q_j + sum of M_jk over its partners)
        >= the l smallest of  M_jj + q_j + (the l - 1 smallest M_jk of the features k free)

It needs no multipliers and proves the small sizes, where the relaxations are weak, at once; for larger ones it is
useless.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.feature_selection.parametric_form import Slice, partners

__all__ = ["pair_bound"]


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
        for rows, block in partners(matrix):
            block.partition(left - 2, axis=1)
            shares[rows] += block[:, : left - 1].sum(axis=1)
    order = np.argsort(shares, kind="stable")
    bound = node.constant + float(shares[order[:left]].sum())
    later = order[left:]
    gone = later[bound + shares[later] - shares[order[left - 1]] >= margin]
    return bound, np.sort(node.free[gone])
