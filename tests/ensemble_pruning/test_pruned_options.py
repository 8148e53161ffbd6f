"""`PrunedEnsembleClassifier`: several classes, prefitted members, other rows, the rule, shares, limits, Ctrl-C."""

from __future__ import annotations

import itertools
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine, make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.tree import DecisionTreeClassifier

from compactml.ensemble_pruning import ClassifierPool, PrunedEnsembleClassifier, prune, prune_plurality
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.watch import EndedEarlyWarning, News, recorded

TREES = [DecisionTreeClassifier(max_depth=2, max_features=1, random_state=seed) for seed in range(7)]


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    X, y = make_classification(150, 5, n_informative=3, flip_y=0.1, random_state=1)
    return X, np.where(y == 1, "yes", "no")


@pytest.fixture(scope="module")
def wine() -> tuple[Any, Any]:
    X, y = load_wine(return_X_y=True)
    return X, np.array(["barolo", "grignolino", "barbera"])[y]


@pytest.mark.parametrize("objective", ["accuracy", "balanced_accuracy"])
def test_several_classes_are_called_by_the_best_plurality(objective: str, wine: tuple[Any, Any]) -> None:
    X, y = wine
    model = PrunedEnsembleClassifier(TREES, objective=objective).fit(X, y)
    part = train_test_split(np.arange(len(y)), test_size=round(0.3 * len(y)), stratify=y, random_state=0)[1]
    votes = np.column_stack([model.classes_[tree.predict(X[part])] for tree in model.estimators_])

    def score(chosen: Any) -> float:
        rows = [list(row) for row in votes[:, list(chosen)]]
        called = np.array([max(sorted(set(row)), key=row.count) for row in rows])
        if objective == "accuracy":
            return float((called == y[part]).mean())
        return float(balanced_accuracy_score(y[part], called))

    every = itertools.chain.from_iterable(itertools.combinations(range(7), size) for size in range(1, 8))
    best = max(map(score, every))
    assert model.score_ == pytest.approx(best)
    assert model.score_bound_ == pytest.approx(best)
    assert score(model.selected_) == pytest.approx(best)
    assert model.threshold_ is None
    rows = [list(row) for row in model.classes_[[tree.predict(X) for tree in model.estimators_]].T]
    chosen = [[row[k] for k in model.selected_] for row in rows]
    assert model.predict(X).tolist() == [max(sorted(set(row)), key=row.count) for row in chosen]
    shares = [[row.count(label) / len(row) for label in model.classes_] for row in chosen]
    assert model.predict_proba(X) == pytest.approx(np.array(shares))


def test_the_default_pool_takes_several_classes(wine: tuple[Any, Any]) -> None:
    model = PrunedEnsembleClassifier(n_classifiers=10, selection="cross_validation").fit(*wine)
    assert model.score(*wine) > 0.9
    assert model.value_ <= model.bound_ <= len(wine[1])


@pytest.mark.parametrize("name", ["recall", (1, 0, 1, 0)])
def test_objectives_of_two_classes_are_refused_with_more(name: Any, wine: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidParameterError, match="objective"):
        PrunedEnsembleClassifier(TREES, objective=name).fit(*wine)


def test_prefitted_members_stay_as_they_are(data: tuple[Any, Any]) -> None:
    X, y = data
    trees = [clone(tree).fit(X[:90], y[:90]) for tree in TREES]
    model = PrunedEnsembleClassifier(trees, prefit=True).fit(X[90:], y[90:])
    assert all(kept is tree for kept, tree in zip(model.estimators_, trees, strict=True))
    votes = np.column_stack([tree.predict_proba(X[90:])[:, 1] >= 0.5 for tree in trees])
    assert model.value_ == model.bound_ == prune(votes, y[90:] == "yes").value
    called = votes[:, model.selected_].sum(axis=1) > model.threshold_
    assert ((model.predict(X[90:]) == "yes") == called).all()
    frozen = PrunedEnsembleClassifier([FrozenEstimator(tree) for tree in trees], prefit=True)
    assert clone(frozen).fit(X[90:], y[90:]).value_ == model.value_


def test_a_prefitted_pool_and_one_class_among_the_rows(data: tuple[Any, Any]) -> None:
    X, y = data
    pool = ClassifierPool(4).fit(X[:90], y[:90])
    model = PrunedEnsembleClassifier(pool, prefit=True).fit(X[90:], y[90:])
    assert model.pool_ is pool
    assert model.value_ == prune(pool.votes(X[90:]), y[90:] == "yes").value
    only = PrunedEnsembleClassifier(pool, prefit=True).fit(X[y == "yes"], y[y == "yes"])
    assert list(only.classes_) == ["no", "yes"]
    assert only.value_ == (only.predict(X[y == "yes"]) == "yes").sum()


def test_bad_prefitted_members(data: tuple[Any, Any]) -> None:
    X, y = data
    trees = [clone(tree).fit(X, y) for tree in TREES[:2]]
    model = PrunedEnsembleClassifier([*trees, TREES[2]], prefit=True)
    with pytest.raises(InvalidParameterError, match=r"estimators\[2\]: must be a fitted classifier"):
        model.fit(X, y)
    other = clone(TREES[2]).fit(X, y == "yes")
    with pytest.raises(InvalidParameterError, match=r"estimators\[2\]: must be fitted on \['no', 'yes'\]"):
        PrunedEnsembleClassifier([*trees, other], prefit=True).fit(X, y)
    narrow = clone(TREES[2]).fit(X[:, :3], y)
    with pytest.raises(InvalidDataError, match=r"X: must be of 3 columns, as estimators\[2\]"):
        PrunedEnsembleClassifier([*trees, narrow], prefit=True).fit(X, y)
    with pytest.raises(InvalidDataError, match="labels that the classifiers know"):
        PrunedEnsembleClassifier(trees, prefit=True).fit(X, np.where(y == "yes", "yes", "never"))


@pytest.mark.parametrize("classes", [2, 3])
def test_out_of_fold_votes_are_those_of_cross_val_predict(
    classes: int, data: tuple[Any, Any], wine: tuple[Any, Any]
) -> None:
    X, y = data if classes == 2 else wine
    model = PrunedEnsembleClassifier(TREES, selection="cross_validation", folds=3, random_state=4).fit(X, y)
    folds = StratifiedKFold(3, shuffle=True, random_state=4)
    if classes == 2:
        parts = [cross_val_predict(tree, X, y, cv=folds, method="predict_proba")[:, 1] for tree in TREES]
        expected = prune(np.column_stack(parts) >= 0.5, y == "yes").value
    else:
        votes = np.column_stack([cross_val_predict(tree, X, y, cv=folds) for tree in TREES])
        expected = prune_plurality(votes, y).value
    assert model.value_ == model.bound_ == expected
    assert model.score_ == expected / len(y)
    whole = clone(TREES[0]).fit(X, y).tree_
    assert model.estimators_[0].tree_.value.tolist() == whole.value.tolist()  # fitted again on all rows


@pytest.mark.parametrize("classes", [2, 3])
def test_the_smallest_ensemble_within_one_standard_error(
    classes: int,
) -> None:
    X, y = make_classification(300, 5, n_informative=4, n_redundant=0, n_classes=classes, random_state=11)
    y = np.array(["no", "yes", "so"])[y]
    members = [clone(tree).fit(X[::2], y[::2]) for tree in TREES]
    X, y = X[1::2], y[1::2]
    models = {
        rule: PrunedEnsembleClassifier(members, prefit=True, rule=rule).fit(X, y)
        for rule in ("best", "one_standard_error")
    }
    best, small = models["best"], models["one_standard_error"]
    right = best.predict(X) == y
    need = right.sum() - np.sqrt(len(y) * right.mean() * (1 - right.mean()))
    assert small.bound_ == best.bound_ == right.sum()
    votes = np.column_stack([member.predict(X) for member in members])
    for size in range(1, 8):
        if classes == 2:
            value = prune(votes == "yes", y == "yes", max_size=size).value
        else:
            value = prune_plurality(votes, y, max_size=size).value
        if value >= need:
            break
    assert len(small.selected_) == size < len(best.selected_)
    assert small.value_ == value == (small.predict(X) == y).sum()


def test_shares_of_votes_are_stretched_to_the_threshold(data: tuple[Any, Any]) -> None:
    X, y = data
    for objective in ("accuracy", "recall", (1, 0, 30, 0), (0, 0, 1, -99)):
        model = PrunedEnsembleClassifier(TREES, objective=objective, min_size=3).fit(X, y)
        votes = np.sum([model.estimators_[k].predict(X) for k in model.selected_], axis=0)
        size, cut = len(model.selected_), model.threshold_ + 0.5
        shares = model.predict_proba(X)[:, 1]
        lines = np.interp(votes, [0, cut, max(size, cut + 0.5)], [0, 0.5, 1])
        assert shares == pytest.approx(lines)
        assert ((shares > 0.5) == (model.predict(X) == "yes")).all()
        if 2 * cut == size:
            assert shares == pytest.approx(votes / size)


@pytest.mark.parametrize("objective", ["accuracy", "balanced_accuracy", "recall"])
def test_scores_are_what_their_names_say(objective: str, data: tuple[Any, Any]) -> None:
    X, y = data
    members = [clone(tree).fit(X[:90], y[:90]) for tree in TREES]
    model = PrunedEnsembleClassifier(members, prefit=True, objective=objective).fit(X[90:], y[90:])
    called, truth = model.predict(X[90:]), y[90:]
    expected = {
        "accuracy": (called == truth).mean(),
        "balanced_accuracy": balanced_accuracy_score(truth, called),
        "recall": (called == "yes")[truth == "yes"].mean(),
    }[objective]
    assert model.score_ == pytest.approx(expected)
    assert model.score_bound_ == pytest.approx(expected)


def test_processes_change_nothing(data: tuple[Any, Any]) -> None:
    one, two = (PrunedEnsembleClassifier(TREES, n_jobs=jobs).fit(*data) for jobs in (None, 2))
    assert (one.predict_proba(data[0]) == two.predict_proba(data[0])).all()


def without_seconds(model: Any) -> bytes:
    """The pickle with every field named ``seconds`` blanked."""
    copy = pickle.loads(pickle.dumps(model))
    object.__setattr__(copy.result_, "seconds", 0.0)
    for progress in copy.result_.history:
        object.__setattr__(progress, "seconds", 0.0)
    return pickle.dumps(pickle.loads(pickle.dumps(copy)))


@pytest.mark.parametrize("classes", [2, 3])
def test_equal_fits_are_equal_but_for_seconds(
    classes: int, data: tuple[Any, Any], wine: tuple[Any, Any]
) -> None:
    X, y = data if classes == 2 else wine
    fits = [PrunedEnsembleClassifier(n_classifiers=10, random_state=3).fit(X, y) for _ in range(2)]
    assert without_seconds(fits[0]) == without_seconds(fits[1])


HARD = {"n_samples": 4000, "n_features": 20, "n_informative": 10, "flip_y": 0.3, "random_state": 0}


def hard() -> tuple[Any, Any, list[Any]]:
    """Members whose best ensemble is not proved within minutes."""
    X, y = make_classification(**HARD)
    trees = [DecisionTreeClassifier(max_depth=4, max_features=2, random_state=seed) for seed in range(40)]
    return X[1000:], y[1000:], [tree.fit(X[:1000], y[:1000]) for tree in trees]


def test_a_limit_gives_one_warning_and_a_fitted_model() -> None:
    X, y, members = hard()
    heard: list[News] = []
    model = PrunedEnsembleClassifier(members, prefit=True, time_limit=2.0, callback=heard.append)
    with pytest.warns(EndedEarlyWarning, match="PrunedEnsembleClassifier: time_limit=2 s") as said:
        model.fit(X, y)
    assert len(said) == 1
    assert said[0].filename == __file__
    assert (model.predict(X) == y).sum() == model.value_ < model.bound_ <= len(y)
    assert (heard[-1].value, heard[-1].bound) == (model.value_, model.bound_)


def test_what_is_proved_gives_no_warning(data: tuple[Any, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert PrunedEnsembleClassifier(TREES, rule="one_standard_error").fit(*data).value_ > 0


@pytest.mark.parametrize("classes", [2, 3])
def test_an_interrupt_at_the_first_news_keeps_the_best_so_far(
    classes: int, data: tuple[Any, Any], wine: tuple[Any, Any]
) -> None:
    def interrupt(news: News) -> None:
        raise KeyboardInterrupt

    X, y = data if classes == 2 else wine
    members = [clone(tree).fit(X[::2], y[::2]) for tree in TREES]
    model = PrunedEnsembleClassifier(members, prefit=True, callback=interrupt)
    with pytest.warns(EndedEarlyWarning, match="an interrupt ended the work") as said:
        model.fit(X, y)
    assert len(said) == 1
    assert (model.predict(X) == y).sum() == model.value_ <= model.bound_ <= len(y)
    with pytest.raises(KeyboardInterrupt), recorded():
        clone(PrunedEnsembleClassifier(TREES, callback=interrupt)).fit(X, y)


SCRIPT = """
import warnings
from tests.ensemble_pruning.test_pruned_options import hard, PrunedEnsembleClassifier
X, y, members = hard()
model = PrunedEnsembleClassifier(members, prefit=True, time_limit=None, callback=lambda news: print("news", flush=True))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    model.fit(X, y)
print([type(one.message).__name__ for one in said], (model.predict(X) == y).sum() == model.value_ <= model.bound_)
"""


def test_ctrl_c_keeps_the_best_so_far() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "news\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert said.splitlines()[-1] == "['EndedEarlyWarning'] True"


@pytest.mark.parametrize("selection", ["holdout", "cross_validation"])
def test_the_single_row_of_a_class_is_for_training(selection: str, wine: tuple[Any, Any]) -> None:
    X, y = wine[0], wine[1].astype(object)
    y[5] = "merlot"
    model = PrunedEnsembleClassifier(n_classifiers=10, selection=selection).fit(X, y)
    assert "merlot" in model.classes_
    n_rows = round(0.3 * len(y)) if selection == "holdout" else len(y) - 1
    assert model.value_ / model.score_ == pytest.approx(n_rows)
