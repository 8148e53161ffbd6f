"""The project's exceptions: one tree, each leaf also a standard type, each message written here.

Every message names what was wrong, what is allowed and what came.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import Any

MOST_JOBS = 1024
"""Processes that a call may ask for."""

_RAGGED = re.compile(
    r"setting an array element with a sequence\.(?: The requested array has an inhomogeneous shape after \d+ "
    r"dimensions\. The detected shape was \((?P<shape>[^)]*)\) \+ inhomogeneous part\.)?"
)
_SAID = (
    (re.compile(r"^could not convert string to float: (.*)$", re.DOTALL), r"the text \1"),
    (
        re.compile(r"^float\(\) argument must be a string or a (?:real )?number, not '(.*)'$"),
        r"a value of type \1",
    ),
)


def in_our_words(said: str) -> str:
    """Return what came, where it was told in a sentence of NumPy or Python on why it makes no array of it."""
    for sentence, words in _SAID:
        said = sentence.sub(words, said)
    return _RAGGED.sub(_ragged, said)


def _ragged(found: re.Match[str]) -> str:
    shape = found["shape"]
    if shape is None:
        return "entries that are no single values"
    n_rows, _, inner = shape.partition(",")
    return (
        f"an array of shape ({shape}) with entries of different lengths"
        if inner
        else f"{n_rows} rows of different lengths"
    )


class CompactmlError(Exception):
    """Root of every exception that this project raises on purpose.

    It pickles with its message and its attributes. A subclass needs nothing for that: its constructor, whose arguments
    are not the message, is not called again.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args), vars(self).copy()


def _rebuilt(kind: type[CompactmlError], args: tuple[Any, ...]) -> CompactmlError:
    error = kind.__new__(kind)
    error.args = args
    return error


class InvalidParameterError(CompactmlError, ValueError):
    """A parameter lies outside its allowed values."""

    def __init__(self, name: str, allowed: str, got: Any) -> None:
        super().__init__(f"{name}: must be {allowed}, got {got!r}.")
        self.name, self.allowed, self.got = name, allowed, got


class InvalidDataError(CompactmlError, ValueError):
    """Data passed by the caller cannot be used (empty, NaN, infinite, wrong shape)."""

    def __init__(self, name: str, allowed: str, got: str) -> None:
        got = in_our_words(got)
        super().__init__(f"{name}: must be {allowed}, got {got}.")
        self.name, self.allowed, self.got = name, allowed, got


class RefusedDataError(InvalidDataError):
    """Data that scikit-learn, or an estimator of the caller, refuses: behind our sentence stands theirs.

    Parameters
    ----------
    message : str
        It begins with the name of the argument, or of what refuses it.
    allowed, got : str, optional
        As the message says them.
    """

    def __init__(self, message: str, allowed: str = "what is accepted there", got: str | None = None) -> None:
        CompactmlError.__init__(self, message)
        self.name, _, words = message.partition(": ")
        self.allowed, self.got = allowed, words if got is None else got


class RefusedTypeError(RefusedDataError, TypeError):
    """Data of a type that is refused so."""


class MissingPackageError(CompactmlError, ImportError):
    """An optional package is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(
            f"{what}: needs {package}, which is not installed; pip install 'compactml[{extra}]' brings it."
        )
        self.what, self.package, self.extra = what, package, extra


def check_choice(name: str, value: Any, allowed: Iterable[Any]) -> None:
    """Raise `InvalidParameterError` unless ``value`` is one of ``allowed``."""
    options = tuple(allowed)
    try:
        known = value in options
    except (TypeError, ValueError):  # pandas' NA, or an array, compared entry by entry
        known = False
    if not known:
        raise InvalidParameterError(name, "one of " + ", ".join(map(repr, options)), value)


def check_finite(name: str, value: Any, low: float = -math.inf) -> float:
    """Return ``value`` as a finite float of at least ``low``, or raise `InvalidParameterError`."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not low <= value or not math.isfinite(value):
        allowed = "a finite number" if math.isinf(low) else f"a finite number of at least {low:g}"
        raise InvalidParameterError(name, allowed, value)
    return float(value)


def check_instance(name: str, value: Any, kind: type | tuple[type, ...]) -> None:
    """Raise `InvalidDataError` unless ``value`` is of a type, or of one of several."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        raise InvalidDataError(name, " or ".join(one.__name__ for one in kinds), type(value).__name__)


def check_fields(declared: object, **kinds: Any) -> None:
    """Raise `InvalidDataError` unless the named fields of a declaration are of their types."""
    for name, kind in kinds.items():
        check_instance(name, getattr(declared, name), kind)


def check_integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return ``value`` as an int from ``low`` to ``high``, or raise `InvalidParameterError`."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < low or (high is not None and value > high):
        allowed = f"an integer of at least {low}" if high is None else f"an integer in [{low}, {high}]"
        raise InvalidParameterError(name, allowed, value)
    return int(value)


def check_jobs(n_jobs: Any) -> None:
    """Raise `InvalidParameterError` unless ``n_jobs`` is None or a number of processes as joblib counts them."""
    number = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and not (number and n_jobs and -MOST_JOBS <= n_jobs <= MOST_JOBS):
        raise InvalidParameterError(
            "n_jobs", f"None or an integer in [{-MOST_JOBS}, {MOST_JOBS}] that is not 0", n_jobs
        )


def check_path(name: str, value: Any) -> Path:
    """Return ``value`` as a path, or raise `InvalidParameterError`."""
    if not isinstance(value, str | os.PathLike) or "\0" in str(value) or not str(value):
        raise InvalidParameterError(name, "a path, as text or path-like", value)
    return Path(value)


def check_share(name: str, value: Any) -> float:
    """Return ``value`` as a float in (0, 1), or raise `InvalidParameterError`."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise InvalidParameterError(name, "a number in (0, 1)", value)
    return float(value)


def check_fraction(name: str, value: Any) -> float:
    """Return ``value`` as a float in [0, 1), or raise `InvalidParameterError`."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < 1:
        raise InvalidParameterError(name, "a number in [0, 1)", value)
    return float(value)
