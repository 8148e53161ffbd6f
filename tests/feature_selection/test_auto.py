"""Tables as they come: continuous columns, missing numbers, targets of numbers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import CFSSelector, MRMRSelector, encode, encode_target, measure

RNG = np.random.default_rng(4)


def test_codes_stay_and_continuous_columns_are_binned():
    codes = RNG.integers(0, 20, 400)
    table = pd.DataFrame(
        {"code": codes, "town": codes.astype(str), "flag": codes > 3, "weight": RNG.random(400)}
    )
    found = encode(table, "auto")
    assert (found[:, 0] == codes).all()
    assert found.max(axis=0).tolist() == [19, 19, 1, 4]
    assert np.bincount(found[:, 3]).tolist() == [80] * 5
    assert (found[np.argsort(table["weight"]), 3] == np.repeat(range(5), 80)).all()


def test_integers_with_many_values_are_binned_and_the_bins_can_be_chosen():
    amounts = RNG.permutation(1000)[:, None]
    assert np.bincount(encode(amounts, "auto")[:, 0]).tolist() == [200] * 5
    assert np.bincount(encode(amounts, ("auto", 10))[:, 0]).tolist() == [100] * 10


def test_few_rows_with_fractions_are_continuous():
    column = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])[:, None]
    assert np.bincount(encode(column, "auto")[:, 0]).tolist() == [2] * 5
    assert encode(column[[0, 0, 1, 1]], "auto")[:, 0].tolist() == [0, 0, 1, 1]


def test_a_value_that_fills_a_bin_has_one_for_itself():
    """Quantiles alone would put the zeros of a sparse column with its positive values."""
    column = np.concatenate([np.zeros(180), np.arange(1, 21) + 0.5, np.full(5, -1.5)])[:, None]
    codes = encode(column, "auto")[:, 0]
    zero = codes[0]
    assert (codes[:180] == zero).all()
    assert (codes[180:200] > zero).all()
    assert (codes[200:] < zero).all()


@pytest.mark.parametrize("discretizer", ["auto", "equal_width", "equal_frequency", "integer"])
def test_missing_numbers_are_a_symbol_of_their_own(discretizer):
    column = RNG.random(100) * 9
    column[::4] = np.nan
    codes = encode(column[:, None], discretizer)[:, 0]
    missing = np.isnan(column)
    assert set(codes[missing]) == {codes.max()}
    assert codes.max() not in set(codes[~missing])
    assert (codes[~missing] == encode(column[~missing][:, None], discretizer)[:, 0]).all()
    nothing = encode(np.full((5, 1), np.nan), discretizer)
    assert (nothing == 0).all()
    with pytest.raises(InvalidDataError, match="got infinity"):
        encode([[np.inf], [np.nan]], discretizer)


def test_pandas_integers_with_gaps():
    column = pd.Series([1, None, 2, 1], dtype="Int64")
    assert encode(pd.DataFrame({"x": column}), "auto")[:, 0].tolist() == [0, 2, 1, 0]


@pytest.mark.parametrize("selector", [CFSSelector, MRMRSelector])
def test_that_a_value_is_missing_may_tell_the_class(selector):
    y = RNG.integers(0, 2, 300)
    table = pd.DataFrame({"noise": RNG.random(300), "gaps": RNG.random(300), "noise too": RNG.random(300)})
    table.loc[y == 1, "gaps"] = np.nan
    fitted = selector(1).fit(table, y)
    assert fitted.get_feature_names_out().tolist() == ["gaps"]
    assert fitted.transform(table).shape == (300, 1)


class TestTargets:
    def test_numbers_are_cut_at_their_quantiles(self):
        y = RNG.random(500)
        assert np.bincount(encode_target(y, "numbers")).tolist() == [100] * 5
        assert (encode_target(y, "auto") == encode_target(y, "numbers")).all()

    def test_what_is_a_class_and_what_a_number(self):
        letters = np.repeat(np.arange(26), 5)
        assert (encode_target(letters, "auto") == letters).all()
        assert encode_target(letters, "numbers").max() < 25
        assert encode_target(np.arange(100), "auto").max() == 4
        assert encode_target(np.arange(20), "auto").max() == 19
        assert encode_target(list("abca"), "auto").tolist() == [0, 1, 2, 0]
        assert encode_target([0.5, 1.5, 0.5], "auto").tolist() == [0, 1, 0]

    @pytest.mark.parametrize("kind", ["numbers", "auto", "classes"])
    def test_what_cannot_be_a_target_is_refused(self, kind):
        for y in ([0.5, np.nan], [0.5, np.inf], [3.5, 3.5]):
            with pytest.raises(InvalidDataError, match="y"):
                encode_target(y, kind)

    def test_names_are_refused(self):
        with pytest.raises(InvalidDataError, match="y: must be numbers"):
            encode_target(["a", "b"], "numbers")
        with pytest.raises(InvalidParameterError, match="target: must be one of"):
            measure([[0], [1]], [0, 1], target="ordinal")

    @pytest.mark.parametrize("selector", [CFSSelector, MRMRSelector])
    def test_regression(self, selector):
        X, y = load_diabetes(return_X_y=True, as_frame=True)
        noisy = X.assign(**{f"noise {i}": RNG.random(len(X)) for i in range(5)})
        names = selector(3).fit(noisy, y).get_feature_names_out()
        assert {"bmi", "s5"} & set(names)
