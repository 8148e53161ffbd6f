"""`ClassifierPool`: the classifiers to choose from, and their votes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Self

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from compactml.checks import check_consistent_length, validate_data
from compactml.ensemble_pruning.instance import pack
from compactml.ensemble_pruning.pool.encoding import encoder_for, is_plain
from compactml.ensemble_pruning.pool.families import FAMILIES, Family
from compactml.ensemble_pruning.pool.voting import class_codes, class_probabilities, class_votes
from compactml.errors import (
    InvalidDataError,
    MissingPackageError,
    RefusedDataError,
    check_choice,
    check_integer,
    check_jobs,
)

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
    n_jobs : int or None, default 1
        Processes that fit classifiers, as in joblib; each fits on one thread.
    progress : bool, default False
        Whether to show a progress bar on stderr.

    Attributes
    ----------
    classes_ : ndarray, shape (C,)
        Sorted; of two the second one is the positive class.
    encoder_ : ColumnTransformer or None
        What makes numbers of texts and missing values; None where the training rows have neither.
    estimators_ : list of estimators
        Fitted on labels False and True (the positive class), with more than two classes on 0 to C - 1. Each has the
        encoder in front, if there is one, and so takes the rows that the pool takes.
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
        self,
        n_classifiers: int = 40,
        random_state: int = 0,
        n_jobs: int | None = 1,
        *,
        progress: bool = False,
    ) -> None:
        self.n_classifiers = n_classifiers
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any) -> Self:
        """Draw and fit the classifiers.

        Parameters
        ----------
        X : array-like or data frame, shape (n, n_features)
            Numbers, texts, and missing values of both. Where the training rows lack nothing, later ones may not either.
        y : array-like, shape (n,)
            Labels of two or more classes.

        Raises
        ------
        InvalidParameterError
            ``n_classifiers`` below 2, or a seed that is not an integer of at least 0.
        InvalidDataError
            One class only, or one with a single row; infinity, dates; what scikit-learn refuses.
        """
        check_integer("n_classifiers", self.n_classifiers, 2)
        check_integer("random_state", self.random_state, 0)
        check_jobs(self.n_jobs)
        check_choice("progress", self.progress, (True, False))
        encodes = not is_plain(X)
        X = validate_data(self, X, skip_check_array=encodes)
        check_consistent_length(X, y)
        self.classes_, codes = class_codes(y)
        labels = codes == 1 if len(self.classes_) == 2 else codes
        self.encoder_ = encoder_for(X).fit(X) if encodes else None
        rows = X if self.encoder_ is None else self.encoder_.transform(X)
        numbers = [divmod(k, len(FAMILIES)) for k in range(self.n_classifiers)]
        jobs = (
            joblib.delayed(_fitted)(FAMILIES[family], (self.random_state, family, draw), rows, labels)
            for draw, family in numbers
        )
        fitted: Iterator[Any] = joblib.Parallel(n_jobs=self.n_jobs, return_as="generator")(jobs)
        if self.progress:
            try:
                from tqdm import tqdm
            except ModuleNotFoundError as error:
                raise MissingPackageError("progress=True", "tqdm", "experiments") from error
            fitted = tqdm(fitted, "fitting", self.n_classifiers, unit="classifier")
        with threadpool_limits(1):  # each learner on one thread: on small tables several wait for one another
            models, self.parameters_ = map(list, zip(*fitted, strict=True))
        self.estimators_ = [self._with_encoder(model) for model in models]
        self.families_ = [FAMILIES[family].name for _, family in numbers]
        return self

    def votes(self, X: Any) -> NDArray[Any]:
        """Return what each classifier votes for.

        Parameters
        ----------
        X : array-like or data frame, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n, K)
            Of two classes whether it votes for the positive one (bool): a probability of at least one half. Of more
            the class that it predicts.

        Raises
        ------
        InvalidDataError
            A classifier's probability is NaN or outside [0, 1].
        """
        codes = self.codes(X)
        return codes == 1 if len(self.classes_) == 2 else self.classes_[codes]

    def codes(self, X: Any, chosen: Iterable[int] | None = None) -> NDArray[np.intp]:
        """Return the number of the class that each classifier, or each chosen one, votes for, shape (n, K)."""
        return class_votes(*self._asked(X, chosen))

    def probabilities(self, X: Any, chosen: Iterable[int] | None = None) -> NDArray[np.float64]:
        """Return the probability that each classifier, or each chosen one, gives to each class, shape (n, K, C)."""
        return class_probabilities(*self._asked(X, chosen))

    def _asked(self, X: Any, chosen: Iterable[int] | None) -> tuple[list[Any], Any, NDArray[Any]]:
        """Classifiers, the rows as they take them, and the classes as they know them."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, skip_check_array=self.encoder_ is not None)
        members = [self.estimators_[k] for k in (range(len(self.estimators_)) if chosen is None else chosen)]
        if self.encoder_ is not None:  # once for all of them
            X, members = self.encoder_.transform(X), [member.named_steps["model"] for member in members]
        labels = np.array([False, True]) if len(self.classes_) == 2 else np.arange(len(self.classes_))
        return members, X, labels

    def _with_encoder(self, model: Any) -> Any:
        return model if self.encoder_ is None else Pipeline([("encoder", self.encoder_), ("model", model)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def packed_votes(self, X: Any) -> NDArray[np.uint64]:
        """Return `votes` as bits in words of 64, shape (n, ceil(K / 64)).

        See `compactml.ensemble_pruning.pool.voting`.

        Raises
        ------
        InvalidDataError
            The pool has more than two classes.
        """
        check_is_fitted(self)
        if len(self.classes_) > 2:
            raise InvalidDataError("classes_", "two: bits have no third", f"{len(self.classes_)}")
        return pack(self.votes(X))


def _fitted(
    family: Family, seed: tuple[int, int, int], X: NDArray[Any], labels: NDArray[Any]
) -> tuple[Any, dict[str, Any]]:
    """One classifier and what was drawn for it."""
    rng = np.random.default_rng(seed)
    parameters = family.draw(rng)
    rows = stratified_rows(labels, family.max_rows, rng)
    model = family.build(parameters, len(rows))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # short training is meant: it makes classifiers differ
        warnings.filterwarnings("ignore", "Only one sample available")  # of a class
        try:
            return model.fit(X[rows], labels[rows]), parameters
        except (ValueError, np.linalg.LinAlgError) as error:
            if family.instead is None:
                raise RefusedDataError(f"{family.name}: {error}") from error
        return family.instead(parameters).fit(X[rows], labels[rows]), parameters


def stratified_rows(labels: NDArray[Any], max_rows: int | None, rng: np.random.Generator) -> NDArray[np.intp]:
    """All rows in their order, or about ``max_rows`` random ones, all classes in their shares."""
    n = len(labels)
    if max_rows is None or n <= max_rows:
        return np.arange(n)
    classes = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    sampled = [rng.choice(rows, max(1, round(max_rows * len(rows) / n)), replace=False) for rows in classes]
    return np.sort(np.concatenate(sampled))
