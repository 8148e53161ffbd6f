"""Where the numbers of a table come from that a chapter makes of its results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compactml.study.page.beside_print import of_paper
from compactml.study.page.html import ShownTable
from compactml.study.recording.results import Results

__all__ = ["sourced"]


def sourced(make: Callable[[Results], ShownTable], results: Results) -> ShownTable:
    """Return a table made of results, which names its paper and, where it has no note, the runs that it is made of."""
    with results.noting() as asked:
        table = make(results)
    runs = results.source(*asked) if asked else None
    return of_paper(replace(table, source=runs), results.chapter)
