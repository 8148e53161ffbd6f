"""Trials of the chapter's third notebook: speed, growth, evaluators, both relaxations together.

Times are measured within one trial and compared only as ratios of that trial.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import psutil
from sklearn.cluster import KMeans
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from compactml.condition_sharing import (
    cluster_centres,
    minimum_intersecting_set,
    minimum_intersecting_set_dynamic,
    node_intervals,
    share_conditions,
    shared_thresholds,
)
from compactml.condition_sharing.evaluator import condition_table, leaves_by_bank, leaves_by_ranks
from compactml.datasets import load
from compactml.study.profile import Profile
from compactml.study.trial import Recipe, Result, Trial

REPEATS = 3
GRID = (0.0, 0.05, 0.1, 0.2, 0.3)
CLUSTERS = (4, 16, 64)
BANK_ROWS = 2_000  # the bank's time per row does not depend on the number of rows


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
    """How the data of "synthetic:ROWSxFEATURES" and "synthetic:intervals" are made; None for a registered dataset."""
    if not trial.dataset.startswith("synthetic:"):
        return None
    if trial.kind == "search":
        return random_intervals, (int(dict(trial.parameters)["p"]), trial.seed)  # type: ignore[arg-type]
    rows, features = trial.dataset.removeprefix("synthetic:").split("x")
    return synthetic, (int(rows), int(features), trial.seed)


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
    n_trees = int(dict(trial.parameters)["trees"])  # type: ignore[arg-type]
    X, y = training_data(trial)
    return kind(n_trees, bootstrap=True, random_state=trial.seed).fit(X, y), X


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


def run_speed(trial: Trial) -> Result:
    """Intervals and sets against the forest's own ``apply`` on the same rows, one thread."""
    compile_kernels()
    forest, X = fitted(trial)
    intervals = node_intervals(forest, X)
    apply = seconds(lambda: forest.apply(X))
    find = seconds(lambda: node_intervals(forest, X))
    share = seconds(lambda: shared_thresholds(intervals))
    return {
        "n_rows": X.shape[0],
        "n_features": X.shape[1],
        "n_nodes": intervals.size,
        "apply_seconds": apply,
        "interval_seconds": find,
        "set_seconds": share,
        "ratio": (find + share) / apply,
    }


def run_growth(trial: Trial) -> Result:
    """Time and additional memory of sharing, for a forest of given rows and trees."""
    compile_kernels()
    forest, X = fitted(trial)
    with peak_memory() as peak:
        started = time.perf_counter()
        intervals = node_intervals(forest, X)
        middle = time.perf_counter()
        shared_thresholds(intervals)
        done = time.perf_counter()
        rise = peak()
    return {
        "n_rows": X.shape[0],
        "n_nodes": intervals.size,
        "row_visits": int(sum(tree.n_node_samples.sum() for tree in (e.tree_ for e in forest.estimators_))),
        "interval_seconds": middle - started,
        "set_seconds": done - middle,
        "peak_mib": rise,
    }


def run_evaluator(trial: Trial) -> Result:
    """Inference by a comparator bank and by ranks, before and after sharing; scikit-learn's apply beside them."""
    forest, X = fitted(trial)
    X32 = X.astype(np.float32)
    result: Result = {"apply_seconds": seconds(lambda: forest.apply(X))}
    models = {
        "before": forest,
        "shared": share_conditions(forest, X).ensemble_,
        "exceptions": share_conditions(forest, X, exceptions=0.1).ensemble_,
    }
    for name, model in models.items():
        table = condition_table(model)
        few = X32[:BANK_ROWS]
        leaves_by_bank(table, few[:1]), leaves_by_ranks(table, few[:1])
        result |= {
            f"NDC_{name}": table.n_conditions,
            f"rank_bytes_{name}": table.rank_dtype.itemsize,
            f"bank_seconds_{name}": seconds(lambda table=table, few=few: leaves_by_bank(table, few)),  # type: ignore[misc]
            f"rank_seconds_{name}": seconds(lambda table=table: leaves_by_ranks(table, X32)),  # type: ignore[misc]
        }
    return result


def run_tradeoff(trial: Trial) -> Result:
    """Both relaxations together on half of the rows: conditions, and accuracy on the other half."""
    X, y = training_data(trial)
    order = np.random.default_rng(trial.seed).permutation(len(y))
    train, test = np.array_split(order, 2)
    forest = RandomForestClassifier(int(dict(trial.parameters)["trees"]), random_state=trial.seed)  # type: ignore[arg-type]
    forest.fit(X[train], y[train])
    result: Result = {"TeA": float(forest.score(X[test], y[test]))}
    for sigma in GRID:
        for c in GRID:
            shared = share_conditions(forest, X[train], path_change_rate=sigma, exceptions=c)
            result["NDC"] = shared.n_conditions_before_
            result[f"NDC_sigma={sigma}_c={c}"] = shared.n_conditions_after_
            result[f"TeA_sigma={sigma}_c={c}"] = float(shared.ensemble_.score(X[test], y[test]))
    return result


def lloyd_centres(values: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster centres by scikit-learn's k-means with ten random starts, as the baseline is usually run."""
    distinct = np.unique(values)
    if distinct.size <= k:
        return values
    means = KMeans(k, n_init=10, random_state=seed).fit(values[:, None])
    return means.cluster_centers_[means.labels_, 0]


def run_baseline(trial: Trial) -> Result:
    """Within-cluster cost of the thresholds, per number of clusters: exact against ten random starts of Lloyd's."""
    forest, _ = fitted(trial)
    trees = [estimator.tree_ for estimator in forest.estimators_]
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    result: Result = {}
    for k in CLUSTERS:
        exact = lloyd = worse = 0.0
        for i in np.unique(feature[feature >= 0]):
            values = threshold[feature == i]
            scale = values.size * max(float(values.var()), np.finfo(float).tiny)
            best = float(((values - cluster_centres(values, k)) ** 2).sum()) / scale
            found = float(((values - lloyd_centres(values, k, trial.seed)) ** 2).sum()) / scale
            exact, lloyd, worse = exact + best, lloyd + found, worse + (found > best * (1 + 1e-9) + 1e-15)
        n_features = np.unique(feature[feature >= 0]).size
        result |= {
            f"exact_k={k}": exact / n_features,
            f"lloyd_k={k}": lloyd / n_features,
            f"worse_k={k}": int(worse),
        }
        result["n_features"] = int(n_features)
    return result


def run_search(trial: Trial) -> Result:
    """The parametric search against the paper's dynamic program on the same random intervals."""
    p, c = (int(dict(trial.parameters)[name]) for name in ("p", "c"))  # type: ignore[arg-type]
    lower, upper = random_intervals(p, trial.seed)
    for solve in (minimum_intersecting_set, minimum_intersecting_set_dynamic):
        solve(lower[:9], upper[:9], exceptions=2)
    fast, _ = minimum_intersecting_set(lower, upper, exceptions=c)
    slow, _ = minimum_intersecting_set_dynamic(lower, upper, exceptions=c)
    return {
        "points": len(fast),
        "points_dynamic": len(slow),
        "seconds": seconds(lambda: minimum_intersecting_set(lower, upper, exceptions=c)),
        "seconds_dynamic": seconds(
            lambda: minimum_intersecting_set_dynamic(lower, upper, exceptions=c), repeats=1
        ),
    }


RUN = {
    "speed": run_speed,
    "growth": run_growth,
    "evaluator": run_evaluator,
    "tradeoff": run_tradeoff,
    "search": run_search,
    "baseline": run_baseline,
}

TABLES = ("speed", "growth_rows", "growth_nodes", "evaluator", "tradeoff", "search", "baseline")


def trials(chapter: str, table: str, profile: Profile) -> list[Trial]:
    """Trials of one table of the third notebook."""
    quick = profile is Profile.QUICK

    def trial(kind: str, dataset: str, method: str, **parameters: int) -> Trial:
        return Trial(chapter, kind, dataset, method=method, parameters=tuple(sorted(parameters.items())))

    if table == "speed":
        # magic, and generated rows of its shape for machines without the file; the large set outside quick
        sets = [("magic", 100), ("synthetic:19020x10", 100)] + (
            [] if quick else [("synthetic:300000x28", 20)]
        )
        return [trial("speed", key, method, trees=trees) for key, trees in sets for method in ("RF", "ERT")]
    if table == "growth_rows":
        sizes = [4_000 * 2**k for k in range(5)] if quick else [31_250 * 2**k for k in range(7)]
        return [trial("growth", f"synthetic:{n}x28", "ERT", trees=4) for n in sizes]
    if table == "growth_nodes":
        n, largest = (10_000, 6) if quick else (300_000, 9)
        return [trial("growth", f"synthetic:{n}x28", "ERT", trees=2**k) for k in range(2, largest + 1)]
    if table == "evaluator":
        return [
            trial("evaluator", key, method, trees=100)
            for key in ("wdbc", "magic")
            for method in ("RF", "ERT")
        ]
    if table == "tradeoff":
        return [
            trial("tradeoff", key, "RF", trees=100) for key in (("wdbc",) if quick else ("wdbc", "magic"))
        ]
    if table == "baseline":
        return [
            trial("baseline", key, "RF", trees=100) for key in (("wdbc",) if quick else ("wdbc", "magic"))
        ]
    sizes = [(250, 125), (500, 250), (1_000, 500)] + ([] if quick else [(2_000, 1_000)])
    return [trial("search", "synthetic:intervals", "", p=p, c=c) for p, c in sizes]


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    if trial.kind in ("speed", "growth") and trial.dataset.startswith("synthetic:"):
        rows = int(trial.dataset.removeprefix("synthetic:").split("x")[0])
        return 2 + 1.5e-5 * rows * int(dict(trial.parameters)["trees"])  # type: ignore[arg-type]
    return 20.0
