"""The trials behind one table or figure, from the store where they are there already."""

from __future__ import annotations

import os

from compactml.study.chapter import Chapter
from compactml.study.profile import Profile
from compactml.study.running import engine
from compactml.study.running.worker import Finished
from compactml.study.storing.store import Store

__all__ = ["run_table"]


def run_table(
    chapter: Chapter,
    id: str,
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
    id : str
        "table_2", "fig_4", ...
    profile : {"quick", "standard", "paper"}
    jobs : int
        Worker processes.
    store : path, optional
        File of the store, `compactml.study.storing.store.default_path` by default.
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
    trials = chapter.trials(id, profile)
    with Store(store) as opened:
        return engine.run(
            chapter, trials, store=opened, jobs=jobs, scheduler=scheduler, profile=Profile(profile)
        )
