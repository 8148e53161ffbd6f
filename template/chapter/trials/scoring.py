"""Fit a forest on half of a dataset and score it on the other half."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from compactml.datasets import load
from compactml.study.chapter import Kind
from compactml.study.trial import Trial


@dataclass(frozen=True)
class Score:
    """What one trial returns: plain values, the columns of a table."""

    n_rows: int
    accuracy: float
    seconds: float


def run_scoring(trial: Trial) -> Score:
    """Fit and score; all that decides the result stands in the trial."""
    dataset = load(trial.dataset)
    X, y = dataset.X.to_numpy(np.float64), dataset.y.to_numpy()
    train, test = np.array_split(np.random.default_rng(trial.seed).permutation(len(y)), 2)
    started = time.perf_counter()
    forest = RandomForestClassifier(20, random_state=trial.seed).fit(X[train], y[train])
    seconds = time.perf_counter() - started
    return Score(n_rows=len(y), accuracy=float(forest.score(X[test], y[test])), seconds=seconds)


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 0.2


SCORING = Kind("scoring", run_scoring, Score, cost)
