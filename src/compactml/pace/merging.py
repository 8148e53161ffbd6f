"""Merging: learners whose scores are summed are one deeper tree, the same function with fewer learners.

The sum of trees is a tree: it tests what they test, and each of its leaves holds the sum of the scores of the leaves
that meet there. As no score of the ensemble changes anywhere, what is proved about it stays proved. Two stumps on two
features make a tree of depth 2 with four leaves, on one feature one with three; k stumps on one feature need only depth
ceil(log2(k + 1)). Divided by its weight, a merged tree has class frequencies at its leaves where all its parts have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from compactml.errors import check_choice, check_instance
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import OPEN, Learner
from compactml.pace.trees.pricing import check_depth

__all__ = ["added", "merge"]

Box = dict[int, tuple[int, int]]
"""Codes low to high (inclusive) of the features that a path has tested."""
Test = tuple[int, int]
"""Feature and cut."""


def merge(compressed: CompressedEnsemble, max_depth: int, *, more_leaves: bool = True) -> CompressedEnsemble:
    """Put the learners of a compressed ensemble together into trees of at most a given depth.

    First those that share tests, as long as leaves are saved; then, the deepest first, each of these trees is added to
    the one that it gives the fewest leaves with. That no smaller number of trees would do is not proved.

    Parameters
    ----------
    compressed : CompressedEnsemble
    max_depth : int
        At least 1; learners that are deeper stay as they are. A tree may have 2 to its power leaves if more leaves are
        allowed: k stumps on k features make one of depth k with all of them.
    more_leaves : bool, default True
        Whether merged trees may have more leaves than their parts.

    Returns
    -------
    CompressedEnsemble
        With the same scores everywhere and the same certificate; merged trees count as generated.

    Raises
    ------
    InvalidParameterError, InvalidDataError
    """
    check_instance("compressed", compressed, CompressedEnsemble)
    check_depth(max_depth)
    check_choice("more_leaves", more_leaves, (True, False))
    weighted = zip(compressed.trees_, compressed.weights_, strict=True)
    learners = [replace(learner, scores=weight * learner.scores) for learner, weight in weighted]
    shared = sharing([Merged((learner,), learner) for learner in learners], max_depth)
    merged = [whole.tree for whole in packed(shared, max_depth, more_leaves)]
    current = IntegerEnsemble(
        tuple(merged),
        np.ones(len(merged), dtype=np.int64),
        compressed.ensemble.n_classes,
        scale=max(int(tree.scores.sum(axis=1).max()) for tree in merged),
    )
    labels, states = compressed.classes_.tolist(), compressed.certificate_.proved
    proved = {(a, b): states[labels[a], labels[b]] for a, b in permutations(range(len(labels)), 2)}
    return CompressedEnsemble(compressed.setting, current, proved, compressed.history_)


@dataclass(frozen=True, eq=False)
class Merged:
    """One tree and the learners of which it is the sum.

    Merging goes on from these: their tests can be put in any order, those of the tree no more.
    """

    parts: tuple[Learner, ...]
    tree: Learner

    @cached_property
    def depth(self) -> int:
        return self.tree.depth

    @cached_property
    def features(self) -> frozenset[int]:
        return frozenset(self.tree.feature[self.tree.feature >= 0].tolist())

    def plus(self, other: Merged, max_depth: int, *, more_leaves: bool) -> Merged | None:
        """Return the sum of two, if it is not too deep and has no more leaves than both, unless more are allowed."""
        parts = (*self.parts, *other.parts)
        tree = added(parts, max_depth, None if more_leaves else self.tree.n_leaves + other.tree.n_leaves)
        return None if tree is None else Merged(parts, tree)


def added(parts: Sequence[Learner], max_depth: int, most_leaves: int | None = None) -> Learner | None:
    """Return the sum of some learners as one tree, or None if it is deeper, or has more leaves, than allowed."""
    tests: list[Test] = []
    children: list[list[int]] = []
    scores: list[NDArray[np.int64]] = []

    def grow(nodes: list[int], box: Box, depth: int) -> bool:
        """Append what lies below a box in which the parts have come to these nodes, if it is not too deep."""
        nodes = [follow(part, node, box) for part, node in zip(parts, nodes, strict=True)]
        test = balanced_test(parts, nodes)
        below: list[int] = []
        tests.append(test or (-1, -1))
        children.append(below)
        if test is None:
            reached = [part.scores[part.leaf[node]] for part, node in zip(parts, nodes, strict=True)]
            scores.append(np.sum(reached, axis=0))
            return most_leaves is None or len(scores) <= most_leaves
        (j, cut), (low, high) = test, box.get(test[0], (0, OPEN))
        for side in ((low, cut), (cut + 1, high)):
            below.append(len(tests))
            if depth == max_depth or not grow(nodes, {**box, j: side}, depth + 1):
                return False
        return True

    if not grow([0] * len(parts), {}, 0):
        return None
    return _learner(tests, children, scores)


def follow(learner: Learner, node: int, box: Box) -> int:
    """Return the first node from this one downwards whose test the box leaves open, or a leaf."""
    while learner.feature[node] >= 0:
        low, high = box.get(int(learner.feature[node]), (0, OPEN))
        if low <= learner.cut[node] < high:
            return node
        node = int(learner.left[node] if high <= learner.cut[node] else learner.right[node])
    return node


def balanced_test(parts: Sequence[Learner], nodes: Sequence[int]) -> Test | None:
    """Return the middle test of the feature with the most tests at these nodes: halving keeps the tree shallow."""
    cuts: dict[int, set[int]] = {}
    for part, node in zip(parts, nodes, strict=True):
        if part.feature[node] >= 0:
            cuts.setdefault(int(part.feature[node]), set()).add(int(part.cut[node]))
    if not cuts:
        return None
    j = max(cuts, key=lambda feature: (len(cuts[feature]), -feature))
    return j, sorted(cuts[j])[len(cuts[j]) // 2]


def sharing(learners: Sequence[Merged], max_depth: int) -> list[Merged]:
    """Merge the two that save the most leaves, again and again until none save any."""
    left = list(learners)

    @cache
    def together(first: Merged, second: Merged) -> Merged | None:
        return first.plus(second, max_depth, more_leaves=False) if first.features & second.features else None

    while True:
        pairs = [
            (first.tree.n_leaves + second.tree.n_leaves - whole.tree.n_leaves, whole, first, second)
            for first, second in combinations(left, 2)
            if (whole := together(first, second)) is not None
        ]
        if not pairs:
            return left
        saved, whole, *merged = max(pairs, key=lambda pair: pair[0])
        if saved <= 0:
            return left
        left = [*(learner for learner in left if learner not in merged), whole]


def packed(learners: Sequence[Merged], max_depth: int, more_leaves: bool) -> list[Merged]:
    """Best-fit decreasing: from the deepest on, each joins the one to which it adds the fewest leaves."""
    trees: list[Merged] = []
    for learner in sorted(learners, key=lambda item: (-item.depth, -item.tree.n_leaves)):
        fitting = [
            (whole.tree.n_leaves - other.tree.n_leaves, k, whole)
            for k, other in enumerate(trees)
            if (whole := other.plus(learner, max_depth, more_leaves=more_leaves)) is not None
        ]
        _, k, whole = min(fitting, key=lambda found: found[:2], default=(0, 0, None))
        if whole is None:
            trees.append(learner)
        else:
            trees[k] = whole
    return trees


def _learner(tests: list[Test], children: list[list[int]], scores: list[NDArray[np.int64]]) -> Learner:
    """A tree from its nodes, numbered from the root with the left side first; leaves have no children."""
    feature, cut = np.array(tests, dtype=np.int32).T.copy()
    left, right = np.array([below or (-1, -1) for below in children], dtype=np.int32).T.copy()
    leaf = np.where(feature < 0, np.cumsum(feature < 0) - 1, -1).astype(np.int32)
    return Learner(feature, cut, left, right, leaf, np.array(scores, dtype=np.int64))
