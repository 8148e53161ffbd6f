"""Literals against pandas expressions on the raw values, the rules on missing values, HELOC, bad input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.datasets import available
from compactml.datasets.variants import heloc_special_values_missing
from compactml.errors import InvalidDataError, InvalidParameterError

DECILES = np.arange(1, 10) / 10


@parametrize_with_checks([DecileBinarizer()])
def test_follows_scikit_learn(estimator, check):
    check(estimator)


def truth(name: str, train: pd.DataFrame, test: pd.DataFrame, missing: str) -> pd.Series:
    """What the text of a literal says about raw values, with the rules on missing ones."""
    column, operator, value = name.split(" ", 2)
    values = test[column]
    if operator == "is":
        return values.isna() if value == "missing" else values.notna()
    if operator in ("==", "!="):
        equal = values.map(lambda v: v == (float(value) if isinstance(v, float) else value)).fillna(False)
        return equal.astype(bool) if operator == "==" else ~equal.astype(bool)
    if operator == "<=":
        return values <= float(value)
    above = missing == "above" and not train[column].isna().any()
    return ~(values <= float(value)) if above else values > float(value)


def expected_names(column: pd.Series) -> set[str]:
    """The texts of a column's literals, from pandas alone."""
    present = column.dropna()
    values = sorted(present.unique())
    short = [repr(v).removesuffix(".0") if isinstance(v, float) else v for v in map(_python, values)]
    if len(values) <= 1:
        texts = set()
    elif len(values) == 2:
        texts = {f"== {v}" for v in short}
    elif column.dtype != float:
        texts = {f"{operator} {v}" for v in short for operator in ("==", "!=")}
    else:
        cuts = values[:-1] if len(values) <= 10 else present.quantile(DECILES)[lambda q: q < values[-1]]
        texts = {f"{operator} {float(f'{t:.12g}'):.15g}" for t in cuts for operator in ("<=", ">")}
    if column.isna().any() and len(values):
        texts |= {"is missing", "is not missing"}
    return {f"{column.name} {text}" for text in texts}


def _python(value):
    return value.item() if isinstance(value, np.generic) else value


numbers = st.one_of(st.none(), st.integers(-9, 30).map(lambda i: i / 4))
few = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 2.5]))
words = st.one_of(st.none(), st.sampled_from(["no", "yes", "maybe"]))


@st.composite
def tables(draw, rows):
    n = draw(rows)
    columns = {"number": numbers, "few": few, "word": words, "whole": st.integers(0, 40).map(float)}
    data = {name: draw(st.lists(values, min_size=n, max_size=n)) for name, values in columns.items()}
    types = {"number": float, "few": float, "word": object, "whole": float}
    return pd.DataFrame({name: pd.Series(data[name], dtype=types[name]) for name in columns})


@given(tables(st.integers(1, 30)), tables(st.integers(1, 12)), st.sampled_from(["never", "above"]))
@settings(max_examples=150, deadline=None)
def test_every_literal_says_what_its_text_says(train, test, missing):
    binarizer = DecileBinarizer(missing=missing).fit(train)
    names = binarizer.get_feature_names_out()
    assert set(names) == set().union(*(expected_names(train[c]) for c in train))
    for frame in (train, test):
        X = binarizer.transform(frame)
        assert X.dtype == np.uint8
        assert X.shape == (len(frame), len(names))
        for j, name in enumerate(names):
            assert X[:, j].tolist() == truth(name, train, frame, missing).astype(int).tolist(), name


@given(tables(st.integers(2, 30)))
@settings(max_examples=50, deadline=None)
def test_the_contract_of_the_literals_holds(train):
    """Training codes are bins, no literal is constant on the training rows, groups are nested or exclusive."""
    binarizer = DecileBinarizer().fit(train)
    literals, codes, X = binarizer.literals_, binarizer.codes(train), binarizer.transform(train)
    assert ((codes >= 0) & (codes < literals.n_bins)).all()
    assert (X.min(axis=0) < X.max(axis=0)).all()
    assert len(
        set(zip(literals.attribute, literals.lo, literals.hi, literals.complement, strict=True))
    ) == len(literals)
    for i in range(len(literals)):
        for j in range(i):
            if literals.group[i] == literals.group[j]:
                both = (X[:, i] & X[:, j]).tolist()
                assert both in (X[:, i].tolist(), X[:, j].tolist(), [0] * len(X))


def test_rules_by_hand():
    train = pd.DataFrame(
        {
            "sex": ["male", "female", "male", "male"],
            "age": [20.0, 30.0, np.nan, 40.0],
            "dose": [1, 2, 3, 3],
            "town": pd.Categorical(["a", "b", "c", None]),
            "same": [7, 7, 7, 7],
            "nothing": [np.nan] * 4,
        }
    )
    test = pd.DataFrame(
        {
            "sex": ["other", None],
            "age": [25.0, np.nan],
            "dose": [2.0, np.nan],
            "town": ["d", None],
            "same": [1, 7],
            "nothing": [1.0, np.nan],
        }
    )
    binarizer = DecileBinarizer(missing="above").fit(train)
    first, second = (
        {name for name, true in zip(binarizer.get_feature_names_out(), row, strict=True) if true}
        for row in binarizer.transform(test)
    )
    not_a_town = {"town != a", "town != b", "town != c"}
    # unseen values are no "=="; a missing dose, unknown in training, is ">" everything; a missing age is nothing
    assert (
        first
        == {"age <= 30", "age > 20", "age is not missing", "dose <= 2", "dose > 1", "town is not missing"}
        | not_a_town
    )
    assert second == {"age is missing", "dose > 1", "dose > 2", "town is missing"} | not_a_town
    assert binarizer.columns_.tolist() == [0, 1, 2, 3]


def test_thresholds_come_from_training_only():
    rng = np.random.default_rng(0)
    train, test = rng.normal(size=(200, 2)), rng.normal(5, 1, size=(50, 2))
    binarizer = DecileBinarizer().fit(train)
    names = binarizer.get_feature_names_out()
    binarizer.transform(test)
    assert names.tolist() == binarizer.get_feature_names_out().tolist()
    cuts = [float(name.split("<= ")[1]) for name in names if name.startswith("x1 <=")]
    np.testing.assert_allclose(cuts, pd.Series(train[:, 1]).quantile(DECILES), rtol=1e-11)


def test_thresholds_print_without_the_noise_of_interpolation():
    X = np.repeat(np.arange(11) / 10, 2).reshape(-1, 1)
    X[4] = 0.1 + 0.2  # 0.30000000000000004 is a value of its own: rounding a cut there must not move it
    names = DecileBinarizer().fit(X).get_feature_names_out()
    assert all(len(name) < 12 for name in names)


def test_numeric_columns_can_be_named_categorical():
    X = pd.DataFrame({"code": [1, 2, 3, 1], "size": [1, 2, 3, 1]})
    names = DecileBinarizer(categorical=["code"]).fit(X).get_feature_names_out()
    assert {"code == 1", "code != 3", "size <= 2"} <= set(names)
    assert not any(name.startswith(("code <", "size =")) for name in names)


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean", "string", "category", bool])
def test_pandas_types(dtype):
    values = pd.Series([True, False, True, False] if dtype in ("boolean", bool) else [1, 2, 3, 2])
    X = pd.DataFrame({"a": values.astype(str).astype(dtype) if dtype == "string" else values.astype(dtype)})
    binarizer = DecileBinarizer().fit(X)
    codes = binarizer.codes(X)[:, 0]
    assert codes.tolist() == ([1, 0, 1, 0] if dtype in ("boolean", bool) else [0, 1, 2, 1])


def test_more_categories_than_int16_holds():
    X = pd.DataFrame({"a": [f"{i:05d}" for i in range(40_000)], "b": np.arange(40_000)})
    codes = DecileBinarizer(n_thresholds=1).fit(X).codes(X)
    assert codes.dtype == np.int32
    assert codes[:, 0].tolist() == list(range(40_000))


def test_pickle_clone_and_names_of_categories_that_cannot_be_ordered():
    X = pd.DataFrame({"a": pd.Series([1, "x", 2.5, None], dtype=object), "b": [1, 2, 3, 4]})
    binarizer = DecileBinarizer(n_thresholds=3).fit(X)
    again = pickle.loads(pickle.dumps(binarizer))
    assert (again.transform(X) == binarizer.transform(X)).all()
    assert (clone(binarizer).fit(X).transform(X) == binarizer.transform(X)).all()
    assert again.get_feature_names_out()[:3].tolist() == ["a == 2.5", "a == 1", "a == x"]


@pytest.mark.skipif(not available("heloc"), reason="the FICO file is not at hand")
def test_heloc_differs_from_the_toolkit_in_literals_that_say_nothing_new():
    """AIX360's rules give 330 columns; ours are those without columns constant on, or doubled by, an indicator."""
    X = heloc_special_values_missing().X
    toolkit = []
    for _, column in X.items():
        values = np.sort(column.dropna().unique())
        gaps = column.isna().any()
        cuts = column.quantile(DECILES).unique() if len(values) > 10 else values[: None if gaps else -1]
        toolkit += [column <= t for t in cuts] + [(column > t) for t in cuts]
        toolkit += [column.isna(), column.notna()] if gaps else []
    toolkit = np.column_stack(toolkit)
    assert toolkit.shape[1] == 330
    ours = DecileBinarizer().fit_transform(X).astype(bool)
    useful = {column.tobytes() for column in toolkit.T if column.any() and not column.all()}
    assert {column.tobytes() for column in ours.T} == useful
    assert "NetFractionRevolvingBurden <= 63" in DecileBinarizer().fit(X).get_feature_names_out()


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (pd.DataFrame({"a": []}), "a table with rows and columns"),
        (pd.DataFrame({"a": [1.0, np.inf]}), "finite or missing, got infinity"),
        (pd.DataFrame({"a": pd.to_datetime(["2020-01-01", "2020-01-02"])}), "numbers, text, booleans"),
    ],
)
def test_bad_data_is_refused(X, message):
    with pytest.raises(InvalidDataError, match=message):
        DecileBinarizer().fit(X)


def test_text_where_numbers_were_is_refused():
    binarizer = DecileBinarizer().fit(pd.DataFrame({"a": [1, 2, 3]}))
    with pytest.raises(InvalidDataError, match=r"column 'a': must be numeric as in training"):
        binarizer.transform(pd.DataFrame({"a": ["1", "2"]}))


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_thresholds": 0},
        {"n_thresholds": 2.5},
        {"categorical": "all"},
        {"categorical": ["c"]},
        {"categorical": 1},
    ],
)
def test_bad_parameters_are_refused(parameters):
    with pytest.raises(InvalidParameterError, match=next(iter(parameters))):
        DecileBinarizer(**parameters).fit(pd.DataFrame({"a": [1, 2, 3]}))


def test_objects_are_what_they_hold_and_a_gap_alone_has_no_type() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"v": rng.random(50), "t": rng.choice(["a", "b", "c"], 50)})
    binarizer = DecileBinarizer().fit(table)
    assert DecileBinarizer().fit(table.astype(object)).literals_.names == binarizer.literals_.names
    gap, nan = (pd.DataFrame({"v": [value], "t": ["a"]}) for value in (None, np.nan))
    assert (binarizer.transform(gap) == binarizer.transform(nan)).all()
    assert (binarizer.transform(table[:3].astype(object)) == binarizer.transform(table[:3])).all()
    for dtype in (object, pd.CategoricalDtype(["a"]), "string"):  # of a column that held text
        empty = pd.DataFrame({"v": [0.5], "t": pd.Series([None], dtype=dtype)})
        assert (binarizer.codes(empty)[:, 1] == -1).all()
    with pytest.raises(InvalidParameterError, match="n_thresholds"):
        DecileBinarizer(n_thresholds=True).fit(table)
    assert DecileBinarizer(n_thresholds=np.int64(4)).fit(table).literals_.names
