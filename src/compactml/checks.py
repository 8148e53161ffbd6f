"""scikit-learn's checks of data, which refuse with an error of this project's tree in scikit-learn's words."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import utils
from sklearn.utils import multiclass, validation

from compactml.errors import (
    CompactmlError,
    InvalidDataError,
    InvalidParameterError,
    RefusedDataError,
    RefusedTypeError,
)

__all__ = [
    "array_of",
    "assert_all_finite",
    "check_array",
    "check_classification_targets",
    "check_consistent_length",
    "checked_folds",
    "column_or_1d",
    "n_samples",
    "refused_by",
    "validate_data",
]

DENSE = "dense, an array or a DataFrame (toarray() makes one of a sparse matrix, where memory allows)"

P = ParamSpec("P")
R = TypeVar("R")


def _refusing(check: Callable[P, R], name: str) -> Callable[P, R]:
    """A check whose ValueError becomes a `RefusedDataError`, and its TypeError a `RefusedTypeError`.

    That of a sparse table names the table.
    """

    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return check(*args, **kwargs)
        except CompactmlError:
            raise
        except ValueError as error:
            raise RefusedDataError(str(error)) from error
        except TypeError as error:
            given: list[Any] = [*args, *kwargs.values()]
            for table in given:
                if sparse.issparse(table):
                    came = f"a sparse {type(table).__name__} of shape {table.shape}"
                    raise InvalidDataError(name, DENSE, came) from error
            raise RefusedTypeError(str(error)) from error

    return checked


assert_all_finite = _refusing(utils.assert_all_finite, "X")
check_array = _refusing(validation.check_array, "X")
check_classification_targets = _refusing(multiclass.check_classification_targets, "y")
check_consistent_length = _refusing(validation.check_consistent_length, "X")
column_or_1d = _refusing(validation.column_or_1d, "y")
n_samples = _refusing(validation._num_samples, "X")
# scikit-learn 1.1, in whose environment the paper's trees are shared, has no such function; it is not called there.
validate_data = _refusing(getattr(validation, "validate_data", validation.check_array), "X")


@contextmanager
def refused_by(name: str) -> Iterator[None]:
    """What a caller's estimator refuses within is refused in its words, with its name."""
    try:
        yield
    except CompactmlError:
        raise
    except TypeError as error:
        raise RefusedTypeError(f"{name}: {error}") from error
    except ValueError as error:
        raise RefusedDataError(f"{name}: {error}") from error


def array_of(what: str, name: str, values: Any) -> NDArray[Any]:
    """Return values as an array, or raise `InvalidDataError` where rows have different lengths."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InvalidDataError(name, what, str(error)) from error


def checked_folds(
    cv: Any, X: Any, y: NDArray[Any], *, classifier: bool
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return train and test rows of each fold, as scikit-learn's ``check_cv`` chooses them.

    A number of folds is lowered to the rows of the most frequent class (without classes to all rows) where it is more,
    with a warning: scikit-learn would refuse it.

    Parameters
    ----------
    cv : int, splitter, iterable or None
    X : array-like, shape (n, n_features)
    y : ndarray, shape (n,)
    classifier : bool
        Whether the folds are to have the classes in their shares.

    Raises
    ------
    InvalidParameterError
        No such folds of these rows.
    """
    from sklearn.model_selection import check_cv  # here, since most who import this module need no folds

    asked = 5 if cv is None else cv
    try:
        if isinstance(asked, int | np.integer) and not isinstance(asked, bool):
            most = int(np.unique(y, return_counts=True)[1].max()) if classifier else len(y)
            if 2 <= most < asked:
                rows = "rows of any class" if classifier else "rows"
                text = f"cv: {asked} folds are more than the {rows}; {most} are used."
                warnings.warn(text, UserWarning, stacklevel=4)
                cv = most
        return list(check_cv(cv, y, classifier=classifier).split(X, y))
    except (TypeError, ValueError) as error:
        raise InvalidParameterError("cv", f"folds of {len(y)} rows ({error})", cv) from error
