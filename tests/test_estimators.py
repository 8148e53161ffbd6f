"""Every public estimator, as it is without a parameter, passes every check of scikit-learn."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.boolean_rules import BooleanRuleClassifier, BooleanRuleClassifierCV, DecileBinarizer
from compactml.ensemble_pruning import PrunedEnsembleClassifier, PrunedEnsembleRegressor
from compactml.feature_selection import CFSSelector, MRMRSelector
from compactml.pace import PaceClassifier
from tests.clocks import loaded

METHODS = ("boolean_rules", "condition_sharing", "ensemble_pruning", "feature_selection", "pace")
DEFAULTS = [
    BooleanRuleClassifier(),
    BooleanRuleClassifierCV(),
    CFSSelector(),
    DecileBinarizer(),
    MRMRSelector(),
    PaceClassifier(),
    PrunedEnsembleClassifier(),
    PrunedEnsembleRegressor(),
]
HURRIED = {PaceClassifier: 10.0}
"""Estimators whose limit ends most of their fits: so many times sooner it takes two minutes in place of ten."""
NO_PREDICTOR = {"ClassifierPool"}
"""Gives the votes of many classifiers, so that what scikit-learn asks of a classifier does not apply."""


def test_none_is_forgotten() -> None:
    public = {
        name
        for method in METHODS
        for name, kind in vars(import_module(f"compactml.{method}")).items()
        if inspect.isclass(kind) and issubclass(kind, BaseEstimator)
    }
    assert public == {type(model).__name__ for model in DEFAULTS} | NO_PREDICTOR


# scikit-learn's own splitter warns of classes with fewer rows than folds, which some of its checks have.
@pytest.mark.filterwarnings("ignore:The least populated class in y:UserWarning")
@pytest.mark.filterwarnings("ignore:cv. .* folds are more than the rows:UserWarning")
@pytest.mark.filterwarnings("ignore::compactml.watch.EndedEarlyWarning")  # on a slow machine
@parametrize_with_checks([*DEFAULTS, MRMRSelector("cv"), CFSSelector("cv")])
def test_every_check_of_scikit_learn_with_default_parameters(estimator: Any, check: Any) -> None:
    with loaded(HURRIED.get(type(estimator), 1.0)):
        check(estimator)
