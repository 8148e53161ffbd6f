"""The rule for FICO that the paper prints at the end of section 4."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["PRINTED_RULE", "Condition", "holds", "printed_complexity"]

Condition = tuple[str, str, float]

PRINTED_RULE: tuple[tuple[Condition, ...], ...] = (
    (
        ("NumSatisfactoryTrades", ">=", 23),
        ("ExternalRiskEstimate", ">=", 70),
        ("NetFractionRevolvingBurden", "<=", 63),
    ),
    (
        ("NumSatisfactoryTrades", "<=", 22),
        ("ExternalRiskEstimate", ">=", 76),
        ("NetFractionRevolvingBurden", "<=", 78),
    ),
)
"""Its clauses. The signs are lost in our copy and follow from the description."""


def holds(X: pd.DataFrame, clause: tuple[Condition, ...]) -> NDArray[np.bool_]:
    """Rows that satisfy all conditions; a missing value satisfies none."""
    truth = [X[name] >= value if sign == ">=" else X[name] <= value for name, sign, value in clause]
    return np.logical_and.reduce([one.to_numpy() for one in truth])


def printed_complexity() -> int:
    """Clauses and conditions of the printed rule."""
    return sum(1 + len(clause) for clause in PRINTED_RULE)
