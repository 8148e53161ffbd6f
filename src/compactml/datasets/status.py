"""What is at hand: `describe` for datasets, `verify` for files."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from compactml.datasets import registry, storage
from compactml.datasets.loading import BUILT_IN
from compactml.datasets.registry import Entry, RegisteredFile, entry
from compactml.errors import InvalidParameterError


def verify(keys: str | Iterable[str] | None = None) -> pd.DataFrame:
    """Check the files of some or all datasets against the registry.

    Parameters
    ----------
    keys : str or iterable of str, optional
        Datasets to check; all by default.

    Returns
    -------
    DataFrame
        One row per file: ``key``, ``file``, ``path`` (where it lies, or where a missing file belongs),
        ``state`` ("ok", "missing", "corrupt" or "not pinned": at hand, but no SHA-256 is registered),
        ``expected`` and ``found`` (SHA-256, empty where there is none).

    Raises
    ------
    UnknownDataset
        A key is not registered.
    InvalidParameterError
        ``keys`` are no keys.
    """
    try:
        chosen = list(registry.entries()) if keys is None else [keys] if isinstance(keys, str) else list(keys)
    except TypeError:
        raise InvalidParameterError("keys", "a key, several, or None", keys) from None
    rows = [_file_row(file) for key in chosen for file in entry(key).files]
    return pd.DataFrame(rows, columns=["key", "file", "path", "state", "expected", "found"])


def describe() -> pd.DataFrame:
    """Return the registry joined with what is at hand, one row per dataset.

    Returns
    -------
    DataFrame
        ``key``, ``title``, ``task``, ``n_rows``, ``n_features``, ``n_classes`` (0: regression, or not known), ``state``
        ("at hand", "built in": ships with scikit-learn, "missing", "corrupt", "not pinned"), ``files``,
        ``bytes``, ``upstream``, ``licence``.
    """
    return pd.DataFrame([_entry_row(item) for item in registry.entries().values()])


def _file_row(file: RegisteredFile) -> dict[str, str]:
    path = storage.locate(file)
    digest = "" if path is None else storage.sha256(path)
    if path is None:
        state = "missing"
    elif file.sha256 is None:
        state = "not pinned"
    else:
        state = "ok" if digest == file.sha256 else "corrupt"
    place = path or storage.folders()[0] / file.key / file.name
    return {
        "key": file.key, "file": file.name, "path": str(place), "state": state,
        "expected": file.sha256 or "", "found": digest,
    }  # fmt: skip


def _entry_row(item: Entry) -> dict[str, object]:
    return {
        "key": item.key, "title": item.title, "task": item.task, "n_rows": item.n_rows,
        "n_features": item.n_features, "n_classes": len(item.class_counts), "state": _entry_state(item),
        "files": ", ".join(file.name for file in item.files),
        "bytes": sum(file.bytes or 0 for file in item.files),
        "upstream": item.upstream, "licence": item.licence,
    }  # fmt: skip


def _entry_state(item: Entry) -> str:
    states = {_file_row(file)["state"] for file in item.files if file.needed}
    if states == {"missing"} and item.key in BUILT_IN:
        return "built in"
    return next((state for state in ("corrupt", "missing", "not pinned") if state in states), "at hand")
