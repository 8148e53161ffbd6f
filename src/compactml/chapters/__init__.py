"""The chapters: one folder a paper, with its trials, tables, figures and claims; none imports another.

`run_table` is what a notebook calls: it returns the results behind one table or figure, from the store where
they are there already.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from compactml.errors import check_choice
from compactml.study.errors import UnknownChapter, UnknownTable
from compactml.study.profile import Profile
from compactml.study.running import engine
from compactml.study.running.store import Store
from compactml.study.running.worker import Finished
from compactml.study.trial import Experiment, Trial

__all__ = ["all_tables", "experiment", "experiments", "run_table", "table_trials", "tables"]

PLANS = {
    "condition-sharing": "compactml.chapters.condition_sharing.plan",
    "boolean-rules": "compactml.chapters.boolean_rules.plan",
    "feature-selection": "compactml.chapters.feature_selection.plan",
    "ensemble-pruning": "compactml.chapters.ensemble_pruning.plan",
    "pace": "compactml.chapters.pace.plan",
}
"""Module with each chapter's ``EXPERIMENT``; imported only when the chapter is asked for."""
TABLES = {
    "condition-sharing": "compactml.chapters.condition_sharing.tables",
    "boolean-rules": "compactml.chapters.boolean_rules.tables",
    "feature-selection": "compactml.chapters.feature_selection.tables",
    "ensemble-pruning": "compactml.chapters.ensemble_pruning.tables",
    "pace": "compactml.chapters.pace.tables",
}
"""Module of each chapter with ``CLAIMS``, ``claim_data()`` and ``record(table, finished)``; imported lazily."""


def experiment(chapter: str) -> Experiment:
    """Return the experiment of a chapter.

    Raises
    ------
    UnknownChapter
    """
    if chapter not in PLANS:
        raise UnknownChapter(chapter, PLANS)
    found: Experiment = import_module(PLANS[chapter]).EXPERIMENT
    return found


def experiments() -> dict[str, Experiment]:
    """Return the experiments of all chapters by name."""
    return {name: experiment(name) for name in PLANS}


def tables(chapter: str) -> ModuleType:
    """Return a chapter's module of tables.

    Raises
    ------
    UnknownChapter
    """
    if chapter not in TABLES:
        raise UnknownChapter(chapter, TABLES)
    return import_module(TABLES[chapter])


def all_tables() -> dict[str, ModuleType]:
    """Return the modules of tables of all chapters by name."""
    return {name: tables(name) for name in TABLES}


def table_trials(own: Experiment, table: str, profile: Profile | str) -> list[Trial]:
    """Return the trials behind one table or figure.

    Raises
    ------
    UnknownTable, InvalidParameterError
    """
    check_choice("profile", profile, map(str, Profile))
    if table not in own.tables:
        raise UnknownTable(own.chapter, table, own.tables)
    return own.trials(table, Profile(profile))


def run_table(
    chapter: str,
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
    chapter : str
        "condition-sharing", "boolean-rules", "feature-selection", "ensemble-pruning", "pace".
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
    UnknownChapter, UnknownTable, StoreError, SchedulerError, TrialsFailed
    """
    own = experiment(chapter)
    trials = table_trials(own, table, profile)
    with Store(store) as opened:
        return engine.run(own, trials, store=opened, jobs=jobs, scheduler=scheduler, profile=Profile(profile))
