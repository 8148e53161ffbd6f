"""Measuring features within the time limit of a selection."""

from __future__ import annotations

from compactml.clock import Clock
from compactml.feature_selection.building import Coded, Measures, measures_of
from compactml.feature_selection.errors import TimeLimitTooShortError

__all__ = ["measured"]

SECONDS_OVER, SHARE_OVER = 0.5, 0.05
"""By how much measures may exceed a limit: half of what a fit may exceed it by, since a set is chosen after them."""


def measured(table: Coded, clock: Clock) -> Measures:
    """Measure features unless the clock stops before.

    Raises
    ------
    TimeLimitTooShortError
        It stopped long before their end.
    """
    limit = clock.limit
    if limit is None:
        return measures_of(table)
    n, p = table.codes.shape
    latest = limit + max(SECONDS_OVER, SHARE_OVER * limit)

    def look(share: float) -> None:
        if clock.seconds > latest:
            raise TimeLimitTooShortError(limit, n, p, share, clock.seconds)

    return measures_of(table, look)
