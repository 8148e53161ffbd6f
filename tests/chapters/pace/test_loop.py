"""The loop on a small forest: what a round says is so, by looking at every cell, and its picture tells it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from compactml.chapters.pace import method
from compactml.chapters.pace.examples import IRIS_FEATURES, LOOP_DEPTH, LOOP_SEED, looped_iris
from compactml.chapters.pace.pictures import loop
from compactml.pace import compress
from tests.pictures import WIDTHS

pytestmark = pytest.mark.usefixtures("as_on_a_page")


def test_a_round_finds_a_point_exactly_where_a_cell_separates() -> None:
    example = looped_iris()
    codes = {tuple(code): i for i, code in enumerate(method.cells_of(example.setting.grid))}
    for step in example.rounds:
        assert bool(len(step.points)) == bool(step.wrong.any())
        assert all(step.wrong[codes[tuple(point)]] for point in step.points)


def test_samples_and_trees_join_and_the_end_is_faithful() -> None:
    example = looped_iris()
    for before, after in zip(example.rounds, example.rounds[1:], strict=False):
        assert len(after.samples) == len(before.samples) + len(before.points)
        assert after.pool - before.pool == after.generated - before.generated
        assert after.generated > before.generated or len(before.points) or after.by != before.by
    *_, last = example.rounds
    assert (last.by, len(last.points)) == (loop.PRUNE, 0)
    assert last.used_new <= last.generated


def test_the_example_errs_in_both_phases_and_generation_pays() -> None:
    """What the page says of it."""
    example = looped_iris()
    found = [step.by for step in example.rounds if len(step.points)]
    assert found == [loop.WEIGH, loop.PRUNE, loop.PRUNE]
    assert example.rounds[-1].used < len(example.setting.initial.learners)


@WIDTHS
def test_the_picture_has_a_panel_for_each_round_that_is_told(width: float) -> None:
    example = looped_iris()
    fig = loop.draw(example.setting, example.X, IRIS_FEATURES, example.rounds, width)
    titles = [ax.get_title() for ax in fig.axes if ax.get_title()]
    shown = loop.told(example.rounds)
    assert [title.split(",")[0] for title in titles] == [f"round {i + 1}" for i in shown]
    frames = [sum(not patch.get_fill() for patch in ax.patches) for ax in fig.axes[: len(shown)]]
    assert frames == [int(example.rounds[i].wrong.sum()) for i in shown]
    counts = {line.get_label(): np.asarray(line.get_ydata()).tolist() for line in fig.axes[-1].lines}
    assert counts["trees used"] == [step.used for step in example.rounds]
    assert counts["points added"][-1] == sum(len(step.points) for step in example.rounds)


@WIDTHS
def test_the_diagram_has_every_step_and_no_text_outside(width: float) -> None:
    fig = loop.diagram(width)
    fig.draw_without_rendering()
    texts = [text for text in fig.axes[0].texts if text.get_text()]
    whole = " ".join(text.get_text() for text in texts)
    assert all(word in whole for word in ("(P1)", "(P0)", "separation", "pricing", "certificate"))
    for text in texts:
        box = text.get_window_extent()
        assert fig.bbox.x0 <= box.x0
        assert box.x1 <= fig.bbox.x1


def test_the_library_in_the_papers_order_goes_the_same_way() -> None:
    example = looped_iris()
    forest = RandomForestClassifier(5, max_depth=LOOP_DEPTH, random_state=LOOP_SEED)
    forest.fit(example.X, load_iris().target)
    small = compress(
        forest,
        example.X,
        order="generate first",
        separation="constraint",
        max_depth=LOOP_DEPTH,
        uncertified=True,
        time_limit=None,
        solver="highs",
    )
    weighed = [step.n_new for step in small.history_ if step.phase == "weigh"]
    assert weighed == [len(step.points) for step in example.rounds if step.by == loop.WEIGH]
    assert (small.n_learners_, small.n_generated_) == (example.rounds[-1].used, example.rounds[-1].used_new)
    assert small.bound_ == small.n_learners_
