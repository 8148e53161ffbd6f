"""Tables for the book: semantic HTML with class names, a download of the CSV, and where the numbers come from.

The HTML is written here and not by pandas' Styler, which puts neither ``scope`` on headings nor stable ids, and
wants inline styles: those would not follow the page into dark mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from numbers import Real
from typing import Any, cast

import numpy as np
import pandas as pd

from compactml.study.judging.comparison import Agreement, printed_decimals
from compactml.study.page.reference import table_reference
from compactml.study.page.tidy import as_csv, data_uri, tidy
from compactml.study.page.words import COMMON, Words
from compactml.study.recording.errors import RepositoryNotFound

CLASSES = {
    Agreement.EVERY_DIGIT.value: "cm-same",
    Agreement.WITHIN_ERRORS.value: "cm-same",
    Agreement.INCONCLUSIVE.value: "cm-undecided",
    Agreement.DIFFERS.value: "cm-differs",
    Agreement.NOT_AT_HAND.value: "cm-missing",
    Agreement.NOT_RUN.value: "cm-missing",
}
"""Class of a cell by the verdict that stands in it."""

PRINTED, RECORDED, BUILD = "published", "recorded", "this build"
COLOURS = (
    "Green: agrees with print; red: differs; yellow: too noisy to tell; grey: not at hand or not run; no colour: "
    "decides nothing. Judged is this build's value where it has one, else the recorded one; a cell of this build is "
    "empty where its profile does not run it."
)
"""What the colours of a table beside print mean."""


@dataclass(frozen=True)
class ShownTable:
    """A table that a notebook shows; made by `show`.

    ``source`` names the runs behind a table that has no note of its own, ``paper`` is the key of its paper, and
    ``words`` are those of its chapter; they are for readers only, what is downloaded keeps its names.
    """

    frame: pd.DataFrame
    name: str
    caption: str | None
    note: str | None
    verdicts: pd.DataFrame | None
    data: pd.DataFrame | None = None
    source: str | None = None
    paper: str = ""
    words: Words = COMMON

    def _repr_html_(self) -> str:
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        note = f'<p class="cm-note">{escape(self.note)}</p>' if self.note else ""
        return (
            f'<div class="cm-table" role="region" tabindex="0" aria-label="{escape(self.caption or self.name)}">'
            f"<table>{caption}<thead>{_head(self.frame, self.words)}</thead><tbody>{self._body()}</tbody></table></div>"
            f'<p class="cm-download"><a download="{escape(self.name)}.csv" href="{data_uri(self.csv())}">'
            "Download as CSV</a></p>"
            f"{self._cited()}{note}"
        )

    def _cited(self) -> str:
        """How it is cited; nothing where only the package is installed, which does not say how."""
        try:
            text = table_reference(self.name, self.caption, self.note or self.source, self.paper)
        except RepositoryNotFound:
            return ""
        return f'<details class="cm-cite"><summary>Cite this table</summary><p>{escape(text)}</p></details>'

    def __repr__(self) -> str:
        return self.frame.to_string()

    def csv(self) -> str:
        """Return the table as CSV: one number a column, below a line that names its runs and commits."""
        data = tidy(self.frame if self.data is None else self.data)
        return as_csv(data, self.name, self.note or self.source)

    def _body(self) -> str:
        verdicts = self.frame.astype(object).map(lambda _: "") if self.verdicts is None else self.verdicts
        rows = []
        for i, heads in enumerate(_row_heads(self.frame, self.words)):
            values = map(self.words.value, self.frame.iloc[i])
            cells = zip(values, verdicts.iloc[i], strict=True)
            rows.append(f"<tr>{heads}{''.join(_cell(*pair) for pair in cells)}</tr>")
        return "".join(rows)


def show(
    frame: pd.DataFrame,
    *,
    name: str,
    caption: str | None = None,
    note: str | None = None,
    verdicts: pd.DataFrame | None = None,
    data: pd.DataFrame | None = None,
) -> ShownTable:
    """Return a table for a notebook.

    Parameters
    ----------
    frame : DataFrame
        Its index becomes row headings unless it is a plain range. Columns may have two levels.
    name : str
        File name of the download, without ".csv".
    caption : str, optional
    note : str, optional
        Line below, usually `compactml.study.recording.recorded.source_line`.
    verdicts : DataFrame of the shape of ``frame``, optional
        Agreement of each cell (`CLASSES`), "" for none; by default no cell is coloured.
    data : DataFrame, optional
        What is downloaded, where it is not the table as it is shown; see `compactml.study.page.tidy.tidy`.

    Returns
    -------
    ShownTable
    """
    return ShownTable(frame, name, caption, note, verdicts, data)


def show_beside_print(
    chapter: str,
    table: str,
    frame: pd.DataFrame,
    verdicts: pd.DataFrame,
    note: str,
    *,
    cells: str = "",
    data: pd.DataFrame | None = None,
) -> ShownTable:
    """Return a printed table ("table_2") beside ours, from `paper_layout`; ``cells`` says what stands in a cell.

    What is downloaded is ``data``, the comparison with a row for each cell.
    """
    what = f"; {cells}" if cells else ""
    caption = f"{table_name(table)}, as published, as recorded and in this build{what}. {COLOURS}"
    return show(frame, name=f"{chapter}_{table}", caption=caption, note=note, verdicts=verdicts, data=data)


def show_differing(chapter: str, table: str, frame: pd.DataFrame) -> ShownTable:
    """Return the list of the cells that differ from a printed table."""
    caption = f"{table_name(table)}: the cells judged that differ from print; difference is ours less print."
    return show(frame, name=f"{chapter}_{table}_differing", caption=caption)


def table_name(table: str) -> str:
    """Return what a table is called in a sentence ("Table 2")."""
    return table.replace("_", " ").capitalize()


def paper_layout(
    comparison: pd.DataFrame, rows: str | Sequence[str], columns: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Arrange a comparison as the paper does: published | recorded | this build under each column.

    Parameters
    ----------
    comparison : DataFrame
        From `compactml.study.judging.comparison.compare`.
    rows : str or sequence of str
        Columns whose values name the rows (dataset, measure), in the order in which they occur.
    columns : str
        Column whose values head the groups (learner).

    Returns
    -------
    frame, verdicts : DataFrame
        Cells as text, our values with the printed number of decimals; and the verdict of each of them, for `show`.
        Sub-columns without any value are left out.
    """
    keys = [rows] if isinstance(rows, str) else list(rows)
    cells = pd.MultiIndex.from_frame(comparison[[*keys, columns]])
    printed, ours = comparison["published"], comparison[["recorded", "this_build"]]
    texts = pd.DataFrame(
        {
            PRINTED: printed,
            RECORDED: as_printed(ours["recorded"], printed),
            BUILD: as_printed(ours["this_build"], printed),
        }
    ).set_axis(cells)
    texts = texts.loc[:, (texts != "").any()]
    recorded_only = np.where(ours["recorded"].notna(), RECORDED, texts.columns[-1])
    judged = np.where(ours["this_build"].notna(), BUILD, recorded_only)
    verdicts = pd.DataFrame(
        {part: np.where(judged == part, comparison["verdict"], "") for part in texts}, index=cells
    )
    return _grouped(texts, columns), _grouped(verdicts, columns)


def _grouped(cells: pd.DataFrame, columns: str) -> pd.DataFrame:
    """Move the innermost index level above the columns; rows and groups in the order in which they occur."""
    index = cast("pd.MultiIndex", cells.index)
    groups = index.get_level_values(columns).unique()
    wide = cast("pd.DataFrame", cells.unstack(columns))  # noqa: PD010 (text: nothing to add up)
    wide = wide.swaplevel(axis="columns").reindex(index.droplevel(columns).unique())
    heads = pd.MultiIndex.from_product([groups, cells.columns], names=[columns, None])
    return wide.reindex(columns=heads).fillna("")


def as_printed(values: pd.Series, printed: pd.Series) -> list[str]:
    """Return our values as text with as many decimals as the printed ones; empty where there is none."""
    return [_digits(value, text) for value, text in zip(values, printed, strict=True)]


def _digits(value: Any, printed: str) -> str:
    if pd.isna(value):
        return ""
    return f"{value:.{max(printed_decimals(printed), 0)}f}" if isinstance(value, Real) else str(value)


def _has_index(frame: pd.DataFrame) -> bool:
    return not isinstance(frame.index, pd.RangeIndex)


def _labels(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    keys: list[Any] = list(frame.columns)
    return [tuple(map(str, key)) if isinstance(key, tuple) else (str(key),) for key in keys]


def _head(frame: pd.DataFrame, words: Words) -> str:
    """Header rows; equal neighbours of an upper level share one cell."""
    labels = [tuple(map(words.head, label)) for label in _labels(frame)]
    levels = frame.columns.nlevels
    corner = ""
    if _has_index(frame):
        names = (escape(words.head(str(name or ""))) for name in frame.index.names)
        corner = "".join(f'<th scope="col" rowspan="{levels}">{name}</th>' for name in names)
    lines = []
    for level in range(levels):
        cells = (_heading("col", span, text) for span, text in _spans(labels, level) if span)
        lines.append(f"<tr>{corner if level == 0 else ''}{''.join(cells)}</tr>")
    return "".join(lines)


def _row_heads(frame: pd.DataFrame, words: Words) -> list[str]:
    """Row headings; equal neighbours of an outer level share one cell."""
    if not _has_index(frame):
        return [""] * len(frame)
    keys = [key if isinstance(key, tuple) else (key,) for key in frame.index]
    labels = [tuple(str(words.value(part)) for part in key) for key in keys]
    levels = [_spans(labels, level) for level in range(frame.index.nlevels)]
    return ["".join(_heading("row", *cell) for cell in row if cell[0]) for row in zip(*levels, strict=True)]


def _spans(labels: list[tuple[str, ...]], level: int) -> list[tuple[int, str]]:
    """For every label the width of the cell that starts there (0: inside the one before) and its text."""
    spans: list[tuple[int, str]] = []
    for key, group in groupby(labels, lambda label: label[: level + 1]):
        width = len(list(group))
        # innermost headings stay single: each belongs to one row or column
        spans += (
            [(1, key[-1])] * width
            if len(key) == len(labels[0])
            else [(width, key[-1])] + [(0, "")] * (width - 1)
        )
    return spans


def _heading(axis: str, span: int, text: str) -> str:
    if span == 1:
        return f'<th scope="{axis}">{escape(text)}</th>'
    return f'<th scope="{axis}group" {axis}span="{span}">{escape(text)}</th>'


def _cell(value: Any, verdict: object) -> str:
    css_class = CLASSES.get(verdict) if isinstance(verdict, str) else None
    value = verdict if css_class == "cm-missing" and value == "" else value  # say why the cell is empty
    # "w" for words: a page has thousands of such cells, and a letter more weighs kilobytes
    words = None if not _text(value) or _looks_numeric(value) else "cm-w"
    names = [name for name in (css_class, words) if name]
    classes = f' class="{" ".join(names)}"' if names else ""
    title = f' title="{escape(str(verdict))}"' if css_class and verdict != value else ""
    return f"<td{classes}{title}>{escape(_text(value))}</td>"


def _text(value: Any) -> str:
    if pd.isna(value):
        return ""
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _looks_numeric(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
