"""The choices of generation that the paper leaves open, one run each; and sizes in leaves and tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from compactml.chapters.pace.trials.costs import compression_cost
from compactml.chapters.pace.trials.ensembles import trial_ensemble, trial_isolation
from compactml.chapters.pace.trials.paper import PRUNE, warm_up
from compactml.pace._compress import ORDERS, compress
from compactml.pace._single_tree import single_tree
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.errors import EmptyRegionError
from compactml.pace.generation import DUALS, TOLERANCE
from compactml.pace.loop import LEAVES
from compactml.pace.model.learners import tests_of
from compactml.pace.trees.pricing import INITIAL
from compactml.pace.weights.errors import NoPositiveMarginError, WeightRoundingError
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

__all__ = ["IN_LEAVES", "NO_LIMIT", "READING", "SINGLE", "SIZED", "ended"]

NO_LIMIT = "none"
"""Of the depth of generated trees, as a parameter; else "initial" or a number."""
IN_LEAVES, SINGLE = "Pace in leaves", "Single tree"
"""Ours, beside Pruning only: fewest leaves, with trees as deep as Pace generates in Table 4; and one tree."""
NOT_IMPROVING, KNOWN, MOST, TIME = "not negative", "known", "most", "time"
"""Why a phase of generation ended."""
BAD_WEIGHTS = (EmptyRegionError, WeightRoundingError, NoPositiveMarginError)


@dataclass(frozen=True, kw_only=True)
class Sized:
    """An ensemble by learners, leaves and tests of a prediction (mean over the test part), before and after."""

    final_size: int | None = None
    n_generated: int | None = None
    total_leaves: int | None = None
    path_length: float | None = None
    deepest: int | None = None
    certified: int | None = None
    lower_bound: int | None = None
    initial_size: int | None = None
    initial_leaves: int | None = None
    initial_path_length: float | None = None
    n_samples: int | None = None
    n_solved: int | None = None
    seconds: float | None = None
    timed_out: int | None = None
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Read(Sized):
    """The same of Pace under one reading, with its first phase: how many trees, why it ended, and its own ensemble.

    ``weighed_size`` are the learners that (P1) uses at the end of the phase where it is separated exactly: the size
    of *Generate only*.
    """

    pool: int | None = None
    ended: str = ""
    weighed_size: int | None = None


def run_reading(trial: Trial) -> Read:
    """Pace with the duals, the depth of new trees, the order and the form of separation that the trial names."""
    asked: dict[str, Any] = dict(trial.parameters)
    choices = {name: asked[name] for name in ("order", "duals", "separation")}
    run = partial(compress, max_depth=depth_of(asked["depth_limit"]), **choices)
    small, counts = sized(trial, run)
    if small is None or not small.history_:
        return Read(**counts)
    weighed = [step for step in small.history_ if step.phase == "weigh"]
    why = ended(small)
    return Read(
        **counts,
        pool=small.history_[-1].n_learners,
        ended=why,
        weighed_size=weighed[-1].size if weighed and why != TIME else None,
    )


def run_sized(trial: Trial) -> Sized:
    """Pruning only, Pace that counts leaves, or one tree."""
    asked: dict[str, Any] = dict(trial.parameters)
    leaves = partial(compress, objective=LEAVES, max_depth=depth_of(asked["depth_limit"]))
    runs: dict[str, Callable[..., CompressedEnsemble]] = {
        PRUNE: partial(compress, generate=False),
        IN_LEAVES: leaves,
        SINGLE: single_tree,
    }
    return Sized(**sized(trial, runs[trial.method])[1])


def sized(
    trial: Trial, run: Callable[..., CompressedEnsemble]
) -> tuple[CompressedEnsemble | None, dict[str, Any]]:
    """Run a method on the trial's ensemble; what it returned, and the fields of `Sized`."""
    warm_up_readings()
    asked: dict[str, Any] = dict(trial.parameters)
    model, parts = trial_ensemble(trial)
    started = time.perf_counter()
    try:
        small = run(
            model,
            parts.X_train,
            alpha=asked["alpha"],
            beta=asked["beta"],
            isolation_forest=trial_isolation(trial),
            uncertified=True,
            time_limit=trial.time_limit,
            random_state=trial.seed,
        )
    except BAD_WEIGHTS as error:
        return None, {"error": type(error).__name__}
    seconds = time.perf_counter() - started
    initial = small.setting.initial.learners
    before = tests_of(initial, small.setting.grid.codes(parts.X_test))
    return small, {
        "final_size": small.n_learners_,
        "n_generated": small.n_generated_,
        "total_leaves": small.n_leaves_,
        "path_length": float(small.n_tests(parts.X_test).mean()),
        "deepest": max(tree.depth for tree in small.trees_),
        "certified": int(small.certificate_.faithful),
        "lower_bound": small.bound_,
        "initial_size": len(initial),
        "initial_leaves": sum(learner.n_leaves for learner in initial),
        "initial_path_length": float(before.mean()),
        "n_samples": small.history_[-1].n_samples if small.history_ else None,
        "n_solved": sum(step.n_solved for step in small.history_),
        "seconds": seconds,
        "timed_out": int(trial.time_limit is not None and seconds >= trial.time_limit),
    }


def depth_of(limit: str) -> int | str | None:
    """The largest depth of a new tree, from how a trial spells it."""
    if limit == NO_LIMIT:
        return None
    return INITIAL if limit == INITIAL else int(limit)


def ended(small: CompressedEnsemble) -> str:
    """Why the phase of generation ended, from the steps of a run."""
    steps = [step for step in small.history_ if step.phase == "generate"]
    if not steps:
        return TIME
    last, before = steps[-1], steps[-2].n_generated if len(steps) > 1 else 0
    if last.reduced_cost is not None and last.reduced_cost >= -TOLERANCE:
        return NOT_IMPROVING
    if last.n_generated == before:
        return KNOWN
    return MOST if last.n_generated == len(small.setting.initial.learners) else TIME


@cache
def warm_up_readings() -> None:
    """Run every way once on a tiny forest: compiling and loading must not use up the time of a run."""
    warm_up()
    X = np.random.default_rng(0).integers(0, 4, (40, 3)).astype(float)
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, X.sum(axis=1) > 4)
    for order in ORDERS:
        for duals in DUALS:
            compress(
                forest,
                X,
                separation="constraint",
                order=order,
                duals=duals,
                max_depth=None,
                uncertified=True,
                time_limit=None,
            )
    compress(forest, X, objective=LEAVES, uncertified=True, time_limit=None)
    single_tree(forest, X, uncertified=True, time_limit=None)


READING = Kind("reading", run_reading, Read, compression_cost)
SIZED = Kind("sized", run_sized, Sized, compression_cost)
