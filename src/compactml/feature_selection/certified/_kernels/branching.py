"""Compiled parts of the proofs: a convex quadratic problem on a simplex slice, its linear bound, depth-first search.

All indices are places within the base of some multipliers; ``k`` is their K and ``m`` the matrix M there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

UNITS = 65535
"""A point is stored as whole units; only its direction counts, it is scaled to the plane e'x = l."""

MOST_DEPTH = 200

OPEN, CLOSED, REFUTED = 0, 1, 2
FREE, IN, OUT = 0, 1, 2
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
def put_on_plane(x, free, n_free, left):  # type: ignore[no-untyped-def]
    """Scale the free entries of x, all in [0, 1], so that they sum up to ``left`` and stay in [0, 1]."""
    total = 0.0
    for i in range(n_free):
        x[free[i]] = min(max(x[free[i]], 0.0), 1.0)
        total += x[free[i]]
    if total > left:
        for i in range(n_free):
            x[free[i]] *= left / total
    elif total < left:
        share = (left - total) / (n_free - total)
        for i in range(n_free):
            x[free[i]] += share * (1.0 - x[free[i]])


@njit(cache=True)
def descend(k, linear, free, n_free, left, x, gradient, tolerance, max_steps):  # type: ignore[no-untyped-def]
    """Minimise x'Kx + linear'x over the free entries by exchanging mass between two of them at a time."""
    for i in range(n_free):
        gradient[free[i]] = linear[free[i]]
    for j in range(n_free):
        v = 2.0 * x[free[j]]
        if v > 0.0:
            row = k[free[j]]
            for i in range(n_free):
                gradient[free[i]] += v * row[free[i]]
    for _ in range(max_steps):
        low, high = np.inf, -np.inf
        gets, gives = -1, -1
        for i in range(n_free):
            j = free[i]
            if gradient[j] < low and x[j] < 1.0:
                low, gets = gradient[j], j
            if gradient[j] > high and x[j] > 0.0:
                high, gives = gradient[j], j
        if gets < 0 or gives < 0 or high - low <= tolerance:
            break
        most = min(1.0 - x[gets], x[gives])
        curvature = 2.0 * (k[gets, gets] + k[gives, gives] - 2.0 * k[gets, gives])
        mass = most if curvature <= 0.0 else min(most, (high - low) / curvature)
        if mass == most:  # leave no dust behind
            if x[gives] <= 1.0 - x[gets]:
                x[gets] += x[gives]
                x[gives] = 0.0
            else:
                x[gives] -= 1.0 - x[gets]
                x[gets] = 1.0
        else:
            x[gets] += mass
            x[gives] -= mass
        plus, minus = k[gets], k[gives]
        for i in range(n_free):
            gradient[free[i]] += 2.0 * mass * (plus[free[i]] - minus[free[i]])


@njit(cache=True)
def linear_bound(k, linear, constant, free, n_free, left, x, gradient, units, margin, decision):  # type: ignore[no-untyped-def]
    """The bound of x, which it rounds to ``units`` first; unless that closes the slice, what it decides.

    Returns the bound and the number of features decided; ``decision`` (by position in ``free``) is IN, OUT or FREE.
    """
    total = 0.0
    for i in range(n_free):
        units[i] = np.uint16(np.round(x[free[i]] * UNITS))
        total += units[i]
    curved = 0.0
    own = np.empty(n_free)
    for i in range(n_free):
        gradient[free[i]] = linear[free[i]]
    for j in range(n_free):
        if units[j] > 0:
            v = units[j] * (left / total)
            row = k[free[j]]
            for i in range(n_free):
                gradient[free[i]] += 2.0 * v * row[free[i]]
    for j in range(n_free):
        own[j] = gradient[free[j]]
        if units[j] > 0:
            curved += units[j] * (left / total) * (gradient[free[j]] - linear[free[j]])
    order = np.argsort(own)
    bound = constant - curved / 2.0
    for i in range(left):
        bound += own[order[i]]
    n_decided = 0
    if bound < margin:
        last_in, first_out = own[order[left - 1]], own[order[left]]
        for i in range(n_free):
            place = order[i]
            decision[place] = FREE
            if i < left and bound + first_out - own[place] >= margin:
                decision[place] = IN
            elif i >= left and bound + own[place] - last_in >= margin:
                decision[place] = OUT
            if decision[place] != FREE:
                n_decided += 1
    return bound, n_decided


@njit(cache=True)
def value_of_all(m, linear, constant, free, n_free):  # type: ignore[no-untyped-def]
    """F with all free features in."""
    value = constant
    for i in range(n_free):
        value += linear[free[i]]
        for j in range(n_free):
            value += m[free[i], free[j]]
    return value


@njit(cache=True)
def write_step(tape, units, n_free, free, decision, n_decided):  # type: ignore[no-untyped-def]
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
def take_in(m, place, linear, constant, free, n_free):  # type: ignore[no-untyped-def]
    """Update ``linear`` of the others for a feature that goes in; returns the new constant."""
    value = constant + m[place, place] + linear[place]
    for i in range(n_free):
        linear[free[i]] += 2.0 * m[place, free[i]]
    return value


@njit(cache=True)
def search(  # type: ignore[no-untyped-def]
    m, k, y, linear0, constant0, state0, left0, x0, margin, tolerance, max_nodes, tape, counterexample
):
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
                n_free = 0
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
