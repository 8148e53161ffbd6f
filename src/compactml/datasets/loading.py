"""`load`: from a key to checked values."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn
from sklearn.datasets import load_breast_cancer, load_iris

from compactml.datasets import archives, matlab, storage, unpinned
from compactml.datasets import columns as names
from compactml.datasets.archives import Loader, single_table
from compactml.datasets.errors import (
    ChecksumMismatch,
    DatasetMismatch,
    DatasetNotAvailable,
    UnpinnedDataWarning,
)
from compactml.datasets.registry import Entry, Task, entry
from compactml.datasets.tables import TABLES, Parsed
from compactml.errors import check_instance

LOADERS: Mapping[str, Loader] = {
    **{key: partial(single_table, table) for key, table in TABLES.items()},
    **archives.LOADERS,
    **matlab.LOADERS,
    **unpinned.LOADERS,
}
"""The loader of each key; it takes the paths of the needed files by file name."""


@dataclass(frozen=True, eq=False)  # frames have no single truth value to compare by
class Dataset:
    """A dataset ready for use.

    Attributes
    ----------
    X : DataFrame of shape (n_rows, n_features)
        Features under their upstream names, index 0 .. n_rows - 1; numeric columns are int64 or float64,
        others are strings; missing values are NaN.
    y : Series of length n_rows
        Class labels as in the file (exceptions are stated with the loader), or the regression target.
    task : {"classification", "regression"}
    name : str
        The registry key, or the name of the variant or generator.
    source : str
        Where the values come from, in words.
    sha256 : str
        SHA-256 of the raw file; of the joined hashes of several; of the values where there is no file.

    Examples
    --------
    >>> from compactml.datasets import load
    >>> wdbc = load("wdbc")
    >>> wdbc.X.shape, wdbc.task
    ((569, 30), 'classification')
    """

    X: pd.DataFrame
    y: pd.Series
    task: Task
    name: str
    source: str
    sha256: str


def load(key: str) -> Dataset:
    """Return the registered dataset ``key`` from files at hand; nothing is downloaded.

    Parameters
    ----------
    key : str
        One of `keys()`. ``iris`` and ``wdbc`` come from scikit-learn when their file is not at hand.

    Returns
    -------
    Dataset

    Raises
    ------
    UnknownDataset
        No such key.
    DatasetNotAvailable
        A needed file is not at hand.
    ChecksumMismatch
        A file at hand does not have the registered SHA-256.
    DatasetMismatch
        The parsed values do not have the registered shape, class counts or target range.

    Warns
    -----
    UnpinnedDataWarning
        No SHA-256 of the file is registered.
    """
    registered = entry(key)
    if key in BUILT_IN and not any(storage.locate(file) for file in registered.files if file.needed):
        X, y, source = BUILT_IN[key]()
        return checked(registered, Dataset(X, y, registered.task, key, source, values_hash(X, y)))
    paths = {file.name: storage.verified(file) for file in registered.files if file.needed}
    X, y = _parse(registered, paths)
    source, sha256 = describe_source(registered, paths), files_hash(paths)
    dataset = checked(registered, Dataset(X, y, registered.task, key, source, sha256))
    if not registered.pinned:
        warnings.warn(
            f"dataset {key!r}: no SHA-256 of {', '.join(sorted(paths))} is registered, so that only the form of the "
            f"values was checked, not the values; compare {sha256} with that of another copy.",
            UnpinnedDataWarning,
            stacklevel=2,
        )
    return dataset


def available(key: str) -> bool:
    """Return whether `load` can give ``key`` without a download (files present and their bytes right)."""
    registered = entry(key)
    try:
        for file in registered.files:
            if file.needed:
                storage.verified(file)
    except DatasetNotAvailable:
        return key in BUILT_IN
    except ChecksumMismatch:
        return False
    return True


def content_hash(dataset: Dataset) -> str:
    """Return the SHA-256 of the values of ``X`` and ``y`` with their column names and dtypes.

    It does not depend on the raw file's form: a loader that is rewritten and gives the same values gives the
    same hash.

    Raises
    ------
    InvalidDataError
        What is no `Dataset`.
    """
    check_instance("dataset", dataset, Dataset)
    return values_hash(dataset.X, dataset.y)


def values_hash(X: pd.DataFrame, y: pd.Series) -> str:
    """Return the SHA-256 of a frame's and a series' names, dtypes and values, column by column."""
    digest = hashlib.sha256()
    for name, column in [*X.items(), (y.name, y)]:
        digest.update(json.dumps([str(name), str(column.dtype), len(column)]).encode())
        digest.update(_bytes(column))
    return digest.hexdigest()


def _bytes(column: pd.Series) -> bytes:
    if pd.api.types.is_numeric_dtype(column):
        values = np.ascontiguousarray(column.to_numpy())
        return values.astype(values.dtype.newbyteorder("<")).tobytes()
    texts = [None if missing else str(value) for value, missing in zip(column, column.isna(), strict=True)]
    return json.dumps(texts).encode()


def checked(registered: Entry, dataset: Dataset) -> Dataset:
    """Return ``dataset`` if it has the registered shape, class counts and target range, else raise."""
    shape = (registered.n_rows, registered.n_features)
    if dataset.X.shape != shape or len(dataset.y) != registered.n_rows:
        raise DatasetMismatch(registered.key, "shape", shape, dataset.X.shape)
    if dataset.y.isna().any():
        raise DatasetMismatch(registered.key, "number of missing targets", 0, int(dataset.y.isna().sum()))
    if registered.class_counts:
        counts = {str(label): int(count) for label, count in dataset.y.value_counts(sort=False).items()}
        if counts != registered.class_counts:
            raise DatasetMismatch(registered.key, "class counts", dict(registered.class_counts), counts)
    if registered.target_range is not None:
        found = (float(dataset.y.min()), float(dataset.y.max()))
        if found != registered.target_range:
            raise DatasetMismatch(registered.key, "target range", registered.target_range, found)
    return dataset


def files_hash(paths: Mapping[str, Path]) -> str:
    """Return the SHA-256 of one file, or of the joined hashes of several in the order of their names."""
    digests = [storage.sha256(paths[name]) for name in sorted(paths)]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def describe_source(registered: Entry, paths: Mapping[str, Path]) -> str:
    """Say where the values come from, without a folder of this machine."""
    unpinned = "" if registered.pinned else ", hash not pinned"
    return f"{registered.upstream}; {', '.join(sorted(paths))}{unpinned}"


def _parse(registered: Entry, paths: Mapping[str, Path]) -> Parsed:
    try:
        if not registered.pinned:
            unpinned.check_unpacked(paths, registered.n_rows * (registered.n_features + 1))
        return tidy(*LOADERS[registered.key](paths))
    except Exception as error:
        if registered.pinned:
            raise  # the bytes are the registered ones: a defect here, not a wrong file
        found = f"{type(error).__name__}: {error}"
        raise DatasetMismatch(registered.key, "file content", "in the upstream format", found) from error


def tidy(X: pd.DataFrame, y: pd.Series) -> Parsed:
    """Give an index from 0, text as column names, and no narrow number types (sums of uint8 overflow)."""
    X = X.reset_index(drop=True).set_axis([str(name) for name in X.columns], axis="columns")
    return X.astype(_wide(X)), _widened(y.reset_index(drop=True))


def _wide(X: pd.DataFrame) -> dict[str, str]:
    kinds = {"i": "int64", "u": "int64", "f": "float64"}
    return {str(name): kinds[dtype.kind] for name, dtype in X.dtypes.items() if dtype.kind in kinds}


def _widened(y: pd.Series) -> pd.Series:
    return y.astype("int64") if y.dtype.kind in "iu" else y


def _iris() -> tuple[pd.DataFrame, pd.Series, str]:
    """scikit-learn's iris with the UCI file's values.

    scikit-learn corrected rows 35 and 38 after Fisher's article (see its `load_iris` documentation); the UCI
    file keeps the older values, which are put back here.
    """
    bunch = load_iris()
    X = pd.DataFrame(bunch.data, columns=list(names.IRIS[:-1]))
    X.iloc[[34, 37]] = [4.9, 3.1, 1.5, 0.1]
    y = pd.Series([f"Iris-{bunch.target_names[label]}" for label in bunch.target], name=names.IRIS[-1])
    return X, y, f"scikit-learn {sklearn.__version__} load_iris, rows 35 and 38 as in the UCI file"


def _wdbc() -> tuple[pd.DataFrame, pd.Series, str]:
    bunch = load_breast_cancer()
    X = pd.DataFrame(bunch.data, columns=list(names.WDBC[2:]))
    y = pd.Series(bunch.target, name="diagnosis").astype("int64")
    return X, y, f"scikit-learn {sklearn.__version__} load_breast_cancer"


BUILT_IN: Mapping[str, Callable[[], tuple[pd.DataFrame, pd.Series, str]]] = {"iris": _iris, "wdbc": _wdbc}
"""Keys that ship with scikit-learn."""
