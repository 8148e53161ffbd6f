"""What one trial of Nakamura and Sakurada (2022), Section 6, does.

One trial fits one ensemble on one fold of one dataset and counts everything that is counted on it; Table 2, Fig 2,
Table 3 and Fig 3 read the same trials of kind "sharing". Those of Figs 4 and 5 are in
`compactml.chapters.condition_sharing.trials.relaxing`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from compactml.chapters.condition_sharing.datasets import BY_KEY
from compactml.condition_sharing import SharedEnsemble, share_conditions
from compactml.datasets.prepared import prepared
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Trial

LEARNERS = ("RF", "ERT", "ABoost", "GBoost")
BAGGED = ("RF", "ERT")
N_TREES, N_FOLDS = 100, 5
TIE = 1e-12


def learner(method: str, classification: bool, seed: int) -> Any:
    """The unfitted ensemble of Section 6.1: 100 trees, everything else at scikit-learn's defaults."""
    common: dict[str, Any] = {"n_estimators": N_TREES, "random_state": seed}
    if method == "RF":
        return (RandomForestClassifier if classification else RandomForestRegressor)(**common)
    if method == "ERT":
        return (ExtraTreesClassifier if classification else ExtraTreesRegressor)(bootstrap=True, **common)
    if method == "ABoost":
        if classification:
            return AdaBoostClassifier(DecisionTreeClassifier(random_state=seed), **common)
        return AdaBoostRegressor(DecisionTreeRegressor(random_state=seed), **common)
    return (GradientBoostingClassifier if classification else GradientBoostingRegressor)(**common)


@dataclass(frozen=True)
class Changed:
    """What is counted of a changed ensemble: conditions, test accuracy (or R squared), rows with tied votes."""

    NDC: int
    TeA: float
    ties: int


@dataclass(frozen=True)
class Shared:
    """An ensemble before and after sharing: with all rows and, if it is bagged, with each tree's bootstrap sample."""

    TrA: float
    TeA: float
    ties: int
    NDC: int
    n_test: int
    n_nodes: int
    paths_changed: int
    fit_seconds: float
    share_seconds: float
    changed: dict[str, Changed] = spread(("shared", "tree"), Changed)
    paths_changed_tree: int | None = None


@dataclass(frozen=True)
class Fold:
    """One fitted ensemble with the rows it has seen and those it has not."""

    ensemble: Any
    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    def measure(self, shared: SharedEnsemble) -> Changed:
        """Count what is counted of a changed ensemble."""
        return Changed(
            NDC=shared.n_conditions_after_,
            TeA=float(shared.ensemble_.score(self.X_test, self.y_test)),
            ties=count_ties(shared.ensemble_, self.X_test),
        )


def fit_fold(trial: Trial) -> Fold:
    """Fit the trial's ensemble on its fold: KFold(5, shuffle=True, random_state=0) as in Section 6.1."""
    dataset = prepared(trial.dataset)
    X, y = dataset.X.to_numpy(np.float64), dataset.y.to_numpy()
    splits = list(KFold(N_FOLDS, shuffle=True, random_state=trial.seed).split(X))
    train, test = splits[trial.fold or 0]
    ensemble = learner(trial.method, dataset.task == "classification", trial.seed).fit(X[train], y[train])
    return Fold(ensemble, X[train], y[train], X[test], y[test])


def count_ties(ensemble: Any, X: np.ndarray) -> int:
    """Rows whose two best classes score equally but for rounding: their label hangs on the order of a sum.

    scikit-learn adds the votes of a forest in the order in which its threads finish, so such rows may change
    between runs with several jobs. Zero for regressors.
    """
    if not is_classifier(ensemble):
        return 0
    boosted = hasattr(ensemble, "decision_function")
    scores = ensemble.decision_function(X) if boosted else ensemble.predict_proba(X)
    if scores.ndim == 1:
        gap = np.abs(scores)
    else:
        best = np.sort(scores, axis=1)[:, -2:]
        gap = best[:, 1] - best[:, 0]
    return int((gap < TIE).sum())


def run_sharing(trial: Trial) -> Shared:
    """Tables 2 and 3: an ensemble before and after sharing, with all rows and with each tree's bootstrap sample."""
    started = time.perf_counter()
    fold = fit_fold(trial)
    fitted = time.perf_counter()
    shared = share_conditions(fold.ensemble, fold.X_train)
    done = time.perf_counter()
    assert shared.certificate_ is not None
    assert shared.intervals_ is not None
    changed, paths_changed_tree = {"shared": fold.measure(shared)}, None
    if trial.method in BAGGED:
        per_tree = share_conditions(
            fold.ensemble, fold.X_train, sample_indices=fold.ensemble.estimators_samples_
        )
        assert per_tree.certificate_ is not None
        changed["tree"] = fold.measure(per_tree)
        paths_changed_tree = per_tree.certificate_.n_paths_changed
    return Shared(
        TrA=float(fold.ensemble.score(fold.X_train, fold.y_train)),
        TeA=float(fold.ensemble.score(fold.X_test, fold.y_test)),
        ties=count_ties(fold.ensemble, fold.X_test),
        NDC=shared.n_conditions_before_,
        n_test=len(fold.y_test),
        n_nodes=shared.intervals_.size,
        paths_changed=shared.certificate_.n_paths_changed,
        fit_seconds=fitted - started,
        share_seconds=done - fitted,
        changed=changed,
        paths_changed_tree=paths_changed_tree,
    )


def fit_seconds(trial: Trial) -> float:
    """Rough seconds of fitting the trial's ensemble on one core (within a factor of three)."""
    dataset = BY_KEY[trial.dataset]
    rows = 0.8 * dataset.n
    if trial.method == "GBoost":
        n_models = 1 if dataset.n_classes in (None, 2) else dataset.n_classes or 1
        return 1.5e-7 * N_TREES * n_models * rows * dataset.d
    sampled = dataset.classification and trial.method != "ABoost"
    tried = math.sqrt(dataset.d) if sampled else dataset.d
    return 6e-8 * N_TREES * rows * math.log2(rows) * tried * (0.4 if trial.method == "ERT" else 1)


def sharing_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core: as long as the fit once more, but for boosted trees."""
    return 1 + fit_seconds(trial) * (1 if trial.method == "GBoost" else 2)


SHARING = Kind("sharing", run_sharing, Shared, sharing_cost)
