"""A chapter's results, table by table: this build's beside the recorded ones, and where each comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pandas as pd

from compactml.study.chapter import Chapter
from compactml.study.profile import Profile
from compactml.study.recording import tables
from compactml.study.recording.clocked import counts
from compactml.study.recording.origins import both_sources, source_line, summary
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.running.worker import Finished

__all__ = ["Results", "Settings"]


@dataclass(frozen=True)
class Settings:
    """What a page is built with, besides its trials.

    Attributes
    ----------
    profile : {"quick", "standard", "paper"}
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
        Of the examples that a page solves by itself; trials take the best solver at hand.
    time_limit : float
        Seconds of such an example.
    seed : int
    """

    profile: Profile | str = Profile.QUICK
    solver: str = "auto"
    time_limit: float = 60.0
    seed: int = 0


class Results:
    """What pages, figures and the numbers of the prose are made of.

    Parameters
    ----------
    chapter : Chapter
    run : callable str -> sequence of Finished
        This build's trials of a table by its id; called once for each table. Those that a clock decided are left out,
        see `compactml.study.recording.clocked.counts`.
    settings : Settings
    """

    def __init__(
        self, chapter: Chapter, run: Callable[[str], Sequence[Finished]], settings: Settings = Settings()
    ) -> None:
        self.chapter = chapter
        self.settings = settings
        self._run = run
        self._finished: dict[str, Sequence[Finished]] = {}
        self._left_out: dict[str, Sequence[Finished]] = {}
        self._asked: list[dict[str, None]] = []

    @contextmanager
    def noting(self) -> Iterator[dict[str, None]]:
        """Note the tables that are asked for inside a ``with``: a mapping whose keys are their ids, in order."""
        asked: dict[str, None] = {}
        self._asked.append(asked)
        try:
            yield asked
        finally:
            self._asked.remove(asked)

    def _note(self, id: str) -> None:
        for asked in self._asked:
            asked[id] = None

    def finished(self, id: str) -> Sequence[Finished]:
        """Return this build's trials of a table that count; the first call runs what the store lacks."""
        self._note(id)
        if id not in self._finished:
            run, profile = self._run(id), self.settings.profile
            self._finished[id] = [item for item in run if counts(item, profile)]
            self._left_out[id] = [item for item in run if not counts(item, profile)]
        return self._finished[id]

    def left_out(self, id: str) -> Sequence[Finished]:
        """Return this build's trials of a table that do not count, since a clock decided what they found."""
        self.finished(id)
        return self._left_out[id]

    def build(self, id: str) -> pd.DataFrame:
        """Return this build's rows."""
        return self.chapter.table(id).rows(self.finished(id))

    def recorded(self, id: str) -> pd.DataFrame:
        """Return the recorded rows; all columns and no row where nothing is recorded."""
        self._note(id)
        kept = tables.recorded_rows(self.chapter, id)
        return self.chapter.table(id).rows([]) if kept is None else kept

    def rows(self, id: str) -> pd.DataFrame:
        """Return the recorded rows, and this build's for the datasets of which nothing is recorded."""
        return tables.combined_rows(self.chapter, id, self.finished(id))

    def recorded_or_build(self, id: str) -> pd.DataFrame:
        """Return the recorded rows alone, this build's where nothing is recorded: rows of two runs are not mixed."""
        self._note(id)
        kept = tables.recorded_rows(self.chapter, id)
        return self.build(id) if kept is None else kept

    def comparison(self, id: str) -> pd.DataFrame:
        """Return the cells beside print, see `compactml.study.recording.tables.comparison`."""
        return tables.comparison(self.chapter, id, self.finished(id))

    def counted_cells(self, id: str) -> pd.DataFrame:
        """Return the cells that are counted, see `compactml.study.recording.tables.counted_cells`."""
        return tables.counted_cells(self.chapter, id, self.finished(id))

    def repeated(self, id: str, measured: Sequence[str]) -> tuple[int, int]:
        """Return how many numbers of this build are the recorded ones, of how many that both have."""
        return tables.repeated(self.chapter, id, self.finished(id), measured)

    def origin(self, id: str) -> dict[str, Any]:
        """Return where the recorded rows come from; this build's where nothing is recorded."""
        return recorded_provenance(self.chapter.name, id) or summary(self.finished(id))

    def run_ids(self, *ids: str) -> str:
        """Return the names of the runs behind some tables, for below a figure."""
        return ", ".join(dict.fromkeys(self.origin(id)["run_id"] for id in ids))

    def source(self, *ids: str) -> str:
        """Return a line that says where the rows of some tables come from."""
        return " | ".join(source_line(self.origin(id)) for id in ids)

    def both_sources(self, id: str) -> str:
        """Return a line that says where the recorded rows and this build's come from, and what the clock took out."""
        recorded = recorded_provenance(self.chapter.name, id)
        return both_sources(recorded, self.finished(id), self.left_out(id))
