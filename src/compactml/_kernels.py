"""What compiled code of several packages calls: bits of 64-bit words, and an order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import intrinsic
from numpy.typing import NDArray

__all__ = ["ascending", "first_bit", "popcount"]


def _count_ones(_context: Any, word: Any) -> Any:
    """Numba's signature and code of the machine instruction."""

    def code(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return word(word), code


_instruction: Any = intrinsic(_count_ones)


@njit(cache=True)
def popcount(word: np.uint64) -> int:
    """Return the number of bits that are set in a uint64, as an int64: counts are subtracted from each other."""
    count: Any = np.int64(_instruction(word))
    return count


@njit(cache=True)
def first_bit(word: np.uint64) -> int:
    """Return the place of the lowest bit that is set in a uint64, as an int64; 64 if none is."""
    return popcount(~word & (word - np.uint64(1)))


@njit(cache=True)
def ascending(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the places of the values in ascending order, equal ones as they stand.

    Numba's own ``argsort`` takes five times as long to compile.
    """
    n = len(values)
    order, spare = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for i in range(n):
        order[i] = i
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            left, right = low, middle
            for k in range(low, high):
                if left < middle and (right >= high or values[order[left]] <= values[order[right]]):
                    spare[k] = order[left]
                    left += 1
                else:
                    spare[k] = order[right]
                    right += 1
        order, spare = spare, order
        width *= 2
    return order
