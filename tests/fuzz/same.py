"""Whether two results, or an argument before and after a call, are equal in all but clocks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

__all__ = ["same"]

CLOCKED = ("seconds", "history", "clock", "_last")
"""Parts of names of what a clock decides."""
DEEPEST = 12


def same(one: Any, other: Any, depth: int = 0) -> bool:
    """Return whether two values are equal, NaN to NaN, but for what a clock decides."""
    if one is other or depth > DEEPEST:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return _same_arrays(one, other, depth)
    if isinstance(one, pd.DataFrame | pd.Series):
        return one.equals(other)
    if sparse.issparse(one):
        return one.shape == other.shape and same(one.tocoo().data, other.tocoo().data)
    if isinstance(one, Mapping):
        return _same_mappings(one, other, depth)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(lambda a, b: same(a, b, depth + 1), one, other))
    if isinstance(one, float | complex | np.number):
        return bool(one == other or (one != one and other != other))
    if callable(one) or isinstance(one, type):
        return True
    if type(one).__name__ == "Tree":
        return same(one.__getstate__(), other.__getstate__(), depth + 1)
    if hasattr(one, "__dict__"):
        return same(_facts(one), _facts(other), depth + 1)
    return _equal(one, other)


def _facts(one: Any) -> dict[str, Any]:
    """The attributes of an object but for those that are computed once they are asked for."""
    kind = type(one)
    return {
        n: value for n, value in vars(one).items() if not isinstance(getattr(kind, n, None), cached_property)
    }


def _same_mappings(one: Mapping[Any, Any], other: Mapping[Any, Any], depth: int) -> bool:
    names = [name for name in one if not any(part in str(name) for part in CLOCKED)]
    return len(one) == len(other) and all(
        name in other and same(one[name], other[name], depth + 1) for name in names
    )


def _same_arrays(one: np.ndarray, other: np.ndarray, depth: int) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype.names:
        return all(same(one[name], other[name], depth + 1) for name in one.dtype.names)
    if one.dtype == object:
        return all(map(lambda a, b: same(a, b, depth + 1), one.ravel().tolist(), other.ravel().tolist()))
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fcmM"))


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.random.RandomState):
        return same(one.get_state(legacy=False), other.get_state(legacy=False))
    if type(one).__eq__ is object.__eq__:  # of compiled code, without parts that can be looked at
        return True
    try:
        return bool(one == other)
    except (TypeError, ValueError):
        return repr(one) == repr(other)
