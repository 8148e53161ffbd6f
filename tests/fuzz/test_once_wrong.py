"""Inputs that long runs of the suite found to end in words of other libraries, or to end the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from compactml.boolean_rules import (
    BooleanRuleClassifier,
    BooleanRuleClassifierCV,
    DecileBinarizer,
    count_rule_sets,
)
from compactml.boolean_rules.competitors import BayesianRuleSetClassifier
from compactml.condition_sharing import share_conditions
from compactml.datasets import verify
from compactml.ensemble_pruning import (
    ClassifierPool,
    PrunedEnsembleClassifier,
    PrunedEnsembleRegressor,
    prune_plurality,
)
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import FractionalProgram, cfs_program, measure
from compactml.forests import SplitGrid
from compactml.pace import PaceClassifier, compress, refit
from compactml.solvers import MixedIntegerProgram
from tests.fuzz.child import MEMORY
from tests.fuzz.targets.given import some_forest

X = np.arange(12.0).reshape(6, 2)
Y = [0, 1, 1, 0, 1, 0]
FOREST, ROWS, LABELS = some_forest()
PROGRAM = FractionalProgram(np.ones(3), np.eye(3), np.ones(3), np.eye(3), names=["a", "b", "c"])
DEPTHS = np.ones((2, 2))
TREES = [DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier(max_depth=2)]
CELLS = np.array([[1.0, (1, 2)]] * 6, dtype=object)
OBJECTS = np.array([{"a": 1}, *map(float, Y[1:])], dtype=object)


class _Strange(DecisionTreeRegressor):
    """A regressor that predicts no numbers."""

    def predict(self, X: Any, check_input: bool = True) -> Any:
        return OBJECTS[: len(X)]


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "no rows to weigh": (
        lambda: BooleanRuleClassifier().fit(-0.0, Y, sample_weight=np.ones(6)),
        "Expected sequence or array-like",
    ),
    "infinite weights in all": (
        lambda: BooleanRuleClassifier().fit(X, Y, sample_weight=np.full(6, 1e308)),
        "sample_weight: must be finite in all",
    ),
    "a scorer that is none": (
        lambda: BooleanRuleClassifierCV((2, 4), cv=2, scoring=object).fit(X, Y),
        "scoring: must be a scorer of these rows",
    ),
    "labels of two types": (
        lambda: BayesianRuleSetClassifier().fit(X > 3, np.array([*Y[:5], {}], dtype=object)),
        "y: must be labels of one type",
    ),
    "validation of another kind": (
        lambda: share_conditions(FOREST, ROWS, path_change_rate=0.1, validation=(ROWS, ROWS[:, 0])),
        "validation: ",
    ),
    "rows too large for a classifier": (
        lambda: PrunedEnsembleClassifier(TREES, selection="cross_validation", folds=2).fit(
            [*X[:5], [1e300, 0.0]], Y
        ),
        r"DecisionTreeClassifier\)?: Input X contains infinity",
    ),
    "several labels as the positive one": (
        lambda: BooleanRuleClassifier(pos_label=np.array([0, 1])).fit(X, Y),
        "pos_label: must be one of None, 0, 1",
    ),
    "a set with nothing in it": (
        lambda: PROGRAM.value(np.array([1, None], dtype=object)),
        "support: must be a set",
    ),
    "keys without dimensions": (lambda: verify(np.array(1)), "keys: must be a key"),
    "rows too large to scale": (
        lambda: ClassifierPool(10).fit([[1.5e308, -1.5e308], *[[-1.5e308, 1.5e308]] * 2, *X[:3]], Y),
        r"Input (X )?contains",
    ),
    "ragged votes": (lambda: prune_plurality([[1, 2], [3]], [1, 2]), "votes: must be an array of labels"),
    "ragged labels": (lambda: prune_plurality([[1, 2], [3, 1]], [1, [2]]), "y: must be an array of labels"),
    "no number of processes": (
        lambda: PrunedEnsembleClassifier(TREES, n_jobs={}).fit(X, Y),
        "n_jobs: must be None or an integer",
    ),
    "too many processes": (
        lambda: PrunedEnsembleRegressor(n_jobs=2**33).fit(X, Y),
        "n_jobs: must be None or an integer",
    ),
    "no process": (lambda: ClassifierPool(n_jobs=0).fit(X, Y), "n_jobs: must be None or an integer"),
    "cells that hold several numbers": (
        lambda: PrunedEnsembleRegressor([DecisionTreeRegressor(), DecisionTreeRegressor()]).fit(CELLS, Y),
        r"DecisionTreeRegressor\)?: entries that are no single values",
    ),
    "predictions without numbers": (
        lambda: PrunedEnsembleRegressor([_Strange(), DecisionTreeRegressor()]).fit(X, Y),
        r"predictions of estimators\[0\] \(_Strange\): must be a finite number for each row",
    ),
    "truth that is missing": (lambda: SplitGrid.from_trees([], 1, pd.NA), "integral: must be 1 truth values"),
    "ragged truth": (lambda: SplitGrid.from_trees([], 2, [[1, 2], [3]]), "integral: must be 2 truth values"),
    "several depths": (lambda: compress(FOREST, ROWS, max_depth=DEPTHS), "max_depth: must be an integer"),
    "several depths of an estimator": (
        lambda: PaceClassifier(max_depth=DEPTHS).fit(ROWS, LABELS),
        "max_depth: must be an integer",
    ),
    "no limits on diversity": (
        lambda: PrunedEnsembleClassifier(TREES, diversity=("a", 0.5)).fit(X, Y),  # type: ignore[arg-type]
        r"diversity\[0\]: must be a finite number of at least 0",
    ),
    "a factor without bound": (
        lambda: cfs_program(measure(X > 3, Y), redundancy_factor=1e308),
        "redundancy_factor: must be at most",
    ),
    "coefficients without bound": (
        lambda: FractionalProgram([1e300] * 3, np.eye(3), np.ones(3), np.eye(3)),
        "a: must be at most 3.33333e[+]299 in absolute value",
    ),
    "one of several complexities without bound": (
        lambda: BooleanRuleClassifierCV((2, 2**53 + 1), cv=2).fit(X, Y),
        "complexities: must be an integer in",
    ),
    "integrality that is missing": (
        lambda: MixedIntegerProgram([1.0, 2.0], integrality=cast(Any, pd.NA)),
        "integrality: must be true or false",
    ),
}


@pytest.mark.filterwarnings("ignore:(overflow|invalid value|divide)")
@pytest.mark.parametrize(("call", "words"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused_by_name(call: Callable[[], Any], words: str) -> None:
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call()


@pytest.mark.parametrize("within", [1e30, 1e300])
def test_every_rule_set_is_within_a_factor_without_bound(within: float) -> None:
    rows = np.array([[0, 1], [1, 0], [1, 1], [0, 0]] * 2)
    y = [1, 0, 1, 0, 1, 0, 0, 0]
    model = BooleanRuleClassifier(4, binarizer=None)
    assert (
        count_rule_sets(model, rows, y, within=within).count
        == count_rule_sets(model, rows, y, within=99).count
    )


def test_weights_beyond_whole_numbers_leave_the_quantiles_as_they_are() -> None:
    rows = np.random.default_rng(0).normal(size=(31, 1))
    equal = [
        DecileBinarizer().fit(rows, sample_weight=np.full(31, one)).codes(rows) for one in (2.0**40, 2.0**63)
    ]
    assert (equal[0] == equal[1]).all()


def test_a_prior_may_be_a_fraction() -> None:
    rules = [
        BayesianRuleSetClassifier(alpha=cast(Any, one), n_iterations=50).fit(X > 3, Y).rules_
        for one in (Fraction(1, 2), 0.5)
    ]
    assert rules[0] == rules[1]


def test_clauses_longer_than_the_table_is_wide_leave_the_posterior_as_it_is() -> None:
    rows = np.array([[1, 1], [1, 0], [0, 1], [0, 0]] * 5)
    wide, narrow = (BayesianRuleSetClassifier(max_length=n, beta=2.0).fit(rows, rows[:, 0]) for n in (3, 2))
    assert wide.log_posterior_ == narrow.log_posterior_
    assert wide.rules_ == narrow.rules_
    assert (0,) in wide.rules_


def test_folds_of_foreign_bytes_are_those_of_native_ones() -> None:
    rows = pd.DataFrame({"a": np.arange(24.0), "b": [0, 1, 2] * 8})
    foreign = rows.copy()
    foreign["a"] = rows["a"].to_numpy().astype(">f8")
    scores = [
        BooleanRuleClassifierCV((2, 4), cv=2).fit(one, [0, 1, 1] * 8).cv_results_["mean_test_score"]
        for one in (rows, foreign)
    ]
    assert (scores[0] == scores[1]).all()


def test_a_limit_beyond_a_solver_s_own_does_not_end_the_process() -> None:
    refitted = refit(compress(FOREST, ROWS, alpha=0.1), max_depth=2, time_limit=1e300)
    assert refitted.certificate_.faithful


HUGE = f"""
import resource, sys
import numpy as np
from compactml.boolean_rules import BooleanRuleClassifier
from compactml.feature_selection import CFSSelector, MRMRSelector

resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY}))
X, y = np.random.default_rng(0).normal(size=(30, 3)), np.tile([0, 1, 1], 10)
"""
"""What is asked for costs gigabytes if room is made for it at once."""


@pytest.mark.parametrize(
    "same",
    [
        "[str(BooleanRuleClassifier(n).fit(X, y).rules_) for n in (10**7, 1000)]",
        "[MRMRSelector(discretizer=('equal_width', n)).fit(X, y).support_.tolist() for n in (10**9, 10**5)]",
        "[CFSSelector(target='classes', discretizer=('equal_width', n)).fit(X, y).support_.tolist()"
        " for n in (10**9, 10**5)]",
    ],
    ids=["complexity", "bins of mRMR", "bins of CFS"],
)
def test_a_number_far_beyond_the_data_asks_for_no_room(same: str) -> None:
    """It changes nothing either: no rule set of 30 rows needs a thousand literals, and all bins hold one row."""
    code = f"{HUGE}\none, other = {same}\nassert one == other, (one, other)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr[-2000:]
