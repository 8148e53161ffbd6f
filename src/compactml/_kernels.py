"""Bits of 64-bit words in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import intrinsic

__all__ = ["first_bit", "popcount"]


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
