"""The small examples of the first notebook: three stumps, three samples, and a forest on the iris data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.ensemble import IsolationForest, RandomForestClassifier

from compactml.chapters.pace.method import separation_table, stumps
from compactml.chapters.pace.pictures.loop import Round, run
from compactml.forests import SplitGrid
from compactml.pace import CompressedEnsemble, Recheck, compress, recheck
from compactml.pace.merging import added
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner
from compactml.pace.model.setting import Setting, make_setting
from compactml.pace.weights.master import LinearMaster, LinearSolution, reduced_cost
from compactml.pace.weights.pruning import Pruner

__all__ = [
    "EVERYWHERE", "IRIS_FEATURES", "KEPT", "MARGINS", "Compressed", "Looped", "MergedStumps", "NewLearner",
    "compressed_iris", "iris_regions", "looped_iris", "merged_stumps", "new_learner", "separation_answers",
    "three_stumps",
]  # fmt: skip

KEPT = {
    "stump at 0.5": (1, 0, 0),
    "stump at 1.5": (0, 1, 0),
    "stump at 2.5": (0, 0, 1),
    "0.5 and 2.5": (1, 0, 1),
}
"""Weights of ensembles of some of the three stumps."""
MARGINS, EVERYWHERE = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]]), np.ones((3, 1))
"""Margins of three learners on three samples, each wrong once; and of a new one that is right on all."""
IRIS_FEATURES = ["sepal length (cm)", "petal length (cm)"]
LOOP_DEPTH, LOOP_SEED = 2, 8
"""Of the forest of the loop's picture: with this seed (P0) errs twice before it is right."""
SECONDS = 60.0
"""Time limit of a compression; each ends long before."""


def three_stumps() -> tuple[SplitGrid, IntegerEnsemble]:
    """Return three stumps on a line, each of weight 1."""
    return stumps([0.5, 1.5, 2.5])


def separation_answers() -> pd.DataFrame:
    """Return the answers of the separation program for some of the stumps, at two least margins."""
    return separation_table(*three_stumps(), KEPT, least_margins=(1, 2))


@dataclass(frozen=True)
class MergedStumps:
    """Three stumps on a line and the tree that is their sum."""

    grid: SplitGrid
    stumps: IntegerEnsemble
    tree: Learner


def merged_stumps() -> MergedStumps:
    """Return the three stumps, merged."""
    grid, stumps = three_stumps()
    tree = added(stumps.learners, 2)
    assert tree is not None  # of depth 2, as allowed
    return MergedStumps(grid, stumps, tree)


@dataclass(frozen=True)
class NewLearner:
    """(P1) and (P0) over three learners, and with a fourth one.

    Attributes
    ----------
    before, after : LinearSolution
    reduced_cost : float
        Of the new learner, by the duals before.
    fewest_before, fewest_after : int
        Learners.
    """

    before: LinearSolution
    after: LinearSolution
    reduced_cost: float
    fewest_before: int
    fewest_after: int


@cache
def new_learner() -> NewLearner:
    """Solve both programs without the new learner and with it."""
    with LinearMaster(MARGINS) as master:
        before = master.solve()
        master.add_columns(EVERYWHERE)
        after = master.solve()
    fewest, fewest_with = (
        Pruner().prune(rows).size for rows in (MARGINS, np.column_stack([MARGINS, EVERYWHERE]))
    )
    return NewLearner(before, after, reduced_cost(before.duals, EVERYWHERE[:, 0]), fewest, fewest_with)


def iris_regions() -> tuple[list[Setting], NDArray[np.float64], NDArray[np.int64]]:
    """Return regions of a small forest on two features of the iris data; the samples and their classes."""
    iris = load_iris()
    X = iris.data[:, [0, 2]]
    forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, iris.target)
    outliers = IsolationForest(n_estimators=10, max_samples=32, random_state=0).fit(X)
    shares = [(0.0, 0.0), (0.3, 0.0), (0.0, 0.2), (0.3, 0.2)]
    settings = [make_setting(forest, X, alpha=a, beta=b, isolation_forest=outliers) for a, b in shares]
    return settings, X, iris.target


@dataclass(frozen=True)
class Looped:
    """A forest on two features of the iris data, and the rounds of the paper's loop on it.

    Attributes
    ----------
    setting : Setting
    X : ndarray of float, shape (n, 2)
        Training samples.
    rounds : list of Round
    """

    setting: Setting
    X: NDArray[np.float64]
    rounds: list[Round]


@cache
def looped_iris() -> Looped:
    """Run the paper's loop on a forest of five trees that are as deep as the new ones."""
    iris = load_iris()
    X = iris.data[:, [0, 2]]
    forest = RandomForestClassifier(5, max_depth=LOOP_DEPTH, random_state=LOOP_SEED).fit(X, iris.target)
    setting = make_setting(forest, X)
    return Looped(setting, X, run(setting, LOOP_DEPTH))


@dataclass(frozen=True)
class Compressed:
    """A forest on the iris data in ten bins, and three small ensembles in its place.

    Attributes
    ----------
    forest : RandomForestClassifier
    X : ndarray
        Training data.
    class_names : list of str
    ensembles : dict of str to CompressedEnsemble
    checks : dict of str to Recheck
    """

    forest: Any
    X: NDArray[np.int64]
    class_names: list[str]
    ensembles: dict[str, CompressedEnsemble]
    checks: dict[str, Recheck]


BOTH = "generated and pruned"
SETTINGS: dict[str, dict[str, Any]] = {
    "pruned": {"generate": False},
    BOTH: {},
    "the same, α = β = 0.1": {"alpha": 0.1, "beta": 0.1},
}
"""How the forest is compressed, as the notebook does it in the open."""


@cache
def compressed_iris() -> Compressed:
    """Compress a forest of 25 trees in three ways and compare each with it at one point of every cell."""
    iris = load_iris()
    X = np.column_stack([np.digitize(x, np.quantile(x, np.arange(1, 10) / 10)) for x in iris.data.T])
    forest = RandomForestClassifier(25, max_depth=2, random_state=0).fit(X, iris.target)
    ensembles = {
        name: compress(forest, X, uncertified=True, time_limit=SECONDS, random_state=0, **setting)
        for name, setting in SETTINGS.items()
    }
    checks = {name: recheck(small, forest) for name, small in ensembles.items()}
    return Compressed(forest, X, list(iris.target_names), ensembles, checks)
