"""The datasets of Table 1 and how they are read."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection import datasets as module
from compactml.chapters.feature_selection.datasets import (
    BY_KEY,
    DATASETS,
    LEVELS,
    LIVE,
    PaperDataset,
    levels,
    measures,
    program,
    table,
)
from compactml.datasets import DatasetNotAvailable
from compactml.study.recording.published import published


def available(key: str) -> None:
    try:
        table(key)
    except DatasetNotAvailable as error:
        pytest.skip(f"{error.key}: no file at hand")


def test_names_sizes_and_types_are_those_of_table_1_in_its_order() -> None:
    printed = published(NAME, "table_1")
    own = [(one.name, str(one.p), str(one.n), one.data_type) for one in DATASETS]
    assert own == list(printed[["dataset", "p", "n", "data_type"]].itertuples(index=False, name=None))
    assert len(BY_KEY) == len(DATASETS) + len(LIVE)


@pytest.mark.parametrize("number", range(2, 8))
def test_every_table_has_the_same_datasets(number: int) -> None:
    assert published(NAME, f"table_{number}")["dataset"].unique().tolist() == [one.name for one in DATASETS]


@pytest.mark.parametrize("dataset", [*DATASETS, *LIVE], ids=lambda one: one.name)
def test_the_data_at_hand_have_the_printed_size_and_are_numbers(dataset: PaperDataset) -> None:
    available(dataset.key)
    X, y = table(dataset.key)
    assert X.shape == (dataset.n, dataset.p)
    assert len(y) == dataset.n
    assert sorted(np.unique(y)) == list(range(y.max() + 1))
    assert {dtype.kind for dtype in X.dtypes} <= {"i", "f"}
    assert not X.isna().any(axis=None)


def test_text_and_missing_values_become_codes_of_sorted_labels() -> None:
    text = pd.Series(["b", None, "a", "b"], dtype="str")
    assert module._numbers(text).tolist() == [1, 2, 0, 1]  # "nan" after "b"
    missing = pd.Series([2.0, np.nan, 1.0])
    assert module._numbers(missing).tolist() == [1, 2, 0]
    assert module._numbers(pd.Series([7, 3])).tolist() == [7, 3]
    assert levels(pd.DataFrame({"a": [0.5, -2.0, 0.5]}))["a"].tolist() == [1, 0, 1]


@pytest.mark.parametrize(("objective", "ones"), [("mrmr", "-0.1031"), ("cfs", "0.00423")])
def test_the_value_of_all_features_of_colon_is_what_its_printed_gaps_imply(objective: str, ones: str) -> None:
    available("colon")
    own = program(measures("colon", BY_KEY["colon"].discretizer), objective)
    assert own.n_features == 2000
    digits = -int(Decimal(ones).as_tuple().exponent)
    assert f"{own.value(range(own.n_features)):.{digits}f}" == ones


def test_constant_features_stay_unless_they_are_to_go() -> None:
    available("sports_articles")
    assert measures("sports_articles", LEVELS).n_features == 59
    assert measures("sports_articles", LEVELS, drop_constant=True).n_features == 57  # NNP and WRB
