"""`ClassifierPool`: the classifiers to choose from, and their votes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, Self

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from compactml.checks import validate_data
from compactml.ensemble_pruning.instance import pack
from compactml.ensemble_pruning.pool.families import FAMILIES, Family
from compactml.ensemble_pruning.pool.voting import binary_labels, positive_votes
from compactml.errors import MissingPackageError, check_integer

__all__ = ["ClassifierPool"]


class ClassifierPool(BaseEstimator):
    """Heterogeneous classifiers: ten families, equally many instances of each (section 5 of Bastos et al., 2024).

    Classifier k is draw k // 10 of family k % 10. What is drawn for it depends on ``random_state``, the family and the
    draw alone, so that a smaller pool is the beginning of a larger one with the same seed.

    Parameters
    ----------
    n_classifiers : int, default 40
        K >= 2; multiples of ten have K / 10 classifiers of each family, as in the paper.
    random_state : int, default 0
    n_jobs : int, default 1
        Processes that fit classifiers.
    progress : bool, default False
        Whether to show a progress bar on stderr.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second one is the positive class.
    estimators_ : list of estimators
    families_ : list of str
        Name of the family of each classifier.
    parameters_ : list of dict
        What was drawn for each classifier.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> pool = ClassifierPool(10, random_state=1).fit(X[:300], y[:300])
    >>> pool.votes(X[300:]).shape
    (269, 10)
    """

    def __init__(
        self, n_classifiers: int = 40, random_state: int = 0, n_jobs: int = 1, *, progress: bool = False
    ) -> None:
        self.n_classifiers = n_classifiers
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any) -> Self:
        """Draw and fit the classifiers.

        Parameters
        ----------
        X : array-like of numbers, shape (n, n_features)
        y : array-like, shape (n,)
            Labels of two classes.

        Raises
        ------
        InvalidParameterError
            ``n_classifiers`` below 2, or a seed that is not an integer of at least 0.
        InvalidDataError
            One class only.
        ValueError
            Of scikit-learn: X not finite, not a table, more than two classes.
        """
        check_integer("n_classifiers", self.n_classifiers, 2)
        check_integer("random_state", self.random_state, 0)
        X, y = validate_data(self, X, y)
        self.classes_, positive = binary_labels(y)
        numbers = [divmod(k, len(FAMILIES)) for k in range(self.n_classifiers)]
        jobs = (
            joblib.delayed(_fitted)(FAMILIES[family], (self.random_state, family, draw), X, positive)
            for draw, family in numbers
        )
        fitted: Iterator[Any] = joblib.Parallel(n_jobs=self.n_jobs, return_as="generator")(jobs)
        if self.progress:
            try:
                from tqdm import tqdm
            except ModuleNotFoundError as error:
                raise MissingPackageError("progress=True", "tqdm", "experiments") from error
            fitted = tqdm(fitted, "fitting", self.n_classifiers, unit="classifier")
        self.estimators_, self.parameters_ = map(list, zip(*fitted, strict=True))
        self.families_ = [FAMILIES[family].name for _, family in numbers]
        return self

    def votes(self, X: Any) -> NDArray[np.bool_]:
        """Return who votes for the positive class: a probability of at least one half.

        Parameters
        ----------
        X : array-like of numbers, shape (n, n_features)

        Returns
        -------
        ndarray of bool, shape (n, K)

        Raises
        ------
        InvalidDataError
            A classifier's probability is NaN or outside [0, 1].
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return positive_votes(self.estimators_, X, True)

    def packed_votes(self, X: Any) -> NDArray[np.uint64]:
        """Return `votes` as bits in words of 64, shape (n, ceil(K / 64)).

        See `compactml.ensemble_pruning.pool.voting`.
        """
        return pack(self.votes(X))


def _fitted(
    family: Family, seed: tuple[int, int, int], X: NDArray[Any], positive: NDArray[np.bool_]
) -> tuple[Any, dict[str, Any]]:
    """One classifier, trained on labels False and True, and what was drawn for it."""
    rng = np.random.default_rng(seed)
    parameters = family.draw(rng)
    rows = stratified_rows(positive, family.max_rows, rng)
    model = family.build(parameters, len(rows))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # short training is meant: it makes classifiers differ
        return model.fit(X[rows], positive[rows]), parameters


def stratified_rows(
    positive: NDArray[np.bool_], max_rows: int | None, rng: np.random.Generator
) -> NDArray[np.intp]:
    """All rows in their order, or about ``max_rows`` random ones, both classes in their shares."""
    n = len(positive)
    if max_rows is None or n <= max_rows:
        return np.arange(n)
    classes = [np.flatnonzero(positive == label) for label in (False, True)]
    sampled = [rng.choice(rows, max(1, round(max_rows * len(rows) / n)), replace=False) for rows in classes]
    return np.sort(np.concatenate(sampled))
