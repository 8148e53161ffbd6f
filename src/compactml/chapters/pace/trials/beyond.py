"""Figs 10 and 11, exact pricing against CART, and certificates checked anew."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from compactml.chapters.pace.trials.costs import compression_cost, generation_cost
from compactml.chapters.pace.trials.ensembles import trial_ensemble, trial_setting
from compactml.chapters.pace.trials.paper import compressed, warm_up
from compactml.chapters.pace.trials.separation import rounds
from compactml.clock import Clock
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.rechecking import recheck
from compactml.pace.separation.separator import Separator
from compactml.pace.trees.pricing import Priced, price
from compactml.pace.weights.master import LinearMaster, LinearSolution
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

TOLERANCE = 1e-6
"""Reduced costs above minus this count as not negative."""
NOT_IMPROVING, KNOWN, MOST, TIME = "not negative", "known", "most", "time"
"""Why a generation phase ended."""
MOST_LEARNERS = 500
"""Learners generated in a run, at most."""


@dataclass(frozen=True)
class History:
    """A generation phase: its steps as JSON, five numbers each (`compactml.chapters.pace.figures.HISTORY`).

    ``start_value`` is what (P1) has with the initial learners alone on all samples that the phase ended with: beside
    it the last value cannot be larger, while samples that are added may raise the value from step to step.
    """

    steps: str
    ended: str
    n_training_samples: int
    seconds: float
    start_value: float


@dataclass(frozen=True)
class Generated:
    """Learners generated on a fixed S: the value of (P1) before and after, the last reduced cost, and why it ended."""

    n_samples: int
    lp_value_start: float
    lp_value: float
    reduced_cost: float
    proved: int
    n_generated: int
    n_used: int
    ended: str
    seconds: float


@dataclass(frozen=True)
class Rechecked:
    """A certificate beside scikit-learn's predictions: at how many points they were compared, and how many differ."""

    n_points: int
    exhaustive: int
    disagreements: int
    certified: int
    final_size: int
    seconds: float


def run_history(trial: Trial) -> History:
    """Phase 1 as the paper has it: after every new learner, separation until (P1) is faithful on the region."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    setting, clock = trial_setting(trial), Clock(trial.time_limit)
    separator = Separator(setting.grid, setting.region, random_state=trial.seed)
    samples = FaithfulnessSet(setting.region, setting.samples)
    first, problems, ended = len(samples), 0, MOST
    steps: list[list[float]] = []
    with LinearMaster(samples.margins) as master:
        for n_generated in range(MOST_LEARNERS + 1):
            for one in rounds(samples, master, separator, clock):
                problems += one.found.n_solved
            solution = one.solution
            if clock.stopped():
                ended = TIME
                break
            priced = price(
                samples,
                solution.duals,
                pricing=trial.method,
                max_depth=asked["depth"],
                time_limit=clock.allowance(),
                random_state=trial.seed,
            )
            steps.append([n_generated, priced.reduced_cost, solution.value, problems, len(samples) - first])
            why = reason(samples, priced)
            if why:
                ended = why
                break
            add(samples, master, priced)
    seconds, n_initial = clock.seconds, len(setting.initial.learners)
    with LinearMaster(samples.margins[:, :n_initial]) as master:
        start_value = master.solve().value
    return History(json.dumps(steps), ended, first, seconds, start_value)


def reason(samples: FaithfulnessSet, priced: Priced) -> str | None:
    """Why a priced learner is not added, or None."""
    if priced.reduced_cost >= -TOLERANCE:
        return NOT_IMPROVING
    known = (samples.integers == priced.margins[:, None]).all(axis=0).any()
    return KNOWN if known else None


def add(samples: FaithfulnessSet, master: LinearMaster, priced: Priced) -> None:
    """Give a learner its column."""
    samples.add_learners([priced.learner])
    master.add_columns(priced.margins[:, None] / samples.scale)


def run_pricing(trial: Trial) -> Generated:
    """Learners generated on a fixed S, that of the initial ensemble's faithful (P1), by CART or exactly."""
    warm_up()
    setting = trial_setting(trial)
    separator = Separator(setting.grid, setting.region, random_state=trial.seed)
    samples = FaithfulnessSet(setting.region, setting.samples)
    with LinearMaster(samples.margins) as master:
        for one in rounds(samples, master, separator, Clock(None)):
            start = one.solution
        clock = Clock(trial.time_limit)
        final, priced, n_generated, ended = generated(trial, samples, master, clock)
    return Generated(
        n_samples=len(samples),
        lp_value_start=start.value,
        lp_value=final.value,
        reduced_cost=priced.reduced_cost,
        proved=int(priced.exact and ended == NOT_IMPROVING),
        n_generated=n_generated,
        n_used=int((final.weights > TOLERANCE).sum()),
        ended=ended,
        seconds=clock.seconds,
    )


def generated(
    trial: Trial, samples: FaithfulnessSet, master: LinearMaster, clock: Clock
) -> tuple[LinearSolution, Priced, int, str]:
    """Generate until no learner improves; the last solution and pricing, the number of learners, why it ended."""
    depth: Any = dict(trial.parameters)["depth"]
    n_generated = 0
    while True:
        solution = master.solve()
        priced = price(
            samples,
            solution.duals,
            pricing=trial.method,
            max_depth=depth,
            time_limit=clock.allowance(),
            random_state=trial.seed,
        )
        why = TIME if clock.stopped() else reason(samples, priced)
        if why is None and n_generated == MOST_LEARNERS:
            why = MOST
        if why is not None:
            return solution, priced, n_generated, why
        add(samples, master, priced)
        n_generated += 1


def run_recheck(trial: Trial) -> Rechecked:
    """Compress, and compare the predictions of scikit-learn's own ensembles before and after on the region."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    model, _ = trial_ensemble(trial)
    small = compressed(trial)
    started = time.perf_counter()
    check = recheck(small, model, n_points=asked["n_points"], random_state=trial.seed)
    return Rechecked(
        n_points=check.n_points,
        exhaustive=int(check.exhaustive),
        disagreements=len(check.disagreements),
        certified=int(small.certificate_.faithful),
        final_size=small.n_learners_,
        seconds=time.perf_counter() - started,
    )


HISTORY = Kind("history", run_history, History, generation_cost)
PRICING = Kind("pricing", run_pricing, Generated, generation_cost)
RECHECK = Kind("recheck", run_recheck, Rechecked, compression_cost)
