"""A figure as SVG inside a page: in its colours and letters, and short, since a page has dozens."""

from __future__ import annotations

import re
from html import escape

from matplotlib.figure import Figure

from compactml.study.page.style import (
    BACKGROUND,
    DOT,
    FRAME,
    GRID,
    INK,
    MIXED,
    NO,
    OPEN,
    PALETTE,
    PARTLY,
    RING,
    SOFT,
    UNTESTED,
    YES,
    rendered,
)  # fmt: skip

__all__ = ["inline_svg"]

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
BOX = re.compile(r"M (\S+) (\S+) L (\S+) \2 L \3 (\S+) L \1 \4 (?:L \1 \2 )?z ?")
"""An upright rectangle as matplotlib writes it; pages have thousands, and SVG says it in half the letters."""
FONT = re.compile(r"font: ([\d.]+px) [^;\"]*|font-family: [^;\"]*;? ?")
"""Letters are those of the page."""
WRAPPED = re.compile(r"<g>(<(?:path|use)[^>]*/>|<text[^>]*>[^<]*</text>)</g>")
"""A group of one part without a name."""


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
    text = FONT.sub(lambda font: f"font-size: {font[1]}" if font[1] else "", text)
    text = re.sub(r">\s+<", "><", re.sub(r"\s*\n\s*", " ", text)).replace("<g/>", "")
    text = WRAPPED.sub(r"\1", text)
    text = TAG.sub(lambda tag: BOX.sub(r"M\1 \2H\3V\4H\1z", LONG.sub(r"\1", tag[0])), text)
    # matplotlib does not write a black face: it is what SVG fills with by default
    label = f'role="img" aria-label="{escape(alternative)}" style="fill: var(--cm-ink, #000000)" '
    return text.replace("<svg ", f"<svg {label}", 1)
