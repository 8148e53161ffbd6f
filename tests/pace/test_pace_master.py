from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from compactml.errors import InvalidDataError
from compactml.pace.weights.master import LinearMaster, reduced_cost
from compactml.solvers import SOLVERS, MasterNotSolvedError, licence

O1 = [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]
USABLE = [name for name in SOLVERS if licence(name).usable]


@pytest.mark.parametrize("solver", USABLE)
def test_a_learner_that_is_always_right_replaces_three(solver: str) -> None:
    """Oracle O1."""
    with LinearMaster(O1, solver) as master:
        first = master.solve()
        assert first.value == pytest.approx(3)
        assert first.weights == pytest.approx([1, 1, 1])
        assert first.duals == pytest.approx([1, 1, 1])
        assert reduced_cost(first.duals, [1, 1, 1]) == pytest.approx(-2)
        master.add_columns([[1], [1], [1]])
        second = master.solve()
    assert second.value == pytest.approx(1)
    assert second.weights == pytest.approx([0, 0, 0, 1])


def test_a_negative_reduced_cost_may_bring_nothing() -> None:
    """Oracle O3: Proposition 1 claims a strict decrease, which fails where the dual optimum is not unique."""
    with LinearMaster([[0.5], [0.5]]) as master:
        first = master.solve()
        assert first.value == pytest.approx(first.duals.sum()) == pytest.approx(2)
        column = np.array([1.0, -1.0]) if first.duals[0] > first.duals[1] else np.array([-1.0, 1.0])
        assert reduced_cost([2, 0], [1, -1]) == -1
        assert reduced_cost(first.duals, column) <= -1 or first.duals == pytest.approx([1, 1])
        master.add_columns(column[:, None])
        assert master.solve().value == pytest.approx(2)


@st.composite
def matrices(draw: st.DrawFn) -> np.ndarray:
    """Margins with a learner that is right everywhere by a little, as initial weights are."""
    m, k = draw(st.integers(1, 25)), draw(st.integers(1, 6))
    entries = draw(st.lists(st.integers(-4, 4), min_size=m * k, max_size=m * k))
    return np.column_stack([np.reshape(entries, (m, k)) / 4, np.full(m, 0.25)])


@settings(max_examples=40, deadline=None)
@given(matrices(), st.integers(0, 10))
def test_growing_in_both_directions_is_solving_anew(margins: np.ndarray, split: int) -> None:
    """Rows first, then columns, in two parts each; duality and reduced costs of all columns hold."""
    m, k = len(margins), margins.shape[1]
    rows, columns = split % m + 1, split % (k - 1) if k > 1 else 0
    last = margins[:, columns:]  # has the learner that keeps (P1) feasible
    with LinearMaster(last[:rows]) as master:
        before = master.solve().value
        master.add_rows(last[rows:])
        assert master.solve().value >= before - 1e-6
        if columns:
            master.add_columns(margins[:, :columns])
        solution = master.solve()
    ordered = np.column_stack([last, margins[:, :columns]])
    expected = linprog(np.ones(k), -ordered, -np.ones(m)).fun
    assert solution.value == pytest.approx(expected, rel=1e-5)
    assert (ordered @ solution.weights >= 1 - 1e-5).all()
    assert solution.duals.sum() == pytest.approx(solution.value, rel=1e-5)
    assert all(reduced_cost(solution.duals, column) >= -1e-5 for column in ordered.T)


def test_more_rows_than_enter_at_once() -> None:
    rng = np.random.default_rng(0)
    margins = np.column_stack([rng.uniform(-1, 1, (700, 30)), np.full(700, 0.01)])
    with LinearMaster(margins) as master:
        value = master.solve().value
    assert value == pytest.approx(linprog(np.ones(31), -margins, -np.ones(700)).fun, rel=1e-6)


def test_contradicting_rows_are_refused() -> None:
    with LinearMaster([[1.0], [-1.0]]) as master, pytest.raises(MasterNotSolvedError, match="infeasible"):
        master.solve()


@pytest.mark.parametrize("margins", [np.empty((3, 0)), [1.0], [[np.nan]]])
def test_a_matrix_without_learners_or_numbers_is_refused(margins: Any) -> None:
    with pytest.raises(InvalidDataError, match="margins: must be"):
        LinearMaster(margins)


def test_rows_and_columns_that_do_not_fit_are_refused() -> None:
    with LinearMaster(O1) as master:
        with pytest.raises(InvalidDataError, match=r"shape \(m, 3\), got shape \(1, 2\)"):
            master.add_rows([[1.0, 1.0]])
        with pytest.raises(InvalidDataError, match=r"shape \(3, k >= 1\), got shape \(1, 2\)"):
            master.add_columns([[1.0, 1.0]])
