"""Pictures of the method and of the paper's tables: every number once, and a layout for each width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from compactml.chapters.ensemble_pruning import figures, numbers, paper_pictures, printed, rows, shown
from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.claims.common import PROGRAMS, UNREPORTED
from compactml.chapters.ensemble_pruning.claims.orders import order, over_cases
from compactml.chapters.ensemble_pruning.method import bounds, examples, pictures, small
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.study import Finished
from compactml.study.judging.noise import Outcome
from compactml.study.page.style import DOT, RING
from compactml.study.recording.results import Results, Settings
from tests.chapters.ensemble_pruning.toy_tables import gaps_as_printed
from tests.pictures import WIDTHS, faces

pytestmark = pytest.mark.usefixtures("as_on_a_page")


def nothing_run(id: str) -> Sequence[Finished]:
    return []


RECORDED = Results(CHAPTER, nothing_run)


@WIDTHS
@pytest.mark.parametrize(
    "draw",
    [
        examples.votes, examples.sets, bounds.conflicts, paper_pictures.gaps, paper_pictures.balanced_accuracies,
        paper_pictures.ranks_by_accuracy, paper_pictures.ranks_by_balanced_accuracy, paper_pictures.size_squares,
        paper_pictures.mean_ranks, paper_pictures.mean_squares, paper_pictures.theta_mean_ranks,
        shown.gap_curves, shown.bound_dots, shown.diversity_dots, shown.generalisation, shown.sizes,
    ],
)  # fmt: skip
def test_every_picture_keeps_to_its_width_and_its_panels_apart(
    draw: Callable[[Results, float], Figure], width: float
) -> None:
    figure = draw(RECORDED, width)
    assert figure.get_figwidth() == width
    figure.draw_without_rendering()
    inside = figure.get_tightbbox()
    assert inside.x0 >= -0.02
    assert inside.x1 <= width + 0.02
    boxes = [ax.get_window_extent() for ax in figure.axes if ax.get_visible()]
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    for legend in figure.legends:
        assert not any(legend.get_window_extent().overlaps(box) for box in boxes)


@WIDTHS
@pytest.mark.parametrize(
    ("draw", "id"),
    [
        (paper_pictures.size_squares, "table_2"),
        (paper_pictures.mean_squares, "table_5"),
    ],
)
def test_every_number_that_a_table_judges_is_a_square(
    draw: Callable[[Results, float], Figure], id: str, width: float
) -> None:
    cells = RECORDED.counted_cells(id)
    if id == "table_2":  # with those that decide nothing, but θ
        assert (
            len(faces(draw(RECORDED, width)))
            == (cells["quantity"] != "theta").sum()
            > cells["verdict"].ne("").sum()
        )
    else:
        assert len(faces(draw(RECORDED, width))) == (cells["verdict"] != "").sum()


@WIDTHS
@pytest.mark.parametrize(
    ("draw", "id", "ranking"),
    [
        (paper_pictures.mean_ranks, "table_4", rows.BY_ACCURACY),
        (paper_pictures.theta_mean_ranks, "table_6", rows.BY_BALANCED_ACCURACY),
    ],
)
def test_mean_ranks_stand_beside_the_published_ones(
    draw: Callable[[Results, float], Figure], id: str, ranking: rows.Ranking, width: float
) -> None:
    (ax,) = draw(RECORDED, width).axes
    places = {
        color: [
            line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o" and line.get_color() == color
        ]
        for color in (RING, DOT)
    }
    cells = (
        RECORDED.comparison(id).query("K == 'avg'").assign(place=lambda all: all["published"].astype(float))
    )
    cells = cells.sort_values("place", kind="stable")
    assert places[RING] == cells["place"].to_list()
    assert sorted(places[DOT]) == pytest.approx(sorted(cells["recorded"].astype(float)))
    assert len(cells) == len(ranking.methods)


def test_what_captions_say_of_gaps_and_ranks_is_recorded() -> None:
    ours = rows.gap_cells(RECORDED.recorded("table_3")).pivot_table(
        index="dataset", columns="method", values="value"
    )
    published = printed.printed_gaps().loc[ours.index]
    for method, name in rows.OURS.items():
        off = ours[name].round(1) - published[method]
        assert set(off.index[off < 0]) == {"DRD", "DEF", "BMK"}
        assert set(off.index[off > 0]) == {"SPA"}
    for id, others in (("table_4", ()), ("table_6", ("F1_theta",))):
        cells = RECORDED.comparison(id).query("K == 'avg'").set_index("method")
        sides = {side: cells[side].astype(float) for side in ("published", "recorded")}
        assert all(side.idxmax() == "FE" for side in sides.values())
        width = {side: np.ptp(ranks.drop("FE")) for side, ranks in sides.items()}
        assert (width["recorded"] < width["published"]) == bool(others)


@pytest.mark.parametrize(
    ("id", "ranking"), [("table_4", rows.BY_ACCURACY), ("table_6", rows.BY_BALANCED_ACCURACY)]
)
def test_bars_join_those_that_prune_as_the_captions_say(id: str, ranking: rows.Ranking) -> None:
    comparison = figures.rank_comparison(RECORDED.rows(id), ranking)
    order = comparison.ranks.index.to_list()
    joined = [set(order[order.index(first) : order.index(last) + 1]) for first, last in comparison.groups()]
    pruning = [method for method in order if method != "FE"]
    apart = {pair for pair in combinations(pruning, 2) if not any(bar.issuperset(pair) for bar in joined)}
    assert apart == ({(pruning[0], pruning[-1])} if id == "table_4" else set())
    assert all(bar < set(ranking.methods) for bar in joined)


def test_what_03_says_of_the_programs_on_new_points_is_recorded() -> None:
    others = (*rows.BENCHMARKS, *UNREPORTED)
    recorded = RECORDED.recorded("overfitting")
    validation, new = (
        rows.by_method(recorded, f"{points}_accuracy")[[*PROGRAMS, *others]]
        for points in ("validation", "test")
    )
    assert validation.notna().all(axis=None)
    best, lost = over_cases(validation), over_cases(validation - new)
    assert best[list(PROGRAMS)].min() > best[list(others)].max()
    assert lost[list(PROGRAMS)].min() > lost[list(others)].max()
    pruning = [name for name in others if name != "FE"]
    leads = [order(new, (program,), (other,)) for program in PROGRAMS for other in pruning]
    assert Outcome.AGREES not in leads


def test_of_the_squares_that_can_be_told_most_agree_as_the_caption_says() -> None:
    counts = numbers.table_5(RECORDED)
    assert counts["ep_table_5_agree"] > counts["ep_table_5_differ"] > 0 < counts["ep_table_5_noisy"]


@WIDTHS
def test_gaps_stand_beside_the_published_ones(width: float) -> None:
    cells = rows.gap_cells(gaps_as_printed())
    figure = figures.gaps(printed.gap_cells(), cells, {"F1": "without", "F3": "with"}, width)
    without, with_limits = figure.axes
    for ax, method in ((without, "F1"), (with_limits, "F3")):
        ring, plain, ours = ax.lines
        cells_of = printed.gap_cells().set_index("method").loc[method, "value"]
        expected = cells_of.astype(float)
        assert ring.get_xdata().tolist() == expected.tolist()
        assert plain.get_xdata().tolist() == pytest.approx(expected.tolist())
        assert ours.get_xdata().tolist() == [0] * len(expected)
    only_ours = cells[cells["method"].isin(rows.OURS.values())]
    axes = figures.gaps(printed.gap_cells(), only_ours, {"F1": "without", "F3": "with"}, width).axes
    assert [line.get_label() for line in axes[0].lines] == ["published", "our method"]


@WIDTHS
def test_balanced_accuracies_have_a_ring_and_a_dot_for_each_pool(width: float) -> None:
    keys = [("DRD", "80"), ("DRD", "100"), ("APS", "80"), ("APS", "100")]
    cells = pd.DataFrame(
        [(*key, method, f"0.{7 + i}", 0.01) for key in keys for i, method in enumerate(("F1", "FE"))],
        columns=["dataset", "K", "method", "value", "std_error"],
    )
    ours = cells[cells["dataset"] == "DRD"].assign(value=0.5)
    drd, aps = figures.balanced(cells, ours, ["F1", "FE"], width).axes
    for ax, dots in ((drd, [0.5] * 4), (aps, [])):
        rings = [line for line in ax.lines if line.get_color() == RING]
        assert [float(line.get_xdata()[0]) for line in rings] == [0.7, 0.7, 0.8, 0.8]
        points = [line for line in ax.lines if line.get_color() == DOT and line.get_marker() == "o"]
        shown_at = [float(line.get_xdata()[0]) for line in points]
        assert [x for x in shown_at if not np.isnan(x)] == dots
    bars = [line.get_xdata() for line in drd.lines if line.get_linestyle() == "-"]
    assert [float(np.ptp(bar)) for bar in bars if len(bar) == 2] == pytest.approx([0.04] * 4)


def test_the_setting_is_that_of_the_record_and_of_the_profile() -> None:
    table = paper_pictures.setting(Results(CHAPTER, nothing_run, Settings("paper"))).frame
    assert table.loc["runs of a dataset", "this build"] == printed.RUNS
    assert table.loc["seconds a program", "this build"] == table.loc["seconds a program", "the paper"]
    assert table.loc["pool sizes K", "recorded"] == table.loc["pool sizes K", "the paper"]


FIRST = ("11100 11100 11111 10011", "10110 10011 10101 01010 01101 11000")
RARE = ("01010 00010 00110 01000", "00010 01011 11101 00010 10101 00101")


@WIDTHS
def test_the_graph_has_a_line_for_each_conflict_and_fills_the_cover(width: float) -> None:
    own = PruningInstance.from_votes(*small.votes_of(*RARE))
    cover = np.zeros(len(own.patterns), dtype=bool)
    cover[small.conflicts(own)[0][0]] = True
    ax = pictures.dominance_graph(own, cover, width).axes[0]
    lines = [line for line in ax.lines if line.get_label() == "_conflict"]
    filled = [line for line in ax.lines if line.get_label() == "_vector" and line.get_fillstyle() == "full"]
    assert (len(lines), len(filled)) == (3, 1)
    texts = [text.get_text() for text in ax.texts]
    assert "00010 costs 1,\n1 lost anyway" in texts  # it is on one positive and on two negative points
    assert "01011 costs 1" in texts


@WIDTHS
def test_the_picture_marks_what_is_called_wrong(width: float) -> None:
    left, right = pictures.votes_picture(*small.votes_of(*FIRST), [0, 1, 2], 2, width).axes
    (wrong,) = (line for line in right.lines if line.get_label() == "wrong")
    assert wrong.get_xydata().tolist() == [[1, 4]]
    assert "".join(text.get_text() for text in left.texts[:5]) == "11100"


@WIDTHS
def test_sets_that_diversity_excludes_are_hollow(width: float) -> None:
    sets = pd.DataFrame(
        [("110", 9.0, 0.4, 0.4), ("101", 8.0, 0.6, 0.3), ("111", 7.0, 0.6, 0.5), ("011", 6.0, 0.5, 0.5)],
        columns=["x", "value", "mean", "least"],
    )
    ax = pictures.sets_picture(sets, 0.5, 0.5, width).axes[0]
    drawn = {line.get_label(): line.get_ydata().tolist() for line in ax.lines}
    assert drawn == {
        "allowed": [7, 6], "mean credit too small": [9], "only a member's credit too small": [8],
    }  # fmt: skip
    assert [text.get_text() for text in ax.texts] == ["110", "111"]
