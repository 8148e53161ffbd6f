"""What one trial of Figs 4 and 5 does: both relaxations and the k-means baseline at every level, on one ensemble.

Problem 5 is solved by the paper's dynamic program where its work is bearable, elsewhere by our search, and the share of
the nodes that the paper's program decided is counted. Our search is run everywhere beside it. The paper does not say
how its k-means starts, nor whether a threshold counts once for each node: four clusterings are run.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from compactml.chapters.condition_sharing.trials.measuring import compile_kernels, peak_memory
from compactml.chapters.condition_sharing.trials.paper import Fold, fit_fold, fit_seconds
from compactml.condition_sharing import (
    Intervals,
    SharedEnsemble,
    node_intervals,
    share_conditions,
    shared_thresholds,
    solved_as_printed,
)
from compactml.condition_sharing.k_means import clustered_ensembles
from compactml.condition_sharing.sharing import with_certificate
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Trial

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5)
CLUSTERS = (2, 4, 8, 16, 32, 64, 128)
DYNAMIC_UP_TO = 2e10
"""Largest p c**2 of a feature that the paper's dynamic program solves here."""
N_STARTS = 10
"""Starts of k-means, scikit-learn's default in the paper's release."""
CLUSTERINGS = {
    "k": (True, 0), "once": (False, 0), "lloyd": (True, N_STARTS), "lloyd_once": (False, N_STARTS),
}  # fmt: skip
"""Whether each node counts, and how many random starts there are (0: the optimum), by the name in the columns."""


@dataclass(frozen=True)
class Point:
    """Conditions and test accuracy (or R squared) of a changed ensemble."""

    NDC: int
    TeA: float


@dataclass(frozen=True)
class Exceptional:
    """The same for exceptional intervals, with the share of the nodes that the paper's program decided, and our search.

    Of the search only the accuracy is kept: both need as few conditions.
    """

    NDC: int
    TeA: float
    printed: float
    search: float


SAMPLES = tuple(f"sigma={level}" for level in LEVELS)
INTERVALS = tuple(f"c={level}" for level in LEVELS)
BASELINES = tuple(f"{name}={k}" for name in CLUSTERINGS for k in CLUSTERS)


@dataclass(frozen=True)
class Relaxed:
    """An ensemble before and after both relaxations and k-means, at every level.

    The seconds are those of all five levels together, without the certificate; the memory is the largest rise.
    """

    TeA: float
    NDC: int
    certified: int
    sigma_seconds: float
    c_seconds: float
    search_seconds: float
    sigma_peak_mib: float
    c_peak_mib: float
    changed: dict[str, Point] = spread(("shared", *SAMPLES, *BASELINES), Point)
    exceptional: dict[str, Exceptional] = spread(INTERVALS, Exceptional)


@dataclass
class Watch:
    """Sharing with a clock: seconds of all calls, the largest rise of memory, whether every certificate held."""

    fold: Fold
    seconds: float = 0.0
    peak_mib: float = 0.0
    certified: bool = True

    def share(
        self, *, path_change_rate: float = 0.0, exceptions: float = 0.0, up_to: float = 0.0
    ) -> SharedEnsemble:
        """Share conditions, and watch the part that depends on the relaxation."""
        ensemble, X = self.fold.ensemble, self.fold.X_train
        with peak_memory() as peak:
            started = time.perf_counter()
            intervals = node_intervals(ensemble, X, path_change_rate=path_change_rate)
            thresholds = shared_thresholds(intervals, exceptions=exceptions, dynamic_up_to=up_to)
            self.seconds += time.perf_counter() - started
            self.peak_mib = max(self.peak_mib, peak())
        shared = with_certificate(
            ensemble, X, intervals, thresholds, path_change_rate=path_change_rate, exceptions=exceptions
        )
        assert shared.certificate_ is not None
        self.certified &= shared.certificate_.holds
        return shared


def run_relaxation(trial: Trial) -> Relaxed:
    """Run both relaxations and the baselines at every level, on one fitted ensemble (Figs 4 and 5)."""
    compile_kernels()
    fold = fit_fold(trial)
    unrelaxed = share_conditions(fold.ensemble, fold.X_train)
    assert unrelaxed.intervals_ is not None
    sigma, paper, search = Watch(fold), Watch(fold), Watch(fold)
    changed = {"shared": point(fold, unrelaxed)}
    changed |= {f"sigma={level}": point(fold, sigma.share(path_change_rate=level)) for level in LEVELS}
    exceptional = {}
    for level in LEVELS:
        ours = point(fold, search.share(exceptions=level))
        printed = point(fold, paper.share(exceptions=level, up_to=DYNAMIC_UP_TO))
        share = printed_share(unrelaxed.intervals_, level)
        exceptional[f"c={level}"] = Exceptional(printed.NDC, printed.TeA, share, ours.TeA)
    for name, (by_node, n_starts) in CLUSTERINGS.items():
        clustered = clustered_ensembles(
            fold.ensemble, CLUSTERS, by_node=by_node, n_starts=n_starts, seed=trial.seed
        )
        changed |= {f"{name}={k}": point(fold, shared) for k, shared in zip(CLUSTERS, clustered, strict=True)}
    return Relaxed(
        TeA=float(fold.ensemble.score(fold.X_test, fold.y_test)),
        NDC=unrelaxed.n_conditions_before_,
        certified=int(sigma.certified and paper.certified and search.certified),
        sigma_seconds=sigma.seconds,
        c_seconds=paper.seconds,
        search_seconds=search.seconds,
        sigma_peak_mib=sigma.peak_mib,
        c_peak_mib=paper.peak_mib,
        changed=changed,
        exceptional=exceptional,
    )


def point(fold: Fold, shared: SharedEnsemble) -> Point:
    """Conditions and test accuracy of a changed ensemble."""
    return Point(shared.n_conditions_after_, float(shared.ensemble_.score(fold.X_test, fold.y_test)))


def printed_share(intervals: Intervals, exceptions: float) -> float:
    """Share of the nodes whose feature the paper's own program solves; 1 without any node."""
    sizes = np.bincount(intervals.feature)
    printed = [size for size in sizes if solved_as_printed(int(size), exceptions, DYNAMIC_UP_TO)]
    return float(sum(printed) / sizes.sum()) if sizes.sum() else 1.0


def relaxation_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 3 + fit_seconds(trial) * (2 if trial.method == "GBoost" else 10)


RELAXATION = Kind("relaxation", run_relaxation, Relaxed, relaxation_cost)
