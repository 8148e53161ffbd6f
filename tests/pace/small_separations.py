"""Separation problems small enough to look at every cell."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import IsolationForest
from sklearn.tree import DecisionTreeClassifier

from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import Region
from compactml.pace.model.setting import make_setting
from compactml.pace.separation.separator import Pair
from tests.pace.tiny_forests import fitted


@dataclass(frozen=True, eq=False)
class Problem:
    """A region, another ensemble, and the truth about every cell."""

    grid: SplitGrid
    region: Region
    current: IntegerEnsemble
    samples: NDArray[np.int32]

    @property
    def cells(self) -> NDArray[np.int32]:
        return np.array(list(product(*map(range, self.grid.sizes))), dtype=np.int32)

    def separating(self, pair: Pair) -> NDArray[np.int32]:
        """All separating cells of a pair, by evaluation."""
        cells, (label, other) = self.cells, pair
        scores = self.current.scores(cells)
        inside = self.region.contains(cells) & (self.region.labels(cells) == label)
        return cells[inside & (scores[:, other] >= scores[:, label])]

    def truth(self) -> dict[Pair, bool]:
        """Whether no cell separates, for each ordered pair of labels."""
        pairs = permutations(range(self.current.n_classes), 2)
        return {pair: len(self.separating(pair)) == 0 for pair in pairs}


def problem(seed: int, generated: int = 0) -> Problem:
    """Random weights on a random small ensemble; kinds, regions and depths go round with the seed."""
    kind = ("forest", "boosted", "extra")[seed % 3]
    n_classes, depth = 2 + seed % 2, 1 + seed % 3
    model, X = fitted(kind, n_classes, depth, n_trees=4 if depth > 1 else 12, seed=seed)
    X = np.round(2 * X)  # few levels
    model.fit(X, fitted(kind, n_classes, depth, seed=seed)[0].predict(X / 2))
    trees = IsolationForest(n_estimators=3, max_samples=8, random_state=seed).fit(X)
    alpha, beta = (0.0, 0.05, 0.2)[seed // 2 % 3], (0.0, 0.1)[seed // 3 % 2]
    setting = make_setting(model, X, alpha=alpha, beta=beta, isolation_forest=trees)
    random = np.random.default_rng(seed)
    learners = setting.initial.learners + tuple(
        grown(setting.grid.codes(X), random, setting.initial.n_classes) for _ in range(generated)
    )
    weights = random.integers(0, 5, len(learners))
    current = IntegerEnsemble(learners, weights, setting.initial.n_classes, setting.initial.scale)
    return Problem(setting.grid, setting.region, current, setting.samples)


def grown(codes: NDArray[Any], random: np.random.Generator, n_classes: int) -> Learner:
    """A tree on codes with random labels, as generation adds them."""
    labels = random.integers(0, n_classes, len(codes))
    tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(codes, labels).tree_
    return Learner.on_codes(tree, np.rint(tree.value[:, 0, :] * 100).astype(np.int64))
