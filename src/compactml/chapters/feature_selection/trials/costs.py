"""Rough seconds of trials on one core; they decide an order and an estimate, never a result."""

from __future__ import annotations

from compactml.chapters.feature_selection.datasets import BY_KEY
from compactml.study.trial import Trial

SCORING_SECONDS_PER_CELL = 4e-6
"""Both classifiers in five folds, per row and feature."""


def scoring_cost(trial: Trial) -> float:
    """Rough seconds of scoring a set on one core."""
    dataset = BY_KEY[trial.dataset]
    return 1.0 + SCORING_SECONDS_PER_CELL * dataset.n * dataset.p
