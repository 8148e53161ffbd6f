"""Pace's pruning beside fipepy, the published code of Fipe: the same forest, and proof for the whole space.

Both leave trees out of one forest so that no point changes its class, and start from one training row of each cell;
fipepy's solver has Gurobi's size-limited licence. What fipepy returns is checked by predictions at many points.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier

from benchmarks import tables
from benchmarks.peers.measured import OURS, Measured
from compactml.chapters.pace.datasets import Parts
from compactml.chapters.pace.trials import fipepy_program
from compactml.chapters.pace.trials.fipepy import CERTIFIED, ENVIRONMENT, TIME, checked, representatives
from compactml.chapters.pace.trials.fipepy_program import digest
from compactml.chapters.pace.trials.paper import warm_up
from compactml.pace import compress
from compactml.pace.model.setting import make_setting
from compactml.study.errors import ProgramFailed

LIMIT = 120.0  # seconds of the processor for fipepy
DEPTH = 2
CASES = (
    ("penguins", "5"),
    ("penguins", "10"),
    ("penguins", "15"),
    ("wine", "5"),
    ("wine", "10"),
    ("fair", "10"),
)
"""Table and trees of its forest."""


def at_hand(name: str) -> bool:
    """Whether a table can be read here."""
    return name == "wine" or tables.at_hand(name)


def rows(name: str) -> Parts:
    """All rows of a table as training rows, numbers only."""
    if name == "wine":
        X, y = load_wine(return_X_y=True)
    else:
        frame, labels = tables.table(name)
        X, y = tables.numbers(frame), pd.factorize(labels, sort=True)[0]
    X = np.asarray(X, dtype=np.float64)
    return Parts(X, X[:0], np.asarray(y, dtype=np.int64), np.zeros(0, dtype=np.int64))


def of_peer(parts: Parts, samples: Any, n_trees: int) -> dict[str, Any]:
    """What fipepy answers, in its environment, or why it does not.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    asked = {"ensemble": "random_forest", "n_learners": n_trees, "depth": DEPTH, "seed": 0, "norm": "l0"}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "case.npz"
        values = np.unique(parts.X_train, axis=0)
        np.savez(file, X=parts.X_train, y=parts.y_train, samples=samples, values=values, **asked)  # type: ignore[arg-type]
        try:
            said = ENVIRONMENT.run(str(fipepy_program.__file__), str(file), str(LIMIT))
        except ProgramFailed as error:
            if error.code >= 0:
                raise
            return {"outcome": TIME}
    answer: dict[str, Any] = json.loads(said)
    return answer


def ours(model: Any, parts: Parts, setting: str) -> Measured:
    """Trees left out by our search, with HiGHS, so that no licence decides."""
    seconds: list[float] = []
    while len(seconds) < 3 and sum(seconds) < 1:
        begin = time.process_time()
        small = compress(
            model, parts.X_train, alpha=0.0, generate=False, prune=True, time_limit=None, solver="highs"
        )
        seconds.append(time.process_time() - begin)
    proved = small.certificate_.faithful and small.bound_ == small.n_learners_
    return Measured(setting, OURS, min(seconds), small.n_learners_, proved)


def measure(name: str, size: str) -> list[Measured]:
    """Both programs on one forest.

    Raises
    ------
    AssertionError
        The two environments fitted different forests.
    """
    warm_up()
    parts, n_trees = rows(name), int(size)
    model = RandomForestClassifier(n_trees, max_depth=DEPTH, random_state=0).fit(parts.X_train, parts.y_train)
    setting = make_setting(model, parts.X_train)
    theirs = of_peer(parts, representatives(setting, parts), n_trees)
    if "digest" in theirs and theirs["digest"] != digest(model):
        raise AssertionError("the two environments fitted different forests")
    words = f"{n_trees} trees of depth {DEPTH}"
    if "weights" in theirs:
        kept, disagreements = checked(setting, model, theirs["weights"])
        proved, note = (
            theirs["outcome"] == CERTIFIED,
            f"{disagreements} points changed" if disagreements else "",
        )
    else:
        kept, proved, note = np.nan, False, theirs["outcome"]
    program = theirs.get("solver", "fipepy").split(",")[0]
    return [
        Measured(words, program, theirs.get("seconds", np.nan), kept, proved, note),
        ours(model, parts, words),
    ]
