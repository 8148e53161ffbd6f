"""A figure as HTML: drawn as vectors for wide and for narrow screens, in the colours of the page, light or dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from compactml.errors import CompactmlError
from compactml.study.page.figure_data import figure_data
from compactml.study.page.style import SETTINGS
from compactml.study.page.svg import inline_svg
from compactml.study.page.tidy import as_csv, data_uri

__all__ = [
    "NARROW",
    "WIDE",
    "Caption",
    "Html",
    "LegendOverDataError",
    "folded",
    "legend_covers_data",
    "page_colours",
    "picture",
    "side_by_side",
]

WIDE, NARROW = 7.4, 3.7
"""Inches of the two layouts: beside a column of text, and on a phone."""


class LegendOverDataError(CompactmlError):
    """A picture whose legend hides what it explains."""


class Html(str):
    """HTML that a notebook shows."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Caption:
    """What stands below a figure.

    Attributes
    ----------
    finding : str
        What is to be seen, in a sentence: HTML for the caption.
    alternative : str
        The same for those who do not see the picture: plain text.
    drawn : str
        How it is drawn: HTML.
    data : str
        Address of the rows behind it as CSV, for a figure that draws no points; empty for none.
    run : str
        Names of the runs behind it.
    source : str
        Where its numbers come from, for the first line of its data.
    """

    finding: str
    alternative: str
    drawn: str = ""
    data: str = ""
    run: str = ""
    source: str = ""


@contextmanager
def page_colours() -> Iterator[None]:
    """Draw without a background of its own inside a ``with``, for a picture in the page."""
    faces = dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none")
    with mpl.rc_context(SETTINGS | faces):
        yield


def side_by_side(most: int, width: float, inches: float = 2.4) -> int:
    """Return how many panels of a least width fit side by side, at most so many.

    Parameters
    ----------
    most : int
    width : float
        Inches of the figure.
    inches : float
        A panel's least width.
    """
    return max(1, min(most, int(width / inches + 1e-9)))


def picture(draw: Callable[[float], Figure], caption: Caption, name: str) -> Html:
    """Return a figure as HTML, with a layout of its own for narrow screens, and itself and its data for download.

    Parameters
    ----------
    draw : callable
        Takes the width in inches.
    caption : Caption
    name : str
        File name of the downloads, without an ending.
    """
    layouts, data = [], caption.data
    for layout, width in (("wide", WIDE), ("narrow", NARROW)):
        with page_colours():
            figure = draw(width)
            plt.close(figure)
        svg = inline_svg(figure, caption.alternative, f"{name}-{layout}")
        if legend_covers_data(figure):
            raise LegendOverDataError(
                f"the legend of {name} ({layout}) must stand outside the axes: it covers some"
            )
        layouts.append(f'<div class="cm-{layout}">{svg}</div>')
        if layout == "wide" and len(points := figure_data(figure)):
            data = data_uri(as_csv(points, name, caption.source or None))
    return Html(
        f'<figure class="cm-figure">{"".join(layouts)}<figcaption>{caption.finding} {caption.drawn} '
        f'<span class="cm-links">{" · ".join(_links(caption, name, data))}</span></figcaption></figure>'
    )


def legend_covers_data(figure: Figure) -> bool:
    """Return whether a legend of a figure that was drawn overlaps the box of any axes, its own or another's."""
    figure.draw_without_rendering()
    panels = [ax for ax in figure.axes if ax.get_visible() and ax.axison]
    inside = [legend for ax in figure.axes if (legend := ax.get_legend()) is not None]
    outside = [legend for part in (figure, *figure.subfigs) for legend in part.legends]
    boxes = [ax.get_window_extent() for ax in panels]
    return any(legend.get_window_extent().overlaps(box) for legend in (*inside, *outside) for box in boxes)


def folded(summary: str, *parts: str) -> Html:
    """Return HTML that opens at a click on its summary.

    Parameters
    ----------
    summary : str
        Plain text.
    *parts : str
        HTML.
    """
    return Html(f'<details class="cm-fold"><summary>{escape(summary)}</summary>{"".join(parts)}</details>')


def _links(caption: Caption, name: str, data: str) -> Sequence[str]:
    links = [f'<a class="cm-save" href="#" role="button" data-name="{escape(name)}.svg">picture</a>']
    if data:
        file = f"{name}.csv" if data.startswith("data:") else ""
        links.insert(0, f'<a href="{escape(data)}" download="{escape(file)}">data</a>')
    if caption.run:
        links.append(f"run {escape(caption.run)}")
    return links
