"""Second opinions on the optima of Tables 2-7 and of our own tables, by a solver that did not find them.

What is asked is the 0-1 program max f(x) - t g(x) over all x, the empty set with its value of 0 among them, at
t = value + tolerance of the trial. Since g > 0, its optimum is 0 exactly where no set is better than the stated value
by more than the tolerance: a better set refutes the value, a bound of 0 confirms it. The program is linearised here, so
that all solvers get the same one and the tolerance of its verification is that of the sets in question, not that of
all products. That the stated value is attained is arithmetic: it is recomputed from the stated set.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from compactml.chapters.feature_selection.datasets import measures, program
from compactml.chapters.feature_selection.trials.beyond import CERTIFIED, GROWTH, TOLERANCES, columns, part
from compactml.chapters.feature_selection.trials.solving import (
    GAP_ABS,
    GAP_REL,
    trial_program,
)
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import Tolerance
from compactml.solvers import (
    MixedIntegerProgram,
    SolveOptions,
    Stated,
    Verdict,
    linearise,
    opinion_on,
)
from compactml.study.chapter import Kind
from compactml.study.running.asking import KIND, not_asked, opinion_trial
from compactml.study.running.opinions import Heard
from compactml.study.trial import Result, Trial

ATTAINED = 1e-9
"""Difference of a stated value from that of its set, relative to ``max(1, abs(value))``, that is rounding."""
LARGEST_PAIRS = 80_000
"""Pairs of features up to which another solver is asked."""
TOO_MANY = "not asked: too many products for a model with a column for each"
READING = "reading"
"""Kind of the trials that name a formula of SU and whether constants are dropped."""


def opinion(trial: Trial, result: Result, solver: str | None) -> Trial | None:
    """The trial that asks another solver than ``solver`` about a result; None where no table calls it optimal.

    A table calls a result optimal that says of itself that it is proved. The sets of no search, sizes
    and the opinions themselves say nothing of optima.
    """
    if result.get("proved") != 1:
        return None
    return opinion_trial(trial, solver, result["value"], bound=result["bound"], support=result["support"])


def run_opinion(trial: Trial) -> Heard:
    """What another solver says of a stated value, within the time limit of the trial that stated it.

    The verdict is "refuted" without a solver where the stated set does not have the stated value.
    """
    asked: dict[str, Any] = dict(trial.parameters)
    program, value = asked_program(trial), float(asked["stated"])
    attained = program.value(np.flatnonzero(np.isin(program.features, json.loads(asked["support"]))))
    if abs(attained - value) > ATTAINED * max(1.0, abs(value)):
        return not_asked(Verdict.REFUTED, f"the stated set has another value, {attained!r}")
    if program.n_features * (program.n_features + 1) // 2 > LARGEST_PAIRS:
        return not_asked(Verdict.NOT_REFUTED, TOO_MANY)
    problem = better_sets(program, value + tolerance(trial).allows(value))
    nothing = Stated(0.0, 0.0, x=np.zeros(problem.n_columns))
    return Heard.of(
        opinion_on(
            problem, nothing, options=SolveOptions(time_limit=trial.time_limit), not_by=asked["not_by"]
        )
    )


def better_sets(program: FractionalProgram, t: float) -> MixedIntegerProgram:
    """The linear program of max f(x) - t g(x) over all sets; its optimum is above 0 where one is better than t."""
    linear, quadratic = program.parametric(t)
    return linearise(
        MixedIntegerProgram(linear, upper=1.0, integrality=True, sense="max", quadratic=quadratic)
    )


def asked_program(trial: Trial) -> FractionalProgram:
    """The fractional program of the trial whose value is asked about."""
    asked: dict[str, Any] = dict(trial.parameters)
    if asked["of"] == READING:
        informed = measures(trial.dataset, asked["discretizer"], drop_constant=asked["drop_constant"])
        return program(informed, asked["measure"], asked["su"])
    whole = trial_program(trial)
    if asked["of"] == GROWTH.name:
        return part(whole, columns(asked["p"], whole.n_features, trial.seed))
    return whole


def tolerance(trial: Trial) -> Tolerance:
    """The gaps within which that trial called its value optimal."""
    asked: dict[str, Any] = dict(trial.parameters)
    return Tolerance(*TOLERANCES[asked["table"]] if asked["of"] == CERTIFIED.name else (GAP_REL, GAP_ABS))


def cost(trial: Trial) -> float:
    """Rough seconds of one opinion on one core: most take all of their time or nearly none."""
    return (trial.time_limit or 0.0) / 2


OPINION = Kind(KIND, run_opinion, Heard, cost)
