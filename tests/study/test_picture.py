"""Figures in the page: two layouts, the colours of the page, names that no other figure has, a finding for all."""

from __future__ import annotations

import re
from base64 import b64decode
from contextlib import nullcontext
from io import StringIO

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure

from compactml.study.page.dots import dots
from compactml.study.page.panels import legend_above, panels
from compactml.study.page.picture import (
    NARROW,
    WIDE,
    Caption,
    LegendOverDataError,
    folded,
    picture,
    side_by_side,
)
from compactml.study.page.style import series_style
from compactml.study.page.svg import VARIABLES


def draw(width: float) -> Figure:
    fig, ax = plt.subplots(figsize=(width, 2), layout="constrained")
    for i in range(7):
        ax.plot([0, 1], [i, i + 1], label=str(i), **series_style(i))
    ax.set(xlabel="seconds", ylabel="trees")
    return fig


def shown(name: str = "figure") -> BeautifulSoup:
    caption = Caption(
        "More <b>trees</b>.",
        'More "trees".',
        "A line a set.",
        "data.csv",
        "abc123",
        "run abc123 · commit c0ffee",
    )
    return BeautifulSoup(picture(draw, caption, name), "html.parser")


def test_a_wide_and_a_narrow_layout() -> None:
    widths = [float(str(svg["width"]).removesuffix("pt")) for svg in shown().select("svg")]
    assert widths == pytest.approx([WIDE * 72, NARROW * 72])


def test_every_colour_is_the_pages_and_has_one_for_outside() -> None:
    for svg in shown().select("svg"):
        colours = set(re.findall(r"(?<!, )#[0-9a-fA-F]{6}\b", str(svg)))
        assert not {colour.lower() for colour in colours} & set(VARIABLES)
        assert "var(--cm-series-0, #0072b2)" in str(svg)


def test_the_alternative_text_is_the_finding_and_the_caption_offers_data_and_run() -> None:
    page = shown()
    assert {str(svg["aria-label"]) for svg in page.select("svg")} == {'More "trees".'}
    assert {str(svg["role"]) for svg in page.select("svg")} == {"img"}
    caption = page.select_one("figcaption")
    assert caption is not None
    assert "More trees. A line a set." in caption.get_text(" ", strip=True).replace(" .", ".")
    data, save = caption.select("a")
    assert (data["download"], save["href"]) == ("figure.csv", "#")
    first, rest = b64decode(str(data["href"]).partition(",")[2]).decode().split("\n", 1)
    assert "run abc123 · commit c0ffee" in first
    points = pd.read_csv(StringIO(rest))
    assert points[["x", "y"]].to_numpy().tolist() == [[x, i + x] for i in range(7) for x in (0, 1)]
    assert set(points["x axis"]) == {"seconds"}
    assert "run abc123" in caption.get_text()


def test_a_black_face_takes_the_colour_of_the_page() -> None:
    for svg in shown().select("svg"):
        assert svg["style"] == "fill: var(--cm-ink, #000000)"


def test_coordinates_are_shortened_and_letters_are_not() -> None:
    def labelled(width: float) -> Figure:
        figure = draw(width)
        figure.axes[0].set_xticks([0.125, 1 / 3], ["0.125", "0.001"])
        return figure

    caption = Caption("Three decimals.", "Three decimals on an axis.")
    page = BeautifulSoup(picture(labelled, caption, "figure"), "html.parser")
    for svg in page.select("svg"):
        assert {"0.125", "0.001"} <= {text.get_text() for text in svg.select("text")}
        paths = [number for path in svg.select("path") for number in re.findall(r"\.(\d+)", str(path["d"]))]
        assert max(map(len, paths)) <= 2


def test_a_figure_without_points_offers_the_rows_behind_it() -> None:
    def words(width: float) -> Figure:
        fig, ax = plt.subplots(figsize=(width, 2))
        ax.text(0.5, 0.5, "words")
        return fig

    page = BeautifulSoup(picture(words, Caption("A.", "A.", data="data.csv"), "words"), "html.parser")
    assert [str(a["href"]) for a in page.select("figcaption a")] == ["data.csv", "#"]


def test_no_name_is_given_twice() -> None:
    pages = [shown("first"), shown("second")]
    names = [str(tag["id"]) for page in pages for tag in page.find_all(id=True)]
    assert names
    assert len(set(names)) == len(names)


def test_numbers_in_a_picture_keep_their_digits() -> None:
    def labelled(width: float) -> Figure:
        fig, ax = plt.subplots(figsize=(width, 2))
        ax.text(0.5, 0.5, "0.99612")
        ax.set_yticks([0.001, 0.002], ["0.001", "0.002"])
        return fig

    page = BeautifulSoup(picture(labelled, Caption("Small.", "Small."), "small"), "html.parser")
    texts = {text.get_text().strip() for text in page.select("svg text")}
    assert {"0.99612", "0.001", "0.002"} <= texts


def test_equal_figures_are_equal_text() -> None:
    assert str(shown()) == str(shown())


def test_panels_stand_side_by_side_where_there_is_room() -> None:
    assert [side_by_side(3, width) for width in (WIDE, NARROW)] == [3, 1]
    assert [side_by_side(4, width, 1.8) for width in (WIDE, NARROW)] == [4, 2]
    assert side_by_side(2, 1.0) == 1


def test_the_label_of_an_axis_of_dots_is_broken_where_the_screen_is_narrow() -> None:
    for width in (WIDE, NARROW):
        figure = dots(
            ["magic, 16 clusters"], {"": [1.0]}, "features on which ten starts miss the optimum (%)", width
        )
        figure.draw_without_rendering()
        box = figure.axes[0].xaxis.label.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= width * figure.dpi
    plt.close("all")


def test_panels_that_are_too_many_for_a_line_leave_no_empty_ones() -> None:
    wide, axes = panels(3, 3, WIDE, 2.4, 2.0, above=0.5)
    narrow, below = panels(3, 3, NARROW, 1.8, 2.0)
    assert (len(axes), len(below)) == (3, 3)
    assert [ax.get_visible() for ax in narrow.axes] == [True, True, True, False]
    assert [figure.get_figheight() for figure in (wide, narrow)] == [2.5, 4.0]
    plt.close("all")


def test_a_legend_names_each_series_once() -> None:
    for width, columns in ((WIDE, 3), (NARROW, 1)):
        figure, axes = panels(2, 2, width, 3.4, 2.0)
        for ax in axes:
            for name in ("a", "b", "c"):
                ax.plot([0, 1], [0, 1], label=name)
        legend_above(figure, 3)
        (legend,) = figure.legends
        assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "c"]
        assert legend._ncols == columns
    plt.close("all")


def test_what_is_folded_is_there() -> None:
    page = BeautifulSoup(folded("Rows & all", "<p>text</p>"), "html.parser")
    assert page.select_one("details > summary").get_text() == "Rows & all"  # type: ignore[union-attr]
    assert page.select_one("details > p").get_text() == "text"  # type: ignore[union-attr]


def test_dots_are_a_row_a_label() -> None:
    figure = dots(["a", "b"], {"one": [1.0, 2.0], "two": [3.0, float("nan")]}, "seconds", WIDE, log=True)
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert list(ax.lines[0].get_xdata()) == [1.0, 2.0]  # type: ignore[arg-type]
    plt.close(figure)


@pytest.mark.parametrize(
    ("place", "covers"),
    [("outside upper left", False), ("upper left", True), ("center", True), ("outside lower center", False)],
)
def test_a_legend_over_data_is_refused(place: str, covers: bool) -> None:
    def drawn(width: float) -> Figure:
        fig, axes = plt.subplots(1, 2, figsize=(width, 2.5), layout="constrained")
        for ax in axes:
            ax.plot([0, 1], [0, 1], label="a line")
        fig.legend(*axes[0].get_legend_handles_labels(), loc=place)
        return fig

    with pytest.raises(LegendOverDataError, match="legend of lines") if covers else nullcontext():
        picture(drawn, Caption("Two lines.", "Two lines that rise."), "lines")


def test_a_legend_inside_its_own_axes_is_refused() -> None:
    def drawn(width: float) -> Figure:
        fig, ax = plt.subplots(figsize=(width, 2.5), layout="constrained")
        ax.plot([0, 1], [0, 1], label="a line")
        ax.legend()
        return fig

    with pytest.raises(LegendOverDataError):
        picture(drawn, Caption("A line.", "A line that rises."), "line")
