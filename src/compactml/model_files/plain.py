"""Plain data as JSON and arrays beside it, and back.

What JSON has no word for is an object with one key: ``{"array": 3}``, ``{"tuple": [...]}``, ``{"dict": {...}}``,
``{"float": "inf"}`` and ``{"objects": [...], "shape": [...]}`` for an array of single values.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError

__all__ = ["decoded", "encoded"]

KINDS = "biufU"
"""Of arrays that are written as they are."""


def encoded(value: Any, arrays: list[NDArray[Any]], where: str = "model") -> Any:
    """Return what JSON takes, after putting the arrays into the list.

    Raises
    ------
    InvalidDataError
        What is no plain data.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, list | tuple):
        each = [encoded(entry, arrays, f"{where}[{k}]") for k, entry in enumerate(value)]
        return each if isinstance(value, list) else {"tuple": each}
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {"dict": {name: encoded(entry, arrays, f"{where}.{name}") for name, entry in value.items()}}
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        each = [encoded(entry, arrays, where) for entry in value.ravel().tolist()]
        if all(entry is None or isinstance(entry, bool | int | float | str) for entry in each):
            return {"objects": each, "shape": list(value.shape)}
    if isinstance(value, np.ndarray) and value.dtype.kind in KINDS:
        arrays.append(np.ascontiguousarray(value).reshape(value.shape))
        return {"array": len(arrays) - 1}
    raise InvalidDataError(where, "plain data, to be written to a file", type(value).__name__)


def decoded(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """Return plain data.

    Raises
    ------
    InvalidDataError
        An object that stands for nothing.
    """
    if not isinstance(value, dict | list):
        return value
    if isinstance(value, list):
        return [decoded(entry, arrays) for entry in value]
    match value:
        case {"tuple": list(each), **rest} if not rest:
            return tuple(decoded(entry, arrays) for entry in each)
        case {"dict": dict(named), **rest} if not rest:
            return {name: decoded(entry, arrays) for name, entry in named.items()}
        case {"float": ("inf" | "-inf" | "nan") as text, **rest} if not rest:
            return float(text)
        case {"array": int(k), **rest} if not rest and not isinstance(k, bool) and 0 <= k < len(arrays):
            return arrays[k]
        case {"objects": list(each), "shape": list(shape), **rest} if not rest:
            return _objects(each, shape)
    raise InvalidDataError(
        "model.json", "objects that stand for plain data", f"one of keys {sorted(value)[:5]}"
    )


def _objects(each: list[Any], shape: list[Any]) -> NDArray[Any]:
    single = all(entry is None or isinstance(entry, bool | int | float | str) for entry in each)
    sizes = all(isinstance(size, int) and not isinstance(size, bool) and size >= 0 for size in shape)
    if not single or not sizes or math.prod(shape) != len(each) or len(shape) > 32:
        raise InvalidDataError(
            "model.json", "as many single values as a shape has", f"{len(each)} for another shape"
        )
    array = np.empty(len(each), dtype=object)
    array[:] = each
    return array.reshape(shape)
