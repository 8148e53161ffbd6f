"""scikit-learn's checks of data, which refuse with an error of this project's tree in scikit-learn's words."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from sklearn import utils
from sklearn.utils import multiclass, validation

from compactml.errors import CompactmlError, RefusedDataError

__all__ = [
    "assert_all_finite",
    "check_array",
    "check_classification_targets",
    "check_consistent_length",
    "column_or_1d",
    "validate_data",
]

P = ParamSpec("P")
R = TypeVar("R")


def _refusing(check: Callable[P, R]) -> Callable[P, R]:
    """A check whose ValueError becomes a `RefusedDataError`."""

    @wraps(check)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return check(*args, **kwargs)
        except CompactmlError:
            raise
        except ValueError as error:
            raise RefusedDataError(str(error)) from error

    return checked


assert_all_finite = _refusing(utils.assert_all_finite)
check_array = _refusing(validation.check_array)
check_classification_targets = _refusing(multiclass.check_classification_targets)
check_consistent_length = _refusing(validation.check_consistent_length)
column_or_1d = _refusing(validation.column_or_1d)
validate_data = _refusing(validation.validate_data)
