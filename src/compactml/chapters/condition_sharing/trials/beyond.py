"""Trials of the chapter's third notebook: speed, growth, evaluators, both relaxations together.

Times are measured within one trial and compared only as ratios of that trial.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier

from compactml.chapters.condition_sharing.trials.measuring import (
    compile_kernels,
    fitted,
    generated,
    number,
    peak_memory,
    random_intervals,
    seconds,
    training_data,
)
from compactml.condition_sharing import (
    cluster_centres,
    minimum_intersecting_set,
    minimum_intersecting_set_dynamic,
    node_intervals,
    share_conditions,
    shared_thresholds,
)
from compactml.condition_sharing.evaluator import condition_table, leaves_by_bank, leaves_by_ranks
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Recipe, Trial
from compactml.watch import recorded

GRID = (0.0, 0.05, 0.1, 0.2, 0.3)
CLUSTERS = (4, 16, 64)
BANK_ROWS = 2_000  # the bank's time per row does not depend on the number of rows


@dataclass(frozen=True)
class Speed:
    """Seconds of intervals and sets, and of the forest's own ``apply`` on the same rows."""

    n_rows: int
    n_features: int
    n_nodes: int
    apply_seconds: float
    interval_seconds: float
    set_seconds: float
    ratio: float


@dataclass(frozen=True)
class Growth:
    """Seconds and additional memory of sharing."""

    n_rows: int
    n_nodes: int
    row_visits: int
    interval_seconds: float
    set_seconds: float
    peak_mib: float


@dataclass(frozen=True)
class Evaluated:
    """Conditions of an ensemble, bytes of a rank, and seconds of both evaluators."""

    NDC: int
    rank_bytes: int
    bank_seconds: float
    rank_seconds: float


@dataclass(frozen=True)
class Evaluators:
    """Both evaluators on an ensemble before and after sharing, and scikit-learn's ``apply`` beside them."""

    apply_seconds: float
    ensembles: dict[str, Evaluated] = spread(("before", "shared", "exceptions"), Evaluated)


@dataclass(frozen=True)
class Relaxed:
    """Conditions and accuracy of an ensemble."""

    NDC: int
    TeA: float


@dataclass(frozen=True)
class Tradeoff:
    """An ensemble before and after both relaxations together."""

    TeA: float
    NDC: int
    relaxed: dict[str, Relaxed] = spread([f"sigma={sigma}_c={c}" for sigma in GRID for c in GRID], Relaxed)


@dataclass(frozen=True)
class Clusterings:
    """Mean within-cluster cost over the features, exact and by Lloyd's, and on how many features Lloyd's is worse."""

    exact: float
    lloyd: float
    worse: int


@dataclass(frozen=True)
class Baseline:
    """Clusterings of the thresholds by number of clusters."""

    n_features: int
    clusters: dict[str, Clusterings] = spread([f"k={k}" for k in CLUSTERS], Clusterings)


@dataclass(frozen=True)
class Search:
    """Points and seconds of the parametric search and of the paper's dynamic program."""

    points: int
    points_dynamic: int
    seconds: float
    seconds_dynamic: float


def run_speed(trial: Trial) -> Speed:
    """Intervals and sets against the forest's own ``apply`` on the same rows, one thread."""
    compile_kernels()
    forest, X = fitted(trial)
    intervals = node_intervals(forest, X)
    apply = seconds(lambda: forest.apply(X))
    find = seconds(lambda: node_intervals(forest, X))
    share = seconds(lambda: shared_thresholds(intervals))
    return Speed(
        n_rows=X.shape[0],
        n_features=X.shape[1],
        n_nodes=intervals.size,
        apply_seconds=apply,
        interval_seconds=find,
        set_seconds=share,
        ratio=(find + share) / apply,
    )


def run_growth(trial: Trial) -> Growth:
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
    return Growth(
        n_rows=X.shape[0],
        n_nodes=intervals.size,
        row_visits=int(sum(estimator.tree_.n_node_samples.sum() for estimator in forest.estimators_)),
        interval_seconds=middle - started,
        set_seconds=done - middle,
        peak_mib=rise,
    )


def run_evaluator(trial: Trial) -> Evaluators:
    """Inference by a comparator bank and by ranks, before and after sharing; scikit-learn's apply beside them."""
    forest, X = fitted(trial)
    X32 = X.astype(np.float32)
    apply = seconds(lambda: forest.apply(X))
    with recorded():  # changed predictions are no matter here
        exceptional = share_conditions(forest, X, exceptions=0.1).ensemble_
    models = {"before": forest, "shared": share_conditions(forest, X).ensemble_, "exceptions": exceptional}
    return Evaluators(apply, {name: _evaluated(model, X32) for name, model in models.items()})


def _evaluated(model: Any, X: np.ndarray) -> Evaluated:
    table, few = condition_table(model), X[:BANK_ROWS]
    leaves_by_bank(table, few[:1]), leaves_by_ranks(table, few[:1])
    return Evaluated(
        NDC=table.n_conditions,
        rank_bytes=table.rank_dtype.itemsize,
        bank_seconds=seconds(lambda: leaves_by_bank(table, few)),
        rank_seconds=seconds(lambda: leaves_by_ranks(table, X)),
    )


def run_tradeoff(trial: Trial) -> Tradeoff:
    """Both relaxations together on half of the rows: conditions, and accuracy on the other half."""
    X, y = training_data(trial)
    order = np.random.default_rng(trial.seed).permutation(len(y))
    train, test = np.array_split(order, 2)
    forest = RandomForestClassifier(number(trial, "trees"), random_state=trial.seed)
    forest.fit(X[train], y[train])
    relaxed, n_conditions = dict[str, Relaxed](), 0
    for sigma in GRID:
        for c in GRID:
            with recorded():  # the table says what it costs
                shared = share_conditions(forest, X[train], path_change_rate=sigma, exceptions=c)
            n_conditions = shared.n_conditions_before_
            score = float(shared.ensemble_.score(X[test], y[test]))
            relaxed[f"sigma={sigma}_c={c}"] = Relaxed(shared.n_conditions_after_, score)
    return Tradeoff(float(forest.score(X[test], y[test])), n_conditions, relaxed)


def lloyd_centres(values: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Cluster centres by scikit-learn's k-means with ten random starts, as the baseline is usually run."""
    distinct = np.unique(values)
    if distinct.size <= k:
        return values
    means = KMeans(k, n_init=10, random_state=seed).fit(values[:, None])
    return means.cluster_centers_[means.labels_, 0]


def run_baseline(trial: Trial) -> Baseline:
    """Within-cluster cost of the thresholds, per number of clusters: exact against ten random starts of Lloyd's."""
    forest, _ = fitted(trial)
    trees = [estimator.tree_ for estimator in forest.estimators_]
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    clusters, n_features = dict[str, Clusterings](), int(np.unique(feature[feature >= 0]).size)
    for k in CLUSTERS:
        exact = lloyd = worse = 0.0
        for i in np.unique(feature[feature >= 0]):
            values = threshold[feature == i]
            scale = values.size * max(float(values.var()), np.finfo(float).tiny)
            best = float(((values - cluster_centres(values, k)) ** 2).sum()) / scale
            found = float(((values - lloyd_centres(values, k, trial.seed)) ** 2).sum()) / scale
            exact, lloyd, worse = exact + best, lloyd + found, worse + (found > best * (1 + 1e-9) + 1e-15)
        clusters[f"k={k}"] = Clusterings(exact / n_features, lloyd / n_features, int(worse))
    return Baseline(n_features, clusters)


def run_search(trial: Trial) -> Search:
    """The parametric search against the paper's dynamic program on the same random intervals."""
    p, c = number(trial, "p"), number(trial, "c")
    lower, upper = random_intervals(p, trial.seed)
    for solve in (minimum_intersecting_set, minimum_intersecting_set_dynamic):
        solve(lower[:9], upper[:9], exceptions=2)
    fast, _ = minimum_intersecting_set(lower, upper, exceptions=c)
    slow, _ = minimum_intersecting_set_dynamic(lower, upper, exceptions=c)
    return Search(
        points=len(fast),
        points_dynamic=len(slow),
        seconds=seconds(lambda: minimum_intersecting_set(lower, upper, exceptions=c)),
        seconds_dynamic=seconds(
            lambda: minimum_intersecting_set_dynamic(lower, upper, exceptions=c), repeats=1
        ),
    )


def intervals(trial: Trial) -> Recipe:
    """How the intervals of a search are made."""
    return random_intervals, (number(trial, "p"), trial.seed)


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 20.0


def forest_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core, from the generated rows and the trees."""
    if not trial.dataset.startswith("synthetic:"):
        return cost(trial)
    rows = int(trial.dataset.removeprefix("synthetic:").split("x")[0])
    return 2 + 1.5e-5 * rows * number(trial, "trees")


SPEED = Kind("speed", run_speed, Speed, forest_cost, generated)
GROWTH = Kind("growth", run_growth, Growth, forest_cost, generated)
EVALUATOR = Kind("evaluator", run_evaluator, Evaluators, cost)
TRADEOFF = Kind("tradeoff", run_tradeoff, Tradeoff, cost)
SEARCH = Kind("search", run_search, Search, cost, intervals)
BASELINE = Kind("baseline", run_baseline, Baseline, cost)
