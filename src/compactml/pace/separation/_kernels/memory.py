"""What the compiled search for a separating point works on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Groups", "Scratch"]


class Groups(NamedTuple):
    """The group of each piece; group g has the rows first_row[g] to first_row[g + 1] - 1."""

    of_piece: NDArray[np.int64]
    first_row: NDArray[np.int64]


class Scratch(NamedTuple):
    """Of the present node: its box, the combined value of each box of a piece, the rows' slacks where every piece has
    its best box, the largest value of each piece in a row, the multipliers, and of each (feature, code) what a group's
    bound loses at or below it and above it, and these losses as shares of the bounds, summed over the groups.
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    combined: NDArray[np.int64]
    slack: NDArray[np.int64]
    top: NDArray[np.int64]
    whole: NDArray[np.int64]
    best: NDArray[np.int64]
    direction: NDArray[np.float64]
    lost_below: NDArray[np.int64]
    lost_above: NDArray[np.int64]
    share_below: NDArray[np.float64]
    share_above: NDArray[np.float64]
    from_low: NDArray[np.int64]
    from_high: NDArray[np.int64]
