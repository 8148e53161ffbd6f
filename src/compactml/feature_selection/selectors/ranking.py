"""The order in which forward selection goes on from a set of features."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compactml.feature_selection.building import Measures
from compactml.feature_selection.program import FractionalProgram

__all__ = ["mrmr_order", "program_order"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def mrmr_order(measures: Measures, support: Indices) -> Indices:
    """Features outside of a set, by relevance less mean redundancy with those before, the best first."""
    redundant, count = measures.redundancy[support].sum(axis=0), len(support)

    def scores() -> Floats:
        scored: Floats = measures.relevance - redundant / count
        return scored

    def add(j: int) -> None:
        nonlocal redundant, count
        redundant, count = redundant + measures.redundancy[j], count + 1

    return _order(measures.n_features, support, scores, add)


def program_order(program: FractionalProgram, support: Indices) -> Indices:
    """Features outside of a set, by the value of the program with them, the best first."""
    inside = np.zeros(program.n_features)
    inside[support] = 1.0
    b, d = program.b[support].sum(axis=0), program.d[support].sum(axis=0)
    f, g = float(program.a @ inside + b @ inside), float(program.c @ inside + d @ inside)
    own_f, own_g = program.a + np.diagonal(program.b), program.c + np.diagonal(program.d)

    def scores() -> Floats:
        scored: Floats = (f + own_f + 2 * b) / (g + own_g + 2 * d)
        return scored

    def add(j: int) -> None:
        nonlocal f, g, b, d
        f, g = f + own_f[j] + 2 * b[j], g + own_g[j] + 2 * d[j]
        b, d = b + program.b[j], d + program.d[j]

    return _order(program.n_features, support, scores, add)


def _order(p: int, support: Indices, scores: Callable[[], Floats], add: Callable[[int], None]) -> Indices:
    free = np.ones(p, dtype=bool)
    free[support] = False
    order: list[int] = []
    while free.any():
        best = int(np.argmax(np.where(free, scores(), -np.inf)))
        order.append(best)
        free[best] = False
        add(best)
    return np.array(order, dtype=np.intp)
