"""The optimal sets of Tables 3 and 4 by our method, scored as Tables 6 and 7 score the paper's sets."""

from __future__ import annotations

from dataclasses import dataclass

from compactml.chapters.feature_selection.datasets import BY_KEY
from compactml.chapters.feature_selection.trials.beyond import OURS, certified_seconds, checked
from compactml.chapters.feature_selection.trials.costs import scoring_cost
from compactml.chapters.feature_selection.trials.paper import Solved, variable_scores
from compactml.chapters.feature_selection.trials.solving import GAP_ABS, GAP_REL, trial_program
from compactml.feature_selection.certified.proved_optima import compile_kernels
from compactml.feature_selection.solving import solve
from compactml.study.chapter import Kind
from compactml.study.trial import Trial


@dataclass(frozen=True, kw_only=True)
class Optimum(Solved):
    """How our method ended, the scores of its set, and whether its certificate was verified."""

    certificate_verified: int


def run_optimum(trial: Trial) -> Optimum:
    """One instance by our method at the paper's tolerance."""
    compile_kernels()
    program = trial_program(trial)
    result = solve(program, method=OURS, gap_rel=GAP_REL, gap_abs=GAP_ABS, time_limit=trial.time_limit)
    verified = checked(program, result).certificate_verified
    scores = variable_scores(trial, program, result.support)
    return Optimum.of(program, result, scores=scores, certificate_verified=verified)


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return certified_seconds(trial, BY_KEY[trial.dataset].p) + scoring_cost(trial)


OPTIMUM = Kind("optimum", run_optimum, Optimum, cost)
