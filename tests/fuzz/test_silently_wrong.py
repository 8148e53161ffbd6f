"""The kinds of input that once gave a wrong answer without a word, 108 of them: each is refused by name, or right."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from compactml.boolean_rules import DecileBinarizer
from compactml.condition_sharing import certify, node_intervals
from compactml.errors import InvalidDataError
from compactml.feature_selection import (
    FractionalProgram,
    class_information,
    entropies,
    mutual_information,
    solve,
    symmetrical_uncertainty,
)
from tests.fuzz.targets.given import some_forest

NOT_CODES = (
    [[0.5], [1]], [[0], [1.5]], [[np.nan], [1]], [[0.0], [1.0]], [[np.inf], [1]], [[-0.5], [0]], [[1e300], [0]],
    [[-1], [0]], [[0], [-(2**63)]], [[0, 1], [1, -1]], [["a"], ["b"]], [[None], [1]], [[True], [False]], [[1j], [0]],
    [[2**70], [1]], [[0], [1, 2]], [0, 1], [[[0]], [[1]]], np.zeros((0, 3), dtype=int), np.zeros((3, 0), dtype=int), 3,
)  # fmt: skip
"""Of each of three functions, 63: fractions were cut, NaN was 0, -1 asked for 32 GiB."""
SCALES = (1e-8, 1e-6)
SEEDS = range(12)


@pytest.mark.parametrize("codes", NOT_CODES, ids=repr)
@pytest.mark.parametrize("function", [entropies, mutual_information, class_information])
def test_what_are_no_codes_is_refused(function: object, codes: object) -> None:
    given = (codes, [0, 1]) if function is class_information else (codes,)
    with pytest.raises(InvalidDataError, match="codes: must be integers of at least 0 in 2 dimensions, got"):
        function(*given)  # type: ignore[operator]


def test_codes_are_counted_however_large_they_are() -> None:
    small = np.array([[0, 1, 2], [1, 1, 0], [2, 0, 0], [2, 1, 1]])
    large = np.array([5, 2**33, 2**62])[small]
    target = np.array([0, 1, 1, 0])
    assert entropies(large).tolist() == entropies(small).tolist()
    assert mutual_information(large).tolist() == mutual_information(small).tolist()
    assert class_information(large, target * 2**40).tolist() == class_information(small, target).tolist()
    assert entropies(large.astype(np.uint64)).tolist() == entropies(small).tolist()


@pytest.mark.parametrize(
    "values", [(np.array([-1.0]), np.ones(1)), (np.array([np.nan]), np.ones(1)), (np.ones(2), np.ones(3))]
)
def test_uncertainty_of_no_information_is_refused(values: tuple[NDArray[np.float64], ...]) -> None:
    with pytest.raises(InvalidDataError):
        symmetrical_uncertainty(*values, 1.0)


@pytest.mark.parametrize("columns", [0, 1, 2, 4, 7])
def test_rows_of_other_columns_are_not_read_past_their_end(columns: int) -> None:
    ensemble, _, _ = some_forest()
    rows = np.zeros((5, columns))
    with pytest.raises(InvalidDataError, match="X: must be of shape"):
        node_intervals(ensemble, rows)
    with pytest.raises(InvalidDataError, match="X: must be of shape"):
        certify(ensemble, ensemble, rows)


@pytest.mark.parametrize("rows", [[10**6], [-1], [0.5], [[0]], []], ids=str)
def test_rows_that_are_not_there_are_refused(rows: list[object]) -> None:
    ensemble, X, _ = some_forest()
    with pytest.raises(InvalidDataError, match=r"sample_indices\[0\]: must be"):
        node_intervals(ensemble, X, sample_indices=[np.array(rows, dtype=None if rows else int)] * 4)


@pytest.mark.parametrize("start", [2**53, 2**53 + 1, 2**60, -(2**53) - 5, 2**62])
@pytest.mark.parametrize("kind", ["int64", "Int64"])
def test_integers_that_floats_do_not_tell_apart_are_refused(start: int, kind: str) -> None:
    X = pd.DataFrame({"x": pd.array(np.arange(start, start + 4), dtype=kind)})
    with pytest.raises(InvalidDataError, match=r"column 'x': must be integers below 2\*\*53 in size"):
        DecileBinarizer().fit(X)


def test_every_literal_of_large_integers_is_true_where_it_says_so() -> None:
    values = [2**53 - 9, 2**53 - 7, 2**53 - 4, 2**53 - 2]
    X = pd.DataFrame({"x": values})
    binarizer = DecileBinarizer().fit(X)
    truth = binarizer.transform(X)
    for name, column in zip(binarizer.get_feature_names_out(), truth.T, strict=True):
        _, sign, threshold = name.split()
        says = [value <= int(threshold) if sign == "<=" else value > int(threshold) for value in values]
        assert column.tolist() == says, name


@pytest.mark.parametrize(
    "cells", [[1, "1", 2], [True, "True", "x"], [1, "1"], ["2", 1.5, "1.5"], [None, "nan", "1", 1]]
)
def test_no_two_literals_have_one_name(cells: list[object]) -> None:
    names = DecileBinarizer().fit(pd.DataFrame({"a": np.array(cells, dtype=object)})).literals_.names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_proved_bound_lies_below_a_set(seed: int, scale: float) -> None:
    rng, p = np.random.default_rng(seed), 5
    a, b, c, d = rng.normal(size=p), rng.normal(size=(p, p)), rng.random(p) + 0.1, rng.random((p, p))
    program = FractionalProgram(scale * a, scale * b, c, d)
    best = max(program.value(chosen) for size in range(1, p + 1) for chosen in combinations(range(p), size))
    for method in ("newton", "binary_search", "milp1"):
        result = solve(program, method=method, solver="highs", gap_rel=1e-4, gap_abs=0.0)
        assert result.bound >= best - 1e-9 * abs(best), method
        assert result.value <= best + 1e-9 * abs(best), method
