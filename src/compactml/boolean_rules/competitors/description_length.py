"""Bits that a rule set and its exceptions take, as RIPPER counts them."""

from __future__ import annotations

from math import log2

__all__ = ["data_bits", "rule_bits", "subset_bits"]

REDUNDANCY = 0.5
"""Cohen (1995), section 3.2: conditions can be written in many orders, so half the bits are enough."""


def subset_bits(total: int, chosen: int, p: float) -> float:
    """Bits to say which ``chosen`` of ``total`` things, if each is expected with probability p."""
    hit = -chosen * log2(p) if chosen else 0.0
    rest = total - chosen
    return hit + (-rest * log2(1 - p) if rest else 0.0)


def rule_bits(n_conditions: int, n_columns: int) -> float:
    """Bits of one rule: how many conditions it has, and which of the columns."""
    if n_conditions == 0:
        return 0.0
    length = log2(n_conditions) + (2 * log2(log2(n_conditions)) if n_conditions > 2 else 0.0)
    chosen = subset_bits(n_columns, n_conditions, n_conditions / n_columns)
    return REDUNDANCY * (length + chosen)


def data_bits(n: int, n_covered: int, false_hits: int, misses: int, expected: float) -> float:
    """Bits to list the rows that are covered but not of the class, and those of the class not covered.

    The larger of the two parts (covered, not covered) is given the errors that are expected of it, as WEKA does after
    Quinlan (1995); the smaller one has its own rate.

    Parameters
    ----------
    n, n_covered : int
        Rows, and rows that a rule covers.
    false_hits, misses : int
        Errors among the covered and among the others.
    expected : float
        Expected share of false hits among all errors; the share of the class among the rows.
    """
    not_covered = n - n_covered
    errors = false_hits + misses
    if n_covered > not_covered:
        rates = expected * errors / n_covered, misses / not_covered if not_covered else 0.0
    else:
        rates = (
            false_hits / n_covered if n_covered else 0.0,
            (1 - expected) * errors / not_covered,
        )
    parts = subset_bits(n_covered, false_hits, rates[0]) + subset_bits(not_covered, misses, rates[1])
    return log2(n + 1) + parts
