"""What the tutorials show: sentences that are checked, numbers for the prose, and a table or a picture of some rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from textwrap import fill

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from myst_nb import glue

from compactml.errors import CompactmlError
from compactml.study.page.axes import label_rows, plain_log
from compactml.study.page.html import ShownTable, show
from compactml.study.page.panels import legend_above
from compactml.study.page.picture import NARROW, Caption, Html, picture
from compactml.study.page.style import series_style

__all__ = ["SentenceNotSoError", "curves", "in_points", "rows_of_dots", "said", "table", "tell"]

ROW, HEAD = 0.3, 1.1
"""Inches of a row of dots, and of what stands above and below them."""
LETTERS = 13
"""Letters to an inch, about."""


class SentenceNotSoError(CompactmlError):
    """A tutorial says what its run did not find."""


def said(sentences: Mapping[str, bool]) -> None:
    """Check what a tutorial says against its run, so that no page is built that says what is not so.

    Parameters
    ----------
    sentences : mapping of str to bool
        What the prose says, in short, and whether it is so.

    Raises
    ------
    SentenceNotSoError
    """
    wrong = [sentence for sentence, so in sentences.items() if not so]
    if wrong:
        raise SentenceNotSoError("the tutorial says what is not so in this run: " + "; ".join(wrong))


def tell(**numbers: float | str) -> None:
    """Make numbers known to the prose by their names, for ``{glue:text}``."""
    for name, value in numbers.items():
        glue(name, value, display=False)


def in_points(share: float) -> str:
    """Return a share as per cent with one decimal, without its sign (".9049" is "90.5")."""
    return f"{100 * share:.1f}"


def table(rows: pd.DataFrame, name: str, caption: str) -> ShownTable:
    """Return rows as a table of the book, accuracies in per cent.

    Parameters
    ----------
    rows : DataFrame
        Its index names what was tried.
    name : str
        File name of the download, without ".csv".
    caption : str
    """
    return show(rows, name=f"use_{name}", caption=caption)


def rows_of_dots(
    rows: pd.DataFrame,
    columns: Sequence[str],
    xlabel: str,
    name: str,
    *,
    finding: str,
    drawn: str,
    log: bool = False,
) -> Html:
    """Return a picture with a row for each thing that was tried and a dot for each of some columns.

    Parameters
    ----------
    rows : DataFrame
    columns : sequence of str
    xlabel : str
        What the axis measures, with its unit.
    name : str
        File name of the downloads.
    finding, drawn : str
        What is to be seen, and how it is drawn.
    log : bool, default=False
    """

    def draw(width: float) -> Figure:
        above = HEAD if width > NARROW else HEAD + 0.4
        fig, ax = plt.subplots(figsize=(width, above + ROW * len(rows)), layout="constrained")
        for i, column in enumerate(columns):
            ax.plot(rows[column], range(len(rows)), linestyle="none", label=column, **series_style(i))
        label_rows(ax, [fill(str(label), 18 if width <= NARROW else 40) for label in rows.index])
        ax.set_xlabel(fill(xlabel, int(LETTERS * width / 2)))
        if log:
            plain_log(ax, "x", most=4 if width <= NARROW else 8)
        if len(columns) > 1:
            legend_above(fig, len(columns))
        return fig

    return _drawn(draw, name, finding, drawn)


def curves(
    rows: pd.DataFrame,
    xlabel: str,
    ylabel: str,
    name: str,
    *,
    finding: str,
    drawn: str,
    levels: Mapping[str, float] | None = None,
    log: bool = False,
) -> Html:
    """Return a picture with a line for each column over the index, and dashed levels.

    Parameters
    ----------
    rows : DataFrame
        Its index is the horizontal axis; a number that is missing is not drawn.
    xlabel, ylabel : str
    name : str
        File name of the downloads.
    finding, drawn : str
        What is to be seen, and how it is drawn.
    levels : mapping of str to float, optional
        Values that do not depend on the horizontal axis, by what they are called.
    log : bool, default=False
        Of the horizontal axis.
    """

    def draw(width: float) -> Figure:
        entries = len(rows.columns) + len(levels or ())
        height = 3.2 if width > NARROW else 3.0 + 0.22 * entries
        fig, ax = plt.subplots(figsize=(width, height), layout="constrained")
        for i, column in enumerate(rows):
            seen = rows[column].dropna()
            ax.plot(seen.index, seen, label=column, **series_style(i))
        for i, (label, value) in enumerate((levels or {}).items(), start=len(rows.columns)):
            colour = series_style(i)["color"]
            ax.axhline(value, color=colour, linestyle="--", marker="none", label=label)
        ax.set(xlabel=xlabel, ylabel=ylabel)
        if log:
            plain_log(ax, "x", steps=(1.0, 2.0, 5.0))
        elif pd.api.types.is_integer_dtype(rows.index):
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        legend_above(fig, min(3, entries))
        return fig

    return _drawn(draw, name, finding, drawn)


def _drawn(draw: Callable[[float], Figure], name: str, finding: str, drawn: str) -> Html:
    caption = Caption(escape(finding), f"{finding} {drawn}", escape(drawn), source="run of this page")
    return picture(draw, caption, f"use_{name}")
