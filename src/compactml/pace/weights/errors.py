"""Errors of weights."""

from __future__ import annotations

from compactml.errors import CompactmlError

__all__ = ["NoPositiveMarginError", "WeightRoundingError"]


class WeightRoundingError(CompactmlError, ArithmeticError):
    """Weights whose margins are so small that no integers keep them positive."""

    def __init__(self, least: int, precision: int) -> None:
        super().__init__(
            f"weights: must have a positive margin on every sample after rounding to integers up to {precision:g}, "
            f"got a least margin of {least}; use a larger alpha."
        )
        self.least, self.precision = least, precision


class NoPositiveMarginError(CompactmlError, ValueError):
    """No weights give a positive margin on all rows."""

    def __init__(self, value: float) -> None:
        super().__init__(
            f"margins: must allow weights with a positive margin on every row, got at most {value:.3g} "
            "of the total weight."
        )
        self.value = value
