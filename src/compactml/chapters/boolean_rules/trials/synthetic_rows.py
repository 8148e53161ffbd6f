"""The generated data of the growth study: bins, the true rules, and labels with noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.literals import Literals

__all__ = ["COMPLEXITY", "LEARNING_GAP", "LEARNING_SIZE", "NOISE", "N_ATTRIBUTES", "in_clause", "synthetic"]

N_ATTRIBUTES, N_BINS, NOISE = 12, 10, 0.1
COMPLEXITY, LEARNING_SIZE, LEARNING_GAP = 14, 3, 0.01
"""How it is learned: C, the most literals of a clause, and the relative gap at which to stop."""


def synthetic(n: int, seed: int) -> Instance:
    """Uniform bins of ``N_ATTRIBUTES`` attributes, a DNF of three clauses as label, and noise on the label."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, N_BINS, (n, N_ATTRIBUTES)).astype(np.int16)
    y = in_clause(codes, 0) | in_clause(codes, 3) | in_clause(codes, 6)
    return Instance.from_codes(codes, y ^ (rng.random(n) < NOISE), thresholds())


def in_clause(codes: NDArray[np.int16], first: int) -> NDArray[np.bool_]:
    """Rows of one true clause: the lower, the middle and the upper bins of three attributes."""
    low, middle, high = (codes[:, first + k] for k in range(3))
    return np.asarray((low < 6) & (middle >= 2) & (middle < 8) & (high >= 4))


def thresholds() -> Literals:
    """``<=`` and ``>`` at each inner border of the bins."""
    cut = np.tile(np.arange(1, N_BINS, dtype=np.int32), 2 * N_ATTRIBUTES)
    attribute = np.repeat(np.arange(N_ATTRIBUTES, dtype=np.int32), 2 * (N_BINS - 1))
    upper = np.tile(np.repeat([False, True], N_BINS - 1), N_ATTRIBUTES)
    names = tuple(
        f"x{a} {'>' if above else '<='} {t}" for a, above, t in zip(attribute, upper, cut, strict=True)
    )
    return Literals(
        attribute,
        np.where(upper, cut, 0).astype(np.int32),
        np.where(upper, N_BINS, cut).astype(np.int32),
        np.zeros(len(cut), dtype=bool),
        (2 * attribute + upper).astype(np.int32),
        names,
        np.full(N_ATTRIBUTES, N_BINS, dtype=np.int32),
    )
