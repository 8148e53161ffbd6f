"""Exact pricing: an optimal tree for costs per sample and class, by `pystreed`.

STreeD (van der Linden, de Weerdt and Demirović, NeurIPS 2023) finds by dynamic programming a tree of least total cost
among all trees of a given depth on binary features. The binary features are here the order literals "code at most k",
one for each gap between two codes that occur: cuts within a gap put every sample on the same side.
"""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.errors import MissingPackageError
from compactml.pace.model.learners import Learner
from compactml.solvers._answers import note, package_version

__all__ = ["DEEPEST", "installed", "literals", "optimal_tree"]

DEEPEST = 20
"""Depth up to which the solver goes."""
UNIT = 1e4
"""Mean cost of a sample, in the solver's numbers, which it compares with absolute tolerances."""
NO_LIMIT = 1e6


def installed() -> bool:
    """Return whether the solver is."""
    return find_spec("pystreed") is not None


def literals(codes: NDArray[np.int32]) -> list[tuple[int, int]]:
    """Return (feature, cut) of every test that splits the samples, the cut in the middle of its gap."""
    tests = []
    for j in range(codes.shape[1]):
        levels = np.unique(codes[:, j])
        tests += [(j, int(cut)) for cut in (levels[:-1] + levels[1:]) // 2]
    return tests


def optimal_tree(
    codes: NDArray[np.int32],
    values: NDArray[np.float64],
    max_depth: int,
    scale: int,
    time_limit: float | None = None,
) -> Learner | None:
    """Find the tree with one class per leaf that maximises the sum of values.

    Parameters
    ----------
    codes : ndarray of int32, shape (n, n_features)
    values : ndarray of float, shape (n, n_classes)
        What a sample is worth in a leaf of each class.
    max_depth : int
    scale : int
        Score of a leaf's class.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    Learner or None
        None if the time ran out before the optimum was proved, or if ``max_depth`` is more than `DEEPEST`.

    Raises
    ------
    MissingPackageError
        Without `pystreed`.
    """
    tests = literals(codes)
    costs = values.max(axis=1, keepdims=True) - values
    if not tests or costs.max() == 0:
        return _learner([-1], [-1], [-1], [-1], [int(values.sum(axis=0).argmax())], values.shape[1], scale)
    if max_depth > DEEPEST:
        return None
    binary = np.column_stack([codes[:, j] <= cut for j, cut in tests]).astype(np.int32)
    seconds = NO_LIMIT if time_limit is None else min(max(time_limit, 1e-3), NO_LIMIT)
    solver = _streed()(max_depth=max_depth, time_limit=seconds)
    started = time.perf_counter()
    solver.fit(binary, costs * (UNIT / costs.mean()))
    optimal = solver.fit_result.is_optimal()
    status = "optimal" if optimal else "stopped"
    note(
        "pystreed",
        package_version("pystreed"),
        "open source",
        binary.shape,
        status,
        time.perf_counter() - started,
    )
    if not optimal:
        return None
    return _translated(solver.get_tree(), tests, values.shape[1], scale)


def _streed() -> type[Any]:
    """The solver's class; its package is slow to load, and has no wheel for the newest Python versions."""
    try:
        from pystreed import STreeDInstanceCostSensitiveClassifier
    except ImportError as error:
        raise MissingPackageError("optimal trees", "pystreed", "exact-trees") from error
    return STreeDInstanceCostSensitiveClassifier


def _translated(root: Any, tests: list[tuple[int, int]], n_classes: int, scale: int) -> Learner:
    """Number the nodes; the solver's left branch is the one on which the literal is false."""
    feature: list[int] = []
    cut: list[int] = []
    left: list[int] = []
    right: list[int] = []
    label: list[int] = []

    def add(node: Any) -> int:
        number = len(feature)
        leaf = node.is_leaf_node()
        j, k = (-1, -1) if leaf else tests[node.feature]
        for column, value in zip((feature, cut, left, right, label), (j, k, -1, -1, -1), strict=True):
            column.append(value)
        if leaf:
            label[number] = int(node.label)
        else:
            right[number] = add(node.left_child)
            left[number] = add(node.right_child)
        return number

    add(root)
    return _learner(feature, cut, left, right, label, n_classes, scale)


def _learner(
    feature: list[int],
    cut: list[int],
    left: list[int],
    right: list[int],
    label: list[int],
    n_classes: int,
    scale: int,
) -> Learner:
    leaves = np.flatnonzero(np.array(feature) < 0)
    leaf = np.full(len(feature), -1, dtype=np.int32)
    leaf[leaves] = np.arange(len(leaves))
    scores = np.zeros((len(leaves), n_classes), dtype=np.int64)
    scores[np.arange(len(leaves)), np.array(label)[leaves]] = scale
    return Learner(
        feature=np.array(feature, dtype=np.int32),
        cut=np.array(cut, dtype=np.int32),
        left=np.array(left, dtype=np.int32),
        right=np.array(right, dtype=np.int32),
        leaf=leaf,
        scores=scores,
    )
