"""What another solver says of the ensembles that a table of this chapter calls optimal.

A table says so by a gap of zero, and for Tables 3-6 by ``proved``. Whatever proved it (flow, tree, cuts or a program),
the opinion is on an integer program over the same votes in which nothing but the votes decides: without cuts, search
or start. For the curve of the paper's formulation that is the paper's program, for all others the one over distinct
vectors, which is far smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from compactml.chapters.ensemble_pruning.trials import costs
from compactml.chapters.ensemble_pruning.trials.measures import trial_votes
from compactml.chapters.ensemble_pruning.trials.votes import Votes
from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit
from compactml.ensemble_pruning.diversity import CONFIGURATIONS, diversity_limits
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.formulation import FORMULATIONS, Formulation
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.solvers import Opinion, SolveOptions, Stated, Verdict, opinion_on
from compactml.study.chapter import Kind
from compactml.study.running.asking import KIND, LIMIT, opinion_trial
from compactml.study.running.opinions import Heard
from compactml.study.trial import Result, Trial

PROVED = 1e-9
"""Gap of a result that counts as optimal, as in `compactml.ensemble_pruning.PruningResult.proved`."""
WHOLE = 0.999
"""Errors are whole numbers of the unit: a bound within less than one of them is a proof."""
MARGIN = 1e-5
"""By how much a set of classifiers has to be more diverse than asked for, to be so beyond a solver's tolerance."""

VECTORS = Formulation(cuts="none", search=False, branch=False)
EVERY_ENSEMBLE = replace(VECTORS, fix_unanimous=False, tight_big_m=False)
"""The same with a place for ensembles that call every point negative; its relaxation is worse."""


@dataclass(frozen=True)
class Called:
    """How the results of one kind of trial say that a value is optimal.

    Attributes
    ----------
    gaps : tuple of str
        Columns any one of which says so by a zero.
    value : callable Result -> float
        The value, in units of the objective (1).
    """

    gaps: tuple[str, ...]
    value: Callable[[Mapping[str, Any]], float]

    def optimal(self, result: Result) -> bool:
        """Whether a result says that its value is optimal."""
        gaps: list[Any] = [result[name] for name in self.gaps]
        return any(gap is not None and gap <= PROVED for gap in gaps)


CALLED_OPTIMAL: Mapping[str, Called] = {
    "program": Called(("gap",), lambda result: float(result["value"])),
    "plain": Called(("gap",), lambda result: float(result["value"])),
    "curve": Called(("gap",), lambda result: float(result["value"])),
    "bounds": Called(
        ("gap_isotonic", "gap_asummability", "gap_branching"),
        lambda result: float(result["n_validation"] - result["errors_found"]),
    ),
}
"""By kind; the benchmarks prove nothing."""


def opinion(trial: Trial, result: Result, solver: str | None) -> Trial | None:
    """The trial that asks another solver whether a value is optimal, None where no table says that it is.

    Parameters
    ----------
    trial : Trial
    result : Result
    solver : str or None
        The one that gave the result.
    """
    called = CALLED_OPTIMAL.get(trial.kind)
    if called is None or not called.optimal(result):
        return None
    asked = opinion_trial(trial, solver, called.value(result))
    return replace(asked, time_limit=min(asked.time_limit or LIMIT, LIMIT))


def run_opinion(trial: Trial) -> Heard:
    """Ask a solver for the pruning program of a trial; value and bound of the result are values of the objective (1).

    With limits on diversity, a better ensemble counts where there is one that is a little more diverse than asked for.
    """
    asked: dict[str, Any] = dict(trial.parameters)
    validation = trial_votes(trial)["validation"]
    objective = "balanced_accuracy" if trial.method == "F1_theta" else "accuracy"
    instance = PruningInstance.from_votes(validation.votes, validation.y, objective)
    diversity = _diversity(validation, trial.method)
    first = _said(trial, _program(trial, instance, diversity), asked)
    if first.verdict == Verdict.REFUTED and diversity is not None and _better(first, asked["stated"]):
        again = _said(trial, _program(trial, instance, _raised(diversity)), asked)
        if not _better(again, asked["stated"]):
            reason = "better only within the solver's tolerance of the limits on diversity"
            return Heard.of(replace(first, verdict=Verdict.NOT_REFUTED, reason=reason))
    return Heard.of(first)


def _said(trial: Trial, model: PruningProgram, asked: Mapping[str, Any]) -> Opinion:
    """What a solver says of one program, in units of the objective (1)."""
    scale = _Scale.of(model)
    stated = scale.inside(asked["stated"])
    options = SolveOptions(time_limit=trial.time_limit, gap_abs=WHOLE if model.instance.integral else 0.0)
    said = opinion_on(model.problem, Stated(stated, stated), options=options, not_by=asked["not_by"])
    return replace(said, value=scale.outside(said.value), bound=scale.outside(said.bound))


@dataclass(frozen=True)
class _Scale:
    """Values of the objective (1) and of a program: the same, or the cost of errors in ``unit``."""

    instance: PruningInstance
    errors: bool

    @classmethod
    def of(cls, model: PruningProgram) -> _Scale:
        return cls(model.instance, model.form.aggregate)

    def inside(self, value: float) -> float:
        """The program's value; a whole number where all are and rounding alone makes it none."""
        if not self.errors:
            return value
        errors = self.instance.ideal - value / self.instance.unit
        whole = self.instance.integral and abs(errors - round(errors)) < 1e-6
        return float(round(errors)) if whole else errors

    def outside(self, value: float | None) -> float | None:
        """A program's value or bound in units of the objective (1); None for one that is infinite."""
        if value is None or math.isinf(value):
            return None
        return self.instance.unit * (self.instance.ideal - value) if self.errors else value


def _program(trial: Trial, instance: PruningInstance, diversity: Diversity | None) -> PruningProgram:
    """The program of a trial's formulation.

    The tighter one has no place for an ensemble that calls every point negative. It is asked for where a better value
    than theirs is stated.
    """
    asked: dict[str, Any] = dict(trial.parameters)
    if asked["of"] == "curve" and trial.method == "plain":
        return PruningProgram(instance, FORMULATIONS["plain"])
    all_negative = instance.unit * instance.offset
    above = asked["stated"] > all_negative + PROVED * abs(all_negative)
    return PruningProgram(instance, VECTORS if above else EVERY_ENSEMBLE, diversity=diversity)


def _diversity(validation: Votes, method: str) -> Diversity | None:
    """The limits of F2 and F3."""
    if method not in CONFIGURATIONS:
        return None
    votes, y = validation.votes, validation.y
    return Diversity(failure_credit(votes == y[:, None]), *diversity_limits(votes, y, method))


def _raised(diversity: Diversity) -> Diversity:
    """The limits with a margin."""
    least, mean = (limit + MARGIN if limit > 0 else 0.0 for limit in (diversity.min_pfc, diversity.mean_pfc))
    return replace(diversity, min_pfc=least, mean_pfc=mean)


def _better(said: Opinion, stated: float) -> bool:
    """Whether a solver has an ensemble that is better than the stated value."""
    return said.value is not None and said.value > stated + PROVED * max(1.0, abs(stated))


OPINION = Kind(KIND, run_opinion, Heard, costs.of_opinion)
