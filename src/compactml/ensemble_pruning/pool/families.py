"""The ten families of classifiers of a pool, with the distributions of their parameters.

The paper takes ten models, and K / 10 instances of each with different seeds and parameters, but names them only in a
supplement that is lost. `FAMILIES` is our own choice, in full.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

__all__ = ["FAMILIES", "Choice", "Family", "Integers", "Reals", "families_table"]

SEEDS = 2**31


@dataclass(frozen=True)
class Reals:
    """Real numbers between two ends, uniform or uniform in the logarithm."""

    low: float
    high: float
    log: bool = False

    def draw(self, rng: np.random.Generator) -> float:
        if self.log:
            return math.exp(rng.uniform(math.log(self.low), math.log(self.high)))
        return float(rng.uniform(self.low, self.high))

    def __str__(self) -> str:
        return f"{'log-' if self.log else ''}uniform in [{self.low:g}, {self.high:g}]"


@dataclass(frozen=True)
class Integers:
    """Integers from ``low`` to ``high``, both included, in steps, uniform."""

    low: int
    high: int
    step: int = 1

    def draw(self, rng: np.random.Generator) -> int:
        return self.low + self.step * int(rng.integers((self.high - self.low) // self.step + 1))

    def __str__(self) -> str:
        return f"{self.low}, {self.low + self.step}, ..., {self.high}"


@dataclass(frozen=True)
class Choice:
    """One of some values, each as likely as the others."""

    values: tuple[Any, ...]

    def draw(self, rng: np.random.Generator) -> Any:
        return self.values[int(rng.integers(len(self.values)))]

    def __str__(self) -> str:
        return ", ".join(map(str, self.values))


Distribution = Reals | Integers | Choice


@dataclass(frozen=True, eq=False)
class Family:
    """Classifiers of one kind.

    Attributes
    ----------
    name : str
    template : estimator
        With the parameters that are the same in all instances; never fitted.
    parameters : mapping of str to Distribution
        By the template's parameter names.
    max_rows : int or None
        An instance is trained on a stratified sample of its own of so many rows where there are more: a slow method
        stays affordable and its instances differ.
    at_most_rows : tuple of str
        Drawn parameters that cannot exceed the number of training rows, and are cut there.
    instead : callable, optional
        Makes the classifier for rows on which this one cannot be fitted, from the drawn parameters.
    """

    name: str
    template: BaseEstimator
    parameters: Mapping[str, Distribution]
    max_rows: int | None = None
    at_most_rows: tuple[str, ...] = field(default=())
    instead: Callable[[Mapping[str, Any]], Any] | None = None

    def draw(self, rng: np.random.Generator) -> dict[str, Any]:
        """Draw parameters and, for each part that has one, a seed."""
        drawn = {name: one.draw(rng) for name, one in self.parameters.items()}
        seeded = [name for name in sorted(self.template.get_params()) if name.endswith("random_state")]
        return drawn | {name: int(rng.integers(SEEDS)) for name in seeded}

    def build(self, parameters: Mapping[str, Any], n_rows: int) -> Any:
        """Return an unfitted classifier with drawn parameters, for ``n_rows`` training rows."""
        cut = {name: min(parameters[name], n_rows) for name in self.at_most_rows}
        return clone(self.template).set_params(**{**parameters, **cut})


def _scaled(*steps: BaseEstimator) -> BaseEstimator:
    return make_pipeline(StandardScaler(), *steps)


SHRINKS = "shrinkage" in QuadraticDiscriminantAnalysis().get_params()
"""scikit-learn before 1.8 has another regularisation of the covariances only."""
SHRINKAGE = f"quadraticdiscriminantanalysis__{'shrinkage' if SHRINKS else 'reg_param'}"


def _linear(parameters: Mapping[str, Any]) -> BaseEstimator:
    """The linear discriminant of the same shrinkage: a class of a single row has no covariance of its own."""
    return _scaled(LinearDiscriminantAnalysis(solver="lsqr", shrinkage=parameters[SHRINKAGE]))


FAMILIES = (
    Family(
        "logistic regression",
        _scaled(LogisticRegression(max_iter=200)),
        {
            "logisticregression__C": Reals(1e-4, 1e2, log=True),
            "logisticregression__class_weight": Choice((None, "balanced")),
        },
    ),
    Family(
        "linear discriminant analysis",
        _scaled(LinearDiscriminantAnalysis(solver="lsqr")),
        {"lineardiscriminantanalysis__shrinkage": Reals(0.001, 0.9, log=True)},
    ),
    Family(
        "quadratic discriminant analysis",
        _scaled(QuadraticDiscriminantAnalysis(**({"solver": "eigen"} if SHRINKS else {}))),
        {SHRINKAGE: Reals(0.001, 0.9, log=True)},
        instead=_linear,
    ),
    Family(
        "naive Bayes",
        _scaled(GaussianNB()),
        {"gaussiannb__var_smoothing": Reals(1e-6, 1.0, log=True)},
    ),
    Family(
        "nearest neighbours",
        _scaled(KNeighborsClassifier(algorithm="brute")),
        {
            "kneighborsclassifier__n_neighbors": Integers(1, 31, 2),
            "kneighborsclassifier__weights": Choice(("uniform", "distance")),
        },
        max_rows=4000,
        at_most_rows=("kneighborsclassifier__n_neighbors",),
    ),
    Family(
        "kernel logistic regression",
        _scaled(Nystroem(), LogisticRegression(max_iter=200)),
        {
            "nystroem__gamma": Reals(1e-3, 1e-1, log=True),
            "nystroem__n_components": Integers(20, 120, 20),
            "logisticregression__C": Reals(1e-1, 1e3, log=True),
        },
        at_most_rows=("nystroem__n_components",),
    ),
    Family(
        "neural network",
        _scaled(MLPClassifier(max_iter=60)),
        {
            "mlpclassifier__hidden_layer_sizes": Choice(((4,), (8,), (16,), (32,), (16, 8))),
            "mlpclassifier__alpha": Reals(1e-5, 1e0, log=True),
            "mlpclassifier__learning_rate_init": Reals(1e-3, 3e-2, log=True),
        },
        max_rows=8000,
    ),
    Family(
        "decision tree",
        DecisionTreeClassifier(),
        {
            "criterion": Choice(("gini", "entropy")),
            "max_depth": Integers(2, 15),
            "min_samples_leaf": Integers(1, 20),
            "max_features": Choice((None, "sqrt")),
        },
    ),
    Family(
        "random forest",
        RandomForestClassifier(),
        {
            "n_estimators": Integers(5, 40, 5),
            "max_depth": Integers(3, 15),
            "max_features": Choice(("sqrt", 0.3)),
        },
    ),
    Family(
        "gradient boosting",
        HistGradientBoostingClassifier(early_stopping=False),
        {
            "max_iter": Integers(10, 60, 10),
            "learning_rate": Reals(0.03, 0.3, log=True),
            "max_leaf_nodes": Integers(4, 16, 4),
            "min_samples_leaf": Integers(5, 30, 5),
        },
    ),
)
"""A classifier votes for the positive class where it gives it a probability of at least one half."""


def families_table() -> list[dict[str, str | int | None]]:
    """Return `FAMILIES` as rows: family, estimator, parameter, distribution, max_rows."""
    return [
        {
            "family": family.name,
            "estimator": _names(family.template),
            "parameter": name,
            "distribution": str(distribution),
            "max_rows": family.max_rows,
        }
        for family in FAMILIES
        for name, distribution in family.parameters.items()
    ]


def _names(template: Any) -> str:
    steps = [step for _, step in getattr(template, "steps", [("", template)])]
    return " > ".join(type(step).__name__ for step in steps)
