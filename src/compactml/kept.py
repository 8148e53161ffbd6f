"""What is kept of a model, as plain data: how a method takes it apart, and how it is checked when it comes back.

Plain data are None, True and False, numbers, texts, lists, tuples and dictionaries of texts to plain data, and arrays
of numbers or texts. Each method says in a module ``written`` what of its models is to be kept, and builds them again
from a `Kept`, which refuses what does not fit. It knows no file; `compactml.model_files` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError, InvalidParameterError

__all__ = ["Kept", "columns_of", "plain_parameters", "set_columns", "set_parameters"]

SCALARS = (bool, int, float, str)


class Kept:
    """A dictionary of plain data that may be anything, whose entries are asked for one by one.

    Parameters
    ----------
    data : object
        A dictionary, or it is refused.
    where : str
        What it belongs to, for messages.

    Raises
    ------
    InvalidDataError
        By each method, where the entry is missing or not what is asked for.

    Examples
    --------
    >>> from compactml.kept import Kept
    >>> kept = Kept({"size": 3, "kind": "dnf"}, "rules")
    >>> kept.integer("size", 0, 9), kept.text("kind", ("dnf", "cnf"))
    (3, 'dnf')
    """

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
            raise InvalidDataError(where, "a dictionary of names", type(data).__name__)
        self.data, self.where = data, where

    def anything(self, name: str) -> Any:
        """Return an entry as it is."""
        if name not in self.data:
            raise InvalidDataError(self._at(name), "there", "nothing")
        return self.data[name]

    def integer(self, name: str, low: int, high: int) -> int:
        value = self.anything(name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InvalidDataError(self._at(name), f"an integer in [{low}, {high}]", _short(value))
        return value

    def number(self, name: str) -> float | int:
        value = self.anything(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidDataError(self._at(name), "a number", _short(value))
        return value

    def flag(self, name: str) -> bool:
        value = self.anything(name)
        if not isinstance(value, bool):
            raise InvalidDataError(self._at(name), "true or false", _short(value))
        return value

    def text(self, name: str, allowed: Iterable[str] | None = None) -> str:
        value = self.anything(name)
        options = None if allowed is None else tuple(allowed)
        if not isinstance(value, str) or (options is not None and value not in options):
            raise InvalidDataError(
                self._at(name), "a text" if options is None else f"one of {options}", _short(value)
            )
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.anything(name)
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise InvalidDataError(self._at(name), "texts", _short(value))
        return tuple(value)

    def integers(self, name: str, low: int, high: int) -> tuple[int, ...]:
        """Return whole numbers from ``low`` to ``high``."""
        value = self.anything(name)
        if not isinstance(value, list | tuple) or not all(
            isinstance(one, int) and not isinstance(one, bool) and low <= one <= high for one in value
        ):
            raise InvalidDataError(self._at(name), f"integers in [{low}, {high}]", _short(value))
        return tuple(value)

    def array(self, name: str, kinds: str, shape: Sequence[int | None]) -> NDArray[Any]:
        """Return an array of some kinds of entries ("f" for floats, ...) and a shape, None where any size will do."""
        value = self.anything(name)
        if not isinstance(value, np.ndarray) or value.dtype.kind not in kinds:
            got = str(value.dtype) if isinstance(value, np.ndarray) else _short(value)
            raise InvalidDataError(self._at(name), f"an array of kind {' or '.join(kinds)}", got)
        fits = value.ndim == len(shape) and all(
            want is None or want == size for want, size in zip(shape, value.shape, strict=True)
        )
        if not fits:
            raise InvalidDataError(self._at(name), f"of shape {tuple(shape)}", f"shape {value.shape}")
        return value

    def within(self, name: str, low: int, high: int, shape: Sequence[int | None]) -> NDArray[Any]:
        """Return an array of integers from ``low`` to ``high``, both included."""
        value = self.array(name, "iu", shape)
        if value.size and not (low <= int(value.min()) and int(value.max()) <= high):
            raise InvalidDataError(
                self._at(name), f"integers in [{low}, {high}]", f"{value.min()} to {value.max()}"
            )
        return value

    def part(self, name: str) -> Kept:
        return Kept(self.anything(name), self._at(name))

    def parts(self, name: str) -> list[Kept]:
        value = self.anything(name)
        if not isinstance(value, list):
            raise InvalidDataError(self._at(name), "a list", _short(value))
        return [Kept(one, f"{self._at(name)}[{k}]") for k, one in enumerate(value)]

    def refuse(self, name: str, allowed: str, got: str) -> InvalidDataError:
        """Return an error about an entry, to be raised."""
        return InvalidDataError(self._at(name), allowed, got)

    def _at(self, name: str) -> str:
        return f"{self.where}.{name}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def plain_parameters(model: Any, left_out: Iterable[str] = ()) -> dict[str, Any]:
    """Return the parameters of an estimator that are plain data.

    Parameters
    ----------
    model : estimator
    left_out : iterable of str
        Parameters that do nothing once a model is fitted: they come back as by default.

    Raises
    ------
    InvalidParameterError
        Another parameter is no plain data.
    """
    skipped = {"callback", *left_out}
    given = {name: value for name, value in model.get_params(deep=False).items() if name not in skipped}
    for name, value in given.items():
        if not is_plain(value):
            allowed = "None, numbers, texts, or lists and dictionaries of these, to be written to a file"
            raise InvalidParameterError(name, allowed, value)
    return {name: _python(value) for name, value in given.items()}


def is_plain(value: Any) -> bool:
    """Whether a value is plain data without arrays."""
    if value is None or isinstance(value, (*SCALARS, np.integer, np.floating, np.bool_)):
        return True
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    return isinstance(value, dict) and all(isinstance(k, str) and is_plain(v) for k, v in value.items())


def _python(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return type(value)(map(_python, value))
    return {k: _python(v) for k, v in value.items()} if isinstance(value, dict) else value


def set_parameters(model: Any, kept: Kept, name: str = "parameters") -> None:
    """Set parameters that were written, if the estimator has them all."""
    given = kept.part(name).data
    known = model.get_params(deep=False)
    unknown = sorted(set(given) - set(known))
    if unknown or not all(is_plain(value) for value in given.values()):
        allowed = f"plain data for parameters of {type(model).__name__}"
        raise kept.refuse(name, allowed, f"{unknown[0]!r}" if unknown else "other data")
    for key, value in given.items():
        setattr(model, key, value)


def columns_of(model: Any) -> dict[str, Any]:
    """Return how many columns a model was fitted on, and their names if they had some."""
    names = getattr(model, "feature_names_in_", None)
    return {
        "n_features": int(model.n_features_in_),
        "feature_names": None if names is None else [str(name) for name in names],
    }


def set_columns(model: Any, kept: Kept) -> int:
    """Set what `columns_of` returned, and return the number of columns."""
    n_features = kept.integer("n_features", 1, 2**31 - 1)
    model.n_features_in_ = n_features
    if kept.anything("feature_names") is not None:
        names = kept.texts("feature_names")
        if len(names) != n_features:
            raise kept.refuse("feature_names", f"{n_features} texts", f"{len(names)}")
        model.feature_names_in_ = np.array(names, dtype=object)
    return n_features
