"""Bins and splits of the chapter's datasets."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.datasets import (
    ALL,
    BINS,
    DATASETS,
    DISTINCT,
    KEYS,
    PaperDataset,
    binned,
    problem,
    split,
)
from compactml.chapters.pace.trials.ensembles import RANDOM_FOREST, trial_ensemble
from compactml.datasets.loading import available
from compactml.study.profile import Profile
from compactml.study.recording.published import published


def test_quantile_bins_hold_equal_shares() -> None:
    values = np.random.default_rng(0).lognormal(size=1000)
    assert np.bincount(binned(values)).tolist() == [100] * BINS


def test_uniform_bins_where_a_quantile_bin_would_be_empty() -> None:
    values = np.concatenate([np.zeros(500), np.linspace(0.0, 100.0, 501)])
    assert (binned(values) == np.maximum(np.ceil(values / 10) - 1, 0)).all()


def test_deciles_of_distinct_values_pay_no_heed_to_ties() -> None:
    distinct = np.random.default_rng(0).permutation(np.arange(20.0))
    tied = np.concatenate([distinct, np.zeros(500)])
    codes = binned(tied, DISTINCT)
    assert (codes == tied // 2).all()  # the edges 1.9, 3.8, ... lie between pairs
    edges = np.arange(11.0)  # the deciles are whole here: a value on one belongs to the bin above
    assert binned(edges, DISTINCT).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert binned(edges).tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("deciles_of", [ALL, DISTINCT])
def test_bins_keep_the_order(deciles_of: str) -> None:
    random = np.random.default_rng(1)
    for scale in (100.0, 2.0, 1.0):  # fewer and fewer distinct values
        values: NDArray[np.float64] = np.floor(random.normal(scale=scale, size=300))
        codes = binned(values, deciles_of)
        assert (np.diff(codes[np.argsort(values, kind="stable")]) >= 0).all()
        assert set(codes.tolist()) <= set(range(BINS))


@pytest.mark.parametrize("dataset", DATASETS, ids=lambda dataset: dataset.name)
def test_the_data_are_those_of_table_2(dataset: PaperDataset) -> None:
    if not available(dataset.key):
        pytest.skip(f"{dataset.key} is not at hand")
    own = problem(dataset.key)
    rows = published("pace", "table_2").set_index("dataset")
    printed: dict[str, str] = rows.loc[dataset.name].to_dict()  # type: ignore[assignment]
    numerical = 9 if dataset.name == "Cancer" else int(printed["numerical_features"])  # 8 are printed
    assert (len(own.y), len(np.unique(own.y))) == (int(printed["samples"]), int(printed["classes"]))
    assert (own.binary.sum(), (~own.binary).sum()) == (int(printed["binary_features"]), numerical)
    assert set(np.unique(own.X)) <= set(range(BINS))
    largest_share = np.bincount(own.y).max() / len(own.y)
    printed_share = max(float(printed["class_share_1"]), float(printed["class_share_3"] or 0))
    assert largest_share == pytest.approx(printed_share, abs=2e-3)


def test_the_split_follows_the_seed() -> None:
    if not available("seeds"):
        pytest.skip("seeds is not at hand")
    one, again, other = (split(KEYS["Seeds"], seed) for seed in (1, 1, 2))
    assert (len(one.X_train), len(one.X_test)) == (168, 42)
    assert (one.X_train == again.X_train).all()
    assert (one.X_train != other.X_train).any()


def test_binary_features_have_no_other_reading() -> None:
    if not (available("compas") and available("pima")):
        pytest.skip("compas or pima is not at hand")
    assert (problem(KEYS["Compas"]).X == problem(KEYS["Compas"], DISTINCT).X).all()
    assert (problem(KEYS["Diabetes"]).X != problem(KEYS["Diabetes"], DISTINCT).X).any()


def test_trials_of_the_other_reading_have_its_bins() -> None:
    if not available("seeds"):
        pytest.skip("seeds is not at hand")
    (trial,) = (
        one
        for one in CHAPTER.trials("bins", Profile.QUICK)
        if one.dataset == KEYS["Seeds"]
        and dict(one.parameters) | {"ensemble": RANDOM_FOREST, "n_learners": 50} == dict(one.parameters)
    )
    trained = trial_ensemble(trial)[1].X_train
    assert (trained == split(trial.dataset, trial.seed, DISTINCT).X_train).all()
    assert (trained != split(trial.dataset, trial.seed).X_train).any()
