"""Separation: points of the region where another ensemble disagrees with the initial one, or a proof of none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.errors import check_choice
from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.region import Region
from compactml.pace.separation.alternating import AlternatingSeparation
from compactml.pace.separation.branching import BranchSeparation
from compactml.pace.separation.climbing import Climber
from compactml.pace.separation.mixed_integer_program import MilpSeparation
from compactml.pace.separation.optional_program import constraint_separation
from compactml.solvers import VerificationError

__all__ = ["ENGINES", "FORMS", "Pair", "Separation", "Separator", "check_separating"]

ENGINES = ("search", "constraint", "objective", "both", "milp")
FORMS = ("auto", *ENGINES)
N_NEIGHBOURS = 16
"""Random neighbours of a solution from which the local search harvests more."""
CHANGED = 2.0
"""Codes drawn anew in a neighbour, on average."""
Pair = tuple[int, int]


class Engine(Protocol):
    """One exact form of the problem."""

    def solve(
        self, current: IntegerEnsemble, pair: Pair, clock: Clock
    ) -> tuple[NDArray[np.int32] | None, bool]:
        """Return a separating point or None, and whether that answer is final."""


@dataclass(frozen=True, eq=False)
class Separation:
    """What one round of separation found.

    Attributes
    ----------
    points : ndarray of int32, shape (k, p)
        Distinct separating points as codes, each checked by evaluation of both ensembles.
    proved : dict
        Of each ordered pair (label of the initial ensemble, other label): True where no separating point exists,
        False where one was found, "unknown" where the time ran out.
    seconds : float
    n_solved : int
        Exact problems solved; what the local search finds needs none.
    """

    points: NDArray[np.int32]
    proved: dict[Pair, bool | Literal["unknown"]]
    seconds: float
    n_solved: int

    @property
    def certified(self) -> bool:
        """Whether no separating point exists for any of the pairs that were asked."""
        return all(state is True for state in self.proved.values())


class Separator:
    """Separation with one exact form, and local search before it.

    Parameters
    ----------
    grid : SplitGrid
    region : Region
    form : {"auto", "search", "constraint", "objective", "both", "milp"}
        Own branch and bound; constraint program (9)-(13) with (11) as a constraint, with the objective (27), with
        both; or (27) as a mixed-integer program. All give the same proofs, "search" mostly by far the fastest. With
        "auto" it is alone as long as it answers quickly; where it does not, "constraint" takes turns with it.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
        Of the mixed-integer form.
    random_state : int

    Raises
    ------
    InvalidParameterError
        An unknown form.
    """

    def __init__(
        self,
        grid: SplitGrid,
        region: Region,
        *,
        form: str = "auto",
        solver: str = "auto",
        random_state: int = 0,
    ) -> None:
        check_choice("form", form, FORMS)
        self.grid, self.region, self.form, self.random_state = grid, region, form, random_state
        self._climber = Climber(grid, region)
        self._engine: Engine
        if form == "auto":
            self._engine = AlternatingSeparation(grid, region, random_state)
        elif form == "search":
            self._engine = BranchSeparation(grid, region)
        elif form == "milp":
            self._engine = MilpSeparation(grid, region, solver, random_state)
        else:
            self._engine = constraint_separation(
                grid,
                region,
                feasibility=form != "objective",
                objective=form != "constraint",
                random_state=random_state,
            )

    def separate(
        self,
        current: IntegerEnsemble,
        *,
        pairs: Sequence[Pair] | None = None,
        time_limit: float | None = None,
        hints: NDArray[np.int32] | None = None,
        turns: int | None = None,
    ) -> Separation:
        """Look for separating points for every ordered pair of labels.

        Parameters
        ----------
        current : IntegerEnsemble
        pairs : sequence of (label, other label), optional
            All ordered pairs of distinct labels by default.
        time_limit : float, optional
            Seconds for all pairs together.
        hints : ndarray of int32, shape (k, p), optional
            Points of the region from which a local search starts. With them, only pairs for which it finds nothing
            are solved exactly, and it harvests around each solution; without them there is no local search.
        turns : int, optional
            Of the two forms of "auto" for each pair, at most, see `AlternatingSeparation`; other forms have no turns.

        Raises
        ------
        VerificationError
            A point that was said to separate does not.
        """
        clock = Clock(time_limit)
        pairs = list(permutations(range(current.n_classes), 2)) if pairs is None else list(pairs)
        proved: dict[Pair, bool | Literal["unknown"]] = {}
        separating: list[NDArray[np.int32]] = [np.empty((0, len(self.grid.sizes)), dtype=np.int32)]
        n_solved = 0
        for pair in pairs:
            if clock.stopped():  # building the problem of every pair would take long, too
                proved[pair] = "unknown"
                continue
            points = self._climb(current, pair, hints, clock)
            if len(points) == 0:
                n_solved += 1
                point, final = self._solve(current, pair, clock, turns)
                if point is None:
                    proved[pair] = final or "unknown"
                    continue
                points = self._harvest(current, pair, point, hints, clock)
            check_separating(self.form, self.region, current, pair, points)
            proved[pair] = False
            separating.append(points)
        points = np.unique(np.concatenate(separating), axis=0)
        return Separation(points, proved, clock.seconds, n_solved)

    def _solve(
        self, current: IntegerEnsemble, pair: Pair, clock: Clock, turns: int | None
    ) -> tuple[NDArray[np.int32] | None, bool]:
        if isinstance(self._engine, AlternatingSeparation):
            return self._engine.solve(current, pair, clock, turns)
        return self._engine.solve(current, pair, clock)

    def _climb(
        self, current: IntegerEnsemble, pair: Pair, starts: NDArray[np.int32] | None, clock: Clock
    ) -> NDArray[np.int32]:
        if starts is None:
            return np.empty((0, len(self.grid.sizes)), dtype=np.int32)
        return self._climber.climb(current, pair, starts, clock)

    def _harvest(
        self,
        current: IntegerEnsemble,
        pair: Pair,
        point: NDArray[np.int32],
        hints: NDArray[np.int32] | None,
        clock: Clock,
    ) -> NDArray[np.int32]:
        """The point, and what the local search finds from it and from random neighbours of it."""
        if hints is None:
            return point[None]
        random = np.random.default_rng(self.random_state)
        neighbours = np.repeat(point[None], N_NEIGHBOURS, axis=0)
        changed = random.random(neighbours.shape) < CHANGED / len(self.grid.sizes)
        changed[0] = False
        neighbours[changed] = random.integers(0, self.grid.sizes, neighbours.shape)[changed]
        return np.concatenate([point[None], self._climb(current, pair, neighbours, clock)])


def check_separating(
    form: str, region: Region, current: IntegerEnsemble, pair: Pair, points: NDArray[np.int32]
) -> None:
    """Raise `VerificationError` unless both ensembles, evaluated, say that all points separate the pair."""
    label, other = pair
    scores = current.scores(points)
    outside = int((~region.contains(points) | (region.labels(points) != label)).sum())
    if outside:
        what = f"points outside the region of label {label}"
        raise VerificationError(f"separation ({form})", what, 0, outside)
    margin = int((scores[:, label] - scores[:, other]).max(initial=0))
    if margin > 0:
        raise VerificationError(f"separation ({form})", "margin at a separating point", 0, margin)
