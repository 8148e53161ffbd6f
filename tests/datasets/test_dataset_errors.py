"""Every error of the package survives pickling: workers send them back to the coordinating process."""

from __future__ import annotations

import pickle

import pytest

from compactml.datasets.errors import (
    ChecksumMismatch,
    DatasetMismatch,
    DatasetNotAvailable,
    DownloadFailed,
    UnknownDataset,
)
from compactml.errors import CompactmlError

ERRORS = [
    (UnknownDataset("iriss", ["iris", "wdbc"]), KeyError),
    (DatasetNotAvailable("iris", "iris.data", ["folder"]), FileNotFoundError),
    (DatasetNotAvailable("iris", "iris.data", ["folder"], "a page"), LookupError),
    (ChecksumMismatch("iris", "iris.data", "aa", "bb"), ValueError),
    (DatasetMismatch("iris", "shape", (150, 4), (149, 4)), ValueError),
    (DownloadFailed("iris", "iris.data", "place", [("https://a", "404")]), OSError),
]


@pytest.mark.parametrize(("error", "standard"), ERRORS, ids=lambda value: getattr(value, "__name__", ""))
def test_an_error_is_of_both_trees_and_survives_pickling(error: CompactmlError, standard: type):
    assert isinstance(error, CompactmlError)
    assert isinstance(error, standard)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert {**vars(copy)} == {**vars(error)}


def test_a_file_that_cannot_be_judged_is_not_offered_for_download():
    assert "data fetch" in str(DatasetNotAvailable("iris", "iris.data", ["folder"]))
    message = str(DatasetNotAvailable("hepmass", "all_train.csv.gz", ["folder"], "a page"))
    assert "data fetch" not in message
    assert "Get it from a page" in message
