"""The picture of the proof: every bound holds for the sets of its slice, and the last step closes all of them."""

from __future__ import annotations

from itertools import combinations

import pytest
from matplotlib import pyplot as plt

from compactml.chapters.feature_selection import method
from compactml.chapters.feature_selection.pictures.slices import CLOSED, OPEN, Slice, draw_slices
from compactml.study.page.picture import NARROW, WIDE


def test_no_set_is_above_the_bound_of_its_slice_and_none_is_left_out() -> None:
    slices = method.slices()
    program = method.mrmr_example()
    every = [program.value(list(chosen)) for size in (1, 2, 3) for chosen in combinations(range(3), size)]
    for step in dict.fromkeys(part.step for part in slices):
        values = [value for part in slices if part.step == step for value in part.values]
        assert sorted(values) == pytest.approx(sorted(every))
    assert all(max(part.values) <= part.bound + 1e-9 for part in slices)


def test_the_proof_closes_step_by_step() -> None:
    best = method.best_set()[1]
    closed: dict[str, list[bool]] = {}
    for part in method.slices():
        closed.setdefault(part.step, []).append(part.closed(best))
    assert list(closed.values()) == [[False], [False, False, True], [True, True, True]]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_bar_ends_at_its_bound_and_a_far_set_stands_at_the_edge(width: float) -> None:
    slices = [Slice("first", "all", 0.3, (0.1, -5.0)), Slice("second", "some", 0.2, (0.2,))]
    fig = draw_slices(slices, 0.2, -0.1, width)
    (ax,) = fig.axes
    ends = {
        line.get_color(): line.get_xdata()[0]
        for line in ax.lines
        if str(line.get_label()).startswith("bound")
    }
    assert ends == {OPEN: 0.3, CLOSED: 0.2}
    dots = [
        (line.get_marker(), line.get_xdata()[0])
        for line in ax.lines
        if line.get_label() == "a set of features"
    ]
    assert dots == [("o", 0.1), ("<", -0.1), ("o", 0.2)]
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["1. first", "all", "2. second", "some"]
    fig.canvas.draw()
    assert fig.legends[0].get_window_extent().y0 >= ax.get_window_extent().y1
    plt.close(fig)
