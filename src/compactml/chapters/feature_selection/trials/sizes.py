"""Table 1: the sizes of a dataset as it is read here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compactml.chapters.feature_selection.datasets import table
from compactml.study.chapter import Kind
from compactml.study.trial import Trial


@dataclass(frozen=True)
class Sizes:
    """Features, rows and classes of a dataset."""

    p_here: int
    n_here: int
    classes_here: int


def run_sizes(trial: Trial) -> Sizes:
    """Read one dataset and count."""
    X, y = table(trial.dataset)
    return Sizes(X.shape[1], X.shape[0], len(np.unique(y)))


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 1.0


SIZES = Kind("sizes", run_sizes, Sizes, cost)
