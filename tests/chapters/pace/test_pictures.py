"""Pictures of the chapter: what is drawn is what was given, in both layouts, and nothing is no error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from compactml.chapters.pace import beyond, figures, settings, whole_space
from compactml.chapters.pace import separation as forms
from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.pictures import beyond as drawn
from compactml.chapters.pace.pictures import histories, refitting, squares
from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.trials.ensembles import RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.study.judging.comparison import Agreement
from tests.chapters.pace.toy_beyond import answers_as_found, cases_as_found, visited
from tests.chapters.pace.toy_results import printed, results, table
from tests.chapters.pace.toy_tables import FORMS, history, loops_as_stated, row, whole_space_runs
from tests.pictures import WIDTHS

pytestmark = pytest.mark.usefixtures("as_on_a_page")


def check_legend(fig: Figure) -> None:
    """The legend lies above the axes and inside the figure."""
    fig.draw_without_rendering()
    (legend,) = fig.legends
    box = legend.get_window_extent()
    assert box.x1 <= fig.bbox.x1 + 1
    assert all(box.y0 >= ax.get_window_extent().y1 - 1 for ax in fig.axes if ax.get_visible())


def abscissae(fig: Figure, panel: int = 0) -> dict[str, list[float]]:
    """By label."""
    return {
        str(line.get_label()): np.asarray(line.get_xdata(), float).tolist() for line in fig.axes[panel].lines
    }


@WIDTHS
def test_forms_are_drawn_by_setting_and_hollow_without_a_certificate(width: float) -> None:
    rows = loops_as_stated()
    rows.loc[(rows["method"] == "milp") & (rows["dataset"] == rows["dataset"].iloc[0]), "certified"] = 0
    measures = {"seconds": "seconds", "n_samples": "samples"}
    parts = [figures.Measured("forests", rows, name, label, list(FORMS)) for name, label in measures.items()]
    fig = figures.forms([*parts, figures.Measured("none", rows.iloc[:0], "seconds", "", [])], width)
    assert [ax.get_ylabel() for ax in fig.axes] == list(measures.values())
    for ax in fig.axes:
        assert [label.get_text() for label in ax.get_xticklabels()] == ["10\nd 2", "25\nd 2", "10\nd 3"]
        hollow = [line for line in ax.lines if line.get_markerfacecolor() == "none" and len(line.get_xdata())]
        assert len(hollow) == 3
    seconds = np.concatenate([np.asarray(line.get_ydata(), float) for line in fig.axes[0].lines])
    assert sorted(set(seconds)) == sorted({n * seconds for n in (10, 25) for seconds, _ in FORMS.values()})
    check_legend(fig)


@WIDTHS
def test_regions_have_a_panel_for_each_method_and_points_for_each_beta(width: float) -> None:
    rows = pd.DataFrame(
        row("Fico", method, size, alpha=alpha, beta=beta, certified=int(alpha > 0))
        for method, factor in ((PRUNE, 2), (PACE, 1))
        for beta in (0.0, 0.2)
        for alpha, size in ((0.0, 8 * factor), (0.1, 4 * factor))
    )
    smaller = rows.assign(n_learners=10, final_size=1)  # of another profile: not drawn, and no part of a mean
    fig = figures.regions({"Fico": pd.concat([smaller, rows], ignore_index=True)}, width)
    assert [ax.get_title() for ax in fig.axes] == [f"Fico,\n{PRUNE}", f"Fico,\n{PACE}"]
    assert all(low <= 0 and high >= 16 for low, high in (ax.get_ylim() for ax in fig.axes))
    line, sure, hollow = fig.axes[0].lines[:3]
    assert [list(np.asarray(part.get_ydata(), float)) for part in (line, sure, hollow)] == [
        [16, 8],
        [8],
        [16],
    ]
    assert (sure.get_label(), hollow.get_markerfacecolor()) == ("β = 0", "none")
    check_legend(fig)


@WIDTHS
def test_histories_are_read_and_drawn_by_setting(width: float) -> None:
    rows = pd.DataFrame([history(2), history(1), history(1, "exact")])
    steps = histories.history_rows(rows)
    assert len(steps) == 24
    assert steps.iloc[0][["depth", "reduced_cost", "n_samples"]].to_list() == [2, -2.0, 100]
    fig = histories.histories({"forests": rows}, "cart", width)
    assert [ax.get_title() for ax in fig.axes] == [f"forests:\n{name}" for name in histories.PANELS.values()]
    assert len(fig.axes[1].lines) == 2  # a line for each depth; the exact one is left out
    assert len(histories.histories({"forests": rows}, "exact", width).axes[1].lines) == 1
    check_legend(fig)


@WIDTHS
@pytest.mark.parametrize(
    "draw",
    [
        lambda width: figures.regions({"one": none("fig_3")}, width),
        lambda width: figures.forms(
            [figures.Measured("one", none("fig_2"), "seconds", "s", ["milp"])], width
        ),
        lambda width: histories.histories({"one": none("fig_10")}, "cart", width),
        lambda width: drawn.leaves(beyond.leaves_table(none("table_1")), width),
        lambda width: drawn.fipepy(cases_as_found().iloc[:0], width),
        lambda width: settings.settings_picture(settings.distances(none("settings")), width),
        lambda width: whole_space.intervals_picture(whole_space.intervals(none("settings")), width),
    ],
)
def test_nothing_recorded_is_said(draw: Callable[[float], Figure], width: float) -> None:
    assert draw(width).axes[0].texts[0].get_text() == "no result here"


def none(id: str) -> pd.DataFrame:
    """A table without rows."""
    return CHAPTER.table(id).rows([])


@pytest.mark.parametrize(
    ("verdict", "method", "difference", "decided", "expected"),
    [
        (Agreement.EVERY_DIGIT, PACE, 0.0, False, squares.SAME),
        (Agreement.DIFFERS, PACE, 0.4, False, squares.CLOSE),
        (Agreement.DIFFERS, PRUNE, -1.4, False, squares.CLOSE),
        (Agreement.DIFFERS, PRUNE, 1.6, False, "further off"),
        (Agreement.EVERY_DIGIT, PRUNE, 0.0, True, "decided a setting here"),
        (Agreement.EVERY_DIGIT, GENERATE, 0.0, False, "no certificate, or not comparable"),
        ("", PRUNE, 0.0, True, "no certificate, or not comparable"),
        (Agreement.NOT_RUN, PRUNE, np.nan, True, "not run"),
    ],
)
def test_what_becomes_of_a_size(
    verdict: str, method: str, difference: float, decided: bool, expected: str
) -> None:
    assert squares.outcome(verdict, method, difference, decided) == expected
    assert expected in squares.OUTCOMES


@pytest.mark.usefixtures("nothing_recorded")
@WIDTHS
def test_sizes_that_decided_a_setting_are_no_agreement(width: float) -> None:
    size = printed("table_1", PRUNE, "Seeds", 25)
    rows = table(row("Seeds", PRUNE, size), row("Pol", PRUNE, printed("table_1", PRUNE, "Pol", 25)))
    whole = table(
        *(
            row(
                "Seeds", method, printed_sizes("table_4")[method].loc[("Seeds", RANDOM_FOREST)], n_learners=50
            )
            for method in (PACE, FIPE)
        )
    )
    ours = results(table_1=rows, settings=table(row("Seeds", PRUNE, size)), table_4=whole)
    found = squares.of_sizes(ours, "table_1").query("method == @PRUNE and N == '25' or N == 25")
    found = found[found["method"] == PRUNE].set_index("dataset")["outcome"]
    assert (found["Seeds"], found["Pol"]) == ("decided a setting here", squares.SAME)
    of_whole = squares.of_sizes(ours, "table_4").query("dataset == 'Seeds' and ensemble == @RANDOM_FOREST")
    assert of_whole.set_index("method")["outcome"].to_dict() == {
        PACE: squares.SAME, FIPE: "decided a setting here",
    }  # fmt: skip
    for id in ("table_1", "table_3", "table_4"):
        assert squares.sizes(ours, id, width).axes


@WIDTHS
def test_settings_are_drawn_by_alpha(width: float) -> None:
    size = printed("table_1", PRUNE, "Seeds", 25)
    rows = table(*(row("Seeds", PRUNE, size + off, alpha=alpha) for alpha, off in ((0.1, 0), (0.2, 3))))
    fig = settings.settings_picture(settings.distances(rows), width)
    assert sorted(abscissae(fig)["depth 2"]) == [0.1, 0.2]
    check_legend(fig)


@WIDTHS
def test_intervals_have_a_panel_for_each_ensemble_and_a_diamond_for_the_paper(width: float) -> None:
    found = whole_space.intervals(whole_space_runs(0, 1, 0))
    fig = whole_space.intervals_picture(found, width)
    (printed_size,) = found["printed"]
    assert abscissae(fig)["published"] == [printed_size]
    assert [ax.get_title() for ax in fig.axes] == ["random forest", "AdaBoost"]
    check_legend(fig)


@WIDTHS
def test_leaves_have_an_area_for_each_number_of_cells(width: float) -> None:
    found = beyond.leaves_table(
        table(*(row("Pol", method, 4, total_leaves=16, initial_leaves=100) for method in (PRUNE, PACE)))
    )
    for cells, area in ((found, 1), (pd.concat([found, found]), 2)):
        fig = drawn.leaves(cells, width)
        assert [ax.collections[0].get_sizes().tolist() for ax in fig.axes] == [[area * drawn.AREA]] * 2


@WIDTHS
def test_values_of_pricing_are_shares_of_the_start(width: float) -> None:
    prices = pd.DataFrame({"dataset": ["Seeds"], "start": [4.0], "value, cart": [2.0], "value, exact": [1.0]})
    fig = drawn.pricing(prices, width)
    assert abscissae(fig) == {"by CART": [0.5], "exactly": [0.25]}
    check_legend(fig)


@WIDTHS
def test_forms_are_compared_by_the_place_of_the_weights(width: float) -> None:
    ratios = forms.place_ratios(answers_as_found())
    fig = drawn.places(ratios, width)
    label = figures.FORMS["search"]
    assert abscissae(fig)[label][0] == pytest.approx(ratios[label].iloc[0])
    assert len(fig.axes[0].get_yticklabels()) == len(ratios)


@WIDTHS
def test_points_that_differ_are_drawn_only_where_there_are_any(width: float) -> None:
    rows = pd.concat([visited(2, exhaustive=1), visited(1, exhaustive=0, certified=0, disagreements=7)])
    fig = drawn.checks(beyond.checks_table(rows), width)
    points = abscissae(fig)
    assert points["points compared, certified"] == [2000]
    assert np.isnan(points["differ, certified"]).all()
    assert points["differ, no certificate"] == [7]
    check_legend(fig)


@WIDTHS
def test_seconds_of_fipe_are_hollow_without_a_certificate(width: float) -> None:
    rows = table(
        row("Seeds", PRUNE, 9, seconds=0.5),
        row("Seeds", FIPE, 9, seconds=5.0),
        row("Pol", PRUNE, 9, seconds=0.5),
        row("Pol", FIPE, 9, seconds=60.0, certified=0),
    )
    fig = drawn.fipe(beyond.fipe_table(rows), width)
    sure, hollow, equal = fig.axes[0].lines
    assert (list(sure.get_xdata()), list(hollow.get_xdata())) == ([5.0], [60.0])
    assert hollow.get_markerfacecolor() == "none"
    assert list(equal.get_xdata()) == list(equal.get_ydata()) == [0.5, 60.0]
    check_legend(fig)


@WIDTHS
def test_published_code_is_compared_where_both_certify(width: float) -> None:
    fig = drawn.fipepy(cases_as_found(), width)
    assert [len(np.asarray(line.get_xdata())) for line in fig.axes[0].lines[::2]] == [2, 2, 2]
    check_legend(fig)


@WIDTHS
def test_bounds_agreement_and_merged_trees_are_rows(width: float) -> None:
    bounded = pd.DataFrame({"method": [PACE], "size": ["at most 4"], "ensembles": [3], "proved": [2]})
    assert abscissae(drawn.bounds(bounded, width)) == {"certified": [3], "proved smallest": [2]}
    agreed = pd.DataFrame(
        {"dataset": ["Seeds", beyond.LEAST], "in the region": [50.0, 40.0], "agree on all": [90.0, 80.0]}
    )
    assert abscissae(drawn.agreement(agreed, width)) == {"in the region": [50], "same label, all rows": [90]}
    sides = {
        f"trees, {name}": [float(i)]
        for i, name in enumerate((PRUNE, PACE, "no more leaves", "as deep as allowed"))
    }
    merged = pd.DataFrame({"dataset": ["Seeds"], "ensemble": ["AdaBoost"], **sides})
    assert list(abscissae(drawn.merging(merged, width)).values()) == [[0], [1], [2], [3]]


@WIDTHS
def test_refitted_trees_have_a_ring_for_the_paper(width: float) -> None:
    columns = {f"trees, {name}": [5.0] for name in (PRUNE, refitting.AS_DEEP, refitting.DEEPER_TREES)}
    sizes = pd.DataFrame({"ensemble": ["AdaBoost"], "dataset": ["Seeds"], "N": [25], **columns})
    sizes[f"trees, {refitting.PRINTED}"] = 3.0
    fig = refitting.refitting_picture(sizes, 25, width)
    assert abscissae(fig, 1)["Pace, published"] == [3]
    check_legend(fig)
