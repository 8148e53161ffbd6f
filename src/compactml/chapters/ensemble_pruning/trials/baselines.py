"""Trials of the paper's benchmarks, which choose classifiers and let their majority decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compactml.chapters.ensemble_pruning.trials.measures import measured, trial_votes
from compactml.ensemble_pruning.baselines.methods import BASELINES
from compactml.ensemble_pruning.instance import called_positive
from compactml.study.trial import Result, Trial

BENCHMARKS = ("BFT", "HC-CON", "HC-UWA", "FE")
UNREPORTED = ("KAPPA", "HC-ACC", "HC-COM")
"""Names as in the published tables; the last ones were run by the authors and are not in the paper."""


def run_baseline(trial: Trial) -> Result:
    """One of the paper's benchmarks; its value is the number of validation rows called right."""
    parts = trial_votes(trial)
    own = parts["validation"]
    found = BASELINES[trial.method](own.votes, own.y, time_limit=trial.time_limit)
    called = called_positive(own.votes, found.selected, found.threshold)
    return {
        "value": int((called == own.y).sum()),
        **measured(parts, found.selected, found.threshold),
        "tau": 0.0,
        "gamma": 0.0,
        "seconds": found.seconds,
    }


RUN: Mapping[str, Callable[[Trial], Result]] = {"baseline": run_baseline}
"""A kind of their own: a change in the programs leaves their results valid."""
