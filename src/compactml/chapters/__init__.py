"""The chapters: one folder a paper, with its trials, tables, figures and claims; none imports another.

A chapter is found by its folder: a package here with a module ``chapter`` that holds a `compactml.study.Chapter`.
`run_table` is what a notebook calls: it returns the results behind one table or figure, from the store where they are
there already.
"""

from __future__ import annotations

import os
from importlib import import_module
from pkgutil import iter_modules

from compactml.study.chapter import Chapter
from compactml.study.errors import UnknownChapter
from compactml.study.profile import Profile
from compactml.study.recording.published import folder_name
from compactml.study.running import engine
from compactml.study.running.store import Store
from compactml.study.running.worker import Finished

__all__ = ["chapter", "every_chapter", "names", "run_table"]


def chapter(name: str) -> Chapter:
    """Return a chapter by its name, with hyphens ("condition-sharing") or as its folder spells it.

    Raises
    ------
    UnknownChapter
    """
    folder = folder_name(name)
    if folder not in _folders():
        raise UnknownChapter(name, [found.replace("_", "-") for found in _folders()])
    found: Chapter = import_module(f"{__name__}.{folder}.chapter").CHAPTER
    return found


def every_chapter() -> list[Chapter]:
    """Return all chapters in the order of the book."""
    return sorted(map(chapter, _folders()), key=lambda found: found.place)


def names() -> list[str]:
    """Return the names of all chapters in the order of the book."""
    return [found.name for found in every_chapter()]


def _folders() -> list[str]:
    return [found.name for found in iter_modules(__path__) if found.ispkg]


def run_table(
    chapter: Chapter,
    table: str,
    *,
    profile: Profile | str = Profile.QUICK,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    scheduler: str | None = None,
) -> list[Finished]:
    """Return the results behind one table or figure, running what the store lacks.

    Parameters
    ----------
    chapter : Chapter
    table : str
        "table_2", "fig_4", ...
    profile : {"quick", "standard", "paper"}
    jobs : int
        Worker processes.
    store : path, optional
        File of the store, `compactml.study.running.store.default_path` by default.
    scheduler : str, optional
        Address of a Dask scheduler.

    Returns
    -------
    list of Finished
        Trials whose data are not at hand are left out.

    Raises
    ------
    UnknownTable, StoreError, SchedulerError, TrialsFailed
    """
    trials = chapter.trials(table, profile)
    with Store(store) as opened:
        return engine.run(
            chapter, trials, store=opened, jobs=jobs, scheduler=scheduler, profile=Profile(profile)
        )
