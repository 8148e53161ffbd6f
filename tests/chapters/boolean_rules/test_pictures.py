"""Figures of the chapter: what is drawn is what was given, in both layouts."""

from __future__ import annotations

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from compactml.boolean_rules.bounds import Round
from compactml.chapters.boolean_rules import figures, loop, method, speed, table_pictures
from compactml.chapters.boolean_rules.trials.engines import ENGINES, OURS
from compactml.study.page.axes import plain_log
from compactml.study.page.picture import NARROW, WIDE
from tests.pictures import WIDTHS

pytestmark = pytest.mark.usefixtures("as_on_a_page")


def lines(fig: Figure, panel: int = 0) -> dict[str, list[float]]:
    """Abscissae by label."""
    return {str(line.get_label()): np.asarray(line.get_xdata()).tolist() for line in fig.axes[panel].lines}


def check_legend(fig: Figure) -> None:
    """The legend lies above the axes and inside the figure."""
    fig.draw_without_rendering()
    (legend,) = fig.legends
    box = legend.get_window_extent()
    assert box.x1 <= fig.bbox.x1 + 1
    assert all(box.y0 >= ax.get_window_extent().y1 - 1 for ax in fig.axes)


@WIDTHS
def test_bounds_are_drawn_by_complexity(width: float) -> None:
    fig = figures.bounds_by_complexity(pd.DataFrame({"C": [2, 3], "z_MIP": [2, 1], "z_MLP": [2, 0.5]}), width)
    drawn = {line.get_label(): np.asarray(line.get_ydata()).tolist() for line in fig.axes[0].lines}
    assert drawn == {"best rule set": [2, 1], "bound of the linear program": [2, 0.5]}
    check_legend(fig)


@WIDTHS
def test_a_clause_is_the_box_of_its_conditions(width: float) -> None:
    X = pd.DataFrame({"a (cm)": [0.0, 10.0], "b": [0.0, 1.0]})
    fig = figures.rule_boxes(X, np.array([True, False]), [("a (cm) <= 4", "b > 0.5", "a (cm) > 1")], width)
    box = fig.axes[0].patches[0]
    assert (box.get_x(), box.get_width()) == (1, 3)
    assert box.get_y() == 0.5
    assert box.get_y() + box.get_height() == pytest.approx(1.05)
    check_legend(fig)


def test_of_two_conditions_on_one_side_the_stricter_counts() -> None:
    ends = pd.Series({"a": 0.0}), pd.Series({"a": 9.0})
    assert figures.clause_box(("a <= 4", "a <= 6", "a > 2", "a > 1"), *ends).tolist() == [[2, 4]]


@WIDTHS
def test_a_history_has_a_panel_for_each_run(width: float) -> None:
    rounds = [Round(3.0, -1.0, 0, 5, 0.1), Round(2.0, 0.0, 2, 9, 0.2)]
    fig = figures.history({"first": rounds, "second": rounds[:1]}, width)
    assert [ax.get_title() for ax in fig.axes] == ["first", "second"]
    assert fig.axes[0].lines[1].get_ydata().tolist() == [0, 2]
    check_legend(fig)


def flowers() -> tuple[pd.DataFrame, np.ndarray, list[loop.Step]]:
    X, y = method.flowers()
    return X, y, loop.generate(X, y, method.FLOWERS)


def test_the_loop_ends_with_the_proof_that_the_library_finds() -> None:
    _, y, steps = flowers()
    model = method.flower_rules()
    assert steps[0].value == y.sum()
    assert steps[-1].bound == model.objective_ == model.lower_bound_
    assert not steps[-1].clause
    assert steps[-1].reduced_cost == 0
    for before, after in pairwise(steps):
        assert before.clause
        assert before.reduced_cost < 0
        assert after.value <= before.value + 1e-9
        assert after.bound >= before.bound


def test_negatives_have_no_price_and_positives_at_most_one() -> None:
    _, y, steps = flowers()
    for step in steps:
        assert not step.mu[~y].any()
        assert ((step.mu >= 0) & (step.mu <= 1)).all()
        assert step.mu.sum() - method.FLOWERS * step.price == pytest.approx(step.value)


@WIDTHS
def test_the_loop_has_a_panel_a_round_and_all_stations(width: float) -> None:
    X, y, steps = flowers()
    fig = loop.draw(X, y, steps, width)
    titles = [ax.get_title() for ax in fig.axes if ax.get_title() and ax.get_visible()]
    assert len(titles) == len(steps)
    assert all(f"bound {step.bound}" in title for step, title in zip(steps, titles, strict=True))
    stations = [text.get_text() for text in fig.axes[0].texts if text.get_text()]
    assert stations == list(loop.STATIONS)
    fig.draw_without_rendering()
    for text in fig.axes[0].texts:
        assert text.get_window_extent().x1 <= fig.bbox.x1
    assert [len(ax.patches) for ax in fig.axes[1 : 1 + len(steps)]] == [
        2 if step.clause else 0 for step in steps
    ]


def test_unfinished_engines_have_open_markers_and_missing_ones_none() -> None:
    table = pd.DataFrame(
        {"dataset": "d", "C": 5, "method": ENGINES[:3], "finished": [1, 0, 0], "seconds": [0.1, 60.0, np.nan]}
    )
    for width in (WIDE, NARROW):
        fig = speed.engines(table, width)
        points = [line for line in fig.axes[0].lines if len(line.get_xdata())]
        assert [line.get_markerfacecolor() == speed.UNFINISHED for line in points] == [False, True]
        assert [text.get_text() for text in fig.legends[0].get_texts()] == list(ENGINES[:2])
        check_legend(fig)
    assert ENGINES[0] == OURS


@WIDTHS
def test_problems_with_a_gap_are_open_and_say_how_large(width: float) -> None:
    table = pd.DataFrame(
        {"dataset": ["a", "b"], "C": 5, "gap": [0.0, 0.025], "proved": [1, 0], "seconds": [0.1, 60.0]}
    )
    fig = speed.optima(table, width)
    fills = {str(line.get_label()): line.get_markerfacecolor() for line in fig.axes[0].lines}
    assert fills["a gap is left"] == speed.UNFINISHED != fills["proved optimal"]
    assert [text.get_text() for text in fig.axes[0].texts] == ["2.5 %"]
    assert lines(fig) == {"proved optimal": [0.1], "a gap is left": [60.0]}


@WIDTHS
def test_the_toolkit_is_drawn_by_whose_loss_is_smaller(width: float) -> None:
    pairs = pd.DataFrame(
        {
            "our_loss": [1, 2, 3],
            "aix360_loss": [2, 2, 2],
            "our_seconds": [1.0, 2, 3],
            "aix360_seconds": [4.0, 5, 6],
        }
    ).astype({"our_loss": "Int64", "aix360_loss": "Int64"})
    fig = speed.toolkit(pairs, width)
    drawn = lines(fig)
    assert drawn.pop("equal time") == [1, 6]
    assert drawn == {"our loss is smaller": [4], "equal": [5], "ours is larger": [6]}
    check_legend(fig)


@WIDTHS
def test_growth_leaves_out_what_was_not_learned(width: float) -> None:
    table = pd.DataFrame(
        {"n": [10, 100], "beam": [0.1, 1], "exact_2": [0.2, 2], "exact_3": [0.3, 3], "learn": [5, np.nan]}
    )
    drawn = lines(speed.growth(table, width))
    assert drawn["learning, as far as it went"] == [10]
    assert drawn["beam search"] == [10, 100]


@pytest.mark.parametrize(("value", "text"), [(0.01, "0.01"), (1.0, "1"), (1e6, "1,000,000")])
def test_ticks_of_logarithms_are_plain_numbers(value: float, text: str) -> None:
    _, ax = plt.subplots()
    plain_log(ax, "x")
    assert ax.xaxis.get_major_formatter()(value) == text


@WIDTHS
def test_printed_tables_are_a_difference_and_a_pair(width: float) -> None:
    accuracy = pd.DataFrame({"CG": [80.0, 70.0], "RIPPER": [79.0, 71.5]}, index=["b", "a"])
    sizes = pd.DataFrame({"CG": [5.0, 9.0], "RIPPER": [7.0, 50.0]}, index=["a", "b"])
    fig = table_pictures.printed_pair(accuracy, sizes, width)
    assert np.asarray(fig.axes[0].lines[1].get_xdata()).tolist() == [1.0, -1.5]
    assert lines(fig, 1) == {"CG": [9.0, 5.0], "RIPPER": [50.0, 7.0]}
    check_legend(fig)


@WIDTHS
def test_gaps_are_shares_of_the_loss_and_none_of_a_loss_of_zero(width: float) -> None:
    table = pd.DataFrame(
        {"dataset": ["a", "b"], "C": 5, "loss": [143, 0], "lp_bound": [142, 0], "bound": [143, 0]}
    )
    drawn = lines(table_pictures.gaps(table, width))
    assert drawn["bound of the linear program"] == pytest.approx([100 / 143, 0])
    assert drawn["bound of our search"] == [0, 0]


@WIDTHS
def test_a_card_has_a_box_a_clause_with_its_conditions(width: float) -> None:
    fig = table_pictures.rule_cards({"one": [["a > 1", "b > 2"], ["c > 3"]], "two": [["d > 4"]]}, width)
    texts = [[text.get_text() for text in ax.texts] for ax in fig.axes]
    assert texts == [["a > 1", "b > 2", "or", "c > 3"], ["d > 4"]]
    assert [len(ax.patches) for ax in fig.axes] == [2, 1]
    for ax in fig.axes:
        bottoms = [(patch.get_y(), patch.get_y() + patch.get_height()) for patch in ax.patches]
        (place,) = [text.get_position()[1] for text in ax.texts if text.get_text() == "or"] or [None]
        assert place is None or bottoms[0][1] < place < bottoms[1][0]


@WIDTHS
def test_accuracies_by_class_stand_beside_the_published_band(width: float) -> None:
    readings = pd.DataFrame({"class": ["u", "v"], "accuracy": [60.0, 75.0], "std_error": [1.0, 2.0]})
    fig = table_pictures.class_accuracies(readings, 61.0, 0.5, width)
    (band,) = fig.axes[0].patches
    assert (band.get_x(), band.get_width()) == (60.0, 2.0)
    assert [label.get_text() for label in fig.axes[0].get_yticklabels()] == ["u", "v"]
