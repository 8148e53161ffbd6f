"""The pairs of patterns of which at least one is called wrong, whatever monotone combination decides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds._kernels.quadruples import dominance
from compactml.ensemble_pruning.instance import PruningInstance

__all__ = ["dominated_pairs"]

AT_ONCE = 100_000_000
"""Words compared between two looks at the clock: some tenths of a second."""


def dominated_pairs(instance: PruningInstance, clock: Clock | None = None) -> NDArray[np.intp]:
    """Return the pairs b <= a of a positive and a negative pattern, shape (r, 2), as far as there is time to look.

    Each pair is a conflict of its own, so a part of them proves what it proves.
    """
    positive, negative = np.flatnonzero(instance.gains > 0), np.flatnonzero(instance.gains < 0)
    low, high = instance.packed[positive], instance.packed[negative]
    rows = max(1, AT_ONCE // max(high.size, 1))
    conflicts = [np.empty((0, 2), dtype=np.intp)]
    for start in range(0, len(low), rows):
        below = dominance(low[start : start + rows], high)
        # Many times as fast as nonzero of the matrix.
        b, a = np.divmod(np.flatnonzero(below), max(len(high), 1))
        conflicts.append(np.column_stack([positive[start + b], negative[a]]))
        if clock is not None and clock.stopped():
            break
    return np.concatenate(conflicts)
