"""What a notebook shows of its chapter: one call a table, one a figure, one for the numbers of a section's prose."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import count

from matplotlib.figure import Figure
from myst_nb import glue

from compactml.study.chapter import Chapter
from compactml.study.page.beside_print import beside_print, differing, of_paper
from compactml.study.page.html import ShownTable, show, table_name
from compactml.study.page.live import note_live, runs_trials
from compactml.study.page.picture import Caption, Html, folded, picture
from compactml.study.page.sourcing import sourced
from compactml.study.page.squares import Squares
from compactml.study.profile import Profile
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.recording.results import Results, Settings
from compactml.study.recording.tables import printed
from compactml.study.running.tables import run_table
from compactml.study.running.worker import Finished

__all__ = ["Page"]

Number = int | float | str
DATA = "../../_static/data/recorded/{folder}/{id}.csv"
"""Where a page finds the recorded rows of a table, see ``bookbuild.sources``."""

RECORDED_ONLY = "none (recorded numbers only)"
"""What stands for the profile on a page that runs no trial."""


class Page:
    """A notebook's page of a chapter.

    Parameters
    ----------
    chapter : Chapter
    profile : {"quick", "standard", "paper"}
    jobs : int
        Worker processes.
    solver : str
    time_limit : float
    seed : int
        Of the examples that the page solves by itself.

    Attributes
    ----------
    results : Results

    Notes
    -----
    The prose knows the profile as ``{glue:text}`profile```. With the environment variable ``COMPACTML_LIVE=0`` no trial
    is run: a page shows recorded numbers only.
    """

    def __init__(
        self,
        chapter: Chapter,
        profile: Profile | str = Profile.QUICK,
        jobs: int = 1,
        *,
        solver: str = "auto",
        time_limit: float = 60.0,
        seed: int = 0,
    ) -> None:
        # the tables show which datasets are not at hand
        logging.getLogger("compactml").setLevel(logging.ERROR)
        glue("profile", str(profile) if runs_trials() else RECORDED_ONLY, display=False)

        def run(id: str) -> Sequence[Finished]:
            finished = run_table(chapter, id, profile=profile, jobs=jobs) if runs_trials() else []
            note_live(chapter, id, profile, finished, glue)
            return finished

        self._drawn = count(1)
        self.results = Results(chapter, run, Settings(profile, solver, time_limit, seed))

    def beside_print(self, id: str) -> ShownTable:
        """Return a printed table: published, recorded and this build side by side, in the paper's layout."""
        return beside_print(self.results.chapter, id, self.results.finished(id), self.results.left_out(id))

    def differing(self, id: str) -> ShownTable:
        """Return the list of the cells of a printed table that differ from print."""
        return differing(self.results.chapter, id, self.results.finished(id), self.results.left_out(id))

    def rows(self, id: str, caption: str) -> ShownTable:
        """Return the rows of a table as they are, recorded ones and this build's for datasets that are not recorded."""
        name = f"{self.results.chapter.folder}_{id}"
        table = show(self.results.rows(id), name=name, caption=caption, note=self.results.both_sources(id))
        return of_paper(table, self.results.chapter)

    def table(self, make: Callable[[Results], ShownTable], *, fold: str = "") -> ShownTable | Html:
        """Return a table that the chapter makes of its results, folded under some words where there are such."""
        shown = sourced(make, self.results)
        return folded(fold, shown._repr_html_()) if fold else shown

    def squares(self, id: str, finding: str, draw: Callable[[Results, float], Figure] | None = None) -> Html:
        """Return a printed table as squares, and below them, folded, the table and the cells that differ.

        Parameters
        ----------
        id : str
        finding : str
            What is to be seen, in a sentence.
        draw : callable (Results, float) -> Figure, optional
            Where a chapter has squares of its own: by default they say how a cell agrees with the printed one.
        """
        drawn = f"A square a number of {table_name(id)}, by how ours agrees with it"
        if draw is not None:
            return Html(self.picture(draw, id, finding=finding, drawn=f"{drawn}.") + self.full(id))
        layout = printed(self.results.chapter, id)
        seen = Squares(self.results.counted_cells(id), layout.rows, layout.columns)
        drawn = f"{drawn}; a pale one has no data here."
        shown = self._picture(seen.draw, finding, drawn, id, alternative=f"{finding} {seen.sentence()}")
        return Html(shown + self.full(id))

    def full(self, *ids: str) -> Html:
        """Return printed tables beside ours and the cells that differ, each table folded."""
        folds = [
            folded(
                f"{table_name(id)} in full, and where ours differs",
                self.beside_print(id)._repr_html_(),
                self.differing(id)._repr_html_(),
            )
            for id in ids
        ]
        return Html("".join(folds))

    def picture(
        self, draw: Callable[[Results, float], Figure], *ids: str, finding: str, drawn: str = ""
    ) -> Html:
        """Return a figure, with a layout of its own for narrow screens.

        Parameters
        ----------
        draw : callable (Results, float) -> Figure
            Takes the width in inches.
        *ids : str
            The tables that it is drawn from.
        finding : str
            What is to be seen, in a sentence.
        drawn : str
            How it is drawn.
        """
        return self._picture(partial(draw, self.results), finding, drawn, *ids)

    def _picture(
        self, draw: Callable[[float], Figure], finding: str, drawn: str, *ids: str, alternative: str = ""
    ) -> Html:
        folder = self.results.chapter.folder
        recorded = [id for id in ids if recorded_provenance(self.results.chapter.name, id)]
        caption = Caption(
            escape(finding),
            alternative or f"{finding} {drawn}".strip(),
            escape(drawn),
            DATA.format(folder=folder, id=recorded[0]) if recorded else "",
            self.results.run_ids(*ids) if ids else "",
            self.results.source(*ids) if ids else "",
        )
        return picture(draw, caption, f"{folder}_{'_'.join(ids) or 'figure'}_{next(self._drawn)}")

    def numbers(self, *make: Callable[[Results], Mapping[str, Number]]) -> None:
        """Make numbers known to the prose by their names, for ``{glue:text}``."""
        for function in make:
            for name, value in function(self.results).items():
                glue(name, value, display=False)
