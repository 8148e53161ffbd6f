"""Pruning, its bounds and its baselines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from compactml import ensemble_pruning as pruning
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import learned, of_record, some_votes, with_targets

__all__ = ["TARGETS"]

Rng = np.random.Generator


def _votes(**others: Any) -> Callable[[Rng], dict[str, Any]]:
    def good(rng: Rng) -> dict[str, Any]:
        votes, y = some_votes(rng)
        return {"votes": votes, "y": y, **others}

    return good


def _instance(rng: Rng) -> pruning.PruningInstance:
    return pruning.PruningInstance.from_votes(*some_votes(rng))


def _credit(rng: Rng) -> np.ndarray:
    return pruning.failure_credit(pruning.failure_patterns(*some_votes(rng)))


def _diverse(credit: Any, min_pfc: Any, mean_pfc: Any) -> Any:
    return pruning.Diversity(credit, min_pfc, mean_pfc).met(np.array([0, 1]))


def _searched(rng: Rng) -> dict[str, Any]:
    return {
        "instance": _instance(rng), "diversity": pruning.Diversity(_credit(rng)), "random_state": 0, "max_size": 3,
        "start": (np.array([0, 1]), 0), "min_size": 1, "moves": 50, "target": None, "on_improvement": None,
    }  # fmt: skip


def _program(**given: Any) -> Any:
    program = pruning.PruningProgram(**given)
    return [program.problem.n_columns, program.problem.n_rows]


def _numbers(rng: Rng, **others: Any) -> dict[str, Any]:
    y = rng.normal(size=12)
    return {"predictions": y[:, None] + rng.normal(size=(12, 4)), "y": y, **others}


def _named(rng: Rng, **others: Any) -> dict[str, Any]:
    y = rng.integers(0, 3, 12)
    y[:3] = 0, 1, 2
    votes = np.where(rng.random((12, 4)) < 0.6, y[:, None], rng.integers(0, 3, (12, 4)))
    return {"votes": votes, "y": y, **others}


def _trees(kind: Any) -> list[Any]:
    return [kind(max_depth=depth, random_state=0) for depth in (1, 2, 3)]


BOUNDS = _votes(weights=None)
BASELINE = _votes(time_limit=None)
PRUNED = {
    "prefit": False, "selection": "holdout", "validation_fraction": 0.3, "folds": 2, "voting": "hard", "rule": "best",
    "objective": "accuracy", "min_size": 0, "max_size": None, "solver": "auto", "random_state": 0, "n_jobs": None,
}  # fmt: skip
TARGETS = (
    Target("ensemble_pruning.ClassifierPool", learned(pruning.ClassifierPool, "votes"),
           lambda rng: with_targets(rng, n_classifiers=3, random_state=0, progress=False), ("n_classifiers",)),
    Target("ensemble_pruning.Diversity", _diverse,
           lambda rng: {"credit": _credit(rng), "min_pfc": 0.1, "mean_pfc": 0.2}),
    Target("ensemble_pruning.Ensemble", pruning.Ensemble, lambda rng: {"selected": np.array([0]), "threshold": 0}),
    Target("ensemble_pruning.Formulation", pruning.Formulation,
           lambda rng: vars(pruning.Formulation()).copy()),
    Target("ensemble_pruning.PluralityInstance", pruning.PluralityInstance.from_votes, _named),
    Target("ensemble_pruning.PrunedEnsembleClassifier", learned(pruning.PrunedEnsembleClassifier, "predict"),
           lambda rng: with_targets(rng, **PRUNED, estimators=_trees(DecisionTreeClassifier), n_classifiers=3,
                                    diversity=None, formulation="strengthened"), ("n_classifiers", "folds")),
    Target("ensemble_pruning.PrunedEnsembleRegressor", learned(pruning.PrunedEnsembleRegressor, "predict"),
           lambda rng: with_targets(rng, estimators=[*_trees(DecisionTreeRegressor), LinearRegression()],
                                    selection="holdout", validation_fraction=0.3, folds=2, rule="best", min_size=1,
                                    max_size=None, random_state=0), ("folds",)),
    Target("ensemble_pruning.PruningInstance", pruning.PruningInstance.from_votes, _votes(objective="accuracy")),
    Target("ensemble_pruning.PruningProgram", _program,
           lambda rng: {"instance": _instance(rng), "formulation": "plain", "cuts": None, "min_size": 0,
                        "diversity": pruning.Diversity(_credit(rng)), "max_size": 3}),
    Target("ensemble_pruning.Weights", pruning.Weights,
           lambda rng: vars(pruning.objective_weights("accuracy", [True, False])).copy()),
    Target("ensemble_pruning.asummability_bound", pruning.asummability_bound, BOUNDS),
    Target("ensemble_pruning.backfitting", pruning.backfitting, BASELINE),
    Target("ensemble_pruning.branching_bound", pruning.branching_bound,
           _votes(weights=None, value=1.0, max_nodes=20), ("max_nodes",)),
    Target("ensemble_pruning.diversity_limits", pruning.diversity_limits, _votes(configuration="F2")),
    Target("ensemble_pruning.failure_credit", pruning.failure_credit,
           lambda rng: {"patterns": pruning.failure_patterns(*some_votes(rng))}),
    Target("ensemble_pruning.failure_patterns", pruning.failure_patterns, _votes()),
    Target("ensemble_pruning.full_ensemble", pruning.full_ensemble, BASELINE),
    Target("ensemble_pruning.hill_climbing", pruning.hill_climbing, _votes(fitness="accuracy", time_limit=None)),
    Target("ensemble_pruning.isotonic_bound", pruning.isotonic_bound, BOUNDS),
    Target("ensemble_pruning.kappa_pruning", pruning.kappa_pruning, BASELINE),
    Target("ensemble_pruning.local_search", pruning.local_search, _searched, ("moves",)),
    Target("ensemble_pruning.majority_threshold", pruning.majority_threshold, lambda rng: {"size": 5}),
    Target("ensemble_pruning.objective_weights", pruning.objective_weights,
           lambda rng: {"objective": "balanced_accuracy", "y": some_votes(rng)[1]}),
    Target("ensemble_pruning.pairwise_failure_crediting", pruning.pairwise_failure_crediting,
           lambda rng: {"credit": _credit(rng), "selected": np.array([0, 2])}),
    Target("ensemble_pruning.prune", pruning.prune,
           _votes(objective="accuracy", min_pfc=0.0, mean_pfc=0.0, formulation="strengthened", solver="highs",
                  random_state=0, max_size=3, min_size=1)),
    Target("ensemble_pruning.prune_average", pruning.prune_average,
           lambda rng: _numbers(rng, min_size=1, max_size=3, rule="best", random_state=0)),
    Target("ensemble_pruning.prune_plurality", pruning.prune_plurality,
           lambda rng: _named(rng, objective="accuracy", min_pfc=0.0, mean_pfc=0.0, solver="highs", random_state=0,
                              max_size=3, min_size=1)),
    *(of_record("ensemble_pruning", example) for example in (
        lambda: pruning.asummability_bound(*some_votes(np.random.default_rng(0))),
        lambda: pruning.branching_bound(*some_votes(np.random.default_rng(0))),
        lambda: pruning.isotonic_bound(*some_votes(np.random.default_rng(0))),
        lambda: pruning.full_ensemble(*some_votes(np.random.default_rng(0))),
        lambda: pruning.prune(*some_votes(np.random.default_rng(0))),
        lambda: pruning.prune_average(**_numbers(np.random.default_rng(0))),
        lambda: pruning.prune_plurality(**_named(np.random.default_rng(0))),
        lambda: pruning.Progress("start", 0.1, 1.0, 2.0),
    )),
)  # fmt: skip
