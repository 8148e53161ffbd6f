"""The enumeration behind the counts, by hand and against points drawn at random; and what is committed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks import highs_random
from benchmarks.random_programs import SHAPES, optimum, solutions
from compactml.solvers import MixedIntegerProgram, violation


def test_by_hand():
    """Corners with one and with two continuous columns; and none."""
    one = MixedIntegerProgram([2, 3], [[1, 1]], 4.5, upper=10, integrality=[False, True])
    assert optimum(one)[0] == 9
    two = MixedIntegerProgram([-1, -1, 1], [[1, 2, -4], [2, 1, -4]], row_upper=0, upper=[5, 5, 1],
                              integrality=[False, False, True])  # fmt: skip
    assert optimum(two)[0] == pytest.approx(-8 / 3 + 1)
    assert optimum(MixedIntegerProgram([1], [[2]], 1, 1, upper=3, integrality=True)) is None


@pytest.mark.parametrize("shape", SHAPES)
def test_no_point_is_better_than_the_optimum(shape):
    rng = np.random.default_rng([1, *shape.encode()])
    for _ in range(20):
        problem = SHAPES[shape](rng)
        assert problem.integrality.sum() <= 12
        best = optimum(problem)
        points = rng.uniform(problem.lower, problem.upper + 1e-12, (500, problem.n_columns))
        points[:, problem.integrality] = np.round(points[:, problem.integrality])
        values = [problem.value(point) for point in points if violation(problem, point) <= 1e-9]
        if best is None:
            assert not values
            continue
        assert violation(problem, best[1]) <= 1e-8
        assert problem.value(best[1]) == pytest.approx(best[0])
        sign = 1 if problem.sense == "min" else -1
        assert all(sign * value >= sign * best[0] - 1e-9 for value in values)
        assert all(violation(problem, point) <= 1e-8 for found in solutions(problem) for point in found[:3])


def test_counts_of_a_few_programs():
    table = highs_random.counts("highs", each=8)
    assert table["programs"].sum() == 2 * 8 * len(SHAPES)
    assert table["wrong"].sum() == 0


def test_the_committed_counts_are_of_at_least_seven_thousand_programs():
    table = pd.read_csv(highs_random.COUNTS)
    ours = table[table["solver"].str.startswith("highs 1.16")]
    assert ours.loc[ours["start"] == "none", "programs"].sum() >= 7000


def test_counts_of_one_version_take_the_place_of_its_earlier_ones(tmp_path):
    path = tmp_path / "counts.csv"
    first = pd.DataFrame({"shape": ["a", "b"], "wrong": [1, 0], "solver": ["x 1", "x 1"]})
    highs_random.note(first, path)
    highs_random.note(first.assign(solver="x 2"), path)
    highs_random.note(first.iloc[:1].assign(wrong=0), path)
    assert pd.read_csv(path)["solver"].tolist() == ["x 2", "x 2", "x 1"]
