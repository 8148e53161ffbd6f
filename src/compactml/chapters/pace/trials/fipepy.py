"""fipepy, the published code of Fipe, beside our pruning: the same ensembles, the whole space, one run.

Both prune one ensemble so that no point of the space changes its label (alpha = beta = 0). fipepy runs in an
environment of its own with the same scikit-learn, so that both fit the same ensemble, which a hash of its trees
confirms; ours runs directly after it, each on one thread, and only the pruning is timed, in seconds of processor time.
fipepy makes a row of each sample it is given; it is given one training sample of each cell of the split levels, those
that ours starts from, too: more samples would repeat the rows, and Gurobi's size-limited licence would take fewer
cases. It has no time limit of its own, so the system ends it after the limit.

What fipepy returns is checked like our own result, by scikit-learn's predictions on all cells or on random ones; its
weights are rounded to integers for that.
"""

from __future__ import annotations

import json
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.pace.datasets import Parts, problem
from compactml.chapters.pace.trials import fipepy_program
from compactml.chapters.pace.trials.ensembles import trial_ensemble
from compactml.chapters.pace.trials.fipepy_program import digest
from compactml.chapters.pace.trials.paper import warm_up
from compactml.pace._compress import compress
from compactml.pace._fipe import fipe
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.loop import unknown
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.setting import Setting, make_setting
from compactml.pace.rechecking import recheck
from compactml.study.chapter import Kind
from compactml.study.errors import ProgramFailed
from compactml.study.keys.environments import Environment
from compactml.study.trial import Trial

ENVIRONMENT = Environment("fipepy")
N_POINTS = 100_000
ACTIVE = 1e-6  # fipepy's own threshold for a learner that is kept
PRECISION = 10**9  # of the largest of its weights, rounded
CERTIFIED, TIME = "certified", "time limit"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case: what fipepy answered and at what cost, our answers, and how many times as fast ours is."""

    learners: int
    samples: int
    fipepy: str
    solver: str | None
    fipepy_size: int | None = None
    fipepy_seconds: float | None = None
    fipepy_calls: int | None = None
    fipepy_disagreements: int | None = None
    fipepy_weights: str | None = None
    our_size: int
    our_bound: float | None
    our_certified: int
    our_seconds: float
    our_disagreements: int
    our_objective_size: int | None
    our_objective_seconds: float
    ratio: float | None = None


def representatives(setting: Setting, parts: Parts) -> NDArray[np.float64]:
    """The first training sample of each cell of the split levels."""
    first = np.unique(setting.grid.codes(parts.X_train), axis=0, return_index=True)[1]
    return parts.X_train[np.sort(first)]


def peer_prune(trial: Trial, samples: NDArray[np.float64], parts: Parts) -> dict[str, Any]:
    """What fipepy answers: weights and seconds, or why there are none.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "case.npz"
        values = np.unique(problem(trial.dataset).X, axis=0)  # all rows: which features have two values
        asked: dict[str, Any] = dict(trial.parameters)
        np.savez(
            file, X=parts.X_train, y=parts.y_train, samples=samples, values=values, seed=trial.seed, **asked
        )
        try:
            said = ENVIRONMENT.run(str(fipepy_program.__file__), str(file), str(trial.time_limit))
        except ProgramFailed as error:
            if error.code == -signal.SIGXCPU:
                return {"outcome": TIME}
            raise
    answer: dict[str, Any] = json.loads(said)
    return answer


def checked(setting: Setting, model: Any, weights: list[float]) -> tuple[int, int]:
    """Size of fipepy's answer, and at how many points it predicts another label than the ensemble."""
    kept = np.where(np.array(weights) > ACTIVE, weights, 0.0)
    integers = np.rint(kept / kept.max() * PRECISION).astype(np.int64)
    initial = setting.initial
    pruned = IntegerEnsemble(initial.learners, integers, initial.n_classes, initial.scale)
    answer = CompressedEnsemble(setting, pruned, unknown(initial.n_classes))
    return int((kept > 0).sum()), len(recheck(answer, model, n_points=N_POINTS).disagreements)


def ours(model: Any, parts: Parts, norm: Literal["l0", "l1"], limit: float | None) -> dict[str, Any]:
    """Pruning only with the fastest separation, then with the objective; HiGHS, so that no licence decides."""
    started = time.process_time()
    small = compress(
        model,
        parts.X_train,
        generate=False,
        prune=norm == "l0",
        uncertified=True,
        time_limit=limit,
        solver="highs",
    )
    seconds = time.process_time() - started
    slow = fipe(model, parts.X_train, norm=norm, uncertified=True, time_limit=limit, solver="highs")
    return {
        "our_size": small.n_learners_,
        "our_bound": small.history_[-1].bound,
        "our_certified": int(small.certificate_.faithful),
        "our_seconds": seconds,
        "our_disagreements": len(recheck(small, model, n_points=N_POINTS).disagreements),
        "our_objective_size": slow.n_learners_ if slow.certificate_.faithful else None,
        "our_objective_seconds": time.process_time() - started - seconds,
    }


def run_case(trial: Trial) -> Case:
    """One case: fipepy, then ours."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    model, parts = trial_ensemble(trial)
    setting = make_setting(model, parts.X_train)
    samples = representatives(setting, parts)
    theirs = peer_prune(trial, samples, parts)
    if "digest" in theirs and theirs["digest"] != digest(model):
        raise AssertionError("the two environments fitted different ensembles")
    result: dict[str, Any] = {
        "learners": len(setting.initial.learners),
        "samples": len(samples),
        "fipepy": theirs["outcome"],
        "solver": theirs.get("solver"),
    }
    if "weights" in theirs:
        size, disagreements = checked(setting, model, theirs["weights"])
        result |= {
            "fipepy_size": size,
            "fipepy_seconds": theirs["seconds"],
            "fipepy_calls": theirs["calls"],
            "fipepy_disagreements": disagreements,
            "fipepy_weights": json.dumps(theirs["weights"]),
        }
    result |= ours(model, parts, asked["norm"], trial.time_limit)
    if theirs["outcome"] == CERTIFIED and result["our_certified"]:
        result["ratio"] = theirs["seconds"] / result["our_seconds"]
    return Case(**result)


def cost(trial: Trial) -> float:
    """Rough seconds of one case on one core."""
    return trial.time_limit or 0.0


FIPEPY = Kind("fipepy", run_case, Case, cost, environment=ENVIRONMENT)
