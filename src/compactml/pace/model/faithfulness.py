"""The faithfulness set S and the margins of all learners on it: the rows and columns of (P1) and (P0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import Region
from compactml.pace.weights.errors import WeightRoundingError

__all__ = ["FaithfulnessSet"]

PRECISIONS = (10**6, 10**7, 10**8, 10**9)
"""Values tried for the largest weight after rounding."""


class FaithfulnessSet:
    """Samples of the region, one row for each of them and each class c other than its label, one column per learner.

    Parameters
    ----------
    region : Region
    codes : array-like of int, shape (n, n_features)
        First samples; all of them in the region.
    learners : sequence of Learner, optional
        By default those of the initial ensemble.

    Attributes
    ----------
    codes : ndarray of int32, shape (n, n_features)
        Distinct.
    labels : ndarray of int64, shape (n,)
    learners : list of Learner
    integers : ndarray of int64, shape (m, k)
        Entry (18): score of the sample's label minus score of class c. Rows of new samples come last.
    samples, rivals : ndarray of int, shape (m,)
        Number of the sample, and c, of each row.
    """

    def __init__(self, region: Region, codes: ArrayLike, learners: Sequence[Learner] | None = None) -> None:
        self.region = region
        self.learners = list(region.initial.learners if learners is None else learners)
        self.codes = np.empty((0, np.asarray(codes).shape[1]), dtype=np.int32)
        self.labels = np.empty(0, dtype=np.int64)
        self.samples, self.rivals = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        self.integers = np.empty((0, len(self.learners)), dtype=np.int64)
        self._known: set[bytes] = set()
        self.add_samples(codes)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def scale(self) -> int:
        return self.region.initial.scale

    @property
    def margins(self) -> NDArray[np.float64]:
        """The rows in units of a learner's score range, hence in [-1, 1], shape (m, k)."""
        return self.integers / self.scale

    def add_samples(self, codes: ArrayLike) -> int:
        """Append the samples that are new, and return how many these are."""
        fresh = self._fresh(np.ascontiguousarray(codes, dtype=np.int32))
        labels = self.region.labels(fresh)
        classes = np.arange(self.region.initial.n_classes)
        samples, rivals = np.nonzero(classes != labels[:, None])
        rows = np.empty((len(samples), len(self.learners)), dtype=np.int64)
        for k, learner in enumerate(self.learners):
            rows[:, k] = _margins(learner, fresh, labels, samples, rivals)
        self.integers = np.concatenate([self.integers, rows])
        self.samples = np.concatenate([self.samples, samples + len(self.codes)])
        self.rivals = np.concatenate([self.rivals, rivals])
        self.codes, self.labels = np.concatenate([self.codes, fresh]), np.concatenate([self.labels, labels])
        return len(fresh)

    def add_learners(self, learners: Iterable[Learner]) -> None:
        """Append columns."""
        for learner in learners:
            self.learners.append(learner)
            self.integers = np.column_stack([self.integers, self.column(learner)])

    def column(self, learner: Learner) -> NDArray[np.int64]:
        """Margins of a learner on S, shape (m,)."""
        return _margins(learner, self.codes, self.labels, self.samples, self.rivals)

    def rounded(self, weights: ArrayLike) -> IntegerEnsemble:
        """Round weights, the largest to 10**6, so that no sample of S separates.

        Parameters
        ----------
        weights : array-like of float, shape (k,)
            Not negative, with a positive margin on every row.

        Raises
        ------
        WeightRoundingError
            Not even 10**9 is precise enough.
        """
        exact = np.asarray(weights, dtype=np.float64)
        least = 0
        for precision in PRECISIONS:
            integers = np.rint(exact / exact.max() * precision).astype(np.int64)
            kept = np.flatnonzero(integers)
            least = int((self.integers[:, kept] @ integers[kept]).min(initial=precision))
            if least > 0:
                return self.ensemble(integers)
        raise WeightRoundingError(least, PRECISIONS[-1])

    def ensemble(self, weights: NDArray[np.int64]) -> IntegerEnsemble:
        """The learners of positive weight as an ensemble.

        Raises
        ------
        ScoreOverflowError
        """
        kept = np.flatnonzero(weights)
        chosen = tuple(self.learners[k] for k in kept)
        return IntegerEnsemble(chosen, weights[kept], self.region.initial.n_classes, self.scale)

    def _fresh(self, codes: NDArray[np.int32]) -> NDArray[np.int32]:
        new = []
        for i, sample in enumerate(codes):
            key = sample.tobytes()
            if key not in self._known:
                self._known.add(key)
                new.append(i)
        return codes[new]


def _margins(
    learner: Learner,
    codes: NDArray[np.int32],
    labels: NDArray[np.int64],
    samples: NDArray[np.int64],
    rivals: NDArray[np.int64],
) -> NDArray[np.int64]:
    scores = learner.scores_of(codes)
    return scores[samples, labels[samples]] - scores[samples, rivals]
