"""Experiments: one module per paper says which trials a table needs; the engine runs and stores them.

`run_table` is what a notebook calls: it returns the results behind one table or figure, from the store where
they are there already.
"""

from __future__ import annotations

import os
from importlib import import_module

from compactml.exceptions import check_choice
from compactml.experiments import engine
from compactml.experiments.errors import (
    InvalidResult,
    SchedulerError,
    StoreError,
    TrialsFailed,
    UnknownChapter,
    UnknownTable,
)
from compactml.experiments.profiles import Profile
from compactml.experiments.specification import Experiment, Result, Trial
from compactml.experiments.store import Store
from compactml.experiments.worker import Finished

__all__ = [
    "Experiment",
    "Finished",
    "InvalidResult",
    "Profile",
    "Result",
    "SchedulerError",
    "Store",
    "StoreError",
    "Trial",
    "TrialsFailed",
    "UnknownChapter",
    "UnknownTable",
    "chapters",
    "experiment",
    "run_table",
    "table_trials",
]

MODULES = {
    "condition-sharing": "compactml.experiments.condition_sharing",
    "boolean-rules": "compactml.experiments.boolean_rules",
    "feature-selection": "compactml.experiments.feature_selection",
    "ensemble-pruning": "compactml.experiments.ensemble_pruning",
    "pace": "compactml.experiments.pace",
}
"""Module of each chapter; imported only when the chapter is asked for."""


def experiment(chapter: str) -> Experiment:
    """Return the experiment of a chapter.

    Raises
    ------
    UnknownChapter
    """
    if chapter not in MODULES:
        raise UnknownChapter(chapter, MODULES)
    found: Experiment = import_module(MODULES[chapter]).EXPERIMENT
    return found


def chapters() -> dict[str, Experiment]:
    """Return the experiments of all chapters by name."""
    return {name: experiment(name) for name in MODULES}


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
        File of the store, `compactml.experiments.store.default_path` by default.
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
