"""`single_tree`: one tree that agrees with an ensemble on a region, grown until that is certified.

Ours, and no part of the paper. Born-again trees are its neighbours: Vidal and Schiffer (ICML 2020) find the smallest
one by dynamic programming over all cells. Here CART grows a tree on samples, exact separation gives samples on which
it is wrong, and so on: a small tree is not promised, a faithful one is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.tree import DecisionTreeClassifier

from compactml.clock import Clock
from compactml.errors import check_choice, check_integer
from compactml.pace._compress import checked_clock
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.history import Step
from compactml.pace.loop import Weighed, faithful, states_of
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.learners import Learner
from compactml.pace.model.setting import make_setting
from compactml.pace.separation.emptiness import first_points
from compactml.pace.separation.separator import Separation, Separator
from compactml.watch import Callback, Watch

__all__ = ["single_tree"]


def single_tree(
    ensemble: Any,
    X: ArrayLike,
    *,
    alpha: float = 0.0,
    beta: float = 0.0,
    max_leaves: int | None = None,
    uncertified: bool = False,
    time_limit: float | None = 60.0,
    random_state: int = 0,
    votes: str = "auto",
    isolation_forest: Any = None,
    verbose: bool = False,
    callback: Callback | None = None,
) -> CompressedEnsemble:
    """Grow one tree that predicts as an ensemble does on a region.

    CART, without a limit, is fitted on S with the ensemble's labels; exact separation adds samples on which it is
    wrong; both are repeated until there is none. Then every test goes without which the tree is still faithful: that
    is proved for each.

    Parameters
    ----------
    ensemble, X, alpha, beta, time_limit, random_state, votes, isolation_forest
        As in `compactml.pace.compress`.
    max_leaves : int, optional
        At least 2. Where the tree on S needs more, the search ends with the tree of so many leaves that CART grows
        best first, which as a rule is not faithful everywhere.
    uncertified : bool, default False
        Whether a tree without a certificate is returned where the leaves or the time do not suffice; its certificate
        says where it is not faithful. By default the initial ensemble is returned then.
    verbose : bool, default False
        Print a line at each tree.
    callback : callable, optional
        Called then with a `compactml.watch.News`: the leaves of the certified tree, infinite before there is one, and a
        bound of 1.

    Returns
    -------
    CompressedEnsemble
        One learner, or the initial ensemble; if the time is out before a tree is grown that with ``uncertified``, of
        which nothing is said to be proved.

    Raises
    ------
    InvalidParameterError
        ``max_leaves`` below 2; besides, what `compactml.pace.compress` raises.
    """
    if max_leaves is not None:
        check_integer("max_leaves", max_leaves, 2)
    check_choice("uncertified", uncertified, (True, False))
    clock = checked_clock(time_limit, None, random_state)
    watch = Watch("single_tree", clock, verbose=verbose, callback=callback)
    setting = make_setting(
        ensemble,
        X,
        alpha=alpha,
        beta=beta,
        votes=votes,
        isolation_forest=isolation_forest,
        random_state=random_state,
        clock=clock,
    )
    points = first_points(setting, time_limit=clock.allowance(), random_state=random_state)
    answer: Weighed = setting.initial, states_of(setting, None if uncertified else True)
    history: list[Step] = []
    value = math.inf
    if len(points) and not clock.stopped():
        samples = FaithfulnessSet(setting.region, points, ())
        separator = Separator(setting.grid, setting.region, random_state=random_state)
        growth = _Growth(samples, separator, clock, max_leaves, random_state, watch, history)
        grown = growth.run()
        if uncertified or faithful(grown[1]):
            answer = grown
        value = growth.leaves
    if clock.stopped():
        watch.warn(value, 1.0)
    return CompressedEnsemble(setting, *answer, history)


@dataclass
class _Growth:
    """A run: S, and what was done."""

    samples: FaithfulnessSet
    separator: Separator
    clock: Clock
    max_leaves: int | None
    random_state: int
    watch: Watch
    history: list[Step]
    leaves: float = math.inf

    def run(self) -> Weighed:
        """Grow, then leave out tests."""
        while True:
            learner = self._fitted(None)
            limited = self.max_leaves is not None and learner.n_leaves > self.max_leaves
            learner = self._fitted(self.max_leaves) if limited else learner
            answer = self._separated(learner)
            if limited or self.clock.stopped() or len(answer.points) == 0:
                break
        if answer.certified:
            learner = self._thinned(learner)
        return self._alone(learner), answer.proved

    def _fitted(self, max_leaves: int | None) -> Learner:
        """CART on S with equal weights."""
        tree = DecisionTreeClassifier(max_leaf_nodes=max_leaves, random_state=self.random_state)
        tree.fit(self.samples.codes, self.samples.labels)
        shares = tree.tree_.value[:, 0]
        scores = np.zeros((len(shares), self.samples.region.initial.n_classes), dtype=np.int64)
        scores[np.arange(len(shares)), tree.classes_[shares.argmax(axis=1)]] = self.samples.scale
        return Learner.on_codes(tree.tree_, scores).simplified()

    def _separated(self, learner: Learner) -> Separation:
        """Separate, add what separates, and record the step."""
        allowed = self.clock.allowance()
        answer = self.separator.separate(self._alone(learner), time_limit=allowed, hints=self.samples.codes)
        n_new = self.samples.add_samples(answer.points)
        leaves = float(learner.n_leaves)
        if answer.certified:
            self.leaves = leaves
        self.watch.tell(self.leaves, 1.0)
        self.history.append(
            Step(
                "tree",
                self.clock.seconds,
                len(self.samples),
                1,
                1,
                1,
                leaves,
                n_new=n_new,
                n_solved=answer.n_solved,
            )
        )
        return answer

    def _thinned(self, learner: Learner) -> Learner:
        """Replace tests by one of their sides, from the largest saving on, while that is proved to be faithful."""
        while (shorter := next(filter(self._holds, _shorter(learner)), None)) is not None:
            learner = shorter
        return learner

    def _holds(self, learner: Learner) -> bool:
        """Whether it is proved that no sample of the region separates."""
        predicted = learner.scores_of(self.samples.codes).argmax(axis=1)
        if (predicted != self.samples.labels).any() or self.clock.stopped():
            return False
        return self._separated(learner).certified

    def _alone(self, learner: Learner) -> IntegerEnsemble:
        n_classes = self.samples.region.initial.n_classes
        return IntegerEnsemble((learner,), np.ones(1, dtype=np.int64), n_classes, self.samples.scale)


def _shorter(learner: Learner) -> Iterator[Learner]:
    """The trees in which one test gives way to one of its sides, those that save most leaves first."""
    below = _leaves_below(learner)
    cases = [
        (below[dropped], node, kept)
        for node in np.flatnonzero(learner.feature >= 0).tolist()
        for kept, dropped in (
            (int(learner.left[node]), int(learner.right[node])),
            (int(learner.right[node]), int(learner.left[node])),
        )
    ]
    for _, node, kept in sorted(cases, key=lambda case: -case[0]):
        yield _without(learner, node, kept)


def _leaves_below(learner: Learner) -> NDArray[np.int64]:
    """Number of leaves under each node; children come after their parents."""
    below = (learner.feature < 0).astype(np.int64)
    for node in np.flatnonzero(learner.feature >= 0)[::-1]:
        below[node] = below[learner.left[node]] + below[learner.right[node]]
    return below


def _without(learner: Learner, node: int, kept: int) -> Learner:
    """The tree with the side ``kept`` of a test in its place."""
    columns = {name: getattr(learner, name).copy() for name in ("feature", "cut", "left", "right", "leaf")}
    for values in columns.values():
        values[node] = values[kept]
    return replace(learner, **columns).simplified()
