"""Refitting: fewer trees with the same labels, by exchanging tests and setting all leaves anew.

The method of Akkerman and others generates learners that lower the value of (P1), a sum of weights, and lets (P0)
choose among whole learners. Here generation aims at the number of learners itself. One tree is dropped, and the others
are repaired: the leaves of all of them are free, and one tree after the other is exchanged for an optimal tree, in the
sense of exact pricing, for what the others leave open. If every label of S can be kept, separation looks for samples
where the result differs, and these join S, until a certificate is found or no exchange helps.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import threadpool_limits

from compactml.clock import Clock
from compactml.errors import check_instance
from compactml.pace._compress import checked_clock
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.loop import Weighed
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.learners import Learner
from compactml.pace.separation.emptiness import first_points
from compactml.pace.separation.separator import Separator
from compactml.pace.trees.leaf_scores import Fit, exact_scores, fit, leaf_columns, scored, side_by_side
from compactml.pace.trees.optimal_trees import DEEPEST, installed, optimal_tree
from compactml.pace.trees.pricing import cart, leaf_values
from compactml.watch import Callback, Watch

__all__ = ["refit"]

PROGRESS = 1e-4
"""Share of the loss by which an exchange has to lower it."""
MOST_SAMPLES = 1500
"""That an exchanged tree is fitted to: the most urgent ones."""

Trees = list[Learner]
Columns = list[sparse.csr_array]
Item = TypeVar("Item")


def refit(
    compressed: CompressedEnsemble,
    *,
    max_depth: int | None = None,
    time_limit: float | None = 60.0,
    random_state: int = 0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> CompressedEnsemble:
    """Look for fewer trees that agree with the initial ensemble on the same region.

    Parameters
    ----------
    compressed : CompressedEnsemble
        Where to start; of `compactml.pace.compress`, say.
    max_depth : int, optional
        Of exchanged trees; by default the depth of the deepest tree of ``compressed``. They are never deeper than
        `compactml.pace.trees.optimal_trees.DEEPEST`.
    time_limit : float or None, default 60.0
        Seconds for all of it, None for no limit; what compiling takes does not count. An
        `compactml.watch.EndedEarlyWarning` says what was reached.
    random_state : int, default 0
    verbose : bool, default False
        Print a line at each smaller ensemble.
    callback : callable, optional
        Called then with a `compactml.watch.News`: the number of trees, and a bound of 1.

    Returns
    -------
    CompressedEnsemble
        A certified ensemble with fewer trees, all of them generated, or with as many if ``compressed`` is not
        certified; ``compressed`` itself if none was found. That there is no smaller one is not proved.

    Raises
    ------
    InvalidParameterError, InvalidDataError
    EmptyRegionError
        It is proved that no point is in the region (`compress` had no time for that).
    ScoreOverflowError
        Leaves that no integers of the size allowed can stand for.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.pace import compress
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    >>> small = compress(forest, X, alpha=0.1)
    >>> smaller = refit(small)
    >>> smaller.certificate_.faithful, smaller.n_learners_ <= small.n_learners_
    (True, True)
    """
    check_instance("compressed", compressed, CompressedEnsemble)
    clock, setting = checked_clock(time_limit, max_depth, random_state), compressed.setting
    watch = Watch("refit", clock, verbose=verbose, callback=callback)
    points = first_points(setting, time_limit=clock.allowance(), random_state=random_state)
    run = Refitting(
        FaithfulnessSet(setting.region, points),
        Separator(setting.grid, setting.region, random_state=random_state),
        min(max_depth or max(1, *(one.depth for one in compressed.trees_)), DEEPEST),
        clock,
        np.random.default_rng(random_state),
        exact=installed(),
    )
    if not run.exact:
        warnings.warn(
            "refit: pystreed is not installed, so trees are exchanged by CART instead of optimal ones and more of them "
            "may be left; pip install 'compactml[exact-trees]' brings it.",
            stacklevel=2,
        )
    best, trees = compressed, list(compressed.trees_)
    watch.tell(best.n_learners_, 1)
    while len(points) and (len(trees) > 1 or not best.certificate_.faithful):
        with threadpool_limits(1):  # the vectors of a fit are short: threads would wait for one another
            found = run.repaired(run.starts(trees, dropping=best.certificate_.faithful))
        if found is None:
            break
        trees, (current, proved) = found
        best = CompressedEnsemble(setting, current, proved, compressed.history_)
        watch.tell(best.n_learners_, 1)
    if clock.stopped() and (best.n_learners_ > 1 or not best.certificate_.faithful):
        watch.warn(best.n_learners_, 1)
    return best


@dataclass(frozen=True)
class Refitting:
    """A search for few trees: S, separation, the depth of exchanged trees, the time and the order of things.

    Trees are exchanged for optimal ones where ``exact``, else for CART's.
    """

    samples: FaithfulnessSet
    separator: Separator
    max_depth: int
    clock: Clock
    random: np.random.Generator
    exact: bool = True

    def starts(self, trees: Trees, *, dropping: bool) -> Iterator[Trees]:
        """Yield all but one of the trees, the least needed one dropped first; then again, another one replaced."""
        subsets = [trees]
        if dropping:
            columns, losses = self._columns(trees), []
            for k in range(len(trees)):
                if self.clock.stopped():
                    return
                losses.append(self._fit(_without(columns, k)).loss)
            subsets = [_without(trees, k) for k in np.argsort(losses, kind="stable")]
        yield from subsets
        initial = self.samples.region.initial.learners
        for kept in subsets:
            place = self.random.integers(len(kept))
            yield [*kept[:place], initial[self.random.integers(len(initial))], *kept[place + 1 :]]

    def repaired(self, starts: Iterator[Trees]) -> tuple[Trees, Weighed] | None:
        """The first start that can be repaired, with a certificate."""
        for trees in starts:
            found = self._repaired(trees)
            if found is not None or self.clock.stopped():
                return found
        return None

    def _repaired(self, trees: Trees) -> tuple[Trees, Weighed] | None:
        while True:
            trees, current = self._descended(trees)
            if current is None:
                return None
            hints, left = self.samples.codes, self.clock.allowance()
            answer = self.separator.separate(current, time_limit=left, hints=hints)
            if answer.certified:
                return trees, (current, answer.proved)
            if self.samples.add_samples(answer.points) == 0 or self.clock.stopped():
                return None

    def _descended(self, trees: Trees) -> tuple[Trees, IntegerEnsemble | None]:
        """Exchange trees until every label of S is kept, or none helps."""
        columns = self._columns(trees)
        current = self._fit(columns)
        while not self.clock.stopped():
            if current.least > 0:
                scores = exact_scores(side_by_side(self.samples, columns))
                ensemble = None if scores is None else scored(self.samples, trees, scores)
                if ensemble is not None:
                    return trees, ensemble
            better = self._exchanged(trees, columns, current.loss)
            if better is None:
                break
            trees, columns, current = better
        return trees, None

    def _exchanged(self, trees: Trees, columns: Columns, loss: float) -> tuple[Trees, Columns, Fit] | None:
        """The first exchange of one tree, in random order, that lowers the loss."""
        for place in self.random.permutation(len(trees)):
            if self.clock.stopped():
                break
            others = _without(columns, place)
            tree = self._best_tree(self._fit(others).urgency)
            if tree is None:
                continue
            exchanged = [*others, leaf_columns(self.samples, tree)]
            found = self._fit(exchanged)
            if found.loss < (1 - PROGRESS) * loss:
                return [*_without(trees, place), tree], exchanged, found
        return None

    def _best_tree(self, urgency: NDArray[np.float64]) -> Learner | None:
        """An optimal tree for the most urgent samples, or CART's; None if the time ran out."""
        used, values = leaf_values(self.samples, urgency)
        kept = np.sort(np.argsort(-values.max(axis=1), kind="stable")[:MOST_SAMPLES])
        scale, left = self.samples.scale, self.clock.allowance()
        codes, values = self.samples.codes[used[kept]], values[kept]
        if self.exact:
            return optimal_tree(codes, values, self.max_depth, scale, left)
        return cart(codes, self.samples.labels[used[kept]], values, self.max_depth, scale, random_state=0)

    def _columns(self, trees: Trees) -> Columns:
        return [leaf_columns(self.samples, tree) for tree in trees]

    def _fit(self, columns: Columns) -> Fit:
        return fit(side_by_side(self.samples, columns), self.clock)


def _without(items: list[Item], place: int) -> list[Item]:
    return items[:place] + items[place + 1 :]
