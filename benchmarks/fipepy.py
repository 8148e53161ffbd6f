"""fipepy, the published code of Fipe, beside our pruning: the same ensembles, the whole space, one run.

Both prune one ensemble so that no point of the space changes its label (alpha = beta = 0). fipepy runs in an
environment of its own (``make bench-peers PEER=fipepy``) with the same scikit-learn, so that both fit the same
ensemble, which a hash of its trees confirms; ours runs directly after it, each on one thread, and only the pruning is
timed, in seconds of processor time. fipepy makes a row of each sample it is given; it is given one training sample of
each cell of the split levels, those that ours starts from, too: more samples would repeat the rows, and Gurobi's
size-limited licence would take fewer cases. It has no time limit of its own, so the system ends it after `LIMIT`; what
it did not certify is not tried with more learners.

What fipepy returns is checked like our own result, by scikit-learn's predictions on all cells or on random ones; its
weights are rounded to integers for that.

Writes ``data/recorded/pace/fipepy.csv``. Cases in the store are not run again and are always written along.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import click
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.tree_digest import digest
from compactml.chapters.pace.datasets import KEYS, Parts, problem
from compactml.chapters.pace.plan import CHAPTER
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST, trial_ensemble
from compactml.chapters.pace.trials.paper import warm_up
from compactml.pace._compress import compress, unknown
from compactml.pace._fipe import fipe
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.setting import Setting, make_setting
from compactml.pace.rechecking import recheck
from compactml.study import Experiment, Finished, Result, Store, Trial
from compactml.study.recording.published import home
from compactml.study.recording.recorded import write_recorded
from compactml.study.running import engine

PEER = Path(".venv-peers") / "fipepy" / "bin" / "python"
LIMIT = 30.0
SEED = 0
N_POINTS = 100_000
ACTIVE = 1e-6  # fipepy's own threshold for a learner that is kept
PRECISION = 10**9  # of the largest of its weights, rounded
SHAPES = ((RANDOM_FOREST, 1), (ADABOOST, 1), (RANDOM_FOREST, 2))
SIZES = (10, 20, 50)
NORMS = ("l0", "l1")
DATASETS = ("Seeds", "Compas", "Cancer", "Diabetes", "Elec2", "Htru2", "Fico", "Ionosphere")
CERTIFIED, TIME = "certified", "time limit"
COLUMNS = (
    "learners",
    "samples",
    "fipepy",
    "fipepy_size",
    "fipepy_seconds",
    "fipepy_disagreements",
    "our_size",
    "our_bound",
    "our_certified",
    "our_seconds",
    "our_disagreements",
    "our_objective_size",
    "our_objective_seconds",
    "ratio",
)


def representatives(setting: Setting, parts: Parts) -> NDArray[np.float64]:
    """The first training sample of each cell of the split levels."""
    first = np.unique(setting.grid.codes(parts.X_train), axis=0, return_index=True)[1]
    return parts.X_train[np.sort(first)]


def peer_prune(trial: Trial, samples: NDArray[np.float64], parts: Parts) -> dict[str, Any]:
    """What fipepy answers: weights and seconds, or why there are none."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "case.npz"
        values = np.unique(problem(trial.dataset).X, axis=0)  # all rows: which features have two values
        asked: dict[str, Any] = dict(trial.parameters)
        np.savez(
            file, X=parts.X_train, y=parts.y_train, samples=samples, values=values, seed=trial.seed, **asked
        )
        done = subprocess.run(
            [str(home() / PEER), "-m", "benchmarks.fipepy_peer", str(file), str(trial.time_limit)],
            cwd=home(),
            env={**os.environ, **one_thread},
            stdout=subprocess.PIPE,
            text=True,
        )
    if done.returncode == -signal.SIGXCPU:
        return {"outcome": TIME}
    done.check_returncode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def checked(setting: Setting, model: Any, weights: list[float]) -> tuple[int, int]:
    """Size of fipepy's answer, and at how many points it predicts another label than the ensemble."""
    kept = np.where(np.array(weights) > ACTIVE, weights, 0.0)
    integers = np.rint(kept / kept.max() * PRECISION).astype(np.int64)
    initial = setting.initial
    pruned = IntegerEnsemble(initial.learners, integers, initial.n_classes, initial.scale)
    answer = CompressedEnsemble(setting, pruned, unknown(initial.n_classes))
    return int((kept > 0).sum()), len(recheck(answer, model, n_points=N_POINTS).disagreements)


def ours(model: Any, parts: Parts, norm: Literal["l0", "l1"], limit: float | None) -> Result:
    """Pruning only with the fastest separation, then with the objective; HiGHS, so that no licence decides."""
    started = time.process_time()
    small = compress(
        model, parts.X_train, generate=False, prune=norm == "l0", time_limit=limit, solver="highs"
    )
    seconds = time.process_time() - started
    slow = fipe(model, parts.X_train, norm=norm, time_limit=limit, solver="highs")
    return {
        "our_size": small.n_learners_,
        "our_bound": small.history_[-1].bound,
        "our_certified": int(small.certificate_.faithful),
        "our_seconds": seconds,
        "our_disagreements": len(recheck(small, model, n_points=N_POINTS).disagreements),
        "our_objective_size": slow.n_learners_ if slow.certificate_.faithful else None,
        "our_objective_seconds": time.process_time() - started - seconds,
    }


def run(trial: Trial) -> Result:
    """One case: fipepy, then ours."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    model, parts = trial_ensemble(trial)
    setting = make_setting(model, parts.X_train)
    samples = representatives(setting, parts)
    theirs = peer_prune(trial, samples, parts)
    if "digest" in theirs and theirs["digest"] != digest(model):
        raise AssertionError("the two environments fitted different ensembles")
    result: Result = {
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
    return result


def growing(dataset: str) -> list[list[Trial]]:
    """The cases of one dataset, those that differ in the number of learners together."""

    def case(norm: str, ensemble: str, depth: int, n: int) -> Trial:
        parameters = (("ensemble", ensemble), ("n_learners", n), ("depth", depth), ("norm", norm))
        return Trial(CHAPTER, "fipepy", KEYS[dataset], seed=SEED, parameters=parameters, time_limit=LIMIT)

    return [
        [case(norm, ensemble, depth, n) for n in SIZES] for norm, (ensemble, depth) in product(NORMS, SHAPES)
    ]


def trials() -> list[Trial]:
    """All cases."""
    return [trial for dataset in DATASETS for group in growing(dataset) for trial in group]


EXPERIMENT = Experiment(
    CHAPTER,
    "fipepy beside ours",
    ("fipepy",),
    lambda table, profile: trials(),
    {"fipepy": run},
    lambda trial: LIMIT,
)


def run_growing(group: list[Trial], store: Store) -> None:
    """Cases of more and more learners, up to the first that fipepy does not certify."""
    for trial in group:
        (one,) = engine.run(EXPERIMENT, [trial], store=store)
        if one.result["fipepy"] != CERTIFIED:
            return


def frame(finished: list[Finished]) -> pd.DataFrame:
    """One row per case."""
    names = {key: name for name, key in KEYS.items()}
    rows = [
        {
            "dataset": names[one.trial.dataset],
            **dict(one.trial.parameters),
            **{name: one.result.get(name) for name in COLUMNS},
        }
        for one in finished
    ]
    whole = [name for name in COLUMNS if not name.endswith("seconds") and name not in ("fipepy", "ratio")]
    return pd.DataFrame(rows).astype(dict.fromkeys(whole, "Int64"))


def write(store: Store) -> None:
    """Record every case that the store has."""
    wanted = trials()
    found = list(engine.plan(EXPERIMENT, wanted, store).stored)
    finished = engine.run(EXPERIMENT, found, store=store)
    lacking = [trial.label() for trial in wanted if trial not in found]
    path = write_recorded(CHAPTER, "fipepy", frame(finished), finished, partial=lacking)
    click.echo(f"{len(finished)} cases: {path}")


@click.command()
@click.argument("datasets", nargs=-1, type=click.Choice(DATASETS))
def main(datasets: tuple[str, ...]) -> None:
    """Run DATASETS (by default all) and record all cases that are stored."""
    if not (home() / PEER).is_file():
        raise click.UsageError("needs the environment of fipepy: run 'make bench-peers PEER=fipepy'")
    with Store() as store:
        for dataset in datasets or DATASETS:
            for group in growing(dataset):
                run_growing(group, store)
            write(store)


if __name__ == "__main__":
    main()
