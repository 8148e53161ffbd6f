"""The selectors as scikit-learn estimators, on tables, and on bad input."""

import pickle
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import (
    CFSSelector,
    ContinuousFeaturesError,
    FractionalProgram,
    MRMRSelector,
    NoUsableFeatureError,
    verify,
)
from compactml.watch import EndedEarlyWarning

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 3, 80)
X = pd.DataFrame(
    {
        "same": "always",
        "copy": np.where(RNG.random(80) < 0.8, Y, 0),
        "town": pd.Series(np.array(["Ulm", "Bonn", None], dtype=object)[(Y + RNG.integers(0, 2, 80)) % 3]),
        "noise": RNG.integers(0, 4, 80),
        "sign": Y > 0,
    }
)
SELECTORS = [MRMRSelector, CFSSelector]


@parametrize_with_checks(
    [
        selector(method=method, discretizer="equal_width")
        for selector in SELECTORS
        for method in ("greedy", "newton", "certified")
    ]
    + [selector() for selector in SELECTORS]
    + [selector("cv", cv=KFold(2)) for selector in SELECTORS]  # some of the checks have classes of one row
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def weak_table(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns that say little about the classes, so that values are near one hundredth."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 400)
    return np.where(rng.random((400, 8)) < 0.15, y[:, None], rng.integers(0, 2, (400, 8))), y


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("seed", range(3))
def test_by_default_proved_means_one_per_cent_also_where_values_are_small(selector, seed):
    X, y = weak_table(seed)
    chosen = selector(3).fit(X, y)
    result, program = chosen.result_, chosen.program_
    best = max(program.value(np.array(support)) for support in combinations(range(8), 3))
    alone = chosen.scores_.max() ** (2 if selector is CFSSelector else 1)
    allowed = max(0.01 * abs(result.value), 0.001 * alone)
    assert result.proved
    assert best <= result.bound + 1e-12
    assert result.bound - result.value <= allowed
    assert allowed < 0.0005  # one thousandth would have been a large share of such values


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("method", ["certified", "newton"])
@pytest.mark.parametrize("k", [None, 1, 2, 3, 4])
def test_the_best_set_of_a_size_or_of_any(selector, method, k):
    chosen = selector(k, method=method, gap_rel=0, gap_abs=1e-9).fit(X, Y)
    sizes = range(1, 5) if k is None else [k]
    best = max(_program(selector, size).value(s) for size in sizes for s in combinations(range(4), size))
    assert chosen.result_.value == pytest.approx(best, abs=1e-8)
    assert chosen.result_.proved
    assert chosen.program_.value(chosen.result_.support) == pytest.approx(best, abs=1e-8)
    assert k in (None, chosen.get_support().sum())


def _program(selector, size):
    if selector is MRMRSelector:
        return FractionalProgram.from_mrmr(X, Y, k=size)
    return FractionalProgram.from_cfs(X, Y)


@pytest.mark.parametrize("k", [None, 3])
def test_the_form_of_the_paper_is_a_switch(k):
    chosen = MRMRSelector(k, count_own_entropy=True, gap_rel=0, gap_abs=1e-9).fit(X, Y)
    program = FractionalProgram.from_mrmr(X, Y, count_own_entropy=True)
    sizes = range(1, 5) if k is None else [k]
    best = max(program.value(s) for size in sizes for s in combinations(range(4), size))
    assert chosen.result_.value == pytest.approx(best, abs=1e-8)
    np.testing.assert_array_equal(chosen.program_.b, program.b)


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize("k", [None, 2])
def test_a_certificate_comes_with_the_default_method(selector, k):
    chosen = selector(k).fit(X, Y)
    assert chosen.result_.proved
    assert verify(chosen.program_, chosen.result_.certificate) == chosen.result_.bound
    again = pickle.loads(pickle.dumps(chosen))
    assert verify(again.program_, again.result_.certificate) == chosen.result_.bound


@pytest.mark.parametrize("selector", SELECTORS)
def test_names_survive_a_constant_column(selector):
    chosen = selector(2, method="greedy").fit(X, Y)
    names = chosen.get_feature_names_out()
    assert len(names) == 2
    assert "same" not in names
    assert set(names) == {chosen.program_.names[j] for j in chosen.result_.support}
    assert chosen.program_.preparation.constant == ("same",)
    frame = chosen.set_output(transform="pandas").transform(X)
    pd.testing.assert_frame_equal(frame, X[list(names)])


@pytest.mark.parametrize("selector", SELECTORS)
def test_greedy_has_no_bound_and_is_never_better(selector):
    for k in (None, 3):
        greedy = selector(k, method="greedy").fit(X, Y)
        exact = selector(k, method="newton", gap_rel=0, gap_abs=1e-9).fit(X, Y)
        assert greedy.result_.value <= exact.result_.value + 1e-9
        assert greedy.result_.bound == np.inf
        assert not greedy.result_.proved
        assert greedy.result_.value == pytest.approx(greedy.program_.value(greedy.result_.support))


def test_the_parameters_of_cfs_reach_the_program():
    for su, factor in [("printed", 2.0), ("usual", 1.0)]:
        chosen = CFSSelector(su=su, redundancy_factor=factor, method="greedy").fit(X, Y)
        expected = FractionalProgram.from_cfs(X, Y, su=su, redundancy_factor=factor)
        np.testing.assert_array_equal(chosen.program_.d, expected.d)
        np.testing.assert_array_equal(chosen.program_.b, expected.b)


def test_in_a_pipeline():
    steps = make_pipeline(
        MRMRSelector(2, method="newton"), OrdinalEncoder(encoded_missing_value=3), CategoricalNB()
    )
    assert steps.fit(X, Y).score(X, Y) > 0.6


@pytest.mark.parametrize("selector", SELECTORS)
def test_it_pickles_and_clones(selector):
    chosen = selector(2, method="greedy", time_limit=5.0).fit(X, Y)
    again = pickle.loads(pickle.dumps(chosen))
    assert (again.get_support() == chosen.get_support()).all()
    assert clone(chosen).get_params() == chosen.get_params()


@pytest.mark.parametrize("selector", SELECTORS)
def test_data_that_cannot_be_used_are_refused(selector):
    greedy = selector(method="greedy")
    iris, species = load_iris(return_X_y=True)
    with pytest.raises(ContinuousFeaturesError, match="discretizer: must be"):
        selector(method="greedy", discretizer=None).fit(iris, species)
    with pytest.raises(InvalidDataError, match="column '1': must be finite"):
        selector(method="greedy", discretizer=None).fit([[0, np.nan], [1, 0], [1, 1]], [0, 1, 1])
    with pytest.raises(InvalidDataError, match="column '1': must be finite"):
        greedy.fit([[0, np.inf], [1, 0], [1, 1]], [0, 1, 1])
    with pytest.raises(InvalidDataError, match="1 class"):
        greedy.fit(X, np.zeros(80))
    with pytest.raises(NoUsableFeatureError):
        greedy.fit(X[["same"]], Y)
    with pytest.raises(ValueError, match="0 sample"):
        greedy.fit(np.empty((0, 2)), [])
    with pytest.raises(InvalidDataError, match="two rows"):
        greedy.fit([[1]], [0, 1])


@pytest.mark.parametrize("selector", SELECTORS)
@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"k": 5}, "k"),  # a column is constant
        ({"k": 0}, "k"),
        ({"k": 1.5}, "k"),
        ({"method": "magic"}, "method"),
        ({"discretizer": "deciles"}, "discretizer"),
        ({"target": "number"}, "target"),
        ({"k": "best"}, "k"),
        ({"k": "cv", "largest_k": 0}, "largest_k"),
        ({"k": "cv", "cv": 1}, "cv"),
        ({"k": "cv", "estimator": "forest"}, "estimator"),
        ({"method": "newton", "gap_rel": -1}, "gap_rel"),
        ({"method": "greedy", "solver": "magic"}, "solver"),
        ({"method": "greedy", "time_limit": -1}, "time_limit"),
        ({"method": "greedy", "verbose": 1}, "verbose"),
        ({"method": "greedy", "callback": "print"}, "callback"),
    ],
)
def test_a_parameter_outside_its_range_is_named(selector, parameters, name):
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        selector(**parameters).fit(X, Y)


@pytest.mark.parametrize("selector", [MRMRSelector, CFSSelector])
def test_a_stopped_program_still_selects_a_set(selector):
    rng = np.random.default_rng(0)
    X, y = rng.integers(3, size=(50, 30)), rng.integers(2, size=50)
    with pytest.warns(EndedEarlyWarning, match=f"{selector.__name__}: time_limit=1e-06 s"):
        fitted = selector(method="milp1", time_limit=1e-6, solver="highs").fit(X, y)
    assert fitted.get_support().any()
    assert fitted.result_.value == fitted.program_.value(fitted.result_.support)
    assert not fitted.result_.proved


def test_a_column_of_objects_is_what_it_holds():
    rng = np.random.default_rng(1)
    X, y = pd.DataFrame(rng.random((60, 3))), rng.integers(2, size=60)
    with pytest.raises(ContinuousFeaturesError):
        CFSSelector(discretizer=None).fit(X.astype(object), y)
    of_objects, of_floats = (
        CFSSelector(discretizer="equal_width").fit(one, y) for one in (X.astype(object), X)
    )
    assert of_objects.result_.value == of_floats.result_.value


def test_a_gap_in_text_may_come_after_training():
    rng = np.random.default_rng(2)
    table, y = (
        pd.DataFrame({"t": rng.choice(["a", "b"], 40), "n": rng.integers(3, size=40)}),
        rng.integers(2, size=40),
    )
    selector = MRMRSelector(2).fit(table, y)
    later = pd.DataFrame({"t": [None, "a"], "n": [0, 1]})
    assert selector.transform(later).shape == (2, 2)
