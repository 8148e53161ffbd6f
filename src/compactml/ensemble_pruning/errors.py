"""Errors of the package."""

from __future__ import annotations

from typing import Any

from compactml.exceptions import CompactmlError

__all__ = ["DiversityInfeasibleError"]


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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.asked, self.largest, self.sizes)
