from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.solvers import MixedIntegerProgram, NonBinaryProductError


def test_scalars_stand_for_vectors_and_the_matrix_may_be_missing() -> None:
    problem = MixedIntegerProgram([1, 2], upper=3, integrality=True, sense="max")
    assert problem.matrix.shape == (0, 2)
    assert problem.lower.tolist() == [0, 0]
    assert problem.upper.tolist() == [3, 3]
    assert problem.integrality.tolist() == [True, True]
    assert (problem.n_columns, problem.n_rows, problem.is_lp) == (2, 0, False)


def test_what_is_passed_is_copied_and_kept_from_change() -> None:
    objective, matrix = np.ones(2), sparse.csr_array(np.eye(2))
    problem = MixedIntegerProgram(objective, matrix)
    objective[0] = matrix.data[0] = 7
    assert problem.objective.tolist() == [1, 1]
    assert problem.matrix.toarray().tolist() == [[1, 0], [0, 1]]
    for array in (problem.objective, problem.matrix.data, problem.lower):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_duplicate_entries_are_summed() -> None:
    matrix = sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 2))
    assert MixedIntegerProgram([1, 1], matrix).matrix.toarray().tolist() == [[0, 3]]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("objective", {"objective": []}),
        ("objective", {"objective": [[1.0]]}),
        ("objective", {"objective": [1.0, np.nan]}),
        ("objective", {"objective": [1.0, np.inf]}),
        ("objective", {"objective": ["one", "two"]}),
        ("objective", {"objective": [[1.0], [1.0, 2.0]]}),
        ("matrix", {"matrix": [[1.0, 2.0, 3.0]]}),
        ("matrix", {"matrix": [[1.0, np.nan]]}),
        ("matrix", {"matrix": [1.0, 2.0]}),
        ("matrix", {"matrix": [[1.0, 1j]]}),
        ("row_lower", {"matrix": np.eye(2), "row_lower": [1.0]}),
        ("row_lower", {"matrix": np.eye(2), "row_lower": 1, "row_upper": [2, 0]}),
        ("row_upper", {"matrix": np.eye(2), "row_upper": np.nan}),
        ("lower", {"lower": [1, 2], "upper": 1}),
        ("lower", {"lower": np.inf}),
        ("upper", {"upper": 1e20}),
        ("integrality", {"integrality": [True]}),
        ("integrality", {"integrality": [0, 2]}),
        ("names", {"names": ["only one"]}),
        ("offset", {"offset": np.inf}),
        ("quadratic", {"quadratic": [[0, 1], [0, 0]], "upper": 1, "integrality": True}),
        ("quadratic", {"quadratic": np.eye(3), "upper": 1, "integrality": True}),
    ],
)
def test_a_wrong_argument_is_named(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidDataError, match=f"^{name}: must be ") as caught:
        MixedIntegerProgram(**({"objective": [1, 1]} | arguments))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_an_unknown_sense_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match=r"sense: must be one of 'min', 'max', got 'down'"):
        MixedIntegerProgram([1], sense="down")  # type: ignore[arg-type]


def test_products_of_other_than_binary_columns_are_refused_with_the_column_named() -> None:
    with pytest.raises(NonBinaryProductError, match=r"column load, integer in \[0, 2\]"):
        MixedIntegerProgram(
            [1, 1], upper=[1, 2], integrality=True, quadratic=[[0, 1], [1, 0]], names=["use", "load"]
        )
    with pytest.raises(NonBinaryProductError, match=r"column 0, continuous in \[0, 1\]"):
        MixedIntegerProgram([1], upper=1, quadratic=[[1]])


def test_value_has_no_half_before_the_quadratic_part() -> None:
    problem = MixedIntegerProgram([1, 0], upper=1, integrality=True, quadratic=[[5, 2], [2, 0]], offset=10)
    assert problem.value(np.array([1.0, 1.0])) == 10 + 1 + 5 + 2 * 2


def test_an_empty_quadratic_part_is_none() -> None:
    assert MixedIntegerProgram([1, 1], quadratic=np.zeros((2, 2))).quadratic is None


def test_growing_appends_behind_and_leaves_the_first_alone() -> None:
    small = MixedIntegerProgram([1, 2], [[1, 1]], row_upper=4, names=["a", "b"], sense="max")
    wide = small.with_columns([3], [[5]], upper=9)
    tall = wide.with_rows([[0, 1, 2], [1, 0, 0]], row_lower=[1, 2])
    assert small.n_columns == 2
    assert tall.matrix.toarray().tolist() == [[1, 1, 5], [0, 1, 2], [1, 0, 0]]
    assert tall.row_lower.tolist() == [-np.inf, 1, 2]
    assert tall.row_upper.tolist() == [4, np.inf, np.inf]
    assert tall.upper.tolist() == [np.inf, np.inf, 9]
    assert (tall.sense, tall.names) == ("max", ("a", "b", "2"))


def test_columns_for_other_rows_are_refused() -> None:
    with pytest.raises(InvalidDataError, match="matrix: must be of 1 rows, got 2"):
        MixedIntegerProgram([1], [[1]]).with_columns([1], [[1], [1]])
    with pytest.raises(InvalidDataError, match="matrix: must be of shape"):
        MixedIntegerProgram([1], [[1]]).with_rows([[1, 1]])


def test_a_problem_survives_pickling() -> None:
    problem = MixedIntegerProgram([1, 2], [[1, 1]], row_upper=4)
    again = pickle.loads(pickle.dumps(problem))
    assert again.matrix.toarray().tolist() == [[1, 1]]
    assert again.objective.tolist() == [1, 2]
