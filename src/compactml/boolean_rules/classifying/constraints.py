"""Which literals a rule set may use: forbidden columns, and columns in which it must not fall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.literals import Literals
from compactml.errors import InvalidParameterError

__all__ = ["allowed_literals", "forced_bits"]


def allowed_literals(
    literals: Literals,
    columns: NDArray[np.intp],
    names: Sequence[str],
    ordered: NDArray[np.intp],
    forbidden: Any,
    monotone: Any,
) -> NDArray[np.intp]:
    """Return the indices of the literals that remain.

    A rule set of literals that do not fall in a column does not fall in it either, as DNF and as CNF.

    Parameters
    ----------
    literals : Literals
    columns : ndarray of int, shape (n_attributes,)
        Column behind each attribute.
    names : sequence of str
        Of the columns.
    ordered : ndarray of int, shape (n_attributes,)
        For each attribute how many of its first bins have an order, 0 where its values have none.
    forbidden : sequence of str or None
        Columns that no condition may use.
    monotone : dict of str to {1, -1} or None
        Columns in which the rule set may only rise (1) or fall (-1).

    Raises
    ------
    InvalidParameterError
        A column that is not there, another direction, or one whose values have no order.
    """
    keep = np.ones(len(literals), dtype=bool)
    column_of = columns[literals.attribute] if len(literals) else np.zeros(0, dtype=np.intp)
    for name in _named("forbidden_columns", forbidden, names):
        keep &= column_of != names.index(name)
    if monotone is not None and not isinstance(monotone, Mapping):
        raise InvalidParameterError("monotone", "a dict of columns to 1 or -1, or None", monotone)
    for name in _named("monotone", monotone, names):
        direction = (monotone or {})[name]
        if isinstance(direction, bool) or direction not in (1, -1):
            raise InvalidParameterError("monotone", "a dict of columns to 1 or -1, or None", monotone)
        own = column_of == names.index(name)
        if (ordered[literals.attribute[own]] == 0).any():
            raise InvalidParameterError("monotone", "a dict of columns of numbers", name)
        for j in np.flatnonzero(own):
            keep[j] &= not _falls(literals, int(j), int(ordered[literals.attribute[j]]), int(direction))
    return np.flatnonzero(keep)


def forced_bits(
    literals: Literals, columns: NDArray[np.intp], names: Sequence[str], forced: Any, complexity: int
) -> NDArray[np.int64]:
    """Return for each literal the bit of the forced column that it looks at, 0 where there is none.

    Parameters
    ----------
    literals : Literals
        Those that remain.
    columns : ndarray of int, shape (n_attributes,)
        Column behind each attribute.
    names : sequence of str
        Of the columns.
    forced : sequence of str or None
    complexity : int
        C of (3).

    Raises
    ------
    InvalidParameterError
        A column that is not there or has no condition left, or more columns than conditions fit.
    """
    bits = np.zeros(len(literals), dtype=np.int64)
    named = list(dict.fromkeys(_named("forced_columns", forced, names)))
    if len(named) > complexity - 1:
        allowed = f"at most {complexity - 1} columns with complexity={complexity}"
        raise InvalidParameterError("forced_columns", allowed, named)
    for bit, name in enumerate(named):
        own = columns[literals.attribute] == names.index(name)
        if not own.any():
            raise InvalidParameterError("forced_columns", "columns that have conditions left", name)
        bits[own] |= 1 << bit
    return bits


def _named(parameter: str, given: Any, names: Sequence[str]) -> list[str]:
    allowed = f"columns of X ({', '.join(names)})"
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Sequence | Mapping | set | frozenset):
        raise InvalidParameterError(parameter, allowed, given)
    if unknown := [name for name in given if name not in names]:
        raise InvalidParameterError(parameter, allowed, unknown[0])
    return list(given)


def _falls(literals: Literals, j: int, n_bins: int, direction: int) -> bool:
    """Whether a literal is true on some bin and not on the next one in this direction."""
    bins = np.arange(n_bins)
    inside = (bins >= literals.lo[j]) & (bins < literals.hi[j])
    return bool((np.diff((inside != literals.complement[j]).astype(int)) * direction < 0).any())
