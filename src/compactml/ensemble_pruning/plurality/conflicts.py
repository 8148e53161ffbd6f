"""A bound on what sets of classifiers can call rightly by plurality: points that exclude each other, in pairs.

Not in the paper. A row (d, delta) of a point i and one (d', delta') of a point j ask for d.x >= delta and
d'.x >= delta'. Their sum (d + d').x is at most E = sum of max(0, d_k + d'_k), so where E < delta + delta' no set calls
both points rightly: e_i + e_j >= 1. The cheapest fractional errors that meet these rows are half of a maximum flow in
the graph that has each point on both sides, joined where they exclude each other; the flow itself is the proof,

    2 sum of g_i e_i >= sum of y_ij (e_i + e_j) >= sum of y_ij    for any flow y >= 0 within the capacities g.

For two classes this is the isotonic bound, without the threshold.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds.cover import cover_rows
from compactml.ensemble_pruning.plurality.instance import PluralityInstance

__all__ = ["Conflicts", "conflicts_of", "excluding"]

LARGEST_FLOW = 2**30
"""scipy counts flow in 32 bits; both sides have each point."""
MOST_ROWS = 6000
"""Of which all pairs are looked at; a bound on some of the points is one on all."""
ROWS_AT_ONCE = 1000


class Conflicts(NamedTuple):
    """Proved least worth of wrong calls in units of the instance, and the pairs that carry the proof.

    ``rows`` has shape (c, m) and 1 at both points of each pair: every set calls at least one of them wrong.
    """

    errors: float
    rows: sparse.csr_array


def excluding(instance: PluralityInstance, clock: Clock) -> NDArray[np.intp]:
    """Pairs i < j of points that no set calls rightly both, shape (c, 2); only some where the time ends before."""
    d, delta = instance.margins[:MOST_ROWS], instance.deltas[:MOST_ROWS].astype(np.float32)
    points = instance.points[:MOST_ROWS]
    up, not_down = (d == 1).astype(np.float32), (d >= 0).astype(np.float32)
    parts = []
    for start in range(0, len(d), ROWS_AT_ONCE):
        if clock.stopped():
            break
        part, later = slice(start, start + ROWS_AT_ONCE), slice(start, None)  # points lie in their order
        most = up[part] @ not_down[later].T + not_down[part] @ up[later].T
        i, j = np.nonzero(most < delta[part, np.newaxis] + delta[later])
        i, j = points[part][i], points[later][j]
        parts.append(np.column_stack([i, j])[i < j])
    pairs = np.concatenate([*parts, np.zeros((0, 2), dtype=np.intp)])
    return np.unique(pairs, axis=0)


def conflicts_of(instance: PluralityInstance, clock: Clock) -> Conflicts:
    """The bound of an instance by the pairs that there is time for; see the head of the module."""
    pairs, m = excluding(instance, clock), len(instance.gains)
    if not len(pairs):
        return Conflicts(0.0, cover_rows(pairs, m))
    total = float(instance.gains.sum())
    whole = instance.integral and total < LARGEST_FLOW
    scale = 1.0 if whole else LARGEST_FLOW / (total + 1.0)
    capacity = np.floor(instance.gains * scale).astype(
        np.int32
    )  # smaller capacities prove less, never too much
    i, j = np.concatenate([pairs, pairs[:, ::-1]]).T
    source, sink = 2 * m, 2 * m + 1
    every = np.arange(m)
    tails = np.concatenate([np.full(m, source), i, m + every])
    heads = np.concatenate([every, m + j, np.full(m, sink)])
    most = np.concatenate([capacity, np.minimum(capacity[i], capacity[j]), capacity])
    graph = sparse.csr_array((most, (tails, heads)), shape=(2 * m + 2, 2 * m + 2))
    flow = csgraph.maximum_flow(graph, source, sink)
    carried = np.asarray(flow.flow[i, m + j]).ravel() > 0
    ends = np.sort(np.column_stack([i, j])[carried], axis=1)
    return Conflicts(flow.flow_value / 2 / scale, cover_rows(np.unique(ends, axis=0), m))
