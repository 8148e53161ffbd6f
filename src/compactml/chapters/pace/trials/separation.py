"""Figs 2, 5, 8 and 9: (P1) and separation until it is faithful everywhere; and all forms on the same weights.

Only the form of the separation problem differs within a figure. As in the paper, a round asks for one sample of each
ordered pair of labels; there is no local search before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from compactml.chapters.pace.trials.ensembles import trial_setting
from compactml.clock import Clock
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import Setting, make_setting
from compactml.pace.separation.separator import ENGINES, Separation, Separator
from compactml.pace.weights.errors import WeightRoundingError
from compactml.pace.weights.master import LinearMaster, LinearSolution
from compactml.study.trial import Result, Trial

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


def run_faithful(trial: Trial) -> Result:
    """One form until global faithfulness."""
    warm_up()
    setting = trial_setting(trial)
    clock = Clock(trial.time_limit)
    done, rounded = trajectory(setting, trial_separator(trial, setting), clock)
    return {
        **summary(done),
        "seconds": clock.seconds,
        "timed_out": int(clock.stopped()),
        "rounded": int(rounded),
    }


def trial_separator(trial: Trial, setting: Setting) -> Separator:
    """Separation in the form that the trial names."""
    return Separator(
        setting.grid, setting.region, form=trial.method, solver=FREE_SOLVER, random_state=trial.seed
    )


def summary(done: list[Round]) -> Result:
    """Numbers of a trajectory."""
    if not done:
        return {"certified": 0, "rounds": 0}
    last = done[-1]
    return {
        "certified": int(last.found.certified),
        "rounds": len(done),
        "separation_seconds": sum(one.found.seconds for one in done),
        "n_solved": sum(one.found.n_solved for one in done),
        "n_samples": last.n_samples - done[0].n_samples,
        "lp_value": last.solution.value,
        "size": len(last.current.learners),
    }


def run_engines(trial: Trial) -> Result:
    """One form on the first, the middle and the last weights of a trajectory that is the same for all forms."""
    warm_up()
    setting = trial_setting(trial)
    search = Separator(setting.grid, setting.region, random_state=trial.seed)
    done, _ = trajectory(setting, search, Clock(None), MOST_ROUNDS)
    chosen = dict(zip(PLACES, (done[0], done[len(done) // 2], done[-1]), strict=True))
    result: Result = {"rounds": len(done), "reached": int(done[-1].found.certified)}
    for place, one in chosen.items():
        result |= answered(trial, setting, one.current, place)
    return result


def answered(trial: Trial, setting: Setting, current: IntegerEnsemble, place: str) -> Result:
    """Seconds and answers of one form, its model built anew."""
    started = time.perf_counter()
    found = trial_separator(trial, setting).separate(current, time_limit=trial.time_limit)
    states = list(found.proved.values())
    return {
        f"seconds_{place}": time.perf_counter() - started,
        f"answered_{place}": int("unknown" not in states),
        f"separated_{place}": states.count(False),
    }


@cache
def warm_up() -> None:
    """Separate on a tiny forest by every form: compiling and loading must not use up the time of a run."""
    X = np.random.default_rng(0).integers(0, 4, (40, 3)).astype(float)
    forest = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, X.sum(axis=1) > 4)
    setting = make_setting(forest, X)
    for form in ENGINES:
        separator = Separator(setting.grid, setting.region, form=form, solver=FREE_SOLVER)
        trajectory(setting, separator, Clock(None))


RUN: Mapping[str, Callable[[Trial], Result]] = {"faithful": run_faithful, "engines": run_engines}
