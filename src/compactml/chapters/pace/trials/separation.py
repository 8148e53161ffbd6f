"""Figs 2, 5, 8 and 9: (P1) and separation until it is faithful everywhere; and all forms on the same weights.

Only the form of the separation problem differs within a figure. As in the paper, a round asks for one sample of each
ordered pair of labels; there is no local search before it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from compactml.chapters.pace.trials.costs import separation_cost
from compactml.chapters.pace.trials.ensembles import trial_setting
from compactml.clock import Clock
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import Setting, make_setting
from compactml.pace.separation.separator import ENGINES, Separation, Separator
from compactml.pace.weights.errors import WeightRoundingError
from compactml.pace.weights.master import LinearMaster, LinearSolution
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Trial

FREE_SOLVER = "highs"
"""Of the mixed-integer form: the one that everybody has, and that takes every size."""
PLACES = ("first", "middle", "last")
"""Weights of a trajectory on which the forms are compared."""
MOST_ROUNDS = 400
"""Of that trajectory, which no clock may end: it has to be the same for all forms."""


@dataclass(frozen=True, eq=False)
class Round:
    """Weights of (P1), its solution, and what separation said of them; ``n_samples`` is the size of S before."""

    current: IntegerEnsemble
    solution: LinearSolution
    found: Separation
    n_samples: int


@dataclass(frozen=True, kw_only=True)
class Faithful:
    """A run to global faithfulness; without a round it has no numbers.

    ``n_samples`` counts those that separation added, ``size`` the learners with a weight, and ``rounded`` says whether
    integers could stand for all weights.
    """

    certified: int
    rounds: int
    separation_seconds: float | None = None
    n_solved: int | None = None
    n_samples: int | None = None
    lp_value: float | None = None
    size: int | None = None
    seconds: float
    timed_out: int
    rounded: int


@dataclass(frozen=True)
class Answer:
    """One form on some weights: seconds, whether it answered for all pairs, and how many pairs can be separated."""

    seconds: float
    answered: int
    separated: int


@dataclass(frozen=True)
class Answers:
    """One form on three weights of a trajectory: its rounds, whether it reached faithfulness, and the answers."""

    rounds: int
    reached: int
    answers: dict[str, Answer] = spread(PLACES, Answer)


def rounds(
    samples: FaithfulnessSet, master: LinearMaster, separator: Separator, clock: Clock
) -> Iterator[Round]:
    """Yield the rounds of (P1) and separation until nothing new is found, or the time is over.

    Raises
    ------
    WeightRoundingError
        The weights are so uneven that no integers stand for them.
    """
    while True:
        n_samples, n_rows = len(samples), len(samples.integers)
        solution = master.solve()
        current = samples.rounded(solution.weights)
        found = separator.separate(current, time_limit=clock.allowance())
        n_new = samples.add_samples(found.points)
        master.add_rows(samples.margins[n_rows:])
        yield Round(current, solution, found, n_samples)
        if n_new == 0 or clock.stopped():
            return


def trajectory(
    setting: Setting, separator: Separator, clock: Clock, most: int | None = None
) -> tuple[list[Round], bool]:
    """All rounds, or the first ones; and whether integers could stand for the weights of each."""
    samples = FaithfulnessSet(setting.region, setting.samples)
    done = []
    with LinearMaster(samples.margins) as master:
        try:
            for one in islice(rounds(samples, master, separator, clock), most):
                done.append(one)  # those before the error count
        except WeightRoundingError:
            return done, False
    return done, True


def run_faithful(trial: Trial) -> Faithful:
    """One form until global faithfulness."""
    warm_up()
    setting = trial_setting(trial)
    clock = Clock(trial.time_limit)
    done, rounded = trajectory(setting, trial_separator(trial, setting), clock)
    effort: dict[str, Any] = {
        "seconds": clock.seconds,
        "timed_out": int(clock.stopped()),
        "rounded": int(rounded),
    }
    if not done:
        return Faithful(certified=0, rounds=0, **effort)
    last = done[-1]
    return Faithful(
        certified=int(last.found.certified),
        rounds=len(done),
        separation_seconds=sum(one.found.seconds for one in done),
        n_solved=sum(one.found.n_solved for one in done),
        n_samples=last.n_samples - done[0].n_samples,
        lp_value=last.solution.value,
        size=len(last.current.learners),
        **effort,
    )


def trial_separator(trial: Trial, setting: Setting) -> Separator:
    """Separation in the form that the trial names."""
    return Separator(
        setting.grid, setting.region, form=trial.method, solver=FREE_SOLVER, random_state=trial.seed
    )


def run_engines(trial: Trial) -> Answers:
    """One form on the first, the middle and the last weights of a trajectory that is the same for all forms."""
    warm_up()
    setting = trial_setting(trial)
    search = Separator(setting.grid, setting.region, random_state=trial.seed)
    done, _ = trajectory(setting, search, Clock(None), MOST_ROUNDS)
    chosen = dict(zip(PLACES, (done[0], done[len(done) // 2], done[-1]), strict=True))
    answers = {place: answer(trial, setting, one.current) for place, one in chosen.items()}
    return Answers(len(done), int(done[-1].found.certified), answers)


def answer(trial: Trial, setting: Setting, current: IntegerEnsemble) -> Answer:
    """Seconds and answers of one form, its model built anew."""
    started = time.perf_counter()
    found = trial_separator(trial, setting).separate(current, time_limit=trial.time_limit)
    states = list(found.proved.values())
    return Answer(time.perf_counter() - started, int("unknown" not in states), states.count(False))


@cache
def warm_up() -> None:
    """Separate on a tiny forest by every form: compiling and loading must not use up the time of a run."""
    X = np.random.default_rng(0).integers(0, 4, (40, 3)).astype(float)
    forest = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, X.sum(axis=1) > 4)
    setting = make_setting(forest, X)
    for form in ENGINES:
        separator = Separator(setting.grid, setting.region, form=form, solver=FREE_SOLVER)
        trajectory(setting, separator, Clock(None))


FAITHFUL = Kind("faithful", run_faithful, Faithful, separation_cost)
ENGINES_KIND = Kind("engines", run_engines, Answers, separation_cost)
