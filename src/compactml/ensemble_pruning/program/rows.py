"""Groups of columns and rows of an integer program, put together in one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.solvers import MixedIntegerProgram

__all__ = ["Columns", "RowGroup", "all_of", "each", "program"]


@dataclass(frozen=True, eq=False)
class RowGroup:
    """Rows of one form: lower <= sum of the blocks times their groups of columns <= upper.

    Attributes
    ----------
    blocks : mapping of str to sparse array, each of shape (m, size of the group)
    lower, upper : array-like of float, shape (m,) or scalar
    """

    blocks: Mapping[str, sparse.csr_array]
    lower: ArrayLike = -np.inf
    upper: ArrayLike = np.inf

    @property
    def count(self) -> int:
        return int(next(iter(self.blocks.values())).shape[0])


@dataclass
class Columns:
    """Named groups of columns, in the order in which they were added."""

    places: dict[str, slice] = field(default_factory=dict)
    lower: list[NDArray[np.float64]] = field(default_factory=list)
    upper: list[NDArray[np.float64]] = field(default_factory=list)
    integrality: list[NDArray[np.bool_]] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(map(len, self.lower))

    def add(
        self, name: str, count: int, lower: ArrayLike = 0.0, upper: ArrayLike = 1.0, *, integer: bool = True
    ) -> None:
        """Append a group."""
        self.places[name] = slice(self.count, self.count + count)
        self.lower.append(np.broadcast_to(np.asarray(lower, dtype=float), count))
        self.upper.append(np.broadcast_to(np.asarray(upper, dtype=float), count))
        self.integrality.append(np.full(count, integer))

    def vector(self, values: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
        """A vector over all columns from values of groups, 0 elsewhere."""
        vector = np.zeros(self.count)
        for name, value in values.items():
            vector[self.places[name]] = value
        return vector


def all_of(weights: ArrayLike) -> sparse.csr_array:
    """Block of one row."""
    return sparse.csr_array(np.atleast_2d(np.asarray(weights, dtype=float)))


def each(weights: ArrayLike, count: int) -> sparse.csr_array:
    """Block of ``count`` rows in which row i has its own column i."""
    diagonal = np.broadcast_to(np.asarray(weights, dtype=float), count)
    return sparse.csr_array(sparse.diags_array(diagonal, shape=(count, count)))


def program(
    columns: Columns,
    groups: Iterable[RowGroup],
    objective: Mapping[str, ArrayLike],
    sense: Literal["min", "max"],
) -> MixedIntegerProgram:
    """Put the groups together; a group without rows is left out."""
    kept = [group for group in groups if group.count]
    sizes = {name: place.stop - place.start for name, place in columns.places.items()}
    rows = [
        [group.blocks.get(name, sparse.csr_array((group.count, size))) for name, size in sizes.items()]
        for group in kept
    ]
    return MixedIntegerProgram(
        columns.vector(objective),
        sparse.block_array(rows, format="csr") if rows else None,
        _sides(kept, "lower"),
        _sides(kept, "upper"),
        np.concatenate(columns.lower),
        np.concatenate(columns.upper),
        np.concatenate(columns.integrality),
        sense=sense,
    )


def _sides(groups: list[RowGroup], name: str) -> NDArray[Any]:
    return np.concatenate(
        [np.zeros(0), *(np.broadcast_to(getattr(group, name), group.count) for group in groups)]
    )
