"""Points of a region that no training sample is in, or a proof that it is empty."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.errors import EmptyRegionError
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.region import Region
from compactml.pace.model.setting import Setting
from compactml.pace.separation.separator import Separator

__all__ = ["first_points"]


def first_points(
    setting: Setting, *, time_limit: float | None = None, random_state: int = 0
) -> NDArray[np.int32]:
    """Return points of the region to start from: the training samples in it, or else one point per label.

    Parameters
    ----------
    setting : Setting
    time_limit : float, optional
        Seconds for the search where no training sample is in the region.
    random_state : int, default 0

    Returns
    -------
    ndarray of int32, shape (k, n_features)
        Empty only if the time ran out.

    Raises
    ------
    EmptyRegionError
        It is proved that the region is empty; the error says what the largest margin is, as far as the time allows.
    """
    if len(setting.samples):
        return setting.samples
    clock = Clock(time_limit)
    points, empty = _search(setting, setting.region, clock, random_state)
    if empty:
        largest, exact = _largest_margin(setting, clock, random_state)
        raise EmptyRegionError(setting.alpha, setting.beta, largest / setting.initial.total, exact=exact)
    return points


def _search(
    setting: Setting, region: Region, clock: Clock, random_state: int
) -> tuple[NDArray[np.int32], bool]:
    """Points of the region, one per label that has any, and whether it is proved that there are none.

    An ensemble without learners ties everywhere and a tie separates, so every point of the region does.
    """
    n_classes = region.initial.n_classes
    nothing = IntegerEnsemble((), np.empty(0, dtype=np.int64), n_classes)
    pairs = [(label, (label + 1) % n_classes) for label in range(n_classes)]
    separator = Separator(setting.grid, region, random_state=random_state)
    found = separator.separate(nothing, pairs=pairs, time_limit=clock.allowance())
    return found.points, found.certified


def _largest_margin(setting: Setting, clock: Clock, random_state: int) -> tuple[int, bool]:
    """Largest margin of a plausible point that was found by bisection, and whether it is the largest of all.

    0 if no plausible point with a clear label was found.
    """
    low, high = 0, setting.region.least_margin - 1
    while low < high and not clock.stopped():
        middle = (low + high + 1) // 2
        region = replace(setting.region, least_margin=middle)
        points, empty = _search(setting, region, clock, random_state)
        if len(points):
            low = int(region.margins(points).max())
        elif empty:
            high = middle - 1
        else:
            break
    return low, low == high
