"""Which columns are symbols, which are refused, and where the bins are cut."""

import pickle
from inspect import signature

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import KBinsDiscretizer

from compactml.datasets import available, load
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import ContinuousFeaturesError, encode, encode_target

NUMBERS = np.random.default_rng(0).normal(size=(200, 3)).round(2)


def test_values_are_coded_in_order():
    assert encode([[5.0, 1], [-2.0, 0], [5.0, 0], [0.0, 1]]).T.tolist() == [[2, 0, 2, 1], [1, 0, 0, 1]]


@pytest.mark.parametrize("dtype", [object, "string", "category", "str"])
def test_text_and_categories_keep_a_symbol_for_what_is_missing(dtype):
    column = pd.Series(["b", None, "a", "b", np.nan], dtype=dtype)
    assert encode(pd.DataFrame({"x": column}), "equal_width")[:, 0].tolist() == [0, 1, 2, 0, 1]


def test_numbers_become_symbols_as_categories():
    frame = pd.DataFrame({"x": [0.5, np.nan, 0.25, 0.5]}).astype("category")
    assert encode(frame)[:, 0].tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize("dtype", ["Int64", "int8", "uint64", "Float64", bool, "boolean"])
def test_pandas_types(dtype):
    assert encode(pd.DataFrame({"x": pd.Series([0, 1, 0], dtype=dtype)}))[:, 0].tolist() == [0, 1, 0]


def test_integers_beyond_the_floats_stay_apart():
    assert encode(np.array([[2**53], [2**53 + 1]]))[:, 0].tolist() == [0, 1]


@pytest.mark.parametrize(("method", "bins"), [("equal_width", 10), ("equal_frequency", 5)])
def test_bins_are_those_of_scikit_learn(method, bins):
    strategy = {"equal_width": "uniform", "equal_frequency": "quantile"}[method]
    linear = (
        {"quantile_method": "linear"} if "quantile_method" in signature(KBinsDiscretizer).parameters else {}
    )
    for n_bins, discretizer in [(bins, method), (7, (method, 7))]:
        expected = KBinsDiscretizer(
            n_bins, encode="ordinal", strategy=strategy, subsample=None, **linear
        ).fit_transform(NUMBERS)
        assert (encode(NUMBERS, discretizer) == encode(expected)).all()


def test_equal_width_cuts_integers_exactly_and_knows_constants():
    assert encode(np.arange(21)[:, None], "equal_width")[:, 0].tolist() == [j // 2 for j in range(20)] + [9]
    assert encode([[3.5], [3.5]], "equal_width")[:, 0].tolist() == [0, 0]


def test_equal_frequency_leaves_twenty_values_alone():
    few, many = np.arange(200) % 20, np.arange(200) % 21
    codes = encode(np.column_stack([few, many]), "equal_frequency")
    assert (codes[:, 0] == few).all()
    assert len(np.unique(codes[:, 1])) == 5


def test_truncation_goes_towards_zero():
    assert encode([[-1.7], [-0.2], [0.9], [1.0]], "integer")[:, 0].tolist() == [0, 1, 1, 2]


@pytest.mark.parametrize("discretizer", [None, "integer"])
def test_negative_zero_is_zero(discretizer):
    assert encode([[-0.0], [0.0], [1.0]], discretizer)[:, 0].tolist() == [0, 0, 1]


def test_continuous_columns_need_a_discretizer():
    frame = pd.DataFrame({"grey": np.arange(200), "weight": NUMBERS[:, 0], "few": np.arange(200) % 20 / 4})
    with pytest.raises(ContinuousFeaturesError, match=r"weight has \d+ distinct values in 200") as caught:
        encode(frame)
    assert caught.value.columns == ("weight",)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert encode(frame.drop(columns="weight")).max(axis=0).tolist() == [199, 19]


def test_a_small_table_of_distinct_fractions_is_continuous():
    with pytest.raises(ContinuousFeaturesError):
        encode([[0.1], [0.2], [0.3]])
    assert encode([[0.5], [0.5], [1.0], [1.0]])[:, 0].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("key", "continuous"),
    [
        ("banknote", True), ("sonar", True), ("hill_valley", True), ("urban_land_cover", True), ("wdbc", True),
        ("zoo", False), ("letter", False), ("spectf", False), ("optdigits", False), ("scadi", False),
        ("breast_cancer_ljubljana", False), ("sports_articles", False), ("lung_discrete", False),
    ],
)  # fmt: skip
def test_datasets_of_the_chapter_are_judged_by_their_kind(key, continuous):
    if not available(key):
        pytest.skip(f"{key}: no file at hand")
    X = load(key).X
    if continuous:
        with pytest.raises(ContinuousFeaturesError):
            encode(X)
    else:
        assert (encode(X).max(axis=0) + 1 == X.nunique(dropna=False)).all()
    assert encode(X, "equal_frequency").shape == X.shape


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([0.5, np.nan, 1.0], r"column 'age': must be finite numbers .* got NaN"),
        (pd.array([1, None, 2], dtype="Int64"), r"column 'age': .* got NaN"),
    ],
)
def test_missing_numbers_need_a_discretizer(column, message):
    with pytest.raises(InvalidDataError, match=message):
        encode(pd.DataFrame({"age": column}))


@pytest.mark.parametrize("discretizer", [None, "auto", "equal_width", "equal_frequency", "integer"])
@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([0.5, np.inf, 1.0], r"column 'age': must be finite numbers.* got infinity"),
        (pd.to_datetime(["2020-01-01"] * 3), r"column 'age': must be numbers, booleans, text"),
        ([1j, 2j, 3j], r"column 'age': must be numbers, booleans, text"),
    ],
)
def test_values_that_cannot_be_used_are_named(discretizer, column, message):
    with pytest.raises(InvalidDataError, match=message):
        encode(pd.DataFrame({"age": column}), discretizer)


@pytest.mark.parametrize("X", [[1, 2], [[]], [[1], [2, 3]], np.zeros((0, 2)), pd.DataFrame({"a": []}), 3.0])
def test_what_is_no_table_is_refused(X):
    with pytest.raises(InvalidDataError, match=r"^X: must be"):
        encode(X)


@pytest.mark.parametrize(
    "discretizer",
    [
        "deciles",
        5,
        ("equal_width", 1),
        ("equal_width", 2.5),
        ("integer", 3),
        (None, 3),
        ("equal_width",),
        [["a"], 2],
    ],
)
def test_other_discretizers_are_refused(discretizer):
    with pytest.raises(InvalidParameterError, match=r"^discretizer: must be"):
        encode([[1], [2]], discretizer)


def test_labels_of_any_kind_are_coded():
    for labels in (
        ["b", "a", "b"],
        [1.0, -1.0, 1.0],
        [True, False, True],
        pd.Series([2, 1, 2], index=[7, 8, 9]),
    ):
        codes = encode_target(labels)
        assert codes[0] == codes[2] != codes[1]
        assert set(codes.tolist()) == {0, 1}


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 1, 1], "at least two classes, got 1 class"),
        ([0.5, 1.5, 1.0], "no integers"),
        (["a", None, "b"], "missing"),
        ([np.nan, 1.0, 0.0], "missing"),
        ([], "values in 1 dimension"),
        (pd.Series([], dtype=float), "no labels"),
        ([[1], [0]], "values in 1 dimension"),
    ],
)
def test_what_are_no_labels_is_refused(y, message):
    with pytest.raises(InvalidDataError, match=f"^y: must be .*{message}"):
        encode_target(y)
