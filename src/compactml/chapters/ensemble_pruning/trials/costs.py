"""Rough seconds of the chapter's trials on one core, without fitting the pool."""

from __future__ import annotations

from compactml.chapters.ensemble_pruning.datasets import BY_KEY
from compactml.chapters.ensemble_pruning.protocol import HARD
from compactml.study.running.asking import LIMIT
from compactml.study.trial import Trial

__all__ = ["of_baseline", "of_curve", "of_dataset", "of_opinion", "of_plain", "of_program"]

SMALL_SECONDS, EASY_SECONDS = 0.3, 2.0
SOLVED_AT_ONCE = ("PRK", "BCW")
"""By the paper's program."""
BASELINE_SECONDS_PER_ROW = 2e-4


def of_dataset(trial: Trial) -> float:
    """A dataset is read and counted."""
    return SMALL_SECONDS


def of_baseline(trial: Trial) -> float:
    """A benchmark takes time by the number of rows."""
    return SMALL_SECONDS + BASELINE_SECONDS_PER_ROW * BY_KEY[trial.dataset].n


def of_program(trial: Trial) -> float:
    """A program takes its limit on a hard dataset, and a short while on the others."""
    limit = trial.time_limit or 0.0
    return SMALL_SECONDS + (limit if BY_KEY[trial.dataset].name in HARD else min(limit, EASY_SECONDS))


def of_plain(trial: Trial) -> float:
    """The paper's program takes its limit but on the datasets that it solves at once."""
    limit = trial.time_limit or 0.0
    return SMALL_SECONDS + (
        min(limit, EASY_SECONDS) if BY_KEY[trial.dataset].name in SOLVED_AT_ONCE else limit
    )


def of_curve(trial: Trial) -> float:
    """A point of a curve takes its limit."""
    return SMALL_SECONDS + (trial.time_limit or 0.0)


def of_opinion(trial: Trial) -> float:
    """A second opinion takes its limit: so does every program of more than a few vectors."""
    return trial.time_limit or LIMIT
