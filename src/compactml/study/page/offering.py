"""What a page offers beside its tables and figures: where their numbers come from, and the data to take away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from IPython.display import HTML, display
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from compactml.study.page.beside_print import of_paper
from compactml.study.page.figure_data import figure_data
from compactml.study.page.html import ShownTable, download
from compactml.study.page.tidy import as_csv
from compactml.study.recording.results import Results

__all__ = ["figure_download", "offer", "sourced"]


def sourced(make: Callable[[Results], ShownTable], results: Results) -> ShownTable:
    """Return a table made of results, which names its paper and, where it has no note, the runs that it is made of."""
    with results.noting() as asked:
        table = make(results)
    runs = results.source(*asked) if asked else None
    return of_paper(replace(table, source=runs), results.chapter)


def figure_download(name: str, figure: Figure, source: str | None) -> str:
    """Return the link that downloads what a figure shows; empty for a diagram.

    Parameters
    ----------
    name : str
        Of the file, without its ending.
    figure : Figure
    source : str or None
        Where its numbers come from.
    """
    data = figure_data(figure)
    return download(name, as_csv(data, name, source), "the data of this figure") if len(data) else ""


def offer(figure: Figure, draw: Callable[[Results], Figure], results: Results, ids: Sequence[str]) -> None:
    """Show a figure in a notebook and the link to its data below it, named as the function that draws it."""
    name = f"{results.chapter.folder}_{getattr(draw, '__name__', 'figure')}"
    source = results.source(*ids) if ids else None
    display(figure)
    plt.close(figure)
    display(HTML(figure_download(name, figure, source)))
