"""Proofs that F >= 0 on all sets of one size: a tree of slices, each closed by linear bounds, written as it grows.

The order is that of a depth-first search, the child with the feature in before the one with it out. A node has
steps, then either nothing, being closed, or the feature on which it branches. A step names multipliers and a point and
lists the features that its linear bound decides; the last step of a leaf decides nothing and closes it, or so many are
decided that one set is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["PAIRS", "Proof", "ProofWriter", "Step"]

Indices = NDArray[np.intp]


PAIRS = -1
"""Stands for the bound that needs no multipliers (see `compactml.feature_selection.certified.pair_bound`)."""


class Step(NamedTuple):
    """A linear bound.

    Attributes
    ----------
    multipliers : int
        Their number in the certificate, or `PAIRS`.
    units : ndarray of uint16
        The point, by free feature, up to a factor; none for `PAIRS`.
    into, out : ndarray of int
        Features decided.
    """

    multipliers: int
    units: NDArray[np.uint16]
    into: Indices
    out: Indices


@dataclass(frozen=True, eq=False)
class Proof:
    """A finished tree for one size.

    Attributes
    ----------
    size : int
        l.
    n_steps : ndarray of int32, shape (n_nodes,)
    branch : ndarray of int32, shape (n_nodes,)
        Feature branched on, -1 at a leaf.
    multipliers, n_units, n_decided : ndarray of int32, shape (n_steps_in_all,)
    units : ndarray of uint16
        The points, one after the other.
    decided : ndarray of int32
        2 j + 1 for feature j in, 2 j for out.
    """

    size: int
    n_steps: NDArray[np.int32]
    branch: NDArray[np.int32]
    multipliers: NDArray[np.int32]
    n_units: NDArray[np.int32]
    n_decided: NDArray[np.int32]
    units: NDArray[np.uint16]
    decided: NDArray[np.int32]

    @property
    def n_nodes(self) -> int:
        """Number of slices."""
        return len(self.branch)


@dataclass
class ProofWriter:
    """A proof under construction."""

    n_steps: list[int] = field(default_factory=list)
    branch: list[int] = field(default_factory=list)
    steps: list[tuple[int, int, int]] = field(default_factory=list)
    units: list[NDArray[np.uint16]] = field(default_factory=list)
    decided: list[NDArray[np.int32]] = field(default_factory=list)

    def open_node(self) -> int:
        """Start a node; its number."""
        self.n_steps.append(0)
        self.branch.append(-1)
        return len(self.branch) - 1

    def add_step(self, node: int, step: Step) -> None:
        """Append a step to the node that was opened last."""
        decided = np.concatenate([2 * step.into + 1, 2 * step.out]).astype(np.int32)
        self.steps.append((step.multipliers, len(step.units), len(decided)))
        self.units.append(step.units)
        self.decided.append(decided)
        self.n_steps[node] += 1

    def add_tree(
        self,
        node: int,
        multipliers: int,
        n_steps: NDArray[np.int32],
        branch: NDArray[np.int32],
        steps: Iterable[tuple[int, int]],
        units: NDArray[np.uint16],
        decided: NDArray[np.int32],
    ) -> None:
        """Go on in the node opened last with a tree of which it is the root."""
        self.n_steps[node] += int(n_steps[0])
        self.branch[node] = int(branch[0])
        self.n_steps.extend(n_steps[1:].tolist())
        self.branch.extend(branch[1:].tolist())
        self.steps.extend((multipliers, n_units, n_decided) for n_units, n_decided in steps)
        self.units.append(units)
        self.decided.append(decided)

    def finish(self, size: int) -> Proof:
        """The proof."""
        steps = np.array(self.steps, dtype=np.int32).reshape(-1, 3)
        return Proof(
            size,
            np.array(self.n_steps, dtype=np.int32),
            np.array(self.branch, dtype=np.int32),
            steps[:, 0],
            steps[:, 1],
            steps[:, 2],
            np.concatenate([np.zeros(0, dtype=np.uint16), *self.units]),
            np.concatenate([np.zeros(0, dtype=np.int32), *self.decided]),
        )
