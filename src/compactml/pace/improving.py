"""From the initial ensemble to ever smaller certified ones: what `compactml.pace.compress` does where it may stop.

Ours. (P0) over samples comes from below: what it finds is small and, but for the last of it, not faithful. So another
search comes from above. It begins with the initial ensemble, which agrees with itself, and leaves learners out as long
as that is certified. Both take turns, and so does the generation of learners. The work of a turn is counted and doubles
from turn to turn; a limit of time decides only when they stop.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.pace.generation import Pricing, in_batches
from compactml.pace.loop import Compression
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.weights.games import best_weights
from compactml.pace.weights.pruning import EPSILON, Pruner
from compactml.solvers import MasterNotSolvedError

__all__ = ["dropped", "improve", "largest_margins", "spared"]

ROUNDS = 8
"""Separations in the first turn of the search from below, most of whose time goes into (P0)."""
DROPS = 32
"""The same of the search from above."""
SHARE = 10
"""The search from above begins by leaving out a tenth of the learners."""


def improve(run: Compression, how: Pricing | None) -> None:
    """Make the best ensemble of a run better until nothing is left to try or the time is over.

    Parameters
    ----------
    run : Compression
    how : Pricing or None
        None without generation.
    """
    run.tell()
    run.offer(spared(run))
    run.record("spare", run.best, float(run.worth(run.best)))
    run.tell()
    search, effort, more = _Pruning(run, proves=how is None), 1, how is not None
    while not run.clock.stopped():
        settled = search.advance(effort)
        if not settled:
            _drop(run, effort, search.bound)
        if how is not None and more:
            more = in_batches(run, how, effort)
        elif settled:
            break
        effort *= 2
    run.record_end(run.best, search.pool_bound)


def spared(run: Compression) -> IntegerEnsemble:
    """Return the initial ensemble without as many learners as the margin of the region allows.

    Every point of the region has a margin of at least ``least_margin``. A learner that is left out takes away its
    weight times its largest margin, at most; as long as the sum of these is smaller for every pair of labels, the
    others give every point its label. This is arithmetic, and needs no separation.
    """
    initial = run.setting.initial
    taken = largest_margins(initial)
    cost = np.array([run.cost(learner) for learner in initial.learners])
    order = np.argsort(taken.max(axis=(1, 2)) / cost, kind="stable")
    kept = np.ones(len(initial.learners), dtype=bool)
    left = run.setting.region.least_margin - np.zeros(taken.shape[1:], dtype=np.int64)
    for k in order:
        if (taken[k] < left).all() and kept.sum() > 1:
            kept[k], left = False, left - taken[k]
    return _part(initial, kept)


def largest_margins(ensemble: IntegerEnsemble) -> NDArray[np.int64]:
    """Return the largest weighted margin of each learner, at least 0, for each pair of labels, shape (k, c, c)."""
    margins = [
        weight * (learner.scores[:, :, None] - learner.scores[:, None, :]).max(axis=0)
        for learner, weight in zip(ensemble.learners, ensemble.weights, strict=True)
    ]
    return np.maximum(np.array(margins, dtype=np.int64), 0)


class _Pruning:
    """The search from below: (P0), which goes on where it was unless the pool has grown."""

    def __init__(self, run: Compression, *, proves: bool) -> None:
        self._run, self._proves = run, proves
        self._pruner, self._pool = run.pruner(), len(run.samples.learners)

    @property
    def pool_bound(self) -> int:
        """On the objective of any part of the pool, see `compactml.pace.weights.pruning.Pruned`."""
        return self._pruner.bound

    @property
    def bound(self) -> int:
        """The same where the pool is all there is."""
        return self.pool_bound if self._proves else 1

    def advance(self, effort: int) -> bool:
        """Prune and separate; whether no part of the pool is better than the best, as far as (P0) can tell."""
        try:
            return self._advance(effort)
        except MasterNotSolvedError:  # out of time, before there were weights on the samples
            return False

    def _advance(self, effort: int) -> bool:
        run, pruner = self._run, self._current()
        pruned = pruner.prune(run.samples.margins, run.clock)
        for _ in range(ROUNDS * effort):
            if pruned.cost >= run.worth(run.best):  # S has more to say only on a smaller support
                pruned = pruner.prove(run.clock)
                run.tell(self.bound)
                if pruned.cost >= run.worth(run.best):
                    return not run.clock.stopped() or pruner.bound >= run.worth(run.best)
            current = run.samples.rounded(pruned.weights)
            answer = run.separate(current, run.clock, effort)
            n_new = run.add(answer.points, None)
            run.record(
                "prune", current, float(pruned.cost), pruned.bound, n_new=n_new, n_solved=answer.n_solved
            )
            run.tell(self.bound)
            if run.clock.stopped() or (n_new == 0 and not answer.certified):
                break
            if n_new:
                pruned = pruner.prune(run.samples.margins, run.clock)
        return pruner.bound >= run.worth(run.best)

    def _current(self) -> Pruner:
        if len(self._run.samples.learners) > self._pool:
            self._pruner, self._pool = self._run.pruner(), len(self._run.samples.learners)
        return self._pruner


def _drop(run: Compression, effort: int, bound: int) -> None:
    """The search from above: leave out more and more learners while that is certified, else fewer."""
    wanted = max(1, len(run.best.learners) // SHARE)
    for _ in range(DROPS * effort):
        if run.clock.stopped():
            return
        current = dropped(run, wanted)
        if current is None and wanted == 1:
            return
        if current is None:
            wanted //= 2
            continue
        answer = run.separate(current, run.clock, effort)
        n_new = run.add(answer.points, None)
        run.record("drop", current, float(run.worth(current)), n_new=n_new, n_solved=answer.n_solved)
        run.tell(bound)
        if answer.certified:
            continue
        if n_new == 0 and wanted == 1:
            return
        wanted = max(1, wanted // 2)


def dropped(run: Compression, most: int) -> IntegerEnsemble | None:
    """Return the best ensemble without up to ``most`` learners, those that leave the largest least margin on S.

    The others keep their weights where those give every sample of S its label; else they get those of the largest
    least margin on S. None where no weights of theirs do.
    """
    best, samples = run.best, run.samples
    columns = np.column_stack(
        [weight * samples.column(one) for one, weight in zip(best.learners, best.weights, strict=True)]
    )
    kept, total = np.ones(len(best.learners), dtype=bool), columns.sum(axis=1)
    for _ in range(min(most, len(kept) - 1)):
        places = np.flatnonzero(kept)
        place = places[(total[:, None] - columns[:, places]).min(axis=0).argmax()]
        kept[place], total = False, total - columns[:, place]
    if kept.all():
        return None
    part = _part(best, kept)
    return part if total.min() > 0 else _weighed(run, part)


def _weighed(run: Compression, part: IntegerEnsemble) -> IntegerEnsemble | None:
    """The same learners with the weights of the largest least margin on S, where that is positive."""
    pool = {learner: k for k, learner in enumerate(run.samples.learners)}
    support = np.sort([pool[learner] for learner in part.learners])
    value, weights, _ = best_weights(run.samples.margins, support)
    if value < EPSILON:
        return None
    of_pool = np.zeros(len(run.samples.learners))
    of_pool[support] = weights
    return run.samples.rounded(of_pool)


def _part(ensemble: IntegerEnsemble, kept: NDArray[np.bool_]) -> IntegerEnsemble:
    learners = tuple(ensemble.learners[k] for k in np.flatnonzero(kept))
    return IntegerEnsemble(learners, ensemble.weights[kept], ensemble.n_classes, ensemble.scale)
