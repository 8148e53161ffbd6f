"""How the trials of the third notebook are measured: generated data, forests, median times, peak memory."""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import psutil
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from compactml.condition_sharing import node_intervals, shared_thresholds
from compactml.datasets import load
from compactml.study.trial import Recipe, Trial

REPEATS = 3


def synthetic(n_rows: int, n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A two-class problem of the shape of HEPMASS: normal features, a noisy nonlinear boundary."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_features))
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(2 * X[:, 3]) + rng.standard_normal(n_rows)
    return X, (score > 0).astype(int)


def random_intervals(p: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper ends of p intervals, most of them short."""
    rng = np.random.default_rng(seed)
    lower = rng.random(p)
    return lower, lower + rng.random(p) ** 4 / 2 + 1e-6


def generated(trial: Trial) -> Recipe | None:
    """How the data of "synthetic:ROWSxFEATURES" are made; None for a registered dataset."""
    if not trial.dataset.startswith("synthetic:"):
        return None
    rows, features = trial.dataset.removeprefix("synthetic:").split("x")
    return synthetic, (int(rows), int(features), trial.seed)


def number(trial: Trial, name: str) -> int:
    """A parameter of a trial that is a whole number."""
    return int(dict(trial.parameters)[name])  # type: ignore[arg-type]


def training_data(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a registered dataset, or generated ones for "synthetic:ROWSxFEATURES"."""
    recipe = generated(trial)
    if recipe is not None:
        function, arguments = recipe
        X, y = function(*arguments)
        return X, y
    dataset = load(trial.dataset)
    return dataset.X.to_numpy(np.float64), dataset.y.to_numpy()


def fitted(trial: Trial) -> tuple[Any, np.ndarray]:
    """The trial's forest, fitted on all rows with one thread."""
    kind = {"RF": RandomForestClassifier, "ERT": ExtraTreesClassifier}[trial.method]
    X, y = training_data(trial)
    return kind(number(trial, "trees"), bootstrap=True, random_state=trial.seed).fit(X, y), X


def seconds(function: Callable[[], Any], repeats: int = REPEATS) -> float:
    """Median wall time; the first, compiling call is the caller's business."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return float(np.median(times))


@contextmanager
def peak_memory() -> Iterator[Callable[[], float]]:
    """Yield a function that tells how many MiB the resident memory rose above its value at the start."""
    with suppress(
        OSError, AttributeError
    ):  # glibc only: freed memory that the process still holds would hide a rise
        ctypes.CDLL(None).malloc_trim(0)
    process = psutil.Process()
    start = peak = process.memory_info().rss
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.002):
            peak = max(peak, process.memory_info().rss)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield lambda: (peak - start) / 2**20
    finally:
        done.set()
        watcher.join()


def compile_kernels() -> None:
    """Call every compiled function once on a tiny forest."""
    X, y = synthetic(60, 4, 0)
    for matrix in (X, X.astype(np.float32).astype(np.float64)):
        forest = RandomForestClassifier(2, random_state=0).fit(matrix, y)
        shared_thresholds(node_intervals(forest, matrix))
        intervals = node_intervals(forest, matrix, path_change_rate=0.3)
        for dynamic_up_to in (0.0, math.inf):
            shared_thresholds(intervals, exceptions=0.5, dynamic_up_to=dynamic_up_to)
