"""The pool on tables with texts and missing values: what the encoder makes of them, and what it refuses."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.ensemble_pruning import ClassifierPool, PrunedEnsembleClassifier
from compactml.ensemble_pruning.pool.encoding import encoder_for, is_plain
from compactml.errors import InvalidDataError


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "town": rng.choice(["Ulm", "Bonn", None], 160),
            "age": np.where(rng.random(160) < 0.2, np.nan, rng.normal(size=160)),
            "kind": pd.Categorical(rng.choice([1, 2, 3], 160)),
            "rich": rng.random(160) < 0.5,
        }
    )
    return frame, np.where((frame["town"] == "Ulm") | (frame["age"] > 1), "yes", "no")


def test_each_text_has_columns_and_a_missing_number_the_median(table: tuple[pd.DataFrame, Any]) -> None:
    frame = table[0]
    encoded = encoder_for(frame).fit_transform(frame)
    age, rich, *texts = encoded.T
    missing = frame["age"].isna().to_numpy()
    assert (age[missing] == np.nanmedian(frame["age"])).all()
    assert (age[~missing] == frame["age"][~missing]).all()
    assert (rich == frame["rich"]).all()
    expected = [frame["town"].isna(), frame["town"] == "Bonn", frame["town"] == "Ulm"]
    expected += [frame["kind"] == value for value in (1, 2, 3)]
    assert (np.array(texts) == np.array(expected)).all()


def test_members_take_what_the_pool_takes(table: tuple[pd.DataFrame, Any]) -> None:
    frame, y = table
    pool = ClassifierPool(10).fit(frame, y)
    votes = pool.votes(frame)
    for column, estimator in zip(votes.T, pool.estimators_, strict=True):
        assert (column == (estimator.predict_proba(frame)[:, 1] >= 0.5)).all()
    assert ((votes == (y == "yes")[:, np.newaxis]).mean(axis=0) > 0.7).sum() >= 8
    assert (pickle.loads(pickle.dumps(pool)).votes(frame) == votes).all()


def test_later_rows_may_have_new_texts_and_more_gaps(table: tuple[pd.DataFrame, Any]) -> None:
    frame, y = table
    later = frame.copy()
    later["town"] = "Rom"
    later["rich"] = later["rich"].astype(object)
    later.loc[0, "rich"] = None
    assert ClassifierPool(4).fit(frame, y).votes(later).shape == (160, 4)


def test_an_array_of_objects_is_such_a_table(table: tuple[pd.DataFrame, Any]) -> None:
    frame, y = table
    mixed = frame[["town", "age"]]
    pools = [ClassifierPool(4).fit(rows, y) for rows in (mixed, mixed.to_numpy(dtype=object))]
    assert (pools[0].votes(mixed) == pools[1].votes(mixed.to_numpy(dtype=object))).all()


def test_numbers_without_gaps_need_no_encoder(table: tuple[pd.DataFrame, Any]) -> None:
    numbers = table[0][["age", "rich"]].fillna(0.0)
    assert is_plain(numbers)
    pool = ClassifierPool(2).fit(numbers, table[1])
    assert pool.encoder_ is None
    with pytest.raises(InvalidDataError, match="NaN"):
        pool.votes(table[0][["age", "rich"]])


def test_the_estimator_takes_them_by_default(table: tuple[pd.DataFrame, Any]) -> None:
    frame, y = table
    model = PrunedEnsembleClassifier(n_classifiers=10).fit(frame, y)
    assert model.score(frame, y) > 0.9
    assert (model.predict(frame.iloc[:5]) == model.predict(frame)[:5]).all()


def test_what_it_refuses(table: tuple[pd.DataFrame, Any]) -> None:
    frame, y = table
    dated = frame.assign(born=pd.Timestamp("2020-01-01"))
    with pytest.raises(InvalidDataError, match="column 'born': must be numbers or categories"):
        ClassifierPool(2).fit(dated, y)
    infinite = frame.assign(age=frame["age"].replace({frame["age"].max(): np.inf}))
    with pytest.raises(InvalidDataError, match="finite or missing, got infinity"):
        ClassifierPool(2).fit(infinite, y)
    pool = ClassifierPool(2).fit(frame, y)
    with pytest.raises(InvalidDataError, match="numbers in the columns that had numbers"):
        pool.votes(frame.assign(age="old"))
    with pytest.raises(InvalidDataError, match="feature names"):
        pool.votes(frame.iloc[:, :2])
