"""Several models on one split: how good, how large, how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

__all__ = ["ACCURACY", "SECONDS", "SIZE", "compete", "frame", "rows_of", "timed"]

ACCURACY, SIZE, SECONDS = "accuracy on test rows (%)", "size", "processor time (s)"


def compete(
    models: Mapping[str, Any],
    train: tuple[Any, Any],
    test: tuple[Any, Any],
    *,
    size: Callable[[Any], float | None] = lambda model: None,
) -> tuple[Any, dict[str, Any]]:
    """Fit models to the same rows, and say how each does on others.

    Parameters
    ----------
    models : mapping of str to estimator
    train, test : pair of X and y
    size : callable, optional
        Of a fitted model.

    Returns
    -------
    rows : DataFrame
        A row a model: accuracy on the test rows in per cent, size, seconds of the processor in ``fit``.
    fitted : dict of str to estimator
    """
    rows, fitted = {}, {}
    for name, model in models.items():
        fitted[name], seconds = timed(model.fit, *train)
        rows[name] = {
            ACCURACY: round(100 * float(fitted[name].score(*test)), 2),
            SIZE: size(fitted[name]),
            SECONDS: round(seconds, 3),
        }
    return rows_of(rows), fitted


def rows_of(records: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return a DataFrame with a row for each record, in words of its own; see `frame` for its type."""
    return pd.DataFrame.from_dict(dict(records), orient="index")


def frame(data: Any, **options: Any) -> Any:
    """Return a DataFrame as pandas makes it.

    Its type is left open: pandas' stubs give a single cell every type there is, and the pages compute with cells.
    """
    return pd.DataFrame(data, **options)


def timed(call: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, float]:
    """Return what a call returns, and the seconds of the processor that it took."""
    start = time.process_time()
    value = call(*arguments, **options)
    return value, time.process_time() - start
