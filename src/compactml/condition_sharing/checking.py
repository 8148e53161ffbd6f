"""What the public functions of this package ask of their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.forests import check_ensemble, fitted_trees

__all__ = ["check_most", "check_same_trees", "check_sample_indices"]


def check_most(name: str, value: Any) -> None:
    """Raise `InvalidParameterError` unless ``value`` is a number of at least 0, which may be infinite."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not value >= 0:
        raise InvalidParameterError(name, "a number of at least 0", value)


def check_sample_indices(sample_indices: Any, n_trees: int, n_samples: int) -> list[np.ndarray] | None:
    """Return one integer vector per tree, or raise `InvalidDataError`."""
    if sample_indices is None:
        return None
    listed = isinstance(sample_indices, Sequence) and not isinstance(sample_indices, str | bytes)
    listed = listed or (isinstance(sample_indices, np.ndarray) and sample_indices.ndim > 0)
    if not listed or len(sample_indices) != n_trees:
        got = f"{len(sample_indices)}" if listed else type(sample_indices).__name__
        raise InvalidDataError("sample_indices", f"one index vector per tree ({n_trees})", got)
    return [_checked_rows(f"sample_indices[{t}]", rows, n_samples) for t, rows in enumerate(sample_indices)]


def _checked_rows(name: str, rows: Any, n_samples: int) -> np.ndarray:
    try:
        vector = np.asarray(rows)
    except ValueError as error:  # of different lengths
        raise InvalidDataError(name, "a non-empty vector of integers", str(error)) from error
    if vector.ndim != 1 or vector.size == 0 or not np.issubdtype(vector.dtype, np.integer):
        got = f"{vector.dtype} of shape {vector.shape}"
        raise InvalidDataError(name, "a non-empty vector of integers", got)
    if vector.min() < 0 or vector.max() >= n_samples:
        got = f"{vector.min()} to {vector.max()}"
        raise InvalidDataError(name, f"row numbers in [0, {n_samples})", got)
    return vector


def check_same_trees(original: Any, shared: Any) -> None:
    """Raise `InvalidDataError` unless the second ensemble has the trees of the first but for their thresholds."""
    check_ensemble(shared)
    before, after = fitted_trees(original), fitted_trees(shared)
    parts = ("feature", "children_left", "children_right")
    if len(before) != len(after) or not all(
        np.array_equal(getattr(one, part), getattr(other, part))
        for one, other in zip(before, after, strict=True)
        for part in parts
    ):
        raise InvalidDataError("shared", "the trees of the original with other thresholds", "other trees")
