"""Sizes of sets that are as good as the best within a tolerance: what a run that stops there may print.

A size that is found is proved by its set; one that is not found may still have a set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.feature_selection.program import FractionalProgram

REACH = 20
"""Sizes that are tried on either side of the given one."""

Mask = NDArray[np.bool_]


def sizes_within(program: FractionalProgram, support: NDArray[np.intp], least: float) -> list[int]:
    """Return the sizes at which a set with a value of ``least`` or more is found, in order.

    From the given set features are taken away one by one, and added one by one, the best change each time, followed by
    exchanges of one feature for another as long as they improve the value.
    """
    sizes = {len(support)}
    for grow in (False, True):
        inside = np.isin(np.arange(program.n_features), support)
        for _ in range(REACH):
            step = best_change(program, inside, grow)
            if step is None:
                break
            inside[step[0]] = grow
            if exchanged(program, inside) >= least:
                sizes.add(int(inside.sum()))
    return sorted(sizes)


def parts(program: FractionalProgram) -> tuple[tuple[NDArray[np.float64], NDArray[np.float64]], ...]:
    """Return the linear and the quadratic part of f and of g, with the diagonals moved to the linear parts."""
    return tuple(
        (linear + np.diagonal(matrix), matrix - np.diag(np.diagonal(matrix)))
        for linear, matrix in ((program.a, program.b), (program.c, program.d))
    )


def best_change(program: FractionalProgram, inside: Mask, grow: bool) -> tuple[int, float] | None:
    """Return the feature whose addition or removal leaves the best value, and that value; None where there is none."""
    candidates = np.flatnonzero(inside != grow)
    if not len(candidates) or (not grow and len(candidates) == 1):
        return None
    sign = 1.0 if grow else -1.0
    f, g = (
        linear[inside].sum()
        + matrix[np.ix_(inside, inside)].sum()
        + sign * (linear + 2 * matrix[:, inside].sum(axis=1))[candidates]
        for linear, matrix in parts(program)
    )
    best = int(np.argmax(f / g))
    return int(candidates[best]), float(f[best] / g[best])


def exchanged(program: FractionalProgram, inside: Mask) -> float:
    """Exchange single features in place until that gains nothing, and return the value."""
    value = program.value(inside)
    while (swap := best_exchange(program, inside)) is not None and swap[2] > value + 1e-12:
        inside[swap[0]], inside[swap[1]], value = False, True, swap[2]
    return value


def best_exchange(program: FractionalProgram, inside: Mask) -> tuple[int, int, float] | None:
    """Return the feature to take out, the one to put in, and the value after it; None where all are in."""
    out, into = np.flatnonzero(inside), np.flatnonzero(~inside)
    if not len(into):
        return None
    after = []
    for linear, matrix in parts(program):
        rows = matrix[:, inside].sum(axis=1)
        change = linear + 2 * rows
        total = linear[out].sum() + rows[out].sum()
        after.append(total - change[out][:, None] + change[into] - 2 * matrix[np.ix_(out, into)])
    values = after[0] / after[1]
    i, j = np.unravel_index(int(np.argmax(values)), values.shape)
    return int(out[i]), int(into[j]), float(values[i, j])
