"""What the page of limits says is refused is refused, by an error of this project that names what came."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestRegressor,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.condition_sharing import share_conditions
from compactml.ensemble_pruning import PrunedEnsembleClassifier
from compactml.errors import CompactmlError
from compactml.feature_selection import CFSSelector, MRMRSelector
from compactml.pace import compress

PAGE = (Path(__file__).resolve().parents[2] / "book" / "use" / "limits.md").read_text(encoding="utf-8")
X, y = load_iris(return_X_y=True)
WITH_GAP = np.where(np.isclose(X, X[0, 0]), np.nan, X)
DAYS = pd.DataFrame({"day": pd.date_range("2026-01-01", periods=len(X)), "x": X[:, 0]})


def forest(kind: Any, **options: Any) -> Any:
    return kind(**options).fit(X, y)


def extra_trees() -> Any:
    return ExtraTreesClassifier(3, random_state=0).fit(X, y)


REFUSED: dict[str, tuple[str, Callable[[], object]]] = {
    "sharing: HistGradientBoosting": (
        "HistGradientBoosting",
        lambda: share_conditions(forest(HistGradientBoostingClassifier, max_iter=2), X),
    ),
    "sharing: bagging": ("bagging", lambda: share_conditions(forest(BaggingClassifier, n_estimators=2), X)),
    "sharing: a pipeline": (
        "pipelines",
        lambda: share_conditions(make_pipeline(StandardScaler(), ExtraTreesClassifier(3)).fit(X, y), X),
    ),
    "sharing: a single tree": ("a single tree", lambda: share_conditions(forest(DecisionTreeClassifier), X)),
    "sharing: missing values": ("missing values", lambda: share_conditions(extra_trees(), WITH_GAP)),
    "rules: numbers as targets": ("numbers as targets", lambda: BooleanRuleClassifier(4).fit(X, X[:, 0] / 7)),
    "rules: dates": ("dates", lambda: BooleanRuleClassifier(4).fit(DAYS, y == 1)),
    "rules: sparse tables": ("sparse tables", lambda: BooleanRuleClassifier(4).fit(csr_matrix(X), y == 1)),
    "rules: limits on predictions of three classes": (
        "limits on predictions of three classes",
        lambda: BooleanRuleClassifier(4, max_flagged=0.1).fit(X, y),
    ),
    "CFS: sparse tables": ("sparse tables", lambda: CFSSelector(2).fit(csr_matrix(X), y)),
    "mRMR: sparse tables": ("sparse tables", lambda: MRMRSelector(2).fit(csr_matrix(X), y)),
    "voters: numbers as targets": (
        "numbers as targets",
        lambda: PrunedEnsembleClassifier(n_classifiers=2).fit(X, X[:, 0] / 7),
    ),
    "Pace: regression": ("regression", lambda: compress(RandomForestRegressor(3).fit(X, y), X)),
    "Pace: boosting": ("boosting of gradients", lambda: compress(forest(GradientBoostingClassifier), X)),
    "Pace: missing values": ("missing values", lambda: compress(extra_trees(), WITH_GAP)),
}
"""What the page calls it, and a call."""


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_page_says_is_refused_is_refused_by_name(case: str) -> None:
    called, call = REFUSED[case]
    assert called in PAGE
    with pytest.raises(CompactmlError) as refusal:
        call()
    assert len(str(refusal.value)) > 20
