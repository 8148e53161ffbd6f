"""Models as files without pickle: `save` and `load`, one versioned format with checked sizes."""

from __future__ import annotations

from importlib.metadata import version
from os import PathLike
from typing import Any

from numpy.typing import NDArray

from compactml.errors import InvalidDataError, check_path
from compactml.kept import Kept
from compactml.model_files.container import read, write
from compactml.model_files.kinds import apart, together
from compactml.model_files.plain import decoded, encoded

__all__ = ["load", "save"]


def save(model: Any, path: str | PathLike[str]) -> None:
    """Write what a model has learned to a file.

    The file is an archive of ``model.json`` and arrays, without code. It holds what predictions, rules and selected
    columns need, with values, bounds and certificates; not the history of the search, nor the data of a proof, and of
    a pruned ensemble its selected members only. A file that is there is replaced at once, or not at all.

    Parameters
    ----------
    model : fitted model
        `BooleanRuleClassifier`, `BooleanRuleClassifierCV`, `MRMRSelector`, `CFSSelector`, `PaceClassifier`,
        `CompressedEnsemble`, the `SharedEnsemble` of `share_conditions`, `PrunedEnsembleClassifier` or
        `PrunedEnsembleRegressor` whose selected members are among these or scikit-learn's; scikit-learn's decision
        trees, random forests, extra trees, AdaBoost of trees and gradient boosting.
    path : str or path-like

    Raises
    ------
    InvalidParameterError
        Another model or member, named, or a parameter that is no plain data.
    InvalidDataError
        Classes or values that are neither numbers nor texts.
    sklearn.exceptions.NotFittedError
        The model is not fitted.
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.datasets import load_breast_cancer
    >>> from compactml.boolean_rules import BooleanRuleClassifier
    >>> from compactml.model_files import load, save
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BooleanRuleClassifier(complexity=4).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, Path(folder) / "rules.compactml")
    ...     again = load(Path(folder) / "rules.compactml")
    >>> bool((again.predict_proba(X) == model.predict_proba(X)).all()), again.rules_ == model.rules_
    (True, True)
    """
    place = check_path("path", path)
    arrays: list[NDArray[Any]] = []
    head = {
        "libraries": {name: version(name) for name in ("compactml", "numpy", "scikit-learn")},
        "model": encoded(apart(model), arrays),
    }
    write(place, head, arrays)


def load(path: str | PathLike[str]) -> Any:
    """Return the model of a file that `save` has written.

    Nothing in the file is run, nothing larger than the file is read from it, and what compiled code takes for granted
    is checked. Whether its predictions are worth anything is a matter of where it comes from.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    fitted model
        Its predictions are those of the model that was written, bit by bit.

    Raises
    ------
    InvalidDataError
        No such file, one of another format or a newer version, or one that is damaged.
    """
    head, arrays = read(check_path("path", path))
    try:
        plain = decoded(Kept(head, "path").anything("model"), arrays)
    except RecursionError as error:
        raise InvalidDataError("path", "data of a model", "some that are nested too deeply") from error
    return together(Kept(plain, "model"))
