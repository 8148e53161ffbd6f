"""Small ensembles whose every cell can be visited."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from compactml.forests import SplitGrid, TreeArrays
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner


def samples(
    n_classes: int, n_features: int = 4, n: int = 120, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Real features and labels that trees cannot learn without error."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, n_features))
    y = np.floor((X[:, 0] + X[:, 1] * X[:, 2] + random.normal(scale=0.5, size=n)) * 1.2)
    return X, np.clip(y + n_classes // 2, 0, n_classes - 1).astype(np.int64)


def fitted(kind: str, n_classes: int, depth: int = 2, n_trees: int = 5, seed: int = 0) -> tuple[Any, Any]:
    """A fitted ensemble ("forest", "extra" or "boosted") and its training samples."""
    X, y = samples(n_classes, seed=seed)
    if kind == "boosted":
        model = AdaBoostClassifier(
            DecisionTreeClassifier(max_depth=depth), n_estimators=n_trees, random_state=seed
        )
    else:
        family = RandomForestClassifier if kind == "forest" else ExtraTreesClassifier
        model = family(n_trees, max_depth=depth, random_state=seed)
    return model.fit(X, y), X


def stump(level: float) -> TreeArrays:
    """A stump on one feature that votes class 1 iff x > level."""
    return TreeArrays(
        np.array([0, -1, -1], dtype=np.int32),
        np.array([level, 0.0, 0.0]),
        np.array([1, -1, -1], dtype=np.int32),
        np.array([2, -1, -1], dtype=np.int32),
        np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
    )


def three_stumps() -> tuple[SplitGrid, IntegerEnsemble]:
    """Stumps at 0.5, 1.5 and 2.5 with weight 1 each: margins 3, 1, 1, 3 in the four cells."""
    trees = [stump(level) for level in (0.5, 1.5, 2.5)]
    grid = SplitGrid.from_trees(trees, 1)
    learners = tuple(
        Learner.on_grid(tree, grid, tree.scores.astype(np.int64), k) for k, tree in enumerate(trees)
    )
    return grid, IntegerEnsemble(learners, np.ones(3, dtype=np.int64), 2)


def critical_values(grid: SplitGrid, thresholds: NDArray[np.float64], j: int) -> NDArray[np.float64]:
    """Thresholds of feature j, the levels, and their neighbours in float32 and float64."""
    levels = grid.levels[j]
    single = [
        levels,
        np.nextafter(levels, np.float32(np.inf)),
        np.nextafter(levels, np.float32(-np.inf)),
    ]
    double = [thresholds, np.nextafter(thresholds, np.inf), np.nextafter(thresholds, -np.inf)]
    return np.unique(np.concatenate([part.astype(np.float64) for part in (*single, *double)]))


def critical_samples(model: Any, grid: SplitGrid, n: int = 3000, seed: int = 0) -> NDArray[np.float64]:
    """Samples all of whose coordinates lie on a threshold of the ensemble or next to one."""
    random = np.random.default_rng(seed)
    feature = np.concatenate([member.tree_.feature for member in model.estimators_])
    threshold = np.concatenate([member.tree_.threshold for member in model.estimators_])
    columns = []
    for j in range(grid.n_features):
        values = critical_values(grid, threshold[feature == j], j)
        columns.append(random.choice(values, n) if len(values) else random.normal(size=n))
    return np.column_stack(columns)


def all_codes(grid: SplitGrid) -> NDArray[np.int32]:
    """The codes of all cells."""
    return np.array(list(itertools.product(*map(range, grid.sizes))), dtype=np.int32)
