"""A figure as HTML: drawn as vectors for wide and for narrow screens, in the colours of the page, light or dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from compactml.study.page.figure_data import figure_data
from compactml.study.page.style import BACKGROUND, FRAME, GRID, INK, PALETTE, SETTINGS, SOFT, rendered
from compactml.study.page.tidy import as_csv, data_uri

__all__ = [
    "NARROW",
    "WIDE",
    "Caption",
    "Html",
    "folded",
    "inline_svg",
    "page_colours",
    "picture",
    "side_by_side",
]

RING, DOT = "#24527a", "#9c2c73"
YES, PARTLY, MIXED, NO, OPEN, UNTESTED = "#1f6f54", "#b9dfcf", "#e8b93d", "#b3432b", "#d0d4d8", "#f1f2f3"
VARIABLES = {
    INK: "ink", "#000000": "ink", FRAME: "line", GRID: "line", SOFT: "soft", "#808080": "soft", BACKGROUND: "page",
    RING: "ring", DOT: "dot",
    YES: "yes", PARTLY: "partly", MIXED: "mixed", NO: "no", OPEN: "open", UNTESTED: "untested",
    **{colour.lower(): f"series-{i}" for i, colour in enumerate(PALETTE) if colour != "#000000"},
}  # fmt: skip
"""The variable of the style sheet that stands for a colour on a page, light or dark; other colours stay."""
COUNTED = re.compile(r' id="[A-Za-z0-9.]+_\d+"')
"""Names that matplotlib counts up in every figure: two figures of one page would share them."""
TAG, LONG = re.compile(r"<[^>]*>"), re.compile(r"(\.\d\d)\d+")
"""Coordinates stand inside tags: more than hundredths of a point are seen by nobody. Letters stay as they are."""
WIDE, NARROW = 7.4, 3.7
"""Inches of the two layouts: beside a column of text, and on a phone."""


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
        layouts.append(f'<div class="cm-{layout}">{svg}</div>')
        points = figure_data(figure)
        if layout == "wide" and len(points):
            data = data_uri(as_csv(points, name, caption.source or None))
    return Html(
        f'<figure class="cm-figure">{"".join(layouts)}<figcaption>{caption.finding} {caption.drawn} '
        f'<span class="cm-links">{" · ".join(_links(caption, name, data))}</span></figcaption></figure>'
    )


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


def inline_svg(fig: Figure, alternative: str, salt: str = "compactml") -> str:
    """Return a figure as SVG that takes its colours and letters from the page.

    Parameters
    ----------
    fig : Figure
    alternative : str
        For those who do not see it.
    salt : str
        Makes the names inside it differ from those of other figures of the page.
    """
    text = rendered(fig, "svg", salt).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = COUNTED.sub("", text)
    for colour, name in VARIABLES.items():
        text = text.replace(colour, f"var(--cm-{name}, {colour})")
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", text)
    text = TAG.sub(lambda tag: LONG.sub(r"\1", tag[0]), text)
    # matplotlib does not write a black face: it is what SVG fills with by default
    label = f'role="img" aria-label="{escape(alternative)}" style="fill: var(--cm-ink, #000000)" '
    return re.sub(r"\s*\n\s*", " ", text.replace("<svg ", f"<svg {label}", 1))
