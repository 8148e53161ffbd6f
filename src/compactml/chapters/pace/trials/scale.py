"""Forests as people have them: what of them is certified, what no part of them can do, and what a smaller one saves."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.pace.trials.ensembles import trial_ensemble, trial_isolation
from compactml.chapters.pace.trials.paper import warm_up
from compactml.clock import Clock
from compactml.pace._compress import compress
from compactml.pace.bounding import SizeBound, least_size
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.errors import EmptyRegionError
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.weights.errors import NoPositiveMarginError, WeightRoundingError
from compactml.pace.weights.pruning import Pruner
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

ROWS = 1000
"""Rows of which predictions are timed."""
PREDICTIONS = 7
"""Times that they are; the median counts."""


@dataclass(frozen=True, kw_only=True)
class Scaled:
    """Sizes, bounds and costs of a forest and of the smallest certified part of it.

    ``pruned`` says whether (P0) ended with a certificate. ``found_size`` is that of the smallest part known to fit all
    points that the bound was looked for on; it may have no certificate, and is missing where these points do not show
    the bound that (P0) ended with. ``certified_size`` is the smallest with a certificate, by (P0), by (P1) or, as the
    last resort, all of the ensemble.
    ``search_bound`` is the bound that (P0) ended with, and ``lower_bound`` that of `compactml.pace.least_size`, which
    begins with it. Bytes are those of the pickled scikit-learn ensembles, seconds those of predicting 1,000 rows.
    """

    initial_size: int | None = None
    initial_leaves: int | None = None
    pruned: int | None = None
    found_size: int | None = None
    certified_size: int | None = None
    certified_leaves: int | None = None
    search_bound: int | None = None
    lower_bound: int | None = None
    n_samples: int | None = None
    n_combinations: int | None = None
    bytes_before: int | None = None
    bytes_after: int | None = None
    seconds_before: float | None = None
    seconds_after: float | None = None
    seconds: float | None = None
    bound_seconds: float | None = None
    error: str = ""


def run_scale(trial: Trial) -> Scaled:
    """Prune, weigh where that has no certificate, and fit, with the limit each; bound, with a limit of its own."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    model, parts = trial_ensemble(trial)
    started = time.perf_counter()
    try:
        pruned = weighed = reduced(trial, prune=True)
        if not pruned.certificate_.faithful:
            weighed = reduced(trial, prune=False)
    except (EmptyRegionError, WeightRoundingError, NoPositiveMarginError) as error:
        return Scaled(error=type(error).__name__)
    seconds, initial = time.perf_counter() - started, pruned.setting.initial
    certified = weighed.certificate_.faithful
    bound = (pruned.bound_ if pruned.history_ else None) or 1
    proof = least_size(pruned, at_least=bound, time_limit=asked["bound_limit"], random_state=trial.seed)
    before = [learner.n_leaves for learner in initial.learners]
    small = weighed.to_sklearn() if certified else model
    return Scaled(
        initial_size=len(before),
        initial_leaves=sum(before),
        pruned=int(pruned.certificate_.faithful),
        found_size=fitting(pruned, proof, trial),
        certified_size=weighed.n_learners_ if certified else len(before),
        certified_leaves=weighed.n_leaves_ if certified else sum(before),
        search_bound=bound,
        lower_bound=proof.bound,
        n_samples=len(proof.codes),
        n_combinations=len(proof.combinations),
        bytes_before=len(pickle.dumps(model)),
        bytes_after=len(pickle.dumps(small)),
        seconds_before=prediction_seconds(model, parts.X_test),
        seconds_after=prediction_seconds(small, parts.X_test),
        seconds=seconds,
        bound_seconds=proof.seconds,
    )


def fitting(pruned: CompressedEnsemble, proof: SizeBound, trial: Trial) -> int | None:
    """Size of the smallest part of the ensemble known to fit all points of a bound; None if it is below the bound."""
    if pruned.certificate_.faithful:
        return pruned.n_learners_
    samples = FaithfulnessSet(pruned.setting.region, proof.codes)
    size = Pruner(random_state=trial.seed).prune(samples.margins, Clock(trial.time_limit)).size
    return size if size >= proof.bound else None


def reduced(trial: Trial, *, prune: bool) -> CompressedEnsemble:
    """The smallest support, or the weights of (P1)."""
    asked: dict[str, Any] = dict(trial.parameters)
    model, parts = trial_ensemble(trial)
    return compress(
        model,
        parts.X_train,
        alpha=asked["alpha"],
        beta=asked["beta"],
        generate=False,
        prune=prune,
        isolation_forest=trial_isolation(trial),
        uncertified=True,
        time_limit=trial.time_limit,
        random_state=trial.seed,
    )


def prediction_seconds(model: Any, X: NDArray[np.float64]) -> float:
    """Median time of predicting `ROWS` rows, which are those of X over and over."""
    rows = X[np.arange(ROWS) % len(X)]
    model.predict(rows)
    seconds = []
    for _ in range(PREDICTIONS):
        started = time.perf_counter()
        model.predict(rows)
        seconds.append(time.perf_counter() - started)
    return float(np.median(seconds))


def scale_cost(trial: Trial) -> float:
    """Rough seconds: a small forest with a margin is done at once, a large one uses up all limits."""
    asked: dict[str, Any] = dict(trial.parameters)
    share = min(1.0, (asked["n_learners"] * asked["depth"] ** 2 / 1600) ** 2)
    return 0.1 + share * (3 * (trial.time_limit or 0.0) + asked["bound_limit"])


SCALE = Kind("scale", run_scale, Scaled, scale_cost)
