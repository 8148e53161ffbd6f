"""One compression of one ensemble: the trials behind the tables of Akkerman, Ferry, Guyard and Vidal (2026)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from compactml.chapters.pace.datasets import Parts, problem
from compactml.chapters.pace.trials.costs import compression_cost, dataset_cost
from compactml.chapters.pace.trials.ensembles import trial_ensemble, trial_isolation
from compactml.pace._compress import compile_kernels, compress
from compactml.pace._fipe import fipe
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.errors import EmptyRegionError
from compactml.pace.trees.pricing import INITIAL, PRICINGS
from compactml.pace.weights.errors import NoPositiveMarginError, WeightRoundingError
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Trial

GENERATE, PRUNE, PACE = "Generate only", "Pruning only", "Pace"
PHASES: Mapping[str, tuple[bool, bool]] = {
    GENERATE: (True, False),
    PRUNE: (False, True),
    PACE: (True, True),
}
"""Methods as the published tables name them; whether they generate, and whether they prune by (P0)."""
FIPE, FIPE_L1 = "Fipe", "Fipe l1"
NORMS: Mapping[str, Literal["l0", "l1"]] = {FIPE: "l0", FIPE_L1: "l1"}
PLACES = ("1", "2", "3")
"""Of the shares of classes that Table 2 prints, falling."""


@dataclass(frozen=True)
class Described:
    """What a dataset is here: rows, features by kind (``uniform``: with bins of equal width), and its classes.

    The shares of the classes are also counted without the first row ("headless"), as a file without a header gives
    them if that row is taken for one. None where there are fewer classes.
    """

    n: int
    binary: int
    numerical: int
    uniform: int
    classes: int
    share: dict[str, float | None] = spread(PLACES)
    headless_share: dict[str, float | None] = spread(PLACES)


@dataclass(frozen=True)
class Agreement:
    """Accuracy before and after, and how often both predict the same, on the test part."""

    initial_accuracy: float | None
    accuracy: float | None
    fidelity: float | None
    region_share: float | None
    region_fidelity: float | None


@dataclass(frozen=True, kw_only=True)
class Compressed:
    """Size, proofs, effort and agreement of a compressed ensemble; none of it where there is an ``error``.

    ``largest_margin`` is that of the initial ensemble, of a region without a point.
    """

    final_size: int | None = None
    n_generated: int | None = None
    generated_in_final: float | None = None
    certified: int | None = None
    lower_bound: float | None = None
    proved_l0: int | None = None
    total_leaves: int | None = None
    initial_size: int | None = None
    initial_leaves: int | None = None
    pool: int | None = None
    seconds: float | None = None
    timed_out: int | None = None
    n_solved: int | None = None
    n_samples: int | None = None
    n_training_samples: int | None = None
    lp_value: float | None = None
    least_margin: float | None = None
    initial_accuracy: float | None = None
    accuracy: float | None = None
    fidelity: float | None = None
    region_share: float | None = None
    region_fidelity: float | None = None
    error: str = ""
    largest_margin: float | None = None


def run_dataset(trial: Trial) -> Described:
    """Table 2: what a dataset is here, and the shares of its classes."""
    dataset = problem(trial.dataset)
    return Described(
        n=len(dataset.y),
        binary=int(dataset.binary.sum()),
        numerical=int((~dataset.binary).sum()),
        uniform=int(dataset.uniform.sum()),
        classes=len(np.unique(dataset.y)),
        share=class_shares(dataset.y),
        headless_share=class_shares(dataset.y[1:]),
    )


def class_shares(y: NDArray[np.int64]) -> dict[str, float | None]:
    """The three largest shares of classes, falling; None where there are fewer classes."""
    shares = np.sort(np.bincount(y) / len(y))[::-1]
    return {place: float(shares[k]) if k < len(shares) else None for k, place in enumerate(PLACES)}


def run_compress(trial: Trial) -> Compressed:
    """One ensemble by Pace or one of its phases."""
    warm_up()
    model, parts = trial_ensemble(trial)
    started = time.perf_counter()
    try:
        small = compressed(trial)
    except EmptyRegionError as error:
        return Compressed(error=type(error).__name__, largest_margin=error.largest)
    except (WeightRoundingError, NoPositiveMarginError) as error:
        return Compressed(error=type(error).__name__)
    return measured(small, model, parts, time.perf_counter() - started, trial)


def compressed(trial: Trial) -> CompressedEnsemble:
    """Run Pace, or one of its phases, as the trial asks."""
    asked: dict[str, Any] = dict(trial.parameters)
    model, parts = trial_ensemble(trial)
    generate, prune = PHASES[trial.method]
    return compress(
        model,
        parts.X_train,
        alpha=asked["alpha"],
        beta=asked["beta"],
        generate=generate,
        prune=prune,
        pricing=asked["pricing"],
        max_depth=asked["generated_depth"] or INITIAL,
        isolation_forest=trial_isolation(trial),
        uncertified=True,
        time_limit=trial.time_limit,
        random_state=trial.seed,
    )


def run_fipe(trial: Trial) -> Compressed:
    """One ensemble by the Fipe baseline."""
    warm_up()
    model, parts = trial_ensemble(trial)
    started = time.perf_counter()
    try:
        small = fipe(
            model,
            parts.X_train,
            norm=NORMS[trial.method],
            uncertified=True,
            time_limit=trial.time_limit,
            random_state=trial.seed,
        )
    except (WeightRoundingError, NoPositiveMarginError) as error:
        return Compressed(error=type(error).__name__)
    return measured(small, model, parts, time.perf_counter() - started, trial)


def measured(small: CompressedEnsemble, model: Any, parts: Parts, seconds: float, trial: Trial) -> Compressed:
    """Return size, proofs, effort and agreement of a compressed ensemble."""
    steps, initial = small.history_, small.setting.initial
    if not steps:
        return Compressed(error="the time was out before the method could begin")
    last = steps[-1]
    bound = small.bound_
    return Compressed(
        final_size=small.n_learners_,
        n_generated=small.n_generated_,
        generated_in_final=small.n_generated_ / small.n_learners_,
        certified=int(small.certificate_.faithful),
        lower_bound=bound,
        proved_l0=None if bound is None else int(bound == small.n_learners_),
        total_leaves=small.n_leaves_,
        initial_size=len(initial.learners),
        initial_leaves=sum(learner.n_leaves for learner in initial.learners),
        pool=last.n_learners,
        seconds=seconds,
        timed_out=int(trial.time_limit is not None and seconds >= trial.time_limit),
        n_solved=sum(step.n_solved for step in steps),
        n_samples=last.n_samples,
        n_training_samples=len(small.setting.samples),
        lp_value=lp_value(small),
        least_margin=least_margin(small),
        **asdict(agreement(small, model, parts)),
    )


def lp_value(small: CompressedEnsemble) -> float | None:
    """Return the last value of (P1)."""
    values = [step.value for step in small.history_ if step.phase != "prune"]
    return values[-1] if values else None


def least_margin(small: CompressedEnsemble) -> float | None:
    """Smallest margin at a training sample of the region, as a share of the total weight."""
    samples, region = small.setting.samples, small.setting.region
    if len(samples) == 0:
        return None
    margins = small.ensemble.margins(samples, region.labels(samples))
    return float(margins.min() / small.ensemble.total)


def agreement(small: CompressedEnsemble, model: Any, parts: Parts) -> Agreement:
    """Predict the test part before and after."""
    before, after = model.predict(parts.X_test), small.predict(parts.X_test)
    inside = small.in_region(parts.X_test)
    return Agreement(
        initial_accuracy=share(before == parts.y_test),
        accuracy=share(after == parts.y_test),
        fidelity=share(before == after),
        region_share=share(inside),
        region_fidelity=share((before == after)[inside]),
    )


def share(hits: NDArray[np.bool_]) -> float | None:
    """Share of True; None of nothing."""
    return float(hits.mean()) if len(hits) else None


@cache
def warm_up() -> None:
    """Compile, and compress a tiny forest in every way: loading must not use up the time of a run."""
    compile_kernels()
    X = np.random.default_rng(0).integers(0, 4, (40, 3)).astype(float)
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, X.sum(axis=1) > 4)
    for pricing in PRICINGS:
        compress(forest, X, alpha=0.1, beta=0.1, pricing=pricing, uncertified=True, time_limit=None)
    fipe(forest, X, uncertified=True, time_limit=None)


DATASET = Kind("dataset", run_dataset, Described, dataset_cost)
COMPRESS = Kind("compress", run_compress, Compressed, compression_cost)
FIPE_KIND = Kind("fipe", run_fipe, Compressed, compression_cost)
