"""Errors of the package."""

from __future__ import annotations

from compactml.errors import CompactmlError

__all__ = ["DiversityInfeasibleError", "DiversityUndecidedError"]


class DiversityInfeasibleError(CompactmlError, ValueError):
    """No set of the sizes asked for is as diverse as asked for.

    ``largest`` is the largest feasible value of the limit.
    """

    def __init__(self, name: str, asked: float, largest: float, sizes: str) -> None:
        super().__init__(
            f"{name}: must be at most {largest:.6g}, the largest value that a set of {sizes} classifiers can meet, "
            f"got {asked:.6g}."
        )
        self.name, self.asked, self.largest, self.sizes = name, asked, largest, sizes


class DiversityUndecidedError(CompactmlError, TimeoutError):
    """In the time given, no set was found that is as diverse as asked for, and none was excluded."""

    def __init__(self, min_size: int, seconds: float) -> None:
        super().__init__(
            f"min_pfc, mean_pfc: must leave a set of at least {min_size} classifiers, which is undecided after "
            f"{seconds:.3g} seconds; lower min_size or the limits, or give more time."
        )
        self.min_size, self.seconds = min_size, seconds
