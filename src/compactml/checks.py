"""scikit-learn's checks of data, which refuse with an error of this project's tree.

It names the argument, what is allowed and what came. scikit-learn's sentence stands behind, since its own checks of
estimators look for it.
"""

from __future__ import annotations

import re
import reprlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from functools import wraps
from numbers import Number
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
    in_our_words,
)

__all__ = [
    "array_of",
    "assert_all_finite",
    "came",
    "check_array",
    "check_classification_targets",
    "check_consistent_length",
    "check_sample_weight",
    "checked_folds",
    "column_named",
    "column_or_1d",
    "n_samples",
    "refused_by",
    "validate_data",
]

DENSE = "dense, an array or a DataFrame (toarray() makes one of a sparse matrix, where memory allows)"

TABLE = "a table with rows of one length, in two dimensions, with at least one row and one column"
COLUMN = "a value for each row of X, in one dimension"

SAID = (
    (r"contains NaN", "without missing values", "NaN"),
    (r"contains infinity", "finite", "infinity, or numbers beyond its type"),
    (r"^Complex data", "real numbers", "complex numbers"),
    (r"arrays of bytes/strings", "numbers", "text"),
    (r"(?s)^(?:could not convert string|float\(\) argument).*", "numbers", r"\g<0>"),
    (r"^Unknown label type: \(?'?([\w-]+)", "labels of classes", r"values that scikit-learn calls \1"),
    (r"is expecting \d+ features|^The feature names should match", "a table with the columns of fit", None),
)
"""Sentences of scikit-learn: what is allowed and what came, None for what the data show."""
RAGGED = "setting an array element with a sequence"
OF_LENGTHS = (
    "Found input variables with inconsistent",
    "Expected sequence",
    "Input should have at least 1 dim",
)
OF_Y = re.compile(r"\bInput y\b|^y |requires y|^Unknown label type")

P = ParamSpec("P")
R = TypeVar("R")


def came(value: Any) -> str:
    """Return in a few words what came as a table or column: its kind and shape, or the lengths of its rows."""
    if value is None or isinstance(value, Number | str | bytes):
        return reprlib.repr(value)
    kind = "array" if isinstance(value, np.ndarray) else type(value).__name__
    if sparse.issparse(value):
        return f"a sparse {kind} of shape {value.shape}"
    shape = getattr(value, "shape", None)
    if isinstance(value, list | tuple):
        try:
            shape = np.asarray(value).shape
        except (TypeError, ValueError, OverflowError):
            return _lengths(value)
    if not isinstance(shape, tuple):
        return f"a value of type {kind}"
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} of shape {shape}"


def _lengths(rows: Sequence[Any]) -> str:
    """What rows that make no array are: of which lengths, in the order of the rows."""
    some = [len(row) for row in rows if isinstance(row, Sized) and not isinstance(row, str | bytes)]
    if len(some) < len(rows):
        return "single values beside sequences"
    lengths = [str(n) for n in dict.fromkeys(some)]
    if len(lengths) == 1:
        return f"rows of {lengths[0]} entries that have different lengths themselves"
    listed = lengths if len(lengths) <= 3 else [*lengths[:2], "other numbers of"]
    return f"rows of {', '.join(listed[:-1])} and {listed[-1]} entries"


def _refusing(check: Callable[P, R], *names: str) -> Callable[P, R]:
    """A check whose ValueError becomes a `RefusedDataError`, and its TypeError a `RefusedTypeError`.

    ``names`` are those of its first arguments, "" for one that is no data. A sparse table is told to be made dense.
    """

    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return check(*args, **kwargs)
        except CompactmlError:
            raise
        except (TypeError, ValueError) as error:
            other: Any = kwargs.get("input_name")
            known = (other,) if other else names
            given = {name: value for name, value in zip(known, args, strict=False) if name}
            if isinstance(error, TypeError):
                for name, value in given.items():
                    if sparse.issparse(value):
                        raise InvalidDataError(name, DENSE, came(value)) from error
            raise _refusal(error, given) from error

    return checked


def _refusal(error: TypeError | ValueError, given: Mapping[str, Any]) -> RefusedDataError:
    """The error to raise in place of a check's, which was given these data by their names."""
    said = str(error)
    name = _refused(said, given)
    allowed, got = TABLE if name == "X" else COLUMN, came(given.get(name))
    for sentence, only, instead in SAID:
        if found := re.search(sentence, said):
            allowed, got = only, got if instead is None else in_our_words(found.expand(instead))
    behind = "" if said.startswith(RAGGED) else f" ({_short(said, name)})"
    kind = RefusedTypeError if isinstance(error, TypeError) else RefusedDataError
    return kind(f"{name}: must be {allowed}, got {got}{behind}.", allowed, got)


def _refused(said: str, given: Mapping[str, Any]) -> str:
    """The name of what a check refused."""
    first = next(iter(given), "X")
    if said.startswith(OF_LENGTHS):
        return _uneven(given) or first
    if "y" in given and OF_Y.search(said):
        return "y"
    if said.startswith((RAGGED, "Complex")):
        for name, value in given.items():
            try:
                if np.iscomplexobj(value):
                    return name
            except (TypeError, ValueError):  # rows of different lengths
                return name
    return first


def _uneven(given: Mapping[str, Any]) -> str | None:
    """The name of the first data that have no length, or another one than those before."""
    lengths = set()
    for name, value in given.items():
        if value is not None:
            try:
                lengths.add(validation._num_samples(value))
            except TypeError:
                return name
        if len(lengths) > 1:
            return name
    return None


def _short(said: str, name: str) -> str:
    """A sentence of scikit-learn without the data and the advice that it repeats, about the argument of this name."""
    if said.startswith("Expected 2D array"):
        start, _, advice = said.partition(" instead:\n")
        _, _, advice = advice.rpartition("\n")
        return f"{start}. {advice.rstrip('.')}" if "1D" in start else start
    if said.startswith("Complex") or " contains NaN" in said:
        said = said.partition("\n")[0]
    return re.sub(r"^y ", f"{name} ", said.rstrip("."))


assert_all_finite = _refusing(utils.assert_all_finite, "X")
check_array = _refusing(validation.check_array, "X")
check_classification_targets = _refusing(multiclass.check_classification_targets, "y")
check_consistent_length = _refusing(validation.check_consistent_length, "X", "y", "sample_weight")
check_sample_weight = _refusing(validation._check_sample_weight, "sample_weight")
column_or_1d = _refusing(validation.column_or_1d, "y")
n_samples = _refusing(validation._num_samples, "X")
# scikit-learn 1.1, in whose environment the paper's trees are shared, has no such function; it is not called there.
validate_data = _refusing(getattr(validation, "validate_data", validation.check_array), "", "X", "y")


def column_named(name: str, values: Any) -> NDArray[Any]:
    """Return `column_or_1d` of values that are no labels."""
    column: NDArray[Any] = _refusing(validation.column_or_1d, name)(values)
    return column


def _words(error: Exception) -> str:
    """What an estimator said, but for NumPy's words on values that make no array, which name nothing of a table."""
    said = str(error)
    return in_our_words(said) if said.startswith(RAGGED) else said


@contextmanager
def refused_by(name: str) -> Iterator[None]:
    """What a caller's estimator refuses within is refused in its words, with its name."""
    try:
        yield
    except CompactmlError:
        raise
    except TypeError as error:
        raise RefusedTypeError(f"{name}: {_words(error)}") from error
    except ValueError as error:
        raise RefusedDataError(f"{name}: {_words(error)}") from error


def array_of(what: str, name: str, values: Any) -> NDArray[Any]:
    """Return values as an array, or raise `InvalidDataError` for rows of different lengths or complex numbers."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InvalidDataError(name, what, came(values)) from error
    if np.iscomplexobj(array):
        raise InvalidDataError(name, what, "complex numbers")
    return array


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
