"""The separation problem by two exact forms in turn: what one of them takes long for, the other often does at once.

The branch and bound over boxes answers most problems within milliseconds, before a constraint program is even built.
Where it does not, the clauses that CP-SAT learns may still refute a problem that boxes cannot. Without OR-tools the
branch and bound goes on alone, and its proofs are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.errors import MissingPackageError
from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.region import Region
from compactml.pace.separation.branching import BranchSeparation
from compactml.pace.separation.optional_program import constraint_separation

if TYPE_CHECKING:
    from compactml.pace.separation.constraint_program import ConstraintSeparation

__all__ = ["AlternatingSeparation"]

FIRST_NODES = 10_000
"""Of the branch and bound before the constraint program is tried."""
GROWTH = 2
"""Of its nodes from turn to turn; the limits of the constraint program grow as well."""


@dataclass
class AlternatingSeparation:
    """Branch and bound, and a constraint program where that takes long.

    Attributes
    ----------
    grid : SplitGrid
    region : Region
    random_state : int
        Of the constraint program.
    """

    grid: SplitGrid
    region: Region
    random_state: int = 0

    def __post_init__(self) -> None:
        self._boxes = BranchSeparation(self.grid, self.region)
        self._program: ConstraintSeparation | None = None

    def solve(
        self, current: IntegerEnsemble, pair: tuple[int, int], clock: Clock, turns: int | None = None
    ) -> tuple[NDArray[np.int32] | None, bool]:
        """Look for a point of the region with label ``pair[0]`` where ``pair[1]`` scores at least as much.

        Parameters
        ----------
        current : IntegerEnsemble
        pair : (int, int)
        clock : Clock
        turns : int, optional
            Of both forms, at most: counted, so that what they find does not depend on the speed of a machine.

        Returns
        -------
        point : ndarray of int32, shape (p,), or None
        proved : bool
            Whether the answer is final; without a point and a proof nothing is known.

        Raises
        ------
        SolverStatusError
            CP-SAT refused the model.
        """
        hunt, nodes = self._boxes.begin(current, pair), FIRST_NODES
        if hunt.advance(nodes, clock):
            return hunt.point, True
        if clock.stopped():  # building the program takes time, too
            return None, False
        try:
            program = self._constraint_program()
        except MissingPackageError:
            for _ in count() if turns is None else range(turns):
                if hunt.advance(nodes, clock):
                    return hunt.point, True
                if clock.stopped():
                    break
                nodes *= GROWTH
            return None, False
        for point, final in islice(program.attempts(current, pair, clock), turns):
            if final:
                return point, True
            if hunt.advance(nodes, clock):
                return hunt.point, True
            nodes *= GROWTH
        return None, False

    def _constraint_program(self) -> ConstraintSeparation:
        if self._program is None:
            self._program = constraint_separation(
                self.grid, self.region, feasibility=True, objective=False, random_state=self.random_state
            )
        return self._program
