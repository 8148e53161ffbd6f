"""Each variant has the size that its paper (or the note on it) gives, and differs from its key as it says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

from compactml.datasets import DatasetNotAvailable, load, variants
from compactml.datasets.loading import Dataset

SHAPES = {
    "real_estate_with_row_number": (414, 7),
    "real_estate_rounded_dates": (414, 7),
    "airfoil_first_row_as_header": (1502, 5),
    "blog_feedback_sorted_files": (60021, 280),
    "year_prediction_msd_first_row_as_header": (515344, 90),
    "wec_adelaide_first_row_as_header": (71999, 48),
    "bank_without_duration": (41188, 19),
    "bank_without_client_attributes": (41188, 13),
    "ilpd_complete_rows": (579, 10),
    "heart_cleveland_complete_rows": (297, 13),
    "liver_drinks": (345, 5),
    "adult_training_file": (32561, 14),
    "heloc_without_special_rows": (9871, 23),
    "heloc_special_values_missing": (9871, 23),
    "wdbc_with_id": (569, 31),
    "zoo_with_name": (101, 17),
    "parkinsons_speech_with_id": (756, 754),
    "madelon_training_rows": (2000, 500),
    "optdigits_without_constant_pixels": (3823, 62),
    "letter_last_column_as_class": (20000, 16),
    "cnae9_last_column_as_class": (1080, 856),
    "lung_cancer_last_column_as_class": (32, 56),
    "breast_cancer_ljubljana_last_column_as_class": (286, 9),
    "ionosphere_fipe": (351, 34),
    "pima_fipe": (768, 8),
    "seeds_fipe": (210, 7),
    "spambase_fipe": (4601, 57),
}


def variant(name: str) -> Dataset:
    try:
        return getattr(variants, name)()
    except DatasetNotAvailable as error:
        pytest.skip(f"{error.key}: no file at hand")


def test_every_variant_is_listed_here():
    own = {
        name
        for name, value in vars(variants).items()
        if getattr(value, "__module__", "") == variants.__name__
    }
    assert {name for name in own if not name.startswith("_")} == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_a_variant_has_its_name_shape_and_plain_index(name: str):
    data = variant(name)
    assert data.name == name
    assert data.X.shape == SHAPES[name]
    pd.testing.assert_index_equal(data.X.index, pd.RangeIndex(len(data.X)))
    pd.testing.assert_index_equal(data.y.index, data.X.index)
    assert {str(dtype) for dtype in data.X.dtypes} <= {"int64", "float64", "str"}
    assert data.y.name not in data.X.columns


def test_identifiers_are_added_to_the_plain_features():
    for name, identifier in [
        ("real_estate_with_row_number", "No"),
        ("wdbc_with_id", "id"),
        ("zoo_with_name", "animal name"),
        ("parkinsons_speech_with_id", "id"),
    ]:
        data, plain = variant(name), load(name.split("_with_")[0])
        assert_frame_equal(data.X.drop(columns=identifier), plain.X)
        assert_series_equal(data.y, plain.y)


def test_rounded_dates_change_only_the_dates_and_by_less_than_half_a_thousandth():
    data, plain = variant("real_estate_rounded_dates"), variant("real_estate_with_row_number")
    change = (data.X - plain.X).abs().max()
    assert list(change.index[change > 0]) == ["X1 transaction date"]
    assert change.max() <= 0.0005
    assert_series_equal(data.y, plain.y)


def test_a_lost_first_row_is_the_only_difference():
    data, plain = variant("airfoil_first_row_as_header"), load("airfoil")
    assert_frame_equal(data.X, plain.X.iloc[1:].reset_index(drop=True))
    assert_series_equal(data.y, plain.y.iloc[1:].reset_index(drop=True))


def test_sorted_files_put_the_test_files_of_blog_feedback_first():
    data, plain = variant("blog_feedback_sorted_files"), load("blog_feedback")
    n_training = 52_397  # the UCI description
    for moved, original in ((data.X, plain.X), (data.y, plain.y)):
        assert np.array_equal(moved[-n_training:], original[:n_training])
        assert np.array_equal(moved[:-n_training], original[n_training:])


def test_base_rates_that_point_to_the_variants():
    assert variant("ilpd_complete_rows").y.value_counts().to_dict() == {1: 414, 2: 165}
    assert not variant("ilpd_complete_rows").X.isna().any(axis=None)
    assert variant("adult_training_file").y.value_counts().to_dict() == {"<=50K": 24720, ">50K": 7841}
    assert variant("madelon_training_rows").y.value_counts().to_dict() == {-1: 1000, 1: 1000}


def test_liver_drinks_is_another_target_of_the_same_blood_tests():
    data, plain = variant("liver_drinks"), load("liver")
    assert_frame_equal(data.X, plain.X.iloc[:, :5])
    drinks = plain.X.iloc[:, 5]
    assert drinks[data.y == 1].min() >= 3 > drinks[data.y == 0].max()


def test_heloc_codes_become_missing_and_nothing_else_changes():
    kept, missing = variant("heloc_without_special_rows"), variant("heloc_special_values_missing")
    assert kept.y.value_counts().to_dict() == {"Bad": 5136, "Good": 4735}
    assert missing.y.sum() == 4735
    cells = {code: int((code == kept.X).sum().sum()) for code in (-7, -8, -9)}
    assert cells == {-7: 6519, -8: 6114, -9: 10}  # as counted in the raw file by the note on it
    assert missing.X.isna().sum().sum() == sum(cells.values())
    values = missing.X.to_numpy()
    assert np.array_equal(values[~np.isnan(values)], kept.X.to_numpy()[~np.isnan(values)])


def test_the_class_moves_to_the_front():
    data, plain = variant("letter_last_column_as_class"), load("letter")
    assert_series_equal(data.X["lettr"], plain.y)
    assert_series_equal(data.y, plain.X["yegvx"])


@pytest.mark.parametrize("key", ["ionosphere", "pima", "seeds", "spambase"])
def test_the_files_of_the_fipe_experiments_hold_the_same_rows(key: str):
    data, plain = variant(f"{key}_fipe"), load(key)
    np.testing.assert_array_equal(data.X.to_numpy(float), plain.X.to_numpy(float))
    np.testing.assert_array_equal(data.y, plain.y.astype("category").cat.codes)
