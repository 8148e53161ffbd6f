"""Problems 2 and 5: oracles of the specification, brute force, the paper's algorithm against the fast one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compactml.condition_sharing import minimum_intersecting_set, minimum_intersecting_set_dynamic
from compactml.errors import CompactmlError, InvalidDataError, InvalidParameterError

BOTH = pytest.mark.parametrize("solve", [minimum_intersecting_set, minimum_intersecting_set_dynamic])


def missed(lower, upper, points):
    return sum(not any(a <= s < b for s in points) for a, b in zip(lower, upper, strict=True))


def brute_force(lower, upper, exceptions):
    """Fewest points and, with so many points, fewest misses: every subset of the lower ends."""
    candidates = sorted(set(lower))
    for k in range(len(candidates) + 1):
        fewest = min(missed(lower, upper, points) for points in combinations(candidates, k))
        if fewest <= exceptions:
            return k, fewest
    raise AssertionError("all lower ends together hit everything")


@st.composite
def interval_lists(draw, max_size=7):
    ends = st.tuples(st.integers(0, 12), st.integers(1, 8))
    pairs = draw(st.lists(ends, min_size=1, max_size=max_size))
    return [float(a) for a, _ in pairs], [float(a + length) for a, length in pairs]


@BOTH
def test_oracle_o2(solve):
    points, group = solve([1, 2, 5, 7, 3], [4, 6, 8, 9, 5])
    assert points.tolist() == [3.5, 7.5]
    assert group.tolist() == [0, 0, 1, 1, 0]
    assert solve([1, 2], [2, 3])[0].tolist() == [1.5, 2.5]  # half-open: touching intervals share no point
    assert solve([2, 2], [7, 8])[0].tolist() == [4.5]


@BOTH
@pytest.mark.parametrize(
    ("intervals", "sizes"),
    [
        ([(0, 1), (2, 3), (4, 5), (0, 5)], [3, 2, 1, 1]),
        ([(0, 2), (1, 3), (2, 4), (3, 5), (4, 6)], [3, 2, 2, 1, 1]),
        ([(0, 1), (0, 10), (3, 4), (3, 8), (6, 7), (9, 10)], [4, 3, 2, 1, 1, 1]),
    ],
)
def test_oracle_o3(solve, intervals, sizes):
    lower, upper = zip(*intervals, strict=True)
    assert [len(solve(lower, upper, exceptions=c)[0]) for c in range(len(intervals))] == sizes


@BOTH
@given(interval_lists(), st.data())
@settings(max_examples=200, deadline=None)
def test_against_brute_force(solve, intervals, data):
    lower, upper = intervals
    exceptions = data.draw(st.integers(0, len(lower) - 1))
    points, group = solve(lower, upper, exceptions=exceptions)
    size, fewest = brute_force(lower, upper, exceptions)
    assert len(points) == size
    assert missed(lower, upper, points) == fewest
    assert (np.diff(points) > 0).all()
    for a, b, g in zip(lower, upper, group, strict=True):
        distance = [0 if a <= s < b else max(a - s, s - b) for s in points]
        assert distance[g] == min(distance)


@BOTH
def test_points_lie_in_their_intervals_whatever_the_ends(solve):
    inf, next_to_one = np.inf, np.nextafter(1.0, 2.0)
    lower = [-inf, 1.0, next_to_one, 3.0, 1.7e308]
    upper = [1.0, next_to_one, 2.0, inf, inf]
    points, group = solve(lower, upper)
    assert missed(lower, upper, points) == 0
    assert group.tolist() == [0, 1, 2, 3, 3]
    assert solve([-inf, -inf], [inf, inf], exceptions=1)[0].tolist() == [0.0]


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9])
def test_fast_search_equals_the_dynamic_program_on_many_intervals(share):
    rng = np.random.default_rng(7)
    lower = rng.random(900)
    upper = lower + rng.random(900) ** 4 / 2 + 1e-6
    c = int(share * lower.size)
    fast, _ = minimum_intersecting_set(lower, upper, exceptions=c)
    slow, _ = minimum_intersecting_set_dynamic(lower, upper, exceptions=c)
    assert len(fast) == len(slow)
    assert missed(lower, upper, fast) == missed(lower, upper, slow) <= c


def test_infinite_ends_give_finite_points():
    inf = np.inf
    assert minimum_intersecting_set([-inf, -inf], [3, inf])[0].tolist() == [np.nextafter(3.0, 0)]
    assert minimum_intersecting_set([2, -inf], [inf, inf])[0].tolist() == [2]
    assert minimum_intersecting_set([-inf], [inf])[0].tolist() == [0]


def test_neighbouring_doubles_keep_the_point_inside():
    low = 1.0
    high = np.nextafter(low, 2)
    points, _ = minimum_intersecting_set([low], [high])
    assert low <= points[0] < high


def test_no_interval_needs_no_point():
    points, group = minimum_intersecting_set([], [])
    assert points.size == group.size == 0


@BOTH
@pytest.mark.parametrize(
    ("lower", "upper"), [([1], [1]), ([2], [1]), ([np.nan], [1]), ([1, 2], [3]), ([[1]], [[2]])]
)
def test_bad_intervals_are_refused(solve, lower, upper):
    with pytest.raises(InvalidDataError, match="lower, upper"):
        solve(lower, upper)


@BOTH
@pytest.mark.parametrize("exceptions", [-1, 2, 1.0, True, None])
def test_bad_exceptions_are_refused(solve, exceptions):
    with pytest.raises(InvalidParameterError, match=r"exceptions: must be an integer in \[0, 1\]") as caught:
        solve([1, 2], [3, 4], exceptions=exceptions)
    assert isinstance(caught.value, CompactmlError)
