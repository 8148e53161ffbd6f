"""Ranks and tests after Demšar (2006), against the values of his tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning.ranks import (
    Comparison,
    compare_ranks,
    critical_difference,
    rank_rows,
)
from compactml.errors import InvalidDataError
from compactml.study.page.picture import NARROW, WIDE

pytestmark = pytest.mark.usefixtures("as_on_a_page")


@pytest.mark.parametrize(
    ("n_methods", "q"),
    [
        (2, 1.960),
        (3, 2.343),
        (4, 2.569),
        (5, 2.728),
        (6, 2.850),
        (7, 2.949),
        (8, 3.031),
        (9, 3.102),
        (10, 3.164),
    ],
)
def test_critical_values_are_those_of_table_5_of_demsar(n_methods: int, q: float) -> None:
    n_blocks = 14
    expected = q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_blocks))
    assert critical_difference(n_methods, n_blocks) == pytest.approx(expected, abs=1e-3)


def test_ranks_share_ties_and_the_statistic_is_friedmans() -> None:
    scores = pd.DataFrame({"a": [3, 3, 3, 2], "b": [2, 2, 2, 2], "c": [1, 1, 1, 1]}, dtype=float)
    found = compare_ranks(scores)
    assert found.ranks.to_dict() == {"a": 1.125, "b": 1.875, "c": 3.0}
    n, k, ties = 4, 3, 6 / 96  # one tie of two methods: (2^3 - 2) / (n (k^3 - k))
    statistic = 12 * n / (k * (k + 1)) * (1.125**2 + 1.875**2 + 3**2) - 3 * n * (k + 1)
    statistic /= 1 - ties  # two degrees of freedom
    assert found.p_value == pytest.approx(np.exp(-statistic / 2))


def test_methods_that_are_alike_are_not_told_apart() -> None:
    found = compare_ranks(pd.DataFrame(np.ones((3, 4)), columns=list("abcd")))
    assert found.p_value == 1
    assert found.groups() == [("a", "d")]


def test_groups_are_the_longest_rows_of_neighbours() -> None:
    ranks = pd.Series({"a": 1.0, "b": 1.8, "c": 2.5, "d": 4.7, "e": 5.0})
    assert Comparison(ranks, 10, 0.01, 1.0).groups() == [("a", "b"), ("b", "c"), ("d", "e")]
    assert Comparison(ranks, 10, 0.01, 0.1).groups() == []


@pytest.mark.parametrize("shape", [(1, 5), (5, 2)])
def test_too_little_to_compare(shape: tuple[int, int]) -> None:
    with pytest.raises(InvalidDataError, match="at least 2 datasets and 3 methods"):
        compare_ranks(pd.DataFrame(np.ones(shape)))


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_plot_has_every_method_and_a_bar_for_each_group(width: float) -> None:
    ranks = pd.Series({"a": 1.0, "b": 1.8, "c": 3.2})
    fig = rank_rows(Comparison(ranks, 10, 0.01, 1.0), ["A", "B", "C"], width)
    (ax,) = fig.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A", "B", "C"]
    dots, bar = ax.lines
    assert dots.get_xydata().tolist() == [[1.0, 0], [1.8, 1], [3.2, 2]]
    assert bar.get_ydata().tolist() == [0, 1]
    assert min(bar.get_xdata()) > max(ranks)
    assert ax.get_xlabel() == "mean rank; critical difference 1.0"
    assert fig.get_figwidth() == width
