"""A printed table in one glance: a square a cell, coloured by what became of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from compactml.study.judging.comparison import Agreement
from compactml.study.page.style import MIXED, NO, OPEN, PALETTE, PARTLY, SOFT, UNTESTED, YES

__all__ = ["Squares"]

NEAR = 0.01
"""Share of the printed value by which a cell may be off and still be shown as near."""
COLOURS = {
    "to every digit": YES,
    "within the errors": PARTLY,
    "off by at most 1 %": MIXED,
    "further off": NO,
    "too noisy to tell": OPEN,
    "no data here": UNTESTED,
    "not run": UNTESTED,
}
"""What became of a cell, and its colour."""
UNDECIDED = PALETTE[-1]
"""Colour of a cell that decides nothing, since a choice of ours or what the paper leaves open made its value."""
NOTHING = ("no data here", "not run")
"""What says of a cell that it was not run."""
Head = tuple[str, str]
"""A column: its group and its name."""
BY_VERDICT = {
    Agreement.EVERY_DIGIT: "to every digit",
    Agreement.WITHIN_ERRORS: "within the errors",
    Agreement.INCONCLUSIVE: "too noisy to tell",
    Agreement.NOT_AT_HAND: "no data here",
    Agreement.NOT_RUN: "not run",
}
SIZE, LEAST, ROW = 13.0, 8.0, 11.5
"""Points: widths of a square on a wide screen and at least on a narrow one, and the height of a row."""
LETTER, TEXT = 5.4, 9.5
"""Points: width of a letter, about, and the size of all letters."""
ENTRY = 24.0
"""Points of an entry of the legend beside its text."""
SQUARE = Path([(0.04, 0.04), (0.96, 0.04), (0.96, 0.96), (0.04, 0.96), (0.04, 0.04)], closed=True)
"""What is coloured of a cell that begins at (0, 0)."""
GAP = 0.6
"""Space between two groups of columns, in squares."""


class Squares:
    """The cells of a printed table as squares.

    Parameters
    ----------
    cells : DataFrame
        As `compactml.study.chapter.Printed.judge` returns them.
    rows : sequence of str
        Columns that name the rows of the printed table: the first names those of the picture, the others its columns.
    columns : str
        Column whose values head the groups of columns.
    colours : mapping of str to str, optional
        What can become of a cell, in the order of the legend, and its colour; the cells then have a column ``outcome``.
        By default how a cell agrees with the printed one.
    """

    def __init__(
        self,
        cells: pd.DataFrame,
        rows: Sequence[str],
        columns: str,
        colours: Mapping[str, str] | None = None,
    ) -> None:
        first, *inner = rows
        self.colours = COLOURS if colours is None else colours
        if colours is None:
            self.outcomes = [outcome(row) for row in cells.to_dict("records")]
        else:
            self.outcomes = [str(what) for what in cells["outcome"]]
        names = [
            (str(group), " ".join(map(str, rest)).replace("_", " "))
            for group, *rest in cells[[columns, *inner]].itertuples(index=False)
        ]
        heads = list(dict.fromkeys(names))
        order = {group: i for i, group in enumerate(dict.fromkeys(group for group, _ in heads))}
        self.heads = sorted(heads, key=lambda head: order[head[0]])
        self.labels = list(dict.fromkeys(map(str, cells[first])))
        place = {label: i for i, label in enumerate(self.labels)}
        self.cells = {
            (place[str(label)], head): what
            for label, head, what in zip(cells[first], names, self.outcomes, strict=True)
        }

    @property
    def counts(self) -> dict[str, int]:
        """How many cells each outcome has, in the order of the colours, without those that none has."""
        numbers = {what: self.outcomes.count(what) for what in self.colours}
        return {what: number for what, number in numbers.items() if number}

    def sentence(self) -> str:
        """Return the counts in words."""
        run = {what: number for what, number in self.counts.items() if what not in NOTHING}
        parts = [f"{number} {what}" for what, number in run.items()]
        return f"Of {sum(run.values())} numbers that were run: {', '.join(parts) or 'none'}."

    def draw(self, width: float) -> Figure:
        """Draw the squares; groups that do not fit beside each other stand one below the other."""
        left = self._label_width()
        room = width * 72 - left - 4
        size = min(SIZE, max(LEAST, room / self._columns(self._groups())))
        blocks = _filled(self._groups(), room / size)
        columns = self._legend_columns(width * 72)
        legend = ROW * 1.4 * np.ceil(len(self.counts) / columns)
        heads = [self._head(block) for block in blocks]
        body = len(self.labels) * ROW
        total = legend + sum(heads) + body * len(blocks)
        figure = plt.figure(figsize=(width, total / 72), layout="none")
        top = total
        for block, head in zip(blocks, heads, strict=True):
            top -= head + body
            span = self._columns(block) * size
            ax = figure.add_axes((left / (width * 72), top / total, span / (width * 72), body / total))
            self._block(ax, block)
        self._legend(figure, columns)
        return figure

    def _groups(self) -> list[list[Head]]:
        return [list(heads) for _, heads in groupby(self.heads, key=lambda head: head[0])]

    @staticmethod
    def _columns(groups: Sequence[Sequence[Any]]) -> float:
        """Squares that groups take side by side, with the gaps."""
        return sum(map(len, groups)) + GAP * (len(groups) - 1)

    def _label_width(self) -> float:
        """Points for the longest label and a space; capitals take more room than `LETTER`."""
        drawn = [TextPath((0, 0), label, size=TEXT).get_extents().width + 8 for label in self.labels]
        return max(LETTER * max(map(len, self.labels)) + 6, *drawn)

    def _head(self, block: Sequence[Sequence[Head]]) -> float:
        """Points above the squares: the name of each group and, upright, those of its columns."""
        return LETTER * max(len(name) for group in block for _, name in group) + 2 * ROW

    def _block(self, ax: Axes, block: Sequence[Sequence[Head]]) -> None:
        above = (self._head(block) - ROW) / ROW
        x, places, names = 0.0, list[float](), list[str]()
        squares: dict[str, list[Path]] = {}
        for group in block:
            ax.text(x, -above, group[0][0], fontsize=TEXT)
            for head in group:
                places.append(x + 0.5)
                names.append(head[1])
                for y in range(len(self.labels)):
                    if (y, head) in self.cells:
                        square = SQUARE.transformed(Affine2D().translate(x, y))
                        squares.setdefault(self.colours[self.cells[y, head]], []).append(square)
                x += 1
            x += GAP
        for colour, paths in squares.items():  # one path a colour: a page has thousands of squares
            joined = Path.make_compound_path(*paths)
            ax.add_patch(PathPatch(joined, facecolor=colour, edgecolor=SOFT, linewidth=0.25))
        ax.set(xlim=(0, x - GAP), ylim=(len(self.labels), 0))
        ax.set_yticks(np.arange(len(self.labels)) + 0.5, self.labels, fontsize=TEXT)
        ax.xaxis.tick_top()
        ax.set_xticks(places, names, rotation=90, fontsize=TEXT)
        ax.tick_params(length=0, pad=3)
        ax.grid(visible=False)
        for spine in ax.spines.values():
            spine.set_visible(False)

    def _legend_columns(self, room: float) -> int:
        """As many columns of the legend as there is room for; it is filled column by column."""
        entries = [LETTER * len(f"{number} {what}") + ENTRY for what, number in self.counts.items()]
        for columns in range(len(entries), 1, -1):
            if sum(part.max() for part in np.array_split(entries, columns)) <= room:
                return columns
        return 1

    def _legend(self, figure: Figure, columns: int) -> None:
        style = {"edgecolor": SOFT, "linewidth": 0.25}
        entries = [Rectangle((0, 0), 1, 1, facecolor=self.colours[what], **style) for what in self.counts]  # type: ignore[arg-type]
        texts = [f"{number} {what}" for what, number in self.counts.items()]
        figure.legend(
            entries, texts, loc="lower left", bbox_to_anchor=(0, 0), ncols=columns, fontsize=TEXT,
            handlelength=0.9, handleheight=0.9, columnspacing=1.2, borderpad=0, borderaxespad=0.2,
        )  # fmt: skip


def outcome(cell: Mapping[Hashable, Any]) -> str:
    """Return what became of one cell, a key of `COLOURS`."""
    verdict = Agreement(cell["verdict"])
    if verdict is not Agreement.DIFFERS:
        return BY_VERDICT[verdict]
    ours = cell["this_build"] if pd.notna(cell["this_build"]) else cell["recorded"]
    try:
        near = abs(float(ours) - float(cell["published"])) <= NEAR * abs(float(cell["published"]))
    except (TypeError, ValueError):
        near = False
    return "off by at most 1 %" if near else "further off"


def _filled(groups: Sequence[Sequence[Any]], room: float) -> list[list[Sequence[Any]]]:
    """Put groups into blocks, as many side by side as there is room for."""
    blocks: list[list[Sequence[Any]]] = [[]]
    for group in groups:
        if blocks[-1] and Squares._columns([*blocks[-1], group]) > room + 1e-9:
            blocks.append([])
        blocks[-1].append(group)
    return blocks
