"""A printed table as squares: each cell once, coloured by what became of it, in as many blocks as the width needs."""

from __future__ import annotations

import pandas as pd
import pytest
from matplotlib.colors import same_color, to_rgba

from compactml.study.judging.comparison import Agreement, compare
from compactml.study.page.picture import NARROW, WIDE, page_colours
from compactml.study.page.squares import COLOURS, Squares
from compactml.study.page.style import NO, UNTESTED, YES
from tests.pictures import faces

LEARNERS = ["RF", "ERT", "ABoost", "GBoost"]
MEASURES = ["TrA", "TeA", "NDC", "SR", "AR"]


def cells(
    ours: dict[tuple[str, str, str], float], datasets: tuple[str, ...] = ("epileptic seizure", "away")
) -> pd.DataFrame:
    """Every printed cell is 0.50; ours is given by its dataset, learner and measure."""
    keys = [(d, learner, m) for d in datasets for learner in LEARNERS for m in MEASURES]
    names = ["dataset", "learner", "measure"]
    printed = pd.DataFrame(keys, columns=names).assign(value="0.50")
    build = pd.DataFrame([(*key, value) for key, value in ours.items()], columns=[*names, "value"])
    return compare(printed, None, build, names, not_at_hand=["away"])


def squares(ours: dict[tuple[str, str, str], float]) -> Squares:
    return Squares(cells(ours), ["dataset", "measure"], "learner")


@pytest.mark.parametrize(
    ("value", "what"),
    [(0.5, "to every digit"), (0.5049, "to every digit"), (0.4951, "to every digit"), (0.51, "further off"),
     (0.4945, "further off")],
)  # fmt: skip
def test_a_cell_has_the_colour_of_its_verdict(value: float, what: str) -> None:
    found = squares({("epileptic seizure", "RF", "SR"): value})
    assert found.counts == {what: 1, "no data here": 20, "not run": 19}
    assert found.cells[0, ("RF", "SR")] == what
    assert found.sentence() == f"Of 1 numbers that were run: 1 {what}."


def test_near_is_a_hundredth_of_what_is_printed() -> None:
    table = cells({("epileptic seizure", "RF", "NDC"): 0.0}).query(
        "learner == 'RF' and measure == 'NDC' and dataset == 'epileptic seizure'"
    )
    for ours, what in ((101.0, "off by at most 1 %"), (99.0, "off by at most 1 %"), (101.1, "further off")):
        one = table.assign(published="100.00", this_build=ours, verdict=str(Agreement.DIFFERS))
        assert Squares(one, ["dataset", "measure"], "learner").counts == {what: 1}


def test_text_that_differs_is_further_off() -> None:
    table = cells({}).head(1).assign(published="T", this_build="12 s", verdict=str(Agreement.DIFFERS))
    assert Squares(table, ["dataset", "measure"], "learner").counts == {"further off": 1}


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_cell_is_drawn_once(width: float) -> None:
    found = squares({("epileptic seizure", "RF", "SR"): 0.5, ("epileptic seizure", "ERT", "SR"): 0.6})
    with page_colours():
        drawn = faces(found.draw(width))
    assert len(drawn) == 40
    for colour, number in ((YES, 1), (NO, 1), (UNTESTED, 38)):
        assert sum(same_color(one, to_rgba(colour)) for one in drawn) == number


def test_groups_stand_below_each_other_where_the_screen_is_narrow() -> None:
    found = squares({})
    with page_colours():
        wide, narrow = found.draw(WIDE), found.draw(NARROW)
    assert (len(wide.axes), len(narrow.axes)) == (1, 2)
    heads = [[text.get_text() for text in ax.texts] for ax in narrow.axes]
    assert heads == [LEARNERS[:3], LEARNERS[3:]]
    for figure in (wide, narrow):
        for ax in figure.axes:
            assert ax.get_position().x1 <= 1
            assert ax.get_position().y0 >= 0


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_labels_of_capitals_and_a_legend_of_many_outcomes_are_not_cut(width: float) -> None:
    verdicts = [*Agreement, Agreement.DIFFERS]
    table = pd.DataFrame(
        {"dataset": "HC-WWWW", "learner": "RF", "measure": list("ABCDEFG"), "verdict": verdicts}
    )
    table = table.assign(published="100", recorded=None, this_build=[100.5] * 6 + [200.0])
    found = Squares(table, ["dataset", "measure"], "learner")
    assert list(found.counts) == list(COLOURS)
    with page_colours():
        figure = found.draw(width)
    figure.draw_without_rendering()
    box = figure.get_tightbbox()
    assert box.x0 >= 0
    assert box.x1 <= width


def test_every_outcome_has_a_colour() -> None:
    assert len(set(COLOURS)) == 7


def test_cells_may_have_outcomes_of_their_own() -> None:
    table = pd.DataFrame({"run": ["a", "b"], "how": ["x", "x"], "part": "p", "outcome": ["ended", "began"]})
    found = Squares(table, ["run", "how"], "part", {"began": YES, "ended": NO})
    assert list(found.counts.items()) == [("began", 1), ("ended", 1)]
    with page_colours():
        drawn = faces(found.draw(WIDE))
    assert [same_color(*pair) for pair in zip(drawn, (NO, YES), strict=True)] == [True, True]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_legend_has_no_more_columns_than_there_is_room_for(width: float) -> None:
    words = {f"{i} and a rather long name of an outcome": YES for i in range(5)}
    table = pd.DataFrame({"run": list(words), "how": "x", "part": "p", "outcome": list(words)})
    with page_colours():
        figure = Squares(table, ["run", "how"], "part", words).draw(width)
        figure.canvas.draw()
    assert figure.legends[0].get_window_extent().x1 <= width * figure.dpi
