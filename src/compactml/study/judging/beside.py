"""Ours beside print: the two sides of a comparison, and the ways in which tables are judged cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from compactml.study.judging.comparison import Agreement, compare, compare_means

__all__ = ["Judge", "Sides", "digit_by_digit", "unjudged", "within_errors"]


@dataclass(frozen=True)
class Sides:
    """Our two sides of a table, as its rows.

    Attributes
    ----------
    recorded : DataFrame or None
        None where nothing is recorded.
    build : DataFrame
        This build's rows; all columns and no row where it has none.
    missing : tuple of str
        Datasets of the table, as it names them, whose data are not at hand.
    """

    recorded: pd.DataFrame | None
    build: pd.DataFrame
    missing: tuple[str, ...] = ()

    def cells(
        self, cells_of: Callable[[pd.DataFrame], pd.DataFrame]
    ) -> tuple[pd.DataFrame | None, pd.DataFrame]:
        """Return the cells of both sides."""
        return None if self.recorded is None else cells_of(self.recorded), cells_of(self.build)

    @property
    def by_name(self) -> dict[str, pd.DataFrame | None]:
        """The sides under the names of their columns in a comparison."""
        return {"recorded": self.recorded, "this_build": self.build}


Judge = Callable[[Sides], pd.DataFrame]
Cells = Callable[[pd.DataFrame], pd.DataFrame]


def same(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows that are cells already."""
    return rows


def digit_by_digit(printed: Callable[[], pd.DataFrame], cell: Sequence[str], cells_of: Cells = same) -> Judge:
    """Return a judge by every printed digit, see `compactml.study.judging.comparison.compare`.

    Parameters
    ----------
    printed : callable
        Returns the printed cells: columns ``cell`` and ``value``.
    cell : sequence of str
        Columns that name a cell, the first of them its dataset.
    cells_of : callable DataFrame -> DataFrame
        Our rows as cells of that form; by default they are.
    """
    return partial(_judged, compare, printed, tuple(cell), cells_of)


def within_errors(
    printed: Callable[[], pd.DataFrame],
    cell: Sequence[str],
    cells_of: Cells = same,
    *,
    point: float | None = None,
) -> Judge:
    """Return a judge by two standard errors of the difference, see `compactml.study.judging.comparison.compare_means`.

    Parameters
    ----------
    printed, cell, cells_of
        As for `digit_by_digit`, with a further column ``std_error`` on both sides.
    point : float, optional
        One point of accuracy in the unit of the values; by default they are no accuracies.
    """
    return partial(_judged, partial(compare_means, point=point), printed, tuple(cell), cells_of)


def unjudged(cells: pd.DataFrame, spared: pd.Series) -> pd.DataFrame:
    """Return judged cells, some with an empty verdict: those that are ``spared`` and where there is a value of ours."""
    absent = cells["verdict"].isin([Agreement.NOT_AT_HAND, Agreement.NOT_RUN])
    return cells.assign(verdict=cells["verdict"].mask(spared & ~absent, ""))


def _judged(
    how: Callable[..., pd.DataFrame],
    printed: Callable[[], pd.DataFrame],
    cell: tuple[str, ...],
    cells_of: Cells,
    sides: Sides,
) -> pd.DataFrame:
    recorded, build = sides.cells(cells_of)
    return how(printed(), recorded, build, cell, not_at_hand=sides.missing)
