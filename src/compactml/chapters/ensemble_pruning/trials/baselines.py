"""Trials of the paper's benchmarks, which choose classifiers and let their majority decide."""

from __future__ import annotations

from dataclasses import dataclass

from compactml.chapters.ensemble_pruning.trials import costs
from compactml.chapters.ensemble_pruning.trials.measures import Pruned, measured, trial_votes
from compactml.ensemble_pruning.baselines.methods import BASELINES
from compactml.ensemble_pruning.instance import called_positive
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

BENCHMARKS = ("BFT", "HC-CON", "HC-UWA", "FE")
UNREPORTED = ("KAPPA", "HC-ACC", "HC-COM")
"""Names as in the published tables; the last ones were run by the authors and are not in the paper."""


@dataclass(frozen=True)
class Benchmark(Pruned):
    """The ensemble of a benchmark; its value is the number of validation rows called right."""


def run_baseline(trial: Trial) -> Benchmark:
    """One of the paper's benchmarks."""
    parts = trial_votes(trial)
    validation = parts["validation"]
    chosen = BASELINES[trial.method](validation.votes, validation.y, time_limit=trial.time_limit)
    called = called_positive(validation.votes, chosen.selected, chosen.threshold)
    return Benchmark(
        value=int((called == validation.y).sum()),
        **measured(parts, chosen.selected, chosen.threshold),
        tau=0.0,
        gamma=0.0,
        seconds=chosen.seconds,
    )


BASELINE = Kind("baseline", run_baseline, Benchmark, costs.of_baseline)
"""A kind of its own: a change in the programs leaves its results valid."""
