"""The asummability bound: cuts from pairs and quadruples of patterns, separated from a covering LP.

Not in the paper. Take positive patterns b_1..b_k and negative patterns a_1..a_k (repeats allowed) and let d be
sum b - sum a, a number for each classifier. If an ensemble x in {0,1}^K with threshold L calls all of them right, then
b.x >= L + 1 for each b and a.x <= L for each a, so d.x >= k. But d.x is at most the excess E = sum of max(0, d_c) over
the classifiers. Hence

    E <= k - 1    implies    at least one of the patterns is called wrong: the sum of their e is >= 1.

k = 1 is dominance, the isotonic bound. k = 2 with E = 0 would hold for any non-negative real weights;
E = 1 is ruled out only because each weight is 0 or 1. The cuts hold for every weighting of the points and every
(S, L), "all negative" (L >= |S|) included, and with diversity constraints, which only take ensembles away.

The bound is the least cost of fractional errors e that meet the cuts, found by adding violated ones to a
warm LP. The proof of each round is `compactml.ensemble_pruning.bounds.cover.proved_errors` of its duals, in integers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds.cover import cover_rows, proved_errors
from compactml.ensemble_pruning.bounds.isotonic import Conflicts, conflicts_of
from compactml.ensemble_pruning.bounds.separation import Separator
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.solvers import (
    MasterNotSolvedError,
    MasterSolution,
    MixedIntegerProgram,
    RestrictedMaster,
)
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["AsummabilityBound", "asummability_bound", "asummability_of"]

WORK, MOST_WORK = 200_000_000, 800_000_000
"""Tests of a search for quadruples, under a second; after each that finds few, twice as many up to the second number:
with twice that, the largest instances take twice as long and 0.4 % more of the errors are proved."""
FEW_QUADRUPLES = 200
FEW_PAIRS = 50
"""With fewer violated pairs a round also looks for quadruples: the LP need not be solved for so few."""
PATIENCE, TAIL = 5, 5e-4
"""Rounds with quadruples that together raise the LP by no more than this share are the last."""
TIGHT = 1e-6


@dataclass(frozen=True, eq=False)
class AsummabilityBound:
    """Bound on every ensemble and threshold.

    Attributes
    ----------
    bound : float
        No ensemble and threshold have a larger objective (1).
    errors : float
        Proved least cost of errors, in units of the instance.
    rows : csr_array of float, shape (r, m)
        The cuts that are tight in the last LP: of the patterns of a row, every ensemble calls at least one wrong.
    history : tuple of (seconds, errors)
        The proof after each round; seconds since the start of the clock.
    complete : bool
        Whether it came to its end; False if the time was up.

    Examples
    --------
    >>> from compactml.ensemble_pruning import asummability_bound
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0, 0]
    >>> asummability_bound(votes, y).bound  # majority of all three is right on all points
    5.0
    """

    bound: float
    errors: float
    rows: sparse.csr_array
    history: tuple[tuple[float, float], ...]
    complete: bool = True


def asummability_bound(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    weights: Any = None,
    time_limit: float | None = 60.0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> AsummabilityBound:
    """Bound on (1) by cuts that use that each classifier is taken once or not at all.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
        1 where a classifier votes positive.
    y : array-like of 0/1, shape (n,)
    weights : str, four numbers, or Weights, optional
        As in `objective_weights`; accuracy by default.
    time_limit : float or None, default=60.0
        Seconds, None until no violated cut is found or rounds hardly improve the bound. Where it ends the rounds, an
        `EndedEarlyWarning` says so.
    verbose : bool, default=False
        Print a line for each better bound.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better bound; no value is known.

    Raises
    ------
    InvalidDataError, InvalidParameterError
    """
    watch = Watch("asummability_bound", Clock(checked_limit(time_limit)), verbose=verbose, callback=callback)
    instance = PruningInstance.from_votes(votes, y, "accuracy" if weights is None else weights)
    found = asummability_of(instance, watch.clock, lambda errors: watch.tell(-np.inf, instance.bound(errors)))
    if not found.complete:
        watch.warn(-np.inf, found.bound)
    return found


def asummability_of(
    instance: PruningInstance,
    clock: Clock,
    told: Callable[[float], object] | None = None,
    conflicts: Conflicts | None = None,
) -> AsummabilityBound:
    """The asummability bound of an instance; see the head of the module.

    Starts from the proof of the isotonic bound, so it is never worse, whenever the clock stops it. ``told`` is called
    with the proved errors of each round; ``conflicts`` are looked for unless they are given.
    """
    pairs, isotonic = conflicts_of(instance, clock) if conflicts is None else conflicts
    rounds = _Rounds(instance, pairs, isotonic.errors, isotonic.rows, told)
    complete = rounds.run(clock) if len(instance.gains) else True  # else there is nothing to call
    bound = instance.bound(rounds.best)
    return AsummabilityBound(bound, rounds.best, rounds.rows, tuple(rounds.history), complete)


@dataclass
class _Rounds:
    """Cutting planes: the best proof so far, the rows that matter, and what each round proved."""

    instance: PruningInstance
    dominated: NDArray[np.intp]
    best: float
    rows: sparse.csr_array
    told: Callable[[float], object] | None = None
    history: list[tuple[float, float]] = field(default_factory=list)

    def run(self, clock: Clock) -> bool:
        """Solve, prove, separate; until nothing is violated, progress tails off (true) or time is up (false)."""
        separator, work, objectives = Separator(self.instance, self.dominated), WORK, [-np.inf] * PATIENCE
        problem = MixedIntegerProgram(np.abs(self.instance.gains), self.rows, row_lower=1.0)
        with RestrictedMaster(problem) as master:
            while not clock.stopped():
                try:
                    lp = master.solve(clock.allowance())
                except MasterNotSolvedError:  # out of time
                    return False
                self._prove(master.problem.matrix, lp, clock)
                if clock.stopped():
                    break
                pairs = separator.pairs(lp.x)
                if len(pairs):
                    master.add_rows(cover_rows(pairs, len(lp.x)), row_lower=1.0)
                if len(pairs) >= FEW_PAIRS:
                    continue
                objectives.append(lp.objective)
                if lp.objective - objectives[-1 - PATIENCE] <= TAIL * lp.objective:
                    return True
                if clock.stopped():
                    break
                quadruples, cut_off = separator.quadruples(lp.x, work, clock)
                if len(quadruples):
                    master.add_rows(cover_rows(quadruples, len(lp.x)), row_lower=1.0)
                elif not len(pairs) and not cut_off:
                    return True
                if len(quadruples) < FEW_QUADRUPLES:
                    work = min(2 * work, MOST_WORK)
        return False

    def _prove(self, rows: sparse.csr_array, lp: MasterSolution, clock: Clock) -> None:
        """Make the duals a proof and keep the rows that are tight; the others do not carry it."""
        gains, integral = self.instance.gains, self.instance.integral
        self.best = max(self.best, proved_errors(rows, lp.duals, gains, integral))
        self.rows = rows[np.flatnonzero(rows @ lp.x < 1.0 + TIGHT)]
        self.history.append((clock.seconds, self.best))
        if self.told is not None:
            self.told(self.best)
