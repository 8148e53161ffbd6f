"""Trees whose leaves are free: the scores of all leaves of some trees at once, so that every label of S is kept.

With the tests of the trees fixed, an ensemble is a sum of columns, one for each leaf and class: a score of 1 for that
class to the samples in the leaf. Any weights >= 0 of these columns are scores of the leaves, so (P1) over them says
whether trees with these tests can keep every label at all, and a logistic loss says how far they are from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from compactml.clock import Clock
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.learners import Learner
from compactml.pace.weights.master import LinearMaster
from compactml.solvers import MasterNotSolvedError

__all__ = ["Fit", "exact_scores", "fit", "leaf_columns", "scored", "side_by_side"]

PENALTY = 1e-4
"""Of squared scores: small, so that the loss comes close to 0 where every label can be kept."""
ITERATIONS = 60
PRECISIONS = (10**4, 10**6, 10**8)
"""Values tried for the largest score of a leaf after rounding."""


@dataclass(frozen=True, eq=False)
class Fit:
    """How well free leaves keep the labels of S.

    Attributes
    ----------
    loss : float
        Logistic, summed over the rows.
    least : float
        Smallest margin; above 0 all labels are kept.
    urgency : ndarray of float, shape (m,)
        How much each row asks for a larger margin, between 0 and 1: minus the slope of its loss.
    """

    loss: float
    least: float
    urgency: NDArray[np.float64]


def leaf_columns(samples: FaithfulnessSet, learner: Learner) -> sparse.csr_array:
    """Margins of a score of 1 for one class in one leaf, shape (m, n_leaves * n_classes); two a row are not 0."""
    n_classes = samples.region.initial.n_classes
    first = learner.leaves_of(samples.codes)[samples.samples].astype(np.intp) * n_classes
    places = np.column_stack([first + samples.labels[samples.samples], first + samples.rivals])
    ends = np.arange(0, places.size + 1, 2)
    shape = len(first), learner.n_leaves * n_classes
    return sparse.csr_array((np.tile([1.0, -1.0], len(first)), places.ravel(), ends), shape=shape)


def side_by_side(samples: FaithfulnessSet, columns: Sequence[sparse.csr_array]) -> sparse.csr_array:
    """The columns of several trees in one matrix."""
    return sparse.hstack([sparse.csr_array((len(samples.samples), 0)), *columns], format="csr")


def fit(columns: sparse.csr_array, clock: Clock | None = None) -> Fit:
    """Minimise the logistic loss over the scores of the leaves, shape (m, k), as far as the time allows."""
    columns = columns[:, np.flatnonzero(np.bincount(columns.indices))]  # no sample is in the other leaves
    m, k = columns.shape
    if k == 0:
        return Fit(np.log(2.0) * m, 0.0, np.full(m, 0.5))

    def loss(scores: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = columns @ scores
        slope = 2 * PENALTY * scores - columns.T @ expit(-margins)
        return float(np.logaddexp(0.0, -margins).sum() + PENALTY * scores @ scores), slope

    def look(_: NDArray[np.float64]) -> None:
        if clock is not None and clock.stopped():
            raise StopIteration

    start, options = np.zeros(k), {"maxiter": ITERATIONS}
    optimum = minimize(loss, start, jac=True, method="L-BFGS-B", options=options, callback=look)
    margins = columns @ optimum.x
    return Fit(float(optimum.fun), float(margins.min(initial=np.inf)), expit(-margins))


def exact_scores(columns: sparse.csr_array) -> NDArray[np.float64] | None:
    """Scores of the leaves by (P1), shape (k,), or None if no scores keep every label."""
    # A score that speaks against samples and for none is 0.
    helps = np.flatnonzero(columns.max(axis=0).toarray() > 0)
    scores = np.zeros(columns.shape[1])
    if not helps.size:
        return None if columns.shape[0] else scores
    with LinearMaster(columns[:, helps].toarray()) as master:
        try:
            scores[helps] = master.solve().weights
        except MasterNotSolvedError:
            return None
    return scores


def scored(
    samples: FaithfulnessSet, learners: Sequence[Learner], scores: NDArray[np.float64]
) -> IntegerEnsemble | None:
    """Give trees these scores at their leaves, rounded so that no sample of S separates.

    The scores of each leaf of a tree are raised to the same sum, which changes no margin: divided by it they are class
    frequencies, as in the leaves of a forest. Tests that no longer matter go, and so do trees without any say.

    Returns
    -------
    IntegerEnsemble or None
        All weights are 1; None if no rounding keeps every label.
    """
    n_classes = samples.region.initial.n_classes
    ends = np.cumsum([learner.n_leaves * n_classes for learner in learners])[:-1]
    tables = [part.reshape(-1, n_classes) for part in np.split(scores, ends)]
    for precision in PRECISIONS:
        trees = [
            replace(learner, scores=_frequencies(table / scores.max() * precision), origin=None).simplified()
            for learner, table in zip(learners, tables, strict=True)
        ]
        trees = [tree for tree in trees if np.ptp(tree.scores, axis=1).any()]
        margins = sum((samples.column(tree) for tree in trees), np.zeros(len(samples.samples), np.int64))
        if np.min(margins, initial=1) > 0:
            scale = max(int(tree.scores.sum(axis=1).max()) for tree in trees)
            return IntegerEnsemble(tuple(trees), np.ones(len(trees), dtype=np.int64), n_classes, scale)
    return None


def _frequencies(table: NDArray[np.float64]) -> NDArray[np.int64]:
    """Integer scores of the leaves of a tree, each leaf raised to about the same sum."""
    rounded = np.rint(table).astype(np.int64)
    sums = rounded.sum(axis=1)
    return rounded + ((sums.max() - sums) // table.shape[1])[:, None]
