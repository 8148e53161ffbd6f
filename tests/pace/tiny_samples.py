"""Small faithfulness sets."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import Setting, make_setting


def tiny_forest(
    n_classes: int = 2, *, n_trees: int = 9, depth: int = 2, seed: int = 0
) -> tuple[RandomForestClassifier, np.ndarray]:
    """A forest on four features of four values, and its training samples."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (90, 4)).astype(float)
    noise = rng.normal(0, 1.5, 90)
    y = (X[:, 0] + X[:, 1] * X[:, 2] / 2 - X[:, 3] + noise > 1.5).astype(int)
    if n_classes == 3:
        y += X[:, 0] > X[:, 1]
    return RandomForestClassifier(n_trees, max_depth=depth, random_state=seed).fit(X, y), X


def tiny_setting(n_classes: int = 2, *, alpha: float = 0.0, seed: int = 0) -> Setting:
    forest, X = tiny_forest(n_classes, seed=seed)
    return make_setting(forest, X, alpha=alpha)


def tiny_samples(n_classes: int = 2, *, seed: int = 0) -> FaithfulnessSet:
    setting = tiny_setting(n_classes, seed=seed)
    return FaithfulnessSet(setting.region, setting.samples)
