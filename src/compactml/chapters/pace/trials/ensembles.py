"""The initial ensemble of a trial of this chapter, fitted on its training part, and the region to be faithful on."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sklearn.ensemble import AdaBoostClassifier, IsolationForest, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from compactml.chapters.pace.datasets import ALL, Parts, split
from compactml.pace.model.setting import Setting, make_setting
from compactml.study.trial import Trial

RANDOM_FOREST, ADABOOST = "random_forest", "adaboost"


@lru_cache(maxsize=1)
def fitted(
    key: str, seed: int, ensemble: str, n_learners: int, depth: int, deciles_of: str
) -> tuple[Any, Parts]:
    """Return a fitted ensemble and the parts of its dataset; AdaBoost may stop with fewer learners."""
    parts = split(key, seed, deciles_of)
    if ensemble == RANDOM_FOREST:
        model: Any = RandomForestClassifier(n_learners, max_depth=depth, random_state=seed)
    else:
        stump = DecisionTreeClassifier(max_depth=depth)
        model = AdaBoostClassifier(stump, n_estimators=n_learners, random_state=seed)
    return model.fit(parts.X_train, parts.y_train), parts


def trial_ensemble(trial: Trial) -> tuple[Any, Parts]:
    """The ensemble that a trial compresses."""
    asked: dict[str, Any] = dict(trial.parameters)
    shape = asked["ensemble"], asked["n_learners"], asked["depth"]
    return fitted(trial.dataset, trial.seed, *shape, asked.get("deciles_of", ALL))


def trial_isolation(trial: Trial) -> IsolationForest | None:
    """The isolation forest of a trial's region; none where the region has no flagged points."""
    asked: dict[str, Any] = dict(trial.parameters)
    if asked["beta"] == 0:
        return None
    X = trial_ensemble(trial)[1].X_train
    isolation = IsolationForest(
        n_estimators=asked["isolation_trees"],
        max_samples=min(asked["isolation_samples"], len(X)),
        random_state=trial.seed,
    )
    return isolation.fit(X)


def trial_setting(trial: Trial) -> Setting:
    """Grid, region and first samples of a trial."""
    asked: dict[str, Any] = dict(trial.parameters)
    model, parts = trial_ensemble(trial)
    return make_setting(
        model,
        parts.X_train,
        alpha=asked["alpha"],
        beta=asked["beta"],
        isolation_forest=trial_isolation(trial),
        random_state=trial.seed,
    )
