from __future__ import annotations

import time

import matplotlib as mpl
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from compactml.study.page.picture import page_colours
from compactml.study.page.style import (
    BACKGROUND,
    INK,
    PALETTE,
    SETTINGS,
    rendered,
    series_style,
)


def draw() -> Figure:
    with page_colours():
        fig = Figure(figsize=(3, 2))
        axes = fig.add_subplot(title="A title")
        for i in range(3):
            axes.plot([0, 1], [i, i + 1], label=str(i), **series_style(i))
        axes.legend()
    return fig


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_equal_figures_have_equal_bytes(kind: str) -> None:
    first = rendered(draw(), kind)
    time.sleep(1.1)  # dates are written to the second
    assert rendered(draw(), kind) == first


def test_settings_end_with_the_block() -> None:
    before = {name: mpl.rcParams[name] for name in SETTINGS}
    with page_colours():
        assert mpl.rcParams["figure.facecolor"] == "none" != before["figure.facecolor"]
    assert {name: mpl.rcParams[name] for name in SETTINGS} == before


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_text_has_the_contrast_that_wcag_asks_for() -> None:
    assert (luminance(BACKGROUND) + 0.05) / (luminance(INK) + 0.05) >= 7


def test_series_differ_in_colour_and_marker() -> None:
    styles = [series_style(i) for i in range(len(PALETTE))]
    assert (
        len({style["color"] for style in styles})
        == len({style["marker"] for style in styles})
        == len(PALETTE)
    )
    assert series_style(len(PALETTE)) == styles[0]
