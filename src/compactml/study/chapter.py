"""What a chapter declares: its kinds of trials, its tables and figures, and what the paper prints of them.

A chapter is a folder of `compactml.chapters` with a module ``chapter`` that holds a `Chapter`. Nothing else lists it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pandas as pd

from compactml.errors import InvalidDataError, check_choice, check_fields, check_instance, check_integer
from compactml.study.errors import UnknownTable
from compactml.study.kinds import Kind, kinds_in
from compactml.study.profile import EXPECTED, GUARD, Profile
from compactml.study.trial import Recipe, Result, Trial, checked_result

if TYPE_CHECKING:  # workers import this module with their trials, and draw and judge nothing
    from compactml.study.judging.beside import Judge, Sides
    from compactml.study.judging.claims import Claim
    from compactml.study.page.rings import Panel
    from compactml.study.running.worker import Finished

__all__ = ["Chapter", "Kind", "Printed", "Table", "kinds_in", "no_rows", "no_trials"]

Opinion = Callable[[Trial, Result, str | None], Trial | None]


@dataclass(frozen=True)
class Printed:
    """What a paper prints of a table, and how ours stands beside it.

    Attributes
    ----------
    judge : callable Sides -> DataFrame
        Gives a row per printed cell: ``cell``, ``published``, ``recorded``, ``this_build`` and ``verdict``; see
        `compactml.study.judging.beside`.
    rows : tuple of str
        Columns whose values name the rows of the printed table.
    columns : str
        Column whose values head its groups of columns.
    unit : str
        What stands in a cell, for the caption.
    text : callable (cells, Sides) -> DataFrame, optional
        The cells as they are shown, rows of ours that are not printed below them.
    listed : callable DataFrame -> Series of bool, optional
        Which of the judged cells are listed if they differ; by default all. None of a table without such a list.
    build_counts : bool
        Judge this build's cells where it has some, not the recorded ones: its profile runs what print has, on fewer
        datasets.

    Examples
    --------
    >>> from compactml import chapters
    >>> pace = chapters.chapter("pace")
    >>> pace.table("table_1").printed.rows
    ('dataset', 'method')
    """

    judge: Judge
    rows: tuple[str, ...]
    columns: str
    unit: str = ""
    text: Callable[[pd.DataFrame, Sides], pd.DataFrame] | None = None
    listed: Callable[[pd.DataFrame], pd.Series] | None = None
    build_counts: bool = False

    def __post_init__(self) -> None:
        check_fields(self, judge=Callable, rows=tuple, columns=str, unit=str)


def no_trials(profile: Profile) -> Sequence[Trial]:
    """Return the trials of a table or figure that needs none."""
    return []


def no_rows(finished: Sequence[Finished]) -> pd.DataFrame:
    """Return the rows of a figure that is drawn from another table's."""
    return pd.DataFrame()


@dataclass(frozen=True)
class Table:
    """A table or figure: its trials, its rows, and what is printed of it.

    Attributes
    ----------
    id : str
        "table_2", "fig_4".
    trials : callable Profile -> sequence of Trial
    rows : callable sequence of Finished -> DataFrame
        One row per thing that the table tells of. Without trials it gives no row and all columns.
    key : tuple of str
        Columns by which a run replaces recorded rows: all those with the values of one of its own. Mostly they tell a
        row from the others; rows of one curve are replaced together. A table without any is not recorded.
    datasets : mapping of str to str
        What the whole table has in its column ``dataset``, with the key of the data; those that a record lacks are
        written down as partial.
    printed : Printed, optional
        Only of what the paper prints as numbers.
    whole_datasets : bool
        Record the rows of a dataset once all its trials of the profile are there: until then its old rows stand, and
        its trials are kept as raw trials. Else rows over fewer repetitions may stand beside rows over all.

    Examples
    --------
    >>> from compactml import chapters
    >>> pace = chapters.chapter("pace")
    >>> pace.table("table_1").recorded, pace.table("table_1").without_trials
    (True, False)
    """

    id: str
    trials: Callable[[Profile], Sequence[Trial]] = no_trials
    rows: Callable[[Sequence[Finished]], pd.DataFrame] = no_rows
    key: tuple[str, ...] = ()
    datasets: Mapping[str, str] = field(default_factory=dict)
    printed: Printed | None = None
    whole_datasets: bool = False

    def __post_init__(self) -> None:
        check_fields(self, id=str, trials=Callable, rows=Callable, key=tuple, datasets=Mapping)

    @property
    def recorded(self) -> bool:
        """Whether its rows are recorded: not those of a figure that is drawn from another table's."""
        return bool(self.key)

    @property
    def without_trials(self) -> bool:
        """Whether no profile has trials of it."""
        return self.trials is no_trials


@dataclass(frozen=True)
class Chapter:
    """A paper: its trials, its tables and figures, and its claims.

    Attributes
    ----------
    name : str
        On the command line and in specifications ("condition-sharing"); its folders spell it with underscores.
    place : int
        In the book.
    title : str
    citation : str
        Key of its paper in ``book/references.bib``.
    kinds : tuple of Kind
    tables : tuple of Table
    claims : tuple of Claim
    opinion : callable (Trial, Result, solver) -> Trial or None, optional
        For a trial whose result a table calls optimal, the trial that asks another solver for a second opinion on its
        final value; None for other trials. ``solver`` is the name of the one that gave the result, None where none did.
        That trial returns a `compactml.study.running.opinions.Heard`.
    opening : callable tables -> list of Panel, optional
        The figure that opens it, from the recorded tables.
    heads : mapping of str to str
        Words for the columns of its tables on pages, with units in brackets; see `compactml.study.page.words`.
    words : mapping of str to str
        Words for other names: methods, measures, readings of data.

    Raises
    ------
    InvalidDataError
        Two kinds or two tables have one name.

    Examples
    --------
    >>> from compactml import chapters
    >>> pace = chapters.chapter("pace")
    >>> pace.table("table_2").id, pace.citation
    ('table_2', 'akkerman2026pace')
    """

    name: str
    place: int
    title: str
    citation: str
    kinds: tuple[Kind, ...]
    tables: tuple[Table, ...]
    claims: tuple[Claim, ...] = ()
    opinion: Opinion | None = None
    opening: Callable[[Mapping[str, pd.DataFrame]], list[Panel]] | None = None
    heads: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    _kinds: dict[str, Kind] = field(init=False, repr=False, compare=False)
    _tables: dict[str, Table] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_fields(self, name=str, title=str, citation=str, kinds=tuple, tables=tuple, claims=tuple)
        check_integer("place", self.place, 0)
        for kind in self.kinds:
            check_instance("kinds", kind, Kind)
        for table in self.tables:
            check_instance("tables", table, Table)
        object.__setattr__(self, "_kinds", {kind.name: kind for kind in self.kinds})
        object.__setattr__(self, "_tables", {table.id: table for table in self.tables})
        if len(self._kinds) < len(self.kinds):
            raise InvalidDataError(
                "kinds", "kinds with distinct names", str([kind.name for kind in self.kinds])
            )
        if len(self._tables) < len(self.tables):
            raise InvalidDataError(
                "tables", "tables with distinct ids", str([table.id for table in self.tables])
            )

    @property
    def folder(self) -> str:
        """Its name as folders and modules spell it."""
        return self.name.replace("-", "_")

    @property
    def table_ids(self) -> tuple[str, ...]:
        """Ids of the tables and figures, in the order of the paper, then ours."""
        return tuple(self._tables)

    def table(self, id: str) -> Table:
        """Return a table or figure.

        Raises
        ------
        UnknownTable
        """
        if id not in self._tables:
            raise UnknownTable(self.name, id, self.table_ids)
        return self._tables[id]

    def trials(self, id: str, profile: Profile | str) -> list[Trial]:
        """Return the trials behind one table or figure.

        Raises
        ------
        UnknownTable, InvalidParameterError
        """
        check_choice("profile", profile, map(str, Profile))
        return list(self.table(id).trials(Profile(profile)))

    def find_kind(self, name: str) -> Kind | None:
        """Return a kind of trial by its name, None for a name that no kind has."""
        return self._kinds.get(name)

    def kind(self, trial: Trial) -> Kind:
        """Return the kind of a trial."""
        return self._kinds[trial.kind]

    def cost(self, trial: Trial) -> float:
        """Return the rough seconds of a trial on one core, of which a guard says nothing."""
        guarded = trial.time_limit == GUARD
        return self.kind(trial).cost(replace(trial, time_limit=EXPECTED) if guarded else trial)

    def generated(self, trial: Trial) -> Recipe | None:
        """Return how the data of a trial are made, None for those of a file."""
        generated = self.kind(trial).generated
        return None if generated is None else generated(trial)

    def run(self, trial: Trial) -> Result:
        """Run one trial here and now."""
        return checked_result(self.kind(trial).run(trial))
