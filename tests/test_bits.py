"""What compiled code of several packages calls: bits of words, and an order."""

import numpy as np
import pytest

from compactml._kernels import ascending, first_bit, popcount


def test_bits_are_counted_and_counts_can_be_subtracted() -> None:
    words = np.random.default_rng(0).integers(0, 2**64, 100, dtype=np.uint64, endpoint=False)
    words = np.append(words, np.array([0, 1, 2**63, 2**64 - 1], dtype=np.uint64))
    counts = [popcount(word) for word in words]
    assert counts == [int(word).bit_count() for word in words]
    assert popcount(words[-4]) - popcount(words[-1]) == -64


def test_the_lowest_bit_is_found() -> None:
    assert [first_bit(np.uint64(1) << np.uint64(place)) for place in range(64)] == list(range(64))
    assert first_bit(np.uint64(0b1011000)) == 3
    assert first_bit(np.uint64(2**64 - 1)) == 0
    assert first_bit(np.uint64(0)) == 64


@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 37, 64, 101])
def test_places_in_ascending_order_and_equal_ones_as_they_stand(n: int) -> None:
    values = np.random.default_rng(n).integers(-3, 4, n).astype(float)
    assert ascending(values).tolist() == np.argsort(values, kind="stable").tolist()
