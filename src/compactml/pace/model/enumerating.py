"""Cells of a grid: all of them, or random ones of a region."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from compactml.pace.model.region import Region

__all__ = ["all_cells", "random_cells"]

_CHUNK = 2**16
_MAX_TRIES = 50
"""Cells drawn for each one wanted, before giving up on a region that is hard to hit."""


def all_cells(sizes: NDArray[np.int64]) -> Iterator[NDArray[np.int32]]:
    """Yield all codes of a grid, in chunks of shape (at most 65,536, n_features)."""
    n_cells = math.prod(sizes.tolist())
    cut = np.flatnonzero(sizes > 1)  # a feature without cuts has code 0, and NumPy takes no more than 64 axes
    for start in range(0, n_cells, _CHUNK):
        index = np.arange(start, min(start + _CHUNK, n_cells))
        codes = np.zeros((len(index), len(sizes)), dtype=np.int32)
        if len(cut):
            codes[:, cut] = np.stack(np.unravel_index(index, tuple(sizes[cut].tolist())), axis=1)
        yield codes


def random_cells(
    sizes: NDArray[np.int64], region: Region, n: int, starts: NDArray[np.int32], random_state: int
) -> Iterator[NDArray[np.int32]]:
    """Yield n random codes of the region, or fewer if it is hard to hit.

    A random walk: each step redraws a random share of the coordinates of a point of the region and keeps what stays
    inside. Small shares, drawn more often, reach narrow parts; a share of one is uniform on the grid.

    Parameters
    ----------
    sizes : ndarray of int, shape (n_features,)
    region : Region
    n : int
    starts : ndarray of int32, shape (k, n_features)
        Points of the region, may be empty.
    random_state : int
    """
    random = np.random.default_rng(random_state)
    pool, missing = starts, n
    for _ in range(math.ceil(n * _MAX_TRIES / _CHUNK)):
        fresh = random.integers(0, sizes, (_CHUNK, len(sizes)), dtype=np.int32)
        if len(pool):
            parents = pool[random.integers(len(pool), size=_CHUNK)]
            kept = random.random(fresh.shape) >= random.random((_CHUNK, 1)) ** 2
            fresh = np.where(kept, parents, fresh)
        inside = fresh[region.contains(fresh)][:missing]
        if len(inside) == 0:
            continue
        yield inside
        missing -= len(inside)
        if missing == 0:
            return
        pool = np.concatenate([starts, inside])
