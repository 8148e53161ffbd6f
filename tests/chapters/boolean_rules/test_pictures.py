"""Figures of the first and third notebook: what is drawn is what was given."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from compactml.boolean_rules.bounds import Round
from compactml.chapters.boolean_rules import figures, speed
from compactml.chapters.boolean_rules.trials.engines import ENGINES, OURS
from compactml.study.page.style import figure_style


@pytest.fixture(autouse=True)
def _closed_figures():  # type: ignore[no-untyped-def]
    with figure_style():
        yield
    plt.close("all")


def test_bounds_are_drawn_by_complexity() -> None:
    fig = figures.bounds_by_complexity(pd.DataFrame({"C": [2, 3], "z_MIP": [2, 1], "z_MLP": [2, 0.5]}))
    lines = {line.get_label(): line.get_ydata().tolist() for line in fig.axes[0].lines}
    assert lines == {"integer program": [2, 1], "its LP relaxation": [2, 0.5]}


def test_a_clause_is_the_box_of_its_conditions() -> None:
    X = pd.DataFrame({"a (cm)": [0.0, 10.0], "b": [0.0, 1.0]})
    fig = figures.rule_boxes(X, np.array([True, False]), [("a (cm) <= 4", "b > 0.5", "a (cm) > 1")])
    box = fig.axes[0].patches[0]
    assert (box.get_x(), box.get_width()) == (1, 3)
    assert box.get_y() == 0.5
    assert box.get_y() + box.get_height() == pytest.approx(1.05)


def test_a_history_has_a_panel_for_each_run() -> None:
    rounds = [Round(3.0, -1.0, 0, 5, 0.1), Round(2.0, 0.0, 2, 9, 0.2)]
    fig = figures.history({"first": rounds, "second": rounds[:1]})
    assert [ax.get_title() for ax in fig.axes] == ["first", "second"]
    assert fig.axes[0].lines[1].get_ydata().tolist() == [0, 2]


def test_unfinished_engines_have_open_markers_and_missing_ones_none() -> None:
    table = pd.DataFrame(
        {"dataset": "d", "C": 5, "method": ENGINES[:3], "finished": [1, 0, 0], "seconds": [0.1, 60.0, np.nan]}
    )
    fig = speed.engines(table)
    points = [line for line in fig.axes[0].lines if len(line.get_xdata())]
    assert [line.get_markerfacecolor() == speed.UNFINISHED for line in points] == [False, True]
    assert [text.get_text() for text in fig.legends[0].get_texts()] == list(ENGINES[:2])
    assert ENGINES[0] == OURS


def test_growth_leaves_out_what_was_not_learned() -> None:
    table = pd.DataFrame(
        {"n": [10, 100], "beam": [0.1, 1], "exact_2": [0.2, 2], "exact_3": [0.3, 3], "learn": [5, np.nan]}
    )
    lines = {line.get_label(): len(line.get_xdata()) for line in speed.growth(table).axes[0].lines}
    assert lines["learning, as far as it went"] == 1
    assert lines["beam search"] == 2
