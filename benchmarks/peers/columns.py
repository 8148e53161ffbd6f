"""mRMR beside mrmr-selection and the selectors of scikit-lego and feature-engine: the same training rows, the same k.

Ours takes the table as it is; the others get numbers, a code for each text and the median for a missing value, without
columns that do not vary. A fit that takes less than a second is repeated and the fastest counts. The value of a set is
the accuracy, on the test rows, of boosted trees that see its columns only.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split

from benchmarks import tables
from benchmarks.peers.measured import OURS, Measured
from compactml.feature_selection import MRMRSelector
from compactml.study.keys.environments import Environment

ENVIRONMENT = Environment("selectors")
PROGRAM = Path(__file__).with_name("columns_program.py")
QUICK = 1.0
CASES = (
    ("hi", "5"),
    ("flchain", "4"),
    ("diamonds", "4"),
    ("madelon", "10"),
    ("cnae9", "20"),
    ("epileptic_seizure", "15"),
    ("isolet", "20"),
)
"""Table and k."""


class Rows(NamedTuple):
    """Training or test rows: as they are, as numbers, and their classes."""

    X: pd.DataFrame
    numbers: NDArray[np.float64]
    y: NDArray[np.int64]


def at_hand(name: str) -> bool:
    """Whether a table can be read here."""
    return tables.at_hand(name)


def coded(X: pd.DataFrame) -> NDArray[np.float64]:
    """A number for each text, and the median of its column for a missing value."""
    columns = [
        column if pd.api.types.is_numeric_dtype(column) else pd.Series(pd.factorize(column, sort=True)[0])
        for _, column in X.items()
    ]
    return np.column_stack(
        [np.nan_to_num(column.to_numpy(dtype=float), nan=float(column.median())) for column in columns]
    )


def parts(X: pd.DataFrame, y: Any) -> tuple[Rows, Rows]:
    """Seven tenths for training, the others for the test."""
    labels, numbers = np.unique(np.asarray(y), return_inverse=True)[1], coded(X)
    train, test = train_test_split(np.arange(len(X)), test_size=0.3, random_state=0, stratify=labels)
    return tuple(Rows(X.iloc[rows], numbers[rows], labels[rows]) for rows in (train, test))  # type: ignore[return-value]


def of_peers(train: Rows, k: int) -> list[dict[str, Any]]:
    """What each package chose, or how it failed.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    varying = np.flatnonzero(np.ptp(train.numbers, axis=0) > 0)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.npz"
        np.savez(file, X=train.numbers[:, varying], y=train.y)
        answers: list[dict[str, Any]] = json.loads(ENVIRONMENT.run(str(PROGRAM), str(file), str(k)))
    for answer in answers:
        if "columns" in answer:
            answer["columns"] = varying[answer["columns"]].tolist()
    return answers


def fastest(fit: Callable[[], MRMRSelector]) -> tuple[MRMRSelector, float]:
    """A fitted selector and the processor's seconds."""
    seconds: list[float] = []
    while len(seconds) < 3 and sum(seconds) < QUICK:
        begin = time.process_time()
        selector = fit()
        seconds.append(time.process_time() - begin)
    return selector, min(seconds)


def accuracy(columns: Sequence[int], train: Rows, test: Rows) -> float:
    """Share of the test rows that boosted trees predict from some columns."""
    kept = list(columns)
    model = HistGradientBoostingClassifier(max_iter=40, random_state=0).fit(train.numbers[:, kept], train.y)
    return float(model.score(test.numbers[:, kept], test.y))


def ours(train: Rows, test: Rows, k: int) -> list[Measured]:
    """Our certified selection, and our greedy one."""
    measured = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method, program in (("certified", OURS), ("greedy", f"{OURS}, greedy")):
            MRMRSelector(2, method=method).fit([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1]], [0, 1, 1, 0])
            selector, seconds = fastest(
                lambda method=method: MRMRSelector(k, method=method).fit(train.X, train.y)
            )  # type: ignore[misc]
            value = accuracy(np.flatnonzero(selector.support_).tolist(), train, test)
            measured.append(Measured(f"k = {k}", program, seconds, value, selector.result_.proved))
    return measured


def measure(name: str, size: str) -> list[Measured]:
    """All programs on one table."""
    k = int(size)
    train, test = parts(*tables.table(name))
    measured = []
    for answer in of_peers(train, k):
        value = accuracy(answer["columns"], train, test) if "columns" in answer else float("nan")
        seconds = answer.get("seconds", float("nan"))
        measured.append(
            Measured(f"k = {k}", answer["program"], seconds, value, note=answer.get("failed", ""))
        )
    return [*measured, *ours(train, test, k)]
