"""The paper's heuristics by the program that it used: how long scikit-feature takes on the raw values.

The paper names the implementations of its repository (Li et al. 2016), which count every pair of columns anew
whenever they compare two features. They run in an environment of their own, on one thread, and only the selection is
timed, in seconds of processor time. They have no time limit, so the system ends them after the limit. What they select
must be what our own code of the same rules selects on the same values.
"""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from compactml.chapters.feature_selection.datasets import table
from compactml.chapters.feature_selection.trials import scikit_feature_program
from compactml.chapters.feature_selection.trials.heuristics import selected_columns
from compactml.chapters.feature_selection.trials.scores import values
from compactml.chapters.feature_selection.trials.solving import TIME_LIMIT
from compactml.study.chapter import Kind
from compactml.study.errors import ProgramFailed
from compactml.study.keys.environments import Environment
from compactml.study.trial import Trial

ENVIRONMENT = Environment("scikit-feature")
STOPPED_BY_RULE = "selected"


@dataclass(frozen=True)
class Timed:
    """How scikit-feature ended: "selected" or "time limit", its seconds, and the size that it returned.

    ``as_ours`` says whether it returned the columns that our code of the same rule selects, in the same order.
    """

    outcome: str
    seconds: float
    n_selected: int | None = None
    as_ours: int | None = None
    solver: str | None = None


def peer_columns(trial: Trial) -> dict[str, Any]:
    """What scikit-feature answers: columns and seconds, or that the limit came first.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    X, y = table(trial.dataset)
    measure = str(dict(trial.parameters)["measure"])
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.npz"
        np.savez(file, X=values(X, np.arange(X.shape[1])), y=y)
        try:
            said = ENVIRONMENT.run(
                str(scikit_feature_program.__file__), str(file), measure, str(trial.time_limit)
            )
        except ProgramFailed as error:
            if error.code == -signal.SIGXCPU:
                return {}
            raise
    answer: dict[str, Any] = json.loads(said)
    return answer


def run_peer(trial: Trial) -> Timed:
    """One selection by scikit-feature beside ours."""
    theirs = peer_columns(trial)
    if not theirs:
        return Timed(TIME_LIMIT, float(trial.time_limit or 0.0))
    chosen = selected_columns(trial.dataset, str(dict(trial.parameters)["measure"]))[0]
    columns = [
        column % table(trial.dataset)[0].shape[1] for column in theirs["columns"]
    ]  # -1 is the last one
    return Timed(
        STOPPED_BY_RULE, theirs["seconds"], len(columns), int(columns == chosen.tolist()), theirs["program"]
    )


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core: at most its limit."""
    return (trial.time_limit or 0.0) / 2


SCIKIT_FEATURE = Kind("scikit_feature", run_peer, Timed, cost, environment=ENVIRONMENT)
