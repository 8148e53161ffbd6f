"""Hostile relatives of good arguments: seeded, small in memory, many in kind."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, clone

__all__ = ["calm", "hostile"]

NUMBERS = (
    0, 1, -1, 2, 3, 7, 100, 2**31, 2**33, 2**53 + 1, 2**63, -(2**63), 2**200, 10**7, 10**9,
    0.0, -0.0, 0.5, 1.5, -1.0, 1e-300, 1e300, 1e308, -1e308, float("nan"), float("inf"), -float("inf"),
    np.int64(-1), np.float32(0.1), np.float64("nan"), np.bool_(True), Fraction(1, 3), Decimal("0.1"), 1 + 2j,
)  # fmt: skip
OTHERS = (
    None, True, False, "", "x", "auto", "none", "\0", b"x", (), [], {}, set(), {1: 2}, [[]], [1, "a"], [[1, 2], [3]],
    ["a", "b"], ((1, 2), (3, 4)), object, range(3), pd.NA, pd.NaT, slice(2), datetime.date(2024, 1, 1),
    np.datetime64("2024-01-01"), np.array(1), np.array([]), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 2, 2)),
    np.array(["a", "b"]), np.array([1, None], dtype=object), np.array([1 + 1j]),
)  # fmt: skip
HUGE = (1e-300, 1e30, 1e39, 1e300, 9e307, -1.7e308)
INTEGERS = (-1, 2**31, 2**33, 2**53 + 1, -(2**63), 2**63 - 1)


def hostile(good: Any, rng: np.random.Generator) -> Any:
    """Return a relative of a good value that may be bad, or something else altogether."""
    if rng.random() < 0.3:
        return _one_of((*NUMBERS, *OTHERS), rng)
    if isinstance(good, pd.DataFrame):
        return _of_frame(good, rng)
    if isinstance(good, np.ndarray):
        return _of_array(good, rng)
    if isinstance(good, list | tuple) and len(good) and rng.random() < 0.7:
        return _of_sequence(good, rng)
    if isinstance(good, BaseEstimator):
        return clone(good) if rng.random() < 0.3 else _one_of(OTHERS, rng)
    if isinstance(good, bool | str) or callable(good):
        return _one_of((*OTHERS, good), rng)
    if isinstance(good, int | float | np.number):
        return _one_of((*NUMBERS, good, -good, good + 1, str(good)), rng)
    return _one_of((*NUMBERS, *OTHERS), rng)


def calm(value: Any, most: int = 5) -> Any:
    """Return a value that asks for no more work than so many steps: numbers above it are cut."""
    if isinstance(value, bool | str | bytes) or not isinstance(
        value, int | float | np.number | Fraction | Decimal
    ):
        return value
    return most if not isinstance(value, complex | np.complexfloating) and value > most else value


def _one_of(values: tuple[Any, ...], rng: np.random.Generator) -> Any:
    return values[int(rng.integers(len(values)))]


def _of_sequence(good: list[Any] | tuple[Any, ...], rng: np.random.Generator) -> Any:
    changed = list(good)
    place = int(rng.integers(len(changed)))
    way = int(rng.integers(4))
    if way == 0:
        changed[place] = hostile(changed[place], rng)
    elif way == 1:
        del changed[place]
    elif way == 2:
        changed.append(changed[place])
    else:
        return np.array(changed, dtype=object) if len(changed) > 8 else {0: changed}
    return type(good)(changed) if type(good) in (list, tuple) else changed


def _of_array(good: NDArray[Any], rng: np.random.Generator) -> Any:
    ways: tuple[Callable[[], Any], ...] = (
        lambda: _with(good, np.nan, rng), lambda: _with(good, np.inf, rng), lambda: _with(good, 0.5, rng),
        lambda: _with(good, _one_of(HUGE, rng), rng), lambda: _with(good, _one_of(INTEGERS, rng), rng, np.int64),
        lambda: _with(good, _one_of((None, "a", 2**70, [1], {}, pd.NA, (1, 2)), rng), rng, object),
        lambda: good.astype(good.dtype.newbyteorder()), lambda: good.astype(object), lambda: good.astype(str),
        lambda: good.astype(np.float16), lambda: good.astype(np.complex128), lambda: np.asfortranarray(good),
        lambda: good[::-1], lambda: good[:0], lambda: good[:1], lambda: good[..., :1], lambda: good[..., :0],
        lambda: good[..., np.newaxis], lambda: good.ravel(), lambda: np.concatenate([good, good[:1]]),
        lambda: good.tolist(), lambda: [*good.tolist(), [1]], lambda: pd.DataFrame(good.reshape(len(good), -1)),
        lambda: sparse.csr_array(good.reshape(len(good), -1).astype(float)),
        lambda: np.ma.masked_equal(good, good.flat[0]),
        lambda: np.zeros_like(good), lambda: np.ones_like(good), lambda: -good, lambda: good.astype(bool), lambda: good,
    )  # fmt: skip
    try:
        return _one_of(ways, rng)()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _with(good: NDArray[Any], value: Any, rng: np.random.Generator, dtype: Any = np.float64) -> NDArray[Any]:
    changed = good.astype(dtype)
    changed[tuple(int(rng.integers(n)) for n in good.shape)] = value
    return changed


def _of_frame(good: pd.DataFrame, rng: np.random.Generator) -> Any:
    n, name = len(good), good.columns[int(rng.integers(good.shape[1]))]
    cells: tuple[Any, ...] = (
        np.full(n, np.nan), np.full(n, np.inf), np.full(n, 2**53 + 1), [[1]] * n, [{}] * n, [(1,)] * n,
        [1, "1"] * (n // 2) + ["a"] * (n % 2), pd.array(([True, None, False] * n)[:n], dtype="boolean"),
        pd.array(([1, None] * n)[:n], dtype="Int64"), pd.Categorical(list("ab" * n)[:n]),
        pd.date_range("2024", periods=n),
        ([None, "a", "b"] * n)[:n], np.arange(n, dtype=">i4"), np.linspace(0, 1, n).astype(">f8"), [2**70] * n,
        pd.period_range("2024", periods=n, freq="D"), np.arange(n) * 1j, pd.array(["a"] * n, dtype="string"),
        pd.arrays.IntervalArray.from_breaks(range(n + 1)), [b"x"] * n, pd.to_timedelta(np.arange(n), unit="s"),
        [pd.NA] * n, pd.arrays.SparseArray(np.zeros(n)), np.arange(n, dtype=np.uint64) + np.uint64(2**63),
    )  # fmt: skip
    way = int(rng.integers(6))
    if way == 0:
        return _of_array(good.to_numpy(), rng)
    if way == 1:
        return _one_of((good.iloc[:0], good.iloc[:1], good.iloc[:, :0], good.iloc[:, :1]), rng)
    if way == 2:
        return good.set_axis([1, "a", *good.columns[2:]], axis=1)
    if way == 3:
        return pd.concat([good, good[[name]]], axis=1)
    return good.assign(**{name: _one_of(cells, rng)})
