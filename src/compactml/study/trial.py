"""Trials, each a pure function of a small hashable specification."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from numbers import Integral, Real
from typing import Any

from compactml.errors import InvalidParameterError, check_fields, check_finite, check_integer
from compactml.study.errors import InvalidResult
from compactml.study.results import flat

Scalar = str | int | float | bool | None
Result = dict[str, float | int | str | None]
"""Named plain values that a trial measured; None where no number came out."""
Recipe = tuple[Callable[..., Any], tuple[Scalar, ...]]
"""A function of a module and its arguments, whose value are generated data: arrays, or what holds them."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of one method on one part of one dataset.

    Attributes
    ----------
    chapter : str
    kind : str
        Which of the chapter's trial functions is meant.
    dataset : str
        Registry key, or the name of data that the experiment generates ("synthetic:...").
    method : str
    fold : int or None
    seed : int
    parameters : tuple of (name, scalar) pairs
        Everything else that decides the result; kept sorted by name.
    time_limit : float or None
        Seconds of wall-clock time given to a solver.

    Raises
    ------
    InvalidParameterError
        A parameter is named twice, or is not text, a finite number, a bool or None; a fold or a seed is negative or no
        integer; a limit is not finite.
    InvalidDataError
        The chapter, the kind, the dataset or the method is not text.

    Examples
    --------
    >>> from compactml.study import Trial
    >>> trial = Trial("toy", "fit", "iris", "forest", seed=1, parameters=(("trees", 5),))
    >>> trial.label()
    'fit iris forest seed 1 trees=5'
    """

    chapter: str
    kind: str
    dataset: str
    method: str = ""
    fold: int | None = None
    seed: int = 0
    parameters: tuple[tuple[str, Scalar], ...] = ()
    time_limit: float | None = None

    def __post_init__(self) -> None:
        check_fields(self, chapter=str, kind=str, dataset=str, method=str)
        if self.fold is not None:
            object.__setattr__(self, "fold", check_integer("fold", self.fold, 0))
        object.__setattr__(self, "seed", check_integer("seed", self.seed, 0))
        limit: object = self.time_limit
        if limit is not None:
            checked = check_finite("time_limit", limit, 0.0)
            if not isinstance(limit, int | float):  # JSON knows no number of NumPy; 60 stays 60
                object.__setattr__(self, "time_limit", checked)
        names = _names(self.parameters)
        if len(set(names)) < len(names):
            raise InvalidParameterError("parameters", "pairs with distinct names", self.parameters)
        for name, value in self.parameters:
            _check_scalar(name, value)
        object.__setattr__(self, "parameters", tuple(sorted(self.parameters, key=lambda pair: pair[0])))

    def canonical(self) -> str:
        """Return the specification as JSON with one spelling for equal trials."""
        fields = asdict(self) | {"parameters": dict(self.parameters)}
        return json.dumps(fields, sort_keys=True, separators=(",", ":"), allow_nan=False)

    def label(self) -> str:
        """Return a short description for people."""
        fold = "" if self.fold is None else f"fold {self.fold}"
        seed = f"seed {self.seed}" if self.seed else ""
        others = (f"{name}={value}" for name, value in self.parameters)
        return " ".join(part for part in (self.kind, self.dataset, self.method, fold, seed, *others) if part)


def checked_result(result: object) -> Result:
    """Return a trial's result, a dataclass or a mapping, as plain Python values, the same as the store gives back.

    Integers and floats of NumPy become plain ones, bools 0 or 1, and NaN becomes None: JSON has no NaN, and
    both say that there is no number. An infinite value is refused since it would hide a failed run.

    Raises
    ------
    InvalidResult
        Not a mapping of names to finite numbers, NaN, text or None, nor a dataclass of such.
    """
    if not isinstance(result, Mapping) and not is_dataclass(result):
        raise InvalidResult("", f"{type(result).__name__} instead of a dataclass or a mapping")
    return {_name(name): _plain(name, value) for name, value in flat(result).items()}


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise InvalidResult(repr(name), "a name that is not text")
    return name


def _plain(name: str, value: object) -> float | int | str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and not math.isinf(value):
        return None if math.isnan(value) else float(value)
    raise InvalidResult(name, f"{value!r} ({type(value).__name__})")


def _names(parameters: object) -> list[str]:
    try:
        names = [name for name, _ in parameters]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        names = [None]
    if not all(isinstance(name, str) for name in names):
        raise InvalidParameterError("parameters", "pairs of a name and a value", parameters)
    return names


def _check_scalar(name: str, value: object) -> None:
    plain = value is None or isinstance(value, str | int | float)
    if not plain or (isinstance(value, float) and not math.isfinite(value)):
        raise InvalidParameterError(f"parameter {name!r}", "text, a finite number, a bool or None", value)
