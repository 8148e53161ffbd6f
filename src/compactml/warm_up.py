"""Compile the kernels of all methods, so that the first use does not wait: ``python -m compactml.warm_up``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.boolean_rules.learning import compile_kernels as compile_boolean_rules
from compactml.compiling import say_nothing
from compactml.condition_sharing import share_conditions
from compactml.ensemble_pruning import PrunedEnsembleClassifier
from compactml.ensemble_pruning.averaging.branching import compile_averages
from compactml.ensemble_pruning.compiling import compile_kernels as compile_ensemble_pruning
from compactml.feature_selection import CFSSelector, MRMRSelector
from compactml.feature_selection.certified.proved_optima import compile_kernels as compile_feature_selection
from compactml.pace import PaceClassifier, refit
from compactml.pace._compress import compile_kernels as compile_pace
from compactml.watch import recorded

__all__ = ["warm_up"]


def warm_up() -> dict[str, float]:
    """Use each method once on a small example, and compile what that example does without.

    Returns
    -------
    dict of str to float
        Seconds that each of them took, nearly all of them for compiling at the first time.

    Examples
    --------
    >>> from compactml.warm_up import warm_up
    >>> list(warm_up())
    ['condition_sharing', 'boolean_rules', 'feature_selection', 'ensemble_pruning', 'pace']
    """
    say_nothing()
    X, y = load_iris(return_X_y=True)
    seconds = {}
    for name, use in USES.items():
        started = time.perf_counter()
        use(X, y)
        seconds[name] = time.perf_counter() - started
    return seconds


def _share(X: Any, y: Any) -> None:
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    for rate in (0.0, 0.1):
        with recorded():
            share_conditions(forest, X, path_change_rate=rate)


def _learn(X: Any, y: Any) -> None:
    compile_boolean_rules()
    BooleanRuleClassifier(complexity=6).fit(X, y == 1)


def _select(X: Any, y: Any) -> None:
    compile_feature_selection()
    for selector in (MRMRSelector, CFSSelector):
        selector(discretizer="equal_width").fit(X, y)


def _prune(X: Any, y: Any) -> None:
    compile_ensemble_pruning()
    compile_averages()
    PrunedEnsembleClassifier(n_classifiers=20).fit(X, y == 1)


def _compress(X: Any, y: Any) -> None:
    compile_pace()
    refit(PaceClassifier(alpha=0.1).fit(X, y).compressed_)


USES: dict[str, Callable[[Any, Any], None]] = {
    "condition_sharing": _share,
    "boolean_rules": _learn,
    "feature_selection": _select,
    "ensemble_pruning": _prune,
    "pace": _compress,
}


def main() -> None:
    """Warm up, and say what it took."""
    for name, seconds in warm_up().items():
        print(f"{name}: {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
