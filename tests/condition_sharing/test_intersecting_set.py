"""Problems 2 and 5: oracles of the specification, brute force, the paper's algorithm against the fast one."""

from fractions import Fraction
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


HUGE = [-1.7e308, -1.2e308, -9.1e307, -4e307, 0.0, 4e307, 9.1e307, 1.2e308, 1.7e308]


@BOTH
@pytest.mark.parametrize("seed", range(60))
def test_ends_near_the_largest_double_have_points_between_them(solve, seed):
    rng = np.random.default_rng(seed)
    pairs = [sorted(rng.choice(len(HUGE), 2, replace=False)) for _ in range(rng.integers(1, 6))]
    lower, upper = ([HUGE[pair[i]] for pair in pairs] for i in (0, 1))
    for exceptions in range(len(lower)):
        points, group = solve(lower, upper, exceptions=exceptions)
        assert (len(points), missed(lower, upper, points)) == brute_force(lower, upper, exceptions)
        for a, b, g in zip(lower, upper, group, strict=True):
            distance = [
                0 if a <= s < b else max(Fraction(a) - Fraction(s), Fraction(s) - Fraction(b)) for s in points
            ]
            assert distance[g] == min(distance)


def test_the_midpoint_of_two_huge_ends_is_their_midpoint():
    assert minimum_intersecting_set([-1.7e308], [-1e308])[0].tolist() == [-1.35e308]
    assert minimum_intersecting_set([1e308], [1.7e308])[0].tolist() == [1.35e308]


@BOTH
def test_an_exception_between_two_points_goes_right_on_a_tie(solve):
    # points 0.5 and 9.5 (two intervals each); [4, 6) is left out and as far from both
    points, group = solve([0, 0, 4, 9, 9], [1, 1, 6, 10, 10], exceptions=1)
    assert points.tolist() == [0.5, 9.5]
    assert group.tolist() == [0, 0, 1, 1, 1]


def plain_dynamic_program(lower, upper, c):
    """Recursion (1) word by word, 1-based: the points and, of several h, the smallest."""
    order = sorted(range(len(lower)), key=lambda j: lower[j])
    ends = {i: (lower[j], upper[j]) for i, j in enumerate(order, 1)}
    p = len(lower)
    beta = {i: min([m for m in ends if ends[m][0] >= ends[i][1]], default=p + 1) for i in ends}
    alpha = {i: sorted(range(p, i - 1, -1), key=lambda m: (ends[m][1], m)) for i in ends}
    fewest = {(p + 1, j): 0 for j in range(c + 1)}
    chosen = {}
    for i in range(p, 0, -1):
        for j in range(c + 1):
            if i + j > p:
                fewest[i, j] = 0
                continue
            options = [(fewest[beta[alpha[i][h]], j - h] + 1, h) for h in range(min(j, p - i) + 1)]
            fewest[i, j], chosen[i, j] = min(options)
    j = min(j for j in range(c + 1) if fewest[1, j] == fewest[1, c])
    i, points = 1, []
    while fewest[i, j] > 0:
        a = alpha[i][chosen[i, j]]
        points.append((ends[beta[a] - 1][0] + ends[a][1]) / 2)
        i, j = beta[a], j - chosen[i, j]
    return points


@given(interval_lists(max_size=12), st.data())
@settings(max_examples=150, deadline=None)
def test_the_dynamic_program_takes_the_points_of_the_recursion(intervals, data):
    """It tries fewer h than Equation (1) and stops early: the points are the same."""
    lower, upper = intervals
    c = data.draw(st.integers(0, len(lower) - 1))
    points, _ = minimum_intersecting_set_dynamic(lower, upper, exceptions=c)
    assert points.tolist() == plain_dynamic_program(lower, upper, c)
