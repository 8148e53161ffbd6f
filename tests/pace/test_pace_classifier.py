"""`PaceClassifier` as a scikit-learn estimator, its certificate in every cell, and bad input."""

import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.forests import UnsupportedEnsembleError
from compactml.pace.classifier import PaceClassifier
from compactml.pace.errors import EmptyRegionError
from compactml.pace.rechecking import recheck
from compactml.watch import EndedEarlyWarning, recorded
from tests.pace.tiny_forests import samples

SMALL = RandomForestClassifier(5, max_depth=2, random_state=0)


@parametrize_with_checks(
    [
        PaceClassifier(RandomForestClassifier(5, max_depth=2, random_state=0), generate=False),
        PaceClassifier(AdaBoostClassifier(n_estimators=5, random_state=0), alpha=0.05),
        PaceClassifier(
            RandomForestClassifier(3, max_depth=1, random_state=0),
            beta=0.1,
            isolation_forest=IsolationForest(n_estimators=3, max_samples=8, random_state=0),
            generate=False,
        ),
    ]
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize(
    "estimator",
    [SMALL, AdaBoostClassifier(n_estimators=6, random_state=0)],
    ids=["forest", "boosted"],
)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.0), (0.1, 0.1)])
def test_the_certificate_holds_in_the_region(estimator, n_classes, alpha, beta):
    X, y = samples(n_classes)
    binned = np.digitize(X, [-1, -0.3, 0.3, 1])
    model = PaceClassifier(estimator, alpha=alpha, beta=beta).fit(binned, y)
    assert model.certificate_.faithful
    assert set(model.certificate_.proved) == {
        (a, b) for a in range(n_classes) for b in range(n_classes) if a != b
    }
    check = recheck(model.compressed_, model.estimator_)
    assert check.exhaustive
    assert check.n_points > 0
    assert len(check.disagreements) == 0
    assert model.n_learners_ == len(model.weights_) <= len(model.estimator_.estimators_)


def test_the_estimator_is_cloned_and_repeatable():
    X, y = samples(2)
    model = PaceClassifier(SMALL, alpha=0.1)
    first, second = clone(model).fit(X, y), model.fit(X, y)
    assert not hasattr(SMALL, "estimators_")
    assert first.weights_.tolist() == second.weights_.tolist()
    assert np.array_equal(first.predict_proba(X), second.predict_proba(X))


def test_labels_and_frames_come_back():
    X, y = samples(3)
    names = np.array(["low", "middle", "high"])[y]
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = PaceClassifier(SMALL, alpha=0.1, generate=False).fit(frame, names)
    inside = model.compressed_.in_region(X)
    assert inside.any()
    assert np.array_equal(model.predict(frame)[inside], model.estimator_.predict(frame)[inside])
    assert ("high", "low") in model.certificate_.proved
    assert list(model.feature_names_in_) == ["a", "b", "c", "d"]
    swapped = frame[["d", "c", "b", "a"]]
    for refuses in (model.compressed_.predict, model.compressed_.in_region):
        with pytest.raises(InvalidDataError, match="fitted columns"):
            refuses(swapped)
    with pytest.raises(ValueError, match="feature names"):
        model.compressed_.to_sklearn().predict(swapped)


def test_the_isolation_forest_is_the_users():
    X, y = samples(2)
    binned = np.digitize(X, [-1, -0.3, 0.3, 1])
    given = IsolationForest(n_estimators=7, max_samples=16, random_state=3)
    model = PaceClassifier(SMALL, alpha=0.1, beta=0.2, isolation_forest=given, generate=False).fit(binned, y)
    assert not hasattr(given, "estimators_")
    region = model.compressed_.setting.region
    assert len(region.isolation.learners) == 7
    scores = -clone(given).fit(binned).score_samples(binned)
    plausible = region.plausible(model.compressed_.setting.grid.codes(binned))
    assert 0 < (~plausible).mean() <= 0.2
    assert scores[plausible].max() <= scores[~plausible].min()
    assert model.certificate_.faithful
    check = recheck(model.compressed_, model.estimator_)
    assert check.exhaustive
    assert len(check.disagreements) == 0


def test_identical_trees_shrink_to_one():
    X, y = samples(2)
    forest = RandomForestClassifier(5, max_depth=2, bootstrap=False, max_features=None, random_state=0)
    model = PaceClassifier(forest, generate=False).fit(X, y)
    assert len(model.estimator_.estimators_) == 5
    assert model.n_learners_ == 1
    assert model.certificate_.faithful


def test_a_region_that_is_empty_is_an_error():
    X, y = samples(2)
    with pytest.raises(EmptyRegionError, match="largest margin"):
        PaceClassifier(SMALL, alpha=1.0).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"alpha": 2.0}, "alpha"),
        ({"beta": -1.0}, "beta"),
        ({"pricing": "free"}, "pricing"),
        ({"separation": "none"}, "separation"),
        ({"solver": "abacus"}, "solver"),
        ({"max_depth": 0}, "max_depth"),
        ({"time_limit": -1.0}, "time_limit"),
        ({"votes": "loud"}, "votes"),
        ({"isolation_forest": "small"}, "isolation_forest"),
        ({"estimator": None, "random_state": "x"}, "random_state"),
    ],
)
def test_parameters_outside_their_range_are_refused(parameters, named):
    X, y = samples(2)
    with pytest.raises(InvalidParameterError, match=named):
        PaceClassifier(**({"estimator": SMALL} | parameters)).fit(X, y)


def test_one_class_and_other_estimators_are_refused():
    X, y = samples(2)
    with pytest.raises(InvalidDataError, match="two classes"):
        PaceClassifier(SMALL).fit(X, np.zeros(len(X)))
    with pytest.raises(UnsupportedEnsembleError, match="RandomForestRegressor"):
        PaceClassifier(RandomForestRegressor(3)).fit(X, y.astype(str))
    with pytest.raises(UnsupportedEnsembleError, match="got str"):
        PaceClassifier("forest").fit(X, y)


def test_values_outside_the_range_of_float32_are_refused():
    X, y = samples(2)
    with pytest.raises(InvalidDataError, match="got larger values"):
        PaceClassifier(SMALL).fit(X * 1e39, y)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_defaults_remove_trees(load):
    """The default region does; that of alpha = 0 is nearly everything."""
    X, y = load(return_X_y=True)
    with recorded():  # its limit may end it
        model = PaceClassifier(time_limit=5.0).fit(X, y)
    assert model.certificate_.faithful
    assert model.n_learners_ < len(model.estimator_.estimators_) == 25
    assert len(recheck(model.compressed_, model.estimator_, n_points=2000).disagreements) == 0


def test_an_interrupt_keeps_the_best_ensemble_so_far():
    def interrupt(news):
        if news.value < 40:
            raise KeyboardInterrupt

    X, y = load_wine(return_X_y=True)
    model = PaceClassifier(RandomForestClassifier(40, max_depth=3, random_state=0), callback=interrupt)
    with pytest.warns(EndedEarlyWarning, match=r"PaceClassifier: an interrupt ended the work") as caught:
        model.fit(X, y)
    assert len(caught) == 1
    assert model.certificate_.faithful
    assert model.n_learners_ < 40
    assert len(recheck(model.compressed_, model.estimator_, n_points=2000).disagreements) == 0
    with pytest.raises(KeyboardInterrupt), recorded():  # the engine wants all of it or nothing
        model.fit(X, y)


def test_an_interrupt_at_the_first_news_leaves_the_ensemble():
    def interrupt(_):
        raise KeyboardInterrupt

    X, y = samples(2)
    with pytest.warns(EndedEarlyWarning, match="an interrupt"):
        model = PaceClassifier(SMALL, callback=interrupt).fit(X, y)
    assert model.n_learners_ == 5
    assert model.certificate_.faithful
    assert np.array_equal(model.predict(X), model.estimator_.predict(X))


SIGNALLED = """
import os, signal, threading, warnings
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from compactml.pace import PaceClassifier

X, y = load_breast_cancer(return_X_y=True)
forest = RandomForestClassifier(60, max_depth=5, random_state=0)


timers = []


def later(_):
    if not timers:
        timers.append(threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)))
        timers[0].start()


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    model = PaceClassifier(forest, callback=later, time_limit=600.0).fit(X, y)
print(model.certificate_.faithful, model.n_learners_ <= 60, [str(one.message)[:28] for one in caught])
"""


def test_control_c_ends_a_long_fit():
    run = subprocess.run(
        [sys.executable, "-c", SIGNALLED], capture_output=True, text=True, timeout=300, check=False
    )
    assert run.stdout == "True True ['PaceClassifier: an interrupt']\n", run.stderr


def test_equal_fits_have_equal_pickles():
    X, y = samples(3)
    models = [PaceClassifier(SMALL).fit(X, y) for _ in range(2)]
    for model in models:
        model.history_ = tuple(replace(step, seconds=0.0) for step in model.history_)
        model.compressed_.history_ = model.history_
    assert pickle.dumps(models[0]) == pickle.dumps(models[1])
