"""Good sets of features by tabu search from several starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compactml.feature_selection.certified._kernels.tabu import tabu
from compactml.feature_selection.program import FractionalProgram

__all__ = ["search"]

TENURE = 7
STEPS_PER_FEATURE, LEAST_STEPS = 4, 200
RANDOM_STARTS = 2


def search(
    program: FractionalProgram,
    n_features: int | None = None,
    *,
    seed: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> NDArray[np.intp]:
    """Best set found, sorted.

    The starts are the best single features, all features, and random sets; flips reach every size from each of them.

    Parameters
    ----------
    program : FractionalProgram
    n_features : int, optional
        Number of features of the set; any by default.
    seed : int, default 0
    stopped : callable
        Asked before every start; True leaves it as it is.
    """
    p = program.n_features
    random = np.random.default_rng(seed)
    alone = (program.a + np.diagonal(program.b)) / (program.c + np.diagonal(program.d))
    promise = program.a + program.b.sum(axis=1)  # what a feature brings to all the others
    sizes = [1, p, *random.integers(1, p + 1, RANDOM_STARTS)] if n_features is None else [n_features] * 2
    orders = [np.argsort(-alone, kind="stable"), np.argsort(-promise, kind="stable")]
    orders += [random.permutation(p) for _ in range(RANDOM_STARTS)]
    n_steps = max(STEPS_PER_FEATURE * p, LEAST_STEPS)
    best, value = np.zeros(p, dtype=np.int64), -np.inf
    for size, order in zip(sizes, orders, strict=False):
        x = np.zeros(p, dtype=np.int64)
        x[order[:size]] = 1
        # with a fixed size, something that is not tabu must be left on both sides
        few = p if n_features is None else min(n_features, p - n_features)
        tenure = min(TENURE, max(few - 1, 0) // 2)
        steps = 0 if stopped() else n_steps
        found = tabu(x, program.a, program.b, program.c, program.d, steps, tenure, n_features is not None)
        if found > value:
            best, value = x, found
    return np.flatnonzero(best)
