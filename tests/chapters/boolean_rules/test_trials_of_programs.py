"""The programs of others on a fold: what WEKA prints, what the port of BRS is given, what scikit-learn does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from compactml.boolean_rules import DecileBinarizer
from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.datasets import BY_KEY, GENERATED, LARGE
from compactml.chapters.boolean_rules.fold_trials import port_of_brs, programs
from compactml.chapters.boolean_rules.methods import CART_SHARES, JRIP, LR, PAPER_CG, PORT, RF_SHARES, SVM
from compactml.chapters.boolean_rules.trials import brs, paper_cg, ripper, scikit
from compactml.chapters.boolean_rules.trials.folds import BinaryFold, binary_fold, outer_fold
from compactml.study import Profile, Trial

PRINTED = """
JRIP rules:
===========

(c2 = 0) and (c0 = 1) => class=1 (3.0/1.0)
(c1 = 1) => class=1 (2.0/0.0)
 => class=0 (4.0/0.0)

Number of Rules : 3

Correctly Classified Instances           8               88.8889 %
=== Error on test data ===
Correctly Classified Instances           1               50 %
"""


def trial(kind: str, method: str, fold: int = 0, **parameters: Any) -> Trial:
    return Trial(NAME, kind, GENERATED, method=method, fold=fold, parameters=tuple(parameters.items()))


def test_rules_of_jrip_are_read_with_their_negations() -> None:
    rules = ripper.rule_list(PRINTED)
    assert rules.rules == [(((2, False), (0, True)), True), (((1, True),), True)]
    assert rules.complexity == 2 + 3  # the default rule does not count
    truth = np.array([[1, 0, 0], [1, 0, 1], [0, 1, 1], [0, 0, 0]], dtype=bool)
    assert rules.predict(truth).tolist() == [True, False, True, False]
    assert ripper.correct(PRINTED) == [8, 1]
    only_default = ripper.rule_list(" => class=1 (9.0/2.0)\n\nNumber of Rules : 1\n")
    assert (only_default.complexity, only_default.default) == (0, True)


@pytest.mark.parametrize(
    ("printed", "predicted"),
    [
        ("1 (5.0/2.0)", True),
        ("1 (5.0/3.0)", False),  # most rows that it covers are of the other class
        ("0 (5.0/3.0)", True),
        ("1 (4.0/2.0)", False),  # of equally many the first class
        ("0 (4.0/2.0)", False),
    ],
)
def test_a_rule_of_jrip_predicts_the_class_of_most_rows_that_it_covers(printed: str, predicted: bool) -> None:
    rules = ripper.rule_list(f"(c0 = 1) => class={printed}\n => class=0 (9.0/0.0)\n\nNumber of Rules : 2\n")
    assert rules.rules == [(((0, True),), predicted)]


@pytest.mark.parametrize(
    "wrong", [PRINTED.replace("Rules : 3", "Rules : 4"), "nothing", PRINTED.replace("\n =>", "\n(c1 = 0) =>")]
)
def test_rules_that_cannot_be_read_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="could not be read"):
        ripper.rule_list(wrong)


def test_arff_has_a_column_a_literal_and_the_class_last() -> None:
    lines = ripper.arff(np.array([[1, 0], [0, 1]], dtype=bool), np.array([True, False])).splitlines()
    assert lines[1:5] == ["@attribute c0 {0,1}", "@attribute c1 {0,1}", "@attribute class {0,1}", "@data"]
    assert lines[5:] == ["1,0,1", "0,1,0"]


def test_rules_that_weka_counts_otherwise_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = BinaryFold(np.eye(3, dtype=bool), np.ones(3, bool), np.eye(3, dtype=bool)[:2], np.ones(2, bool))
    monkeypatch.setattr(ripper, "binary_fold", lambda _: fold)
    monkeypatch.setattr(ripper, "peer_fit", lambda _: {"text": PRINTED, "java": "none"})
    with pytest.raises(AssertionError, match="WEKA says"):
        ripper.run_ripper(trial("ripper", JRIP))


@pytest.mark.skipif(not ripper.ENVIRONMENT.installed, reason="needs 'make environment NAME=weka', and Java")
def test_jrip_learns_a_rule_that_is_there() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((200, 6)) < 0.5
    y = truth[:, 1] & ~truth[:, 4]
    answer = ripper.peer_fit(BinaryFold(truth[:150], y[:150], truth[150:], y[150:]))
    rules = ripper.rule_list(answer["text"])
    assert [(set(conditions), label) for conditions, label in rules.rules] == [
        ({(1, True), (4, False)}, True)
    ]
    assert ripper.correct(answer["text"]) == [150, 50]


def test_conditions_of_the_port_are_read_with_their_negations() -> None:
    truth = np.array([[1, 0], [1, 1], [0, 0], [0, 1]], dtype=bool)
    assert brs.covered(truth, [["c0", "c1_neg"]]).tolist() == [True, False, False, False]
    assert brs.covered(truth, [["c0", "c1_neg"], ["c0_neg", "c1"]]).tolist() == [True, False, False, True]
    assert not brs.covered(truth, []).any()


@pytest.mark.skipif(not brs.ENVIRONMENT.installed, reason="needs 'make environment NAME=imodels'")
def test_the_port_of_brs_finds_the_rule_that_explains_all() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((150, 6)) < 0.5
    y = X[:, 1] & ~X[:, 4]
    both = np.column_stack([X, ~X])
    (clauses,) = brs.peer_fit(BinaryFold(both, y, both, y), [1.0], 0)["chosen"]
    assert (brs.covered(both, clauses) == y).all()


def test_a_fold_of_brs_has_a_point_for_each_kappa(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [[["c0"]], [["c0", "c1_neg"], ["c3"]]]
    monkeypatch.setattr(brs, "peer_fit", lambda *_: {"chosen": chosen, "version": "0"})
    fit = brs.run_brs(trial("brs", PORT, grid="1 0.001"))
    assert fit.values == "1.0 0.001"
    assert (fit.parameter, fit.complexity, fit.complexities) == (1.0, 2, "2 5")
    fold = binary_fold(trial("brs", PORT))
    assert fit.test_accuracy == float(fit.accuracies.split()[0]) == (fold.test[:, 0] == fold.y_test).mean()


@pytest.mark.parametrize(("method", "value"), [(CART_SHARES, 0.05), (RF_SHARES, 0.05), (LR, 1.0), (SVM, 1.0)])
def test_scikit_learn_sees_the_paper_s_folds(method: str, value: float) -> None:
    fit = scikit.run_scikit(trial("scikit", method, 1, grid=f"{value:g}", inner=1))
    assert (fit.n_train, fit.n_test) == (862, 96)
    assert fit.parameter == value
    assert (fit.complexity is None) == (method != CART_SHARES)
    assert 0.65 < fit.test_accuracy <= 1


def test_a_share_of_the_rows_is_what_scikit_learn_makes_of_it() -> None:
    asked = trial("scikit", CART_SHARES, grid="0.1", inner=1)
    fold = binary_fold(asked)
    tree = DecisionTreeClassifier(min_samples_leaf=int(np.ceil(0.1 * len(fold.y_train))), random_state=0)
    assert scikit.run_scikit(asked).test_accuracy == tree.fit(fold.train, fold.y_train).score(
        fold.test, fold.y_test
    )


def test_the_share_is_chosen_on_the_training_part() -> None:
    asked = trial("scikit", CART_SHARES, grid="0.2 0.02", inner=3)
    X, y, (train, _) = outer_fold(asked)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    means = [
        cross_val_score(scikit.unfitted(CART_SHARES, share, 0), X.iloc[train], y[train], cv=folds).mean()
        for share in (0.2, 0.02)
    ]
    assert scikit.chosen_number(asked, X.iloc[train], y[train]) == int(np.argmax(means))
    assert means[0] != means[1]


def test_numbers_are_standardised_and_categories_are_indicators() -> None:
    X, _, (train, _) = outer_fold(trial("scikit", LR))
    columns = scikit.numbers().fit_transform(X.iloc[train])
    assert columns.shape == (len(train), sum(X[name].nunique() for name in X))
    literals = DecileBinarizer(missing="above").fit(X.iloc[train]).transform(X.iloc[train])
    assert columns.sum() == len(train) * X.shape[1] < literals.sum()


def test_the_paper_s_procedure_says_what_it_proved_and_by_which_steps() -> None:
    asked = replace(trial("paper_cg", PAPER_CG, grid="2 4", inner=1), time_limit=1.0)
    fit = paper_cg.run_paper_cg(asked)
    assert 0 <= fit.least_gap <= 1
    assert fit.by_program + fit.by_heuristic > 0
    assert 0 <= fit.lp_solved <= 2
    assert 0.5 < fit.train_accuracy <= fit.best_train_accuracy <= 1
    assert fit.literals > 0
    assert fit.generated > 0
    assert not fit.sampled
    assert fit.nonzeros < 100_000
    assert [int(size) <= bound for size, bound in zip(fit.complexities.split(), (2, 4), strict=True)] == [
        True
    ] * 2


def test_the_programs_run_all_folds_but_on_musk() -> None:
    asked = [*programs(Profile.STANDARD), *port_of_brs(Profile.STANDARD)]
    folds = {key: {one.fold for one in asked if one.dataset == key} for key in BY_KEY}
    assert all(len(some) == (2 if key == "musk_v2" else 10) for key, some in folds.items())
    large = {one.method for one in asked if BY_KEY[one.dataset].partition == LARGE}
    assert {JRIP, CART_SHARES, RF_SHARES, LR} == large
    small = {(one.method, dict(one.parameters).get("inner")) for one in asked if one.dataset == GENERATED}
    assert {(JRIP, None), (PORT, None), (CART_SHARES, 10), (RF_SHARES, 10), (LR, 10), (SVM, 10)} == small
