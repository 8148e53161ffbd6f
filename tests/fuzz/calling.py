"""A target and how it is called: twice, with arguments that are looked at before and after."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import NotFittedError

from compactml.errors import CompactmlError, InvalidDataError, InvalidParameterError
from tests.fuzz.hostile import calm, hostile
from tests.fuzz.same import same

__all__ = ["Ending", "Target", "called", "drawn"]

SIGNATURE = ("unexpected keyword argument", "positional argument", "multiple values for")
"""What Python says of a call that does not fit a signature."""

OTHER_NAMES = ("duals", "intervals", "objective", "su", "target")
"""Names in messages of what an argument of another name says, or of what a target makes of its arguments."""
OF_NUMPY = ("setting an array element", "inhomogeneous shape")
"""What NumPy says where no array can be made of what came."""


class Target(NamedTuple):
    """A public name.

    Attributes
    ----------
    name : str
        As in ``package.name``.
    call : callable
    good : callable (Generator) -> dict
        Good arguments, by name.
    work : tuple of str
        Arguments that say how much is done, whose values are cut.
    """

    name: str
    call: Callable[..., Any]
    good: Callable[[np.random.Generator], dict[str, Any]]
    work: tuple[str, ...] = ()


class Ending(NamedTuple):
    """How a call ended: "result", "refused", or what is wrong; and its words."""

    kind: str
    text: str = ""

    @property
    def allowed(self) -> bool:
        return self.kind in ("result", "refused")


def drawn(target: Target, index: int, seed: int = 0) -> dict[str, Any]:
    """Return the arguments of one input: good, or with one or two hostile ones."""
    rng = np.random.default_rng([seed, zlib.crc32(target.name.encode()), index])
    given = target.good(rng)
    n_changed = 0 if index % 10 == 0 else 1 + (rng.random() < 0.2)
    for name in rng.permutation(sorted(given))[:n_changed].tolist():
        value = hostile(given[name], rng)
        given[name] = calm(value) if name in target.work else value
    return given


def called(target: Target, given: dict[str, Any]) -> Ending:
    """Call a target twice with the same arguments."""
    before = _copied(given)
    kind, text, value = _outcome(target, given)
    if kind not in ("result", "refused"):
        return Ending(kind, text)
    second = _outcome(target, given)
    if not same(before, given):
        return Ending("an argument was changed", ", ".join(n for n in given if not same(before[n], given[n])))
    if kind != second[0] or text != second[1] or not same(value, second[2]):
        return Ending("two calls differ", f"{(kind, text)} and {second[:2]}")
    return Ending(kind, text)


def _outcome(target: Target, given: dict[str, Any]) -> tuple[str, str, Any]:
    try:
        return "result", "", target.call(**given)
    except (InvalidDataError, InvalidParameterError) as error:
        return _refused(error, given), str(error)[:300], None
    except (CompactmlError, NotFittedError) as error:
        return "refused", str(error)[:300], None
    except TypeError as error:
        kind = "refused" if any(words in str(error) for words in SIGNATURE) else "TypeError"
        return kind, str(error)[:300], None
    except Exception as error:
        return type(error).__name__, str(error)[:300], None


def _refused(error: InvalidDataError | InvalidParameterError, given: dict[str, Any]) -> str:
    """Whether a refusal says in our words what is wrong with which argument.

    A name that is a single small word is to be an argument's. Others are of a part of one, or of an estimator within.
    """
    said, name = str(error), error.name
    if not name or not said.startswith(f"{name}: "):
        return "names no argument"
    if name.isidentifier() and name.islower() and name not in given and name not in OTHER_NAMES:
        return "names no argument of the call"
    return "words of NumPy" if any(words in said for words in OF_NUMPY) else "refused"


def _copied(given: dict[str, Any]) -> dict[str, Any]:
    copies = {}
    for name, value in given.items():
        try:
            copies[name] = copy.deepcopy(value)
        except (TypeError, ValueError, AttributeError):
            copies[name] = value
    return copies
