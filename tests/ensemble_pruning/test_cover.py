"""Rows and the exact value of multipliers, against fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from compactml.ensemble_pruning.bounds.cover import cover_rows, proved_errors


def in_fractions(rows, multipliers, gains):
    """Sum of y less what the columns receive above |g|, without rounding."""
    y = [max(Fraction(float(value)), Fraction(0)) for value in multipliers]
    received = [sum((y[r] for r in np.flatnonzero(column)), Fraction(0)) for column in rows.toarray().T]
    over = [
        max(got - abs(Fraction(float(gain))), Fraction(0)) for got, gain in zip(received, gains, strict=True)
    ]
    return sum(y, Fraction(0)) - sum(over, Fraction(0))


def cheapest_cover(rows, gains):
    dense = rows.toarray()
    covers = (np.array(e) for e in product((0, 1), repeat=dense.shape[1]))
    return min(float(np.abs(gains) @ e) for e in covers if (dense @ e >= 1).all())


def test_a_pattern_counts_once_in_its_row():
    rows = cover_rows(np.array([[0, 0, 2, 3], [1, 2, 3, 3]]), 5)
    assert rows.toarray().tolist() == [[1, 0, 1, 1, 0], [0, 1, 1, 1, 0]]


@pytest.mark.parametrize("seed", range(20))
def test_dyadic_multipliers_are_evaluated_exactly(seed):
    rng = np.random.default_rng(seed)
    rows, gains = cover_rows(rng.integers(0, 8, (6, 4)), 8), rng.integers(-9, 0, 8).astype(float)
    multipliers = rng.integers(-(2**10), 2**12, 6) / 2**10  # some below 0, some columns overpaid
    exact = in_fractions(rows, multipliers, gains)
    assert Fraction(proved_errors(rows, multipliers, gains, integral=False)) == max(exact, 0)
    assert exact <= cheapest_cover(rows, gains)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("scale", [0.1, 1e7, 3e12])
def test_any_multipliers_prove_something(seed, scale):
    rng = np.random.default_rng(seed)
    rows, gains = cover_rows(rng.integers(0, 8, (6, 4)), 8), scale * rng.choice([-1, 1], 8) * rng.random(8)
    multipliers = rng.normal(0.5, 1.0, 6) * scale
    proved = proved_errors(rows, multipliers, gains, integral=False)
    exact = max(float(in_fractions(rows, multipliers, gains)), 0.0)
    assert proved == pytest.approx(exact, rel=1e-9, abs=1e-9 * scale)
    assert proved <= cheapest_cover(rows, gains)


@pytest.mark.parametrize("seed", range(10))
def test_integer_costs_are_rounded_up(seed):
    rng = np.random.default_rng(seed)
    rows, gains = cover_rows(rng.integers(0, 7, (8, 3)), 7), rng.integers(1, 4, 7).astype(float)
    multipliers = rng.random(8)
    proved = proved_errors(rows, multipliers, gains, integral=True)
    below = proved_errors(rows, multipliers, gains, integral=False)
    assert proved.is_integer()
    assert below <= proved < below + 1
    assert proved <= cheapest_cover(rows, gains)
