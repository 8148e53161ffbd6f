"""A check of a certificate by scikit-learn alone: predictions before and after, compared point by point."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier

from compactml.errors import InvalidDataError, check_instance, check_integer
from compactml.forests import check_classifier
from compactml.pace.certificate import Certificate
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.errors import UnfaithfulError
from compactml.pace.model.enumerating import all_cells, random_cells
from compactml.pace.model.setting import check_seed

__all__ = ["MAX_CELLS", "Recheck", "recheck"]

MAX_CELLS = 2**20
"""Grids up to this size are enumerated."""


@dataclass(frozen=True, eq=False)
class Recheck:
    """Outcome of `recheck`.

    Attributes
    ----------
    n_points : int
        Points of the region that were compared.
    exhaustive : bool
        Whether these are all there are.
    disagreements : ndarray of float64, shape (k, n_features)
        Points at which the predictions differ.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.pace import compress, recheck
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    >>> small = compress(forest, X, alpha=0.1, generate=False)
    >>> found = recheck(small, forest, n_points=1000)
    >>> len(found.disagreements)
    0
    """

    n_points: int
    exhaustive: bool
    disagreements: NDArray[np.float64]


def recheck(
    compressed: CompressedEnsemble, ensemble: Any, *, n_points: int = 1_000_000, random_state: int = 0
) -> Recheck:
    """Compare the predictions of scikit-learn's own ensembles, before and after, on points of the region.

    All cells are visited if there are at most `MAX_CELLS`, otherwise random points of the region. The integer programs
    and their evaluation play no part in the predictions: ``ensemble`` predicts as fitted and the compressed one as
    exported.

    Parameters
    ----------
    compressed : CompressedEnsemble
    ensemble : fitted ensemble
        The one that was compressed.
    n_points : int, default 1_000_000
        Random points of the region to aim at, at least 1.
    random_state : int, default 0

    Returns
    -------
    Recheck
        Disagreements there can only be between labels that were not proved.

    Raises
    ------
    UnfaithfulError
        A point disagrees although its pair of labels was proved.
    UnsupportedEnsembleError, UnfittedEnsembleError, InvalidDataError
        ``ensemble`` cannot be the one that was compressed: its kind, or its number of features.
    InvalidParameterError
    """
    check_instance("compressed", compressed, CompressedEnsemble)
    check_classifier(ensemble)
    check_integer("n_points", n_points, 1)
    check_seed(random_state)
    if ensemble.n_features_in_ != compressed.n_features_in_:
        wanted = f"fitted on {compressed.n_features_in_} features"
        raise InvalidDataError("ensemble", wanted, f"one of {ensemble.n_features_in_}")
    setting, exported = compressed.setting, compressed.to_sklearn()
    exhaustive = setting.grid.n_cells <= MAX_CELLS
    chunks: Iterable[NDArray[np.int32]]
    if exhaustive:
        chunks = all_cells(setting.grid.sizes)
    else:
        chunks = random_cells(setting.grid.sizes, setting.region, n_points, setting.samples, random_state)
    seen, different = 0, [np.empty((0, setting.grid.n_features))]
    for codes in chunks:
        points = setting.grid.representative(codes[setting.region.contains(codes)])
        if len(points) == 0:
            continue
        seen += len(points)
        named: NDArray[np.float64] | pd.DataFrame = points
        if setting.feature_names is not None:
            named = pd.DataFrame(points, columns=setting.feature_names)
        before, after = _labels(ensemble, setting.forest.votes, named), exported.predict(named)
        wrong = before != after
        _check_pairs(compressed.certificate_, before[wrong], after[wrong])
        different.append(points[wrong])
    return Recheck(seen, exhaustive, np.concatenate(different))


def _labels(ensemble: Any, votes: str, points: NDArray[np.float64] | pd.DataFrame) -> NDArray[Any]:
    """Labels of the initial ensemble; scikit-learn has no hard votes in forests, so its trees are asked."""
    if votes == "soft" or isinstance(ensemble, AdaBoostClassifier):
        return ensemble.predict(points)
    matrix = np.asarray(points)  # a forest's trees know no names
    favourites = np.stack([member.predict_proba(matrix).argmax(axis=1) for member in ensemble.estimators_])
    counts = [(favourites == c).sum(axis=0) for c in range(len(ensemble.classes_))]
    return ensemble.classes_[np.argmax(counts, axis=0)]


def _check_pairs(certificate: Certificate, before: NDArray[Any], after: NDArray[Any]) -> None:
    broken = [(a, b) for a, b in zip(before, after, strict=True) if certificate.proved.get((a, b)) is True]
    if broken:
        raise UnfaithfulError(len(broken), *broken[0])
