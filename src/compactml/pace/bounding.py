"""`least_size`: a proved lower bound on the number of learners that a faithful part of an ensemble has.

Ours, and no part of the paper. (P0) on samples of the region is a relaxation, so that a bound on it is one for the
region. `compactml.pace.weights.heaviest` says how sizes are refuted. Here sets of heaviest learners are looked at, from
single ones on: a small LP gives the weights that the other learners need beside a set, and its multipliers the
combination that refutes it; a set that is not refuted gives way to all sets of one learner more. Where the LP is not
enough, local search looks for points of the region that its weights get wrong, and these join the samples.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.errors import check_instance, check_integer
from compactml.pace._compress import checked_clock
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.separation.climbing import Climber
from compactml.pace.separation.emptiness import first_points
from compactml.pace.weights.heaviest import Combinations, larger_sets, least_rest, strict
from compactml.solvers import RestrictedMaster

__all__ = ["SizeBound", "least_size"]

ROWS = 40
"""That an LP begins with: those that were of use most often."""
MORE_ROWS = 15
ROUNDS = 30
"""LPs for one set, at most."""
TRIALS = 8
"""Sets of a level that are tried one after the other: if none is refuted, none of the level is tried further."""
CHUNK = 20_000
STARTS = 200
"""Samples at which local search begins."""
SEARCH_SHARE = 0.5
"""Part of the time for local search."""
PRECISION = 10**6
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class SizeBound:
    """A lower bound and its proof.

    Attributes
    ----------
    bound : int
        No ensemble of fewer learners of the initial one, whatever its weights, has a positive margin on all of the
        region.
    codes : ndarray of int32, shape (n, p)
        Points of the region.
    samples, rivals : ndarray of int, shape (m,)
        Point, and other label, of each row.
    combinations : list of (rows, multipliers)
        With which `compactml.pace.weights.heaviest` refutes the size below the bound.
    seconds : float

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.pace import compress, least_size
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    >>> small = compress(forest, X, alpha=0.2, generate=False)
    >>> 1 <= least_size(small).bound <= small.n_learners_
    True
    """

    bound: int
    codes: NDArray[np.int32]
    samples: NDArray[np.int64]
    rivals: NDArray[np.int64]
    combinations: list[tuple[NDArray[np.intp], NDArray[np.int64]]]
    seconds: float


def least_size(
    compressed: CompressedEnsemble,
    *,
    at_least: int = 1,
    time_limit: float | None = 60.0,
    random_state: int = 0,
) -> SizeBound:
    """Prove that no small part of the initial ensemble is faithful on the region.

    Parameters
    ----------
    compressed : CompressedEnsemble
        Of `compactml.pace.compress`, say: its setting is what counts, and its size where it is certified and has no
        generated learner, since no bound can be above that.
    at_least : int, default 1
        A known lower bound, at which to begin; it is returned where nothing better is proved.
    time_limit : float, optional
        Seconds. Without a limit the search ends with a support that no sample found refutes, which may take for ever.
    random_state : int, default 0

    Returns
    -------
    SizeBound
        Its combinations are empty if no size was refuted here.

    Raises
    ------
    InvalidParameterError
    EmptyRegionError
        It is proved that no point is in the region.
    """
    check_instance("compressed", compressed, CompressedEnsemble)
    check_integer("at_least", at_least, 1)
    clock, setting = checked_clock(time_limit, None, random_state), compressed.setting
    points = first_points(setting, time_limit=clock.allowance(), random_state=random_state)
    samples = FaithfulnessSet(setting.region, points)
    search = _Search(samples, Climber(setting.grid, setting.region), clock, random_state)
    certified = compressed.certificate_.faithful and compressed.n_generated_ == 0
    largest = compressed.n_learners_ if certified else len(setting.initial.learners)
    bound, proof = at_least, list[tuple[NDArray[np.intp], NDArray[np.int64]]]()
    while len(samples) and bound < largest and search.refutes(bound):
        bound, proof = bound + 1, list(search.combinations.multipliers)
    return SizeBound(bound, samples.codes, samples.samples, samples.rivals, proof, clock.seconds)


class _Search:
    """Samples, combinations and how useful each row was."""

    def __init__(self, samples: FaithfulnessSet, climber: Climber, clock: Clock, random_state: int) -> None:
        self.samples, self.climber, self.clock = samples, climber, clock
        self.k = len(samples.learners)
        self.combinations = Combinations(self.k)
        self.random = np.random.default_rng(random_state)
        self._margins = samples.margins
        self._uses = self._first_uses(self._margins)
        self._searching = 0.0

    def refutes(self, size: int) -> bool:
        """Whether it is proved, in time, that no support of ``size`` learners is feasible."""
        sets: NDArray[np.int64] | None = np.arange(self.k)[:, None]
        for d in range(1, size + 1):
            if sets is None:
                return False
            surviving = self._surviving(sets, size - d)
            if surviving is None or len(surviving) == 0:
                return surviving is not None
            sets = larger_sets(surviving, self.k) if d < size else None
        return False

    def _surviving(self, sets: NDArray[np.int64], left: int) -> NDArray[np.int64] | None:
        """The sets of a level that are not refuted; None if the time is over."""
        survivors, tried, hopeless = [sets[:0]], 0, False
        sets = sets[self.random.permutation(len(sets))]
        for start in range(0, len(sets), CHUNK):
            open_sets = sets[start : start + CHUNK]
            open_sets = open_sets[~self.combinations.refuted(open_sets, left)]
            while len(open_sets) and not hopeless:
                if self.clock.stopped():
                    return None
                heaviest, n = open_sets[0], len(self.combinations)
                tried += 1
                if self._refute(heaviest, left):
                    open_sets = open_sets[~self.combinations.refuted(open_sets, left, n)]
                else:
                    survivors.append(heaviest[None])
                    open_sets = open_sets[1:]
                hopeless = tried == TRIALS and n == len(self.combinations) and len(survivors) == tried + 1
            survivors.append(open_sets)
        return np.concatenate(survivors)

    def _refute(self, heaviest: NDArray[np.int64], left: int) -> bool:
        """Look for a combination that refutes a set."""
        places = np.argsort(-self._uses, kind="stable")[:ROWS]
        with RestrictedMaster(least_rest(self._margins[places], heaviest)) as master:
            for _ in range(ROUNDS):
                solution = master.solve()
                multipliers = np.maximum(solution.duals, 0.0)
                self._uses[places[multipliers > TOLERANCE]] += 1
                if self.combinations.add(self.samples.integers, places, multipliers, heaviest, left):
                    return True
                violated = self._violated(solution.x[: self.k], places)
                if len(violated) == 0 or self.clock.stopped():
                    break
                rows = strict(self._margins[violated], heaviest)
                master.add_rows(rows, np.zeros(len(rows)))
                places = np.concatenate([places, violated])
        return False

    def _violated(self, weights: NDArray[np.float64], places: NDArray[np.intp]) -> NDArray[np.intp]:
        """The rows that weights violate most, of new samples where those at hand are all kept."""
        reached = self._margins @ weights
        reached[places] = np.inf
        worst = np.argpartition(reached, min(MORE_ROWS, len(reached) - 1))[:MORE_ROWS]
        violated = worst[reached[worst] < -TOLERANCE]
        return violated if len(violated) else self._separated(weights)

    def _separated(self, weights: NDArray[np.float64]) -> NDArray[np.intp]:
        """Rows of new samples that the weights get wrong, by local search while there is time for that."""
        m = len(self._margins)
        if self._searching > SEARCH_SHARE * self.clock.seconds:
            return np.arange(0)
        started = time.perf_counter()
        closest = np.argsort(self._margins @ weights, kind="stable")[:STARTS]
        starts = self.samples.codes[np.unique(self.samples.samples[closest])]
        current = self.samples.ensemble(np.rint(weights / weights.max() * PRECISION).astype(np.int64))
        for pair in permutations(range(current.n_classes), 2):
            self.samples.add_samples(self.climber.climb(current, pair, starts, self.clock))
        self._margins = self.samples.margins
        self._uses = np.concatenate([self._uses, self._first_uses(self._margins[m:])])
        self._searching += time.perf_counter() - started
        return np.arange(m, len(self._margins))

    def _first_uses(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows of small sums come first while none has been of use."""
        return -margins.sum(axis=1) / (1 + self.k)
