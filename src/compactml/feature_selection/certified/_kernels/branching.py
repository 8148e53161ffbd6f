"""Compiled depth-first search of a proof, which writes its steps on a tape.

All indices are places within the base of some multipliers; ``k`` is their K and ``m`` the matrix M there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.feature_selection.certified._kernels.slices import (
    FREE,
    IN,
    OUT,
    descend,
    linear_bound,
    put_on_plane,
    value_of_all,
)

MOST_DEPTH = 200

OPEN, CLOSED, REFUTED = 0, 1, 2
N_NODES, N_STEPS, N_UNITS, N_DECIDED, N_COUNTS = range(5)


class Tape(NamedTuple):
    """The proof in the order of the search. Of each node: how many steps, and the place branched on (-1: a leaf). Of
    each step: how many units and decisions. A decision is 2 * place + 1 for in and 2 * place for out.
    """

    steps: NDArray[np.int32]
    branch: NDArray[np.int32]
    n_units: NDArray[np.int32]
    n_decided: NDArray[np.int32]
    units: NDArray[np.uint16]
    decided: NDArray[np.int32]
    counts: NDArray[np.int64]


@njit(cache=True)
def write_step(
    tape: Tape,
    units: NDArray[np.uint16],
    n_free: int,
    free: NDArray[np.int64],
    decision: NDArray[np.int8],
    n_decided: int,
) -> bool:
    """Append a step to the tape; False when it is full."""
    counts = tape.counts
    u, d, s = counts[N_UNITS], counts[N_DECIDED], counts[N_STEPS]
    if u + n_free > len(tape.units) or d + n_decided > len(tape.decided) or s >= len(tape.n_units):
        return False
    tape.units[u : u + n_free] = units[:n_free]
    for i in range(n_free):
        if n_decided > 0 and decision[i] != FREE:
            tape.decided[d] = 2 * free[i] + (1 if decision[i] == IN else 0)
            d += 1
    tape.n_units[s], tape.n_decided[s] = n_free, n_decided
    counts[N_STEPS], counts[N_UNITS], counts[N_DECIDED] = s + 1, u + n_free, d
    tape.steps[counts[N_NODES] - 1] += 1
    return True


@njit(cache=True)
def take_in(
    m: NDArray[np.float64],
    place: int,
    linear: NDArray[np.float64],
    constant: float,
    free: NDArray[np.int64],
    n_free: int,
) -> float:
    """Update ``linear`` of the others for a feature that goes in; returns the new constant."""
    value = constant + m[place, place] + linear[place]
    for i in range(n_free):
        linear[free[i]] += 2.0 * m[place, free[i]]
    return value


@njit(cache=True)
def search(
    m: NDArray[np.float64],
    k: NDArray[np.float64],
    y: NDArray[np.float64],
    linear0: NDArray[np.float64],
    constant0: float,
    state0: NDArray[np.int8],
    left0: int,
    x0: NDArray[np.float64],
    margin: float,
    tolerance: float,
    max_nodes: int,
    tape: Tape,
    counterexample: NDArray[np.bool_],
) -> int:
    """Depth-first search with fixed multipliers.

    Parameters: ``linear0`` is the slice's q (without y) on the base and ``state0`` says which places are free. Returns
    CLOSED with the proof on the tape, OPEN when the nodes or the tape ran out, or REFUTED with a set of negative F.
    """
    n = len(y)
    levels = min(n + 1, MOST_DEPTH)
    state, linear, x = np.empty((levels, n), np.int8), np.empty((levels, n)), np.empty((levels, n))
    constant, left = np.empty(levels), np.empty(levels, np.int64)
    branch, stage = np.empty(levels, np.int64), np.zeros(levels, np.int64)
    gradient, units = np.empty(n), np.empty(n, np.uint16)
    decision, free, total_linear = np.zeros(n, np.int8), np.empty(n, np.int64), np.empty(n)
    state[0], linear[0], x[0], constant[0], left[0] = state0, linear0, x0, constant0, left0
    depth = 0
    while depth >= 0:
        if stage[depth] == 0:
            if tape.counts[N_NODES] >= max_nodes:
                return OPEN
            tape.steps[tape.counts[N_NODES]] = 0
            node = tape.counts[N_NODES]
            tape.branch[node] = -1
            tape.counts[N_NODES] += 1
            closed = False
            while True:
                n_free: Any = np.int64(0)  # not 0: what takes it would be compiled for the constant, too
                for j in range(n):
                    if state[depth, j] == FREE:
                        free[n_free] = j
                        n_free += 1
                if left[depth] == 0 or left[depth] == n_free:
                    value = constant[depth]
                    if left[depth] > 0:
                        value = value_of_all(m, linear[depth], value, free, n_free)
                    if value < 0.0:
                        for j in range(n):
                            counterexample[j] = state[depth, j] == IN or (
                                state[depth, j] == FREE and left[depth] > 0
                            )
                        return REFUTED
                    closed = True
                    break
                put_on_plane(x[depth], free, n_free, left[depth])
                total_linear[:] = linear[depth] + y
                descend(k, total_linear, free, n_free, left[depth], x[depth], gradient, tolerance, 20 * n)
                bound, n_decided = linear_bound(
                    k, total_linear, constant[depth], free, n_free, left[depth], x[depth],
                    gradient, units, margin, decision,
                )  # fmt: skip
                if bound < margin and n_decided == 0:
                    break
                if not write_step(tape, units, n_free, free, decision, 0 if bound >= margin else n_decided):
                    return OPEN
                if bound >= margin:
                    closed = True
                    break
                for i in range(n_free):
                    if decision[i] == FREE:
                        continue
                    j = free[i]
                    state[depth, j] = decision[i]
                    if decision[i] == IN:
                        constant[depth] = take_in(m, j, linear[depth], constant[depth], free, n_free)
                        left[depth] -= 1
            if closed:
                depth -= 1
                continue
            most, chosen = -1.0, -1
            for i in range(n_free):
                j = free[i]
                fraction = min(x[depth, j], 1.0 - x[depth, j])
                if fraction > most:
                    most, chosen = fraction, j
            branch[depth] = chosen
            tape.branch[node] = chosen
            stage[depth] = 1
            if depth + 1 == MOST_DEPTH:
                return OPEN
        if stage[depth] == 3:
            stage[depth] = 0
            depth -= 1
            continue
        j = branch[depth]
        into = stage[depth] == 1
        stage[depth] += 1
        child = depth + 1
        stage[child] = 0
        state[child], linear[child], x[child] = state[depth], linear[depth], x[depth]
        constant[child], left[child] = constant[depth], left[depth]
        state[child, j] = IN if into else OUT
        if into:
            n_free = 0
            for i in range(n):
                if state[depth, i] == FREE:
                    free[n_free] = i
                    n_free += 1
            constant[child] = take_in(m, j, linear[child], constant[depth], free, n_free)
            left[child] -= 1
        depth = child
    return CLOSED
