"""The printed Algorithms 3 and 4 fail; with every listed defect mended they are right."""

import numpy as np
import pytest

from compactml.condition_sharing import minimum_intersecting_set
from compactml.condition_sharing.errata import DEFECTS, PrintedAlgorithmError, as_printed


def test_printed_version_cannot_be_carried_out():
    with pytest.raises(PrintedAlgorithmError, match="Algorithm 4, line 18"):
        as_printed([0, 0, 2, 4], [1, 5, 3, 5], 0)


@pytest.mark.parametrize("left_out", ["4.18", "4.8", "3.4", "3.11", "3.14"])
def test_each_defect_matters(left_out):
    rng = np.random.default_rng(1)
    mended = frozenset(DEFECTS) - {left_out}
    assert any(not agrees(rng, mended) for _ in range(100))


def test_all_mended_agrees_with_the_minimum():
    rng = np.random.default_rng(2)
    assert all(agrees(rng, frozenset(DEFECTS)) for _ in range(500))


def agrees(rng, mended):
    p = int(rng.integers(1, 8))
    lower = np.sort(rng.integers(0, 10, p)).astype(float)
    upper = lower + rng.integers(1, 6, p)
    c = int(rng.integers(0, p))
    try:
        points = as_printed(lower.tolist(), upper.tolist(), c, mended=mended)
    except PrintedAlgorithmError:
        return False
    hit = [any(a <= s < b for s in points) for a, b in zip(lower, upper, strict=True)]
    return (
        len(points) == len(minimum_intersecting_set(lower, upper, exceptions=c)[0]) and hit.count(False) <= c
    )
