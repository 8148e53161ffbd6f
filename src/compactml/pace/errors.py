"""Errors of the package."""

from __future__ import annotations

from typing import Any

from compactml.errors import CompactmlError

__all__ = ["EmptyRegionError", "ScoreOverflowError", "UnfaithfulError"]


class ScoreOverflowError(CompactmlError, OverflowError):
    """Scaled scores times weights leave the range in which sums are exact."""

    def __init__(self, largest: int, limit: int) -> None:
        super().__init__(
            f"weights: must keep the sum of weights times scores at most {limit}, got {largest}; "
            "use fewer learners or coarser weights."
        )
        self.largest, self.limit = largest, limit


class EmptyRegionError(CompactmlError, ValueError):
    """No point of the space is in the region, so there is nothing to be faithful to.

    ``largest`` is the largest margin, as a share of the total weight, that a point of the plausible part of the space
    is known to reach, 0 without any; ``exact`` says whether it is proved that none reaches more.
    """

    def __init__(self, alpha: float, beta: float, largest: float, *, exact: bool = True) -> None:
        if largest > 0:
            reason = (
                f"the largest margin is {'' if exact else 'at least '}{largest:.6g}, so use a smaller alpha"
            )
        elif exact:
            reason = "no point that is as plausible has a clear label"
        else:
            reason = "there was no time left to look for the largest margin"
        super().__init__(
            f"alpha, beta: must leave a point in the region, got alpha={alpha:g} and beta={beta:g}; {reason}."
        )
        self.alpha, self.beta, self.largest, self.exact = alpha, beta, largest, exact


class UnfaithfulError(CompactmlError, AssertionError):
    """A point of the region is predicted differently although the label pair was reported as proved."""

    def __init__(self, n_points: int, initial: Any, compressed: Any) -> None:
        super().__init__(
            f"certificate: must hold at every point of the region, got {n_points} points that disagree, "
            f"the first one with label {initial!r} before and {compressed!r} after."
        )
        self.n_points, self.initial, self.compressed = n_points, initial, compressed
