"""The regressors that `PrunedEnsembleRegressor` chooses from by default: seven families, drawn in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from compactml.ensemble_pruning.pool.families import Choice, Distribution, Family, Integers, Reals

__all__ = ["default_regressors"]

TREES: dict[str, Distribution] = {
    "n_estimators": Integers(10, 60, 10),
    "max_depth": Integers(3, 15),
    "max_features": Reals(0.3, 1.0),
}
FAMILIES = (
    Family("ridge", make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": Reals(1e-3, 1e3, log=True)}),
    Family(
        "gradient boosting",
        HistGradientBoostingRegressor(early_stopping=False),
        {
            "max_iter": Integers(20, 100, 20),
            "learning_rate": Reals(0.03, 0.3, log=True),
            "max_leaf_nodes": Integers(4, 32, 4),
        },
    ),
    Family("random forest", RandomForestRegressor(), TREES),
    Family("extra trees", ExtraTreesRegressor(), TREES),
    Family(
        "decision tree",
        DecisionTreeRegressor(),
        {
            "max_depth": Integers(2, 12),
            "min_samples_leaf": Integers(1, 20),
        },
    ),
    Family(
        "nearest neighbours",
        make_pipeline(StandardScaler(), KNeighborsRegressor()),
        {
            "kneighborsregressor__n_neighbors": Integers(1, 31, 2),
            "kneighborsregressor__weights": Choice(("uniform", "distance")),
        },
        at_most_rows=("kneighborsregressor__n_neighbors",),
    ),
    Family(
        "small trees, boosted",
        GradientBoostingRegressor(),
        {
            "n_estimators": Integers(20, 100, 20),
            "max_depth": Integers(1, 4),
            "learning_rate": Reals(0.03, 0.3, log=True),
            "loss": Choice(("squared_error", "huber")),
        },
    ),
)


def default_regressors(n_regressors: int, seed: int, n_rows: int) -> list[Any]:
    """Return unfitted regressors for at least ``n_rows`` rows; a smaller number is the beginning of a larger one."""
    drawn = []
    for k in range(n_regressors):
        draw, place = divmod(k, len(FAMILIES))
        family = FAMILIES[place]
        drawn.append(family.build(family.draw(np.random.default_rng((seed, place, draw))), n_rows))
    return drawn
