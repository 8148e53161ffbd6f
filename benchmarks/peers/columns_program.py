"""Columns by three packages for mRMR, in the environment of ``environments/selectors.txt``.

Run as a program with a file of a table of numbers, its classes and k; writes one line of JSON for all packages. It
imports nothing of this project. mRMR stands for the F statistic by the mean of the absolute correlations in all three,
which is the default of two of them.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
import warnings
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

QUICK = 1.0  # seconds: a faster fit is repeated, and the fastest counts


def mrmr_selection(X: pd.DataFrame, y: pd.Series, k: int) -> list[str]:
    from mrmr import mrmr_classif

    chosen: list[str] = mrmr_classif(X, y, K=k, n_jobs=1, show_progress=False)
    return chosen


def scikit_lego(X: pd.DataFrame, y: pd.Series, k: int) -> list[str]:
    from sklego.feature_selection import MaximumRelevanceMinimumRedundancy

    chosen = MaximumRelevanceMinimumRedundancy(k, kind="classification").fit(X, y).selected_features_
    return list(X.columns[chosen])


def feature_engine(X: pd.DataFrame, y: pd.Series, k: int) -> list[str]:
    from feature_engine.selection import MRMR

    return list(MRMR(method="FCQ", max_features=k).fit(X, y).get_feature_names_out())


PEERS = {
    "mrmr-selection": mrmr_selection,
    "scikit-lego": scikit_lego,
    "feature-engine": feature_engine,
}


def timed(name: str, X: pd.DataFrame, y: pd.Series, k: int) -> dict[str, Any]:
    """The columns that one package chooses, and the seconds of its fastest fit."""
    said: dict[str, Any] = {"program": f"{name} {version(name)}"}
    choose, seconds = PEERS[name], []
    some = slice(20 * y.nunique())
    with contextlib.suppress(ValueError):  # too few rows for some column
        choose(X.iloc[some], y.iloc[some], 1)  # what is imported late is no part of a fit
    try:
        while len(seconds) < 3 and sum(seconds) < QUICK:
            begin = time.process_time()
            chosen = choose(X, y, k)
            seconds.append(time.process_time() - begin)
    except Exception as error:  # whatever it is, the others are measured
        return {**said, "failed": f"{type(error).__name__}: {error}".splitlines()[0]}
    return {**said, "seconds": min(seconds), "columns": [int(column[1:]) for column in chosen]}


def main(file: str, k: str) -> None:
    """Fit all packages and print what they chose."""
    warnings.simplefilter("ignore")
    with np.load(file) as table:
        X = pd.DataFrame(table["X"]).rename(columns="x{}".format)
        y = pd.Series(table["y"])
    print(json.dumps([timed(name, X, y, int(k)) for name in PEERS]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
