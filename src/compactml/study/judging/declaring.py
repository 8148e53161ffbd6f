"""A claim is declared on the function that checks it, whose docstring begins with the statement."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import groupby
from types import ModuleType
from typing import TypeVar

from compactml.errors import InvalidDataError
from compactml.study.judging.claims import Basis, Claim
from compactml.study.judging.evidence import Evidence

__all__ = ["claim", "declared"]

DECLARED = "declared_claims"
"""Attribute of a check that holds its claims."""
INTERLEAVED = "interleaved_with"
"""Attribute of a check that holds the keys of its claims, if they stand one by one among those of its neighbours."""
Check = TypeVar("Check", bound=Callable[..., Evidence])
Words = Mapping[str, object]


def claim(
    chapter: str,
    name: str,
    place: str,
    *,
    tolerance: str,
    why: str,
    basis: Basis = Basis.RUNS,
    over: Mapping[str, Words] | None = None,
    interleaved: bool = False,
) -> Callable[[Check], Check]:
    """Declare the function below as the check of a claim, or of several of one form.

    The first line of its docstring is the statement, a sentence that stands alone; what follows says how it is checked.
    It takes the chapter's recorded tables by id and returns an `Evidence`.

    Parameters
    ----------
    chapter : str
    name : str
        Of the claim within the chapter.
    place : str
        Where the paper says it ("Section 6.2").
    tolerance, why : str
        What counts as agreement, and where that comes from.
    basis : Basis
    over : mapping of str to mapping, optional
        One claim for each entry. Name, place, tolerance, reason and statement have its values in braces, and its key as
        ``{key}``; the check gets those that it has parameters for.
    interleaved : bool
        Checks that stand one after the other, are interleaved and have the same entries give their claims entry by
        entry: all that is stated of the first table, then all of the second.

    Raises
    ------
    InvalidDataError
        The check has no docstring.
    """

    def declare(check: Check) -> Check:
        lines = inspect.cleandoc(check.__doc__ or "").splitlines()
        if not lines:
            raise InvalidDataError("check", "a function whose docstring states the claim", check.__qualname__)
        statement = lines[0].removesuffix(".")
        parameters = inspect.signature(check).parameters
        claims = []
        for key, values in (over or {"": {}}).items():
            words = {"key": key, **values}
            arguments = {word: value for word, value in values.items() if word in parameters}
            claims.append(
                Claim(
                    id=f"{chapter}/{name.format(**words)}",
                    chapter=chapter,
                    place=place.format(**words),
                    statement=statement.format(**words),
                    tolerance=tolerance.format(**words),
                    tolerance_origin=why.format(**words),
                    check=partial(check, **arguments) if arguments else check,
                    basis=basis,
                )
            )
        setattr(check, DECLARED, tuple(claims))
        if interleaved:
            setattr(check, INTERLEAVED, tuple(over or ()))
        return check

    return declare


def declared(*modules: ModuleType) -> tuple[Claim, ...]:
    """Return the claims of some modules, in the order in which their checks stand there."""
    return tuple(
        statement
        for module in modules
        for _, checks in groupby(_checks(module), _neighbours)
        for entry in zip(*(vars(check)[DECLARED] for check in checks), strict=True)
        for statement in entry
    )


def _neighbours(check: object) -> object:
    """What interleaved checks with the same entries have in common; another check has it for itself."""
    return vars(check).get(INTERLEAVED, check)


def _checks(module: ModuleType) -> Iterable[object]:
    return (
        value
        for value in vars(module).values()
        if hasattr(value, DECLARED) and getattr(value, "__module__", "") == module.__name__
    )
