"""Compiled: sums and products with twice the digits of a double, as unevaluated pairs (Dekker, 1971)."""

from __future__ import annotations

import numba

__all__ = ["pair_difference", "pair_quotient", "pair_square", "pair_sum", "product"]

SPLITTER = 134217729.0  # 2**27 + 1: halves the 53 digits


@numba.njit(cache=True, inline="always")
def _sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b and its rounding error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@numba.njit(cache=True, inline="always")
def product(a: float, b: float) -> tuple[float, float]:
    """Return a * b and its rounding error."""
    p = a * b
    scaled_a, scaled_b = SPLITTER * a, SPLITTER * b
    a_high, b_high = scaled_a - (scaled_a - a), scaled_b - (scaled_b - b)
    a_low, b_low = a - a_high, b - b_high
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


@numba.njit(cache=True, inline="always")
def pair_sum(a: float, a_error: float, b: float, b_error: float) -> tuple[float, float]:
    """The sum of two pairs."""
    total, error = _sum(a, b)
    return _sum(total, error + (a_error + b_error))


@numba.njit(cache=True, inline="always")
def pair_difference(a: float, a_error: float, b: float, b_error: float) -> tuple[float, float]:
    """The difference of two pairs."""
    return pair_sum(a, a_error, -b, -b_error)


@numba.njit(cache=True, inline="always")
def pair_square(a: float, a_error: float) -> tuple[float, float]:
    """The square of a pair."""
    square, error = product(a, a)
    return _sum(square, error + 2.0 * a * a_error)


@numba.njit(cache=True, inline="always")
def pair_quotient(a: float, a_error: float, divisor: float) -> tuple[float, float]:
    """A pair divided by a double."""
    quotient = a / divisor
    back, error = product(quotient, divisor)
    rest = ((a - back) - error) + a_error
    return _sum(quotient, rest / divisor)
