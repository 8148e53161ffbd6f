"""The separation problem as a constraint program: (9)-(13) and (27) of Akkerman, Ferry, Guyard and Vidal (2026).

There are no integer variables: a feature is a chain of order literals "code at most k", a leaf implies the one or two
of them that bound its box, a tree reaches exactly one leaf. Everything but the conditions on sums is built once, tree
by tree: for large forests that alone takes seconds, and a clock that stops it is asked again at the next call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

from compactml.clock import Clock
from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import Region
from compactml.pace.separation.rows import Row, region_rows, separating_row
from compactml.solvers import SolverStatusError
from compactml.solvers.backends.cp_sat import cp_solver

__all__ = ["ConstraintSeparation"]

PLAIN = {"linearization_level": 0}
UNPREPARED = {"linearization_level": 0, "cp_model_presolve": False}
Tries = tuple[tuple[dict[str, Any], ...], float]
OBJECTIVE_TRIES: Tries = ((PLAIN, UNPREPARED, {"linearization_level": 1}), 1.0)
FEASIBILITY_TRIES: Tries = ((UNPREPARED, PLAIN, {"linearization_level": 1}), 2.0)
"""No setting is best everywhere: each is tried with a limit (deterministic seconds), then with longer ones."""
GROWTH = 4.0
Literals = list[Any]


@dataclass
class ConstraintSeparation:
    """One constraint program per pair of labels.

    Attributes
    ----------
    grid : SplitGrid
    region : Region
    feasibility : bool
        Keep (11) as a constraint.
    objective : bool
        Maximise the left side of (11), as in (27).
    random_state : int
    """

    grid: SplitGrid
    region: Region
    feasibility: bool
    objective: bool
    random_state: int = 0

    def __post_init__(self) -> None:
        self._base = cp_model.CpModel()
        self._order: list[Literals] = []
        self._leaves: dict[Learner, Literals] = {}

    def solve(
        self, current: IntegerEnsemble, pair: tuple[int, int], clock: Clock
    ) -> tuple[NDArray[np.int32] | None, bool]:
        """Look for a point of the region with label ``pair[0]`` where ``pair[1]`` scores at least as much.

        Returns
        -------
        point : ndarray of int32, shape (p,), or None
        proved : bool
            Whether the answer is final; without a point and a proof nothing is known.

        Raises
        ------
        SolverStatusError
            The solver refused the model.
        """
        point: NDArray[np.int32] | None = None
        for point, final in self.attempts(current, pair, clock):
            if final:
                return point, True
        return point, point is not None

    def attempts(
        self, current: IntegerEnsemble, pair: tuple[int, int], clock: Clock
    ) -> Iterator[tuple[NDArray[np.int32] | None, bool]]:
        """Yield the answers of `solve` after each try of a setting, the last one final unless the time is over.

        A point that is not final separates, too; the objective form may find a better one.
        """
        row = separating_row(current, *pair).reduced()
        model = self._model(row, pair[0], clock)
        if model is None:
            return
        point: NDArray[np.int32] | None = None
        for settings, limit in schedule(OBJECTIVE_TRIES if self.objective else FEASIBILITY_TRIES):
            if clock.stopped():
                return
            solver = self._solver(settings, limit, clock)
            status = solver.solve(model)
            if status == cp_model.INFEASIBLE:
                yield None, True
                return
            final = False
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                if not model.has_objective() or solver.objective_value >= row.least:
                    point = self._codes(solver)
                final = not model.has_objective() or (
                    status == cp_model.OPTIMAL or solver.best_objective_bound < row.least
                )
            elif status != cp_model.UNKNOWN:
                raise SolverStatusError("cp-sat", solver.status_name(status))
            yield point, final
            if final:
                return

    def _model(self, row: Row, label: int, clock: Clock) -> cp_model.CpModel | None:
        """The part that is built once, the conditions on the region of a label, and the separating row.

        None if there is no time to build it.
        """
        if not self._build(clock):
            return None
        model = self._base.clone()
        leaves = dict(self._leaves)
        if not self._add(model, leaves, row.learners, clock):
            return None
        for condition in region_rows(self.region, label):
            _require(model, leaves, condition.reduced())
        if self.feasibility:
            _require(model, leaves, row)
        if self.objective and row.learners:
            model.maximize(_sum(leaves, row))
        return model

    def _build(self, clock: Clock) -> bool:
        """Go on with the part that is built once, as far as there is time; whether it is whole."""
        for size in self.grid.sizes[len(self._order) :]:
            if clock.stopped():
                return False
            self._order.append(self._chain(int(size)))
        trees = self.region.initial.learners
        if self.region.isolation is not None:
            trees += self.region.isolation.learners
        return self._add(self._base, self._leaves, trees, clock)

    def _add(
        self, model: cp_model.CpModel, leaves: dict[Learner, Literals], trees: Iterable[Learner], clock: Clock
    ) -> bool:
        """Add those trees that are not there, as far as there is time; whether all are there."""
        for tree in trees:
            if tree in leaves:
                continue
            if clock.stopped():
                return False
            leaves[tree] = self._tree(model, tree)
        return True

    def _solver(self, settings: dict[str, Any], limit: float, clock: Clock) -> cp_model.CpSolver:
        solver = cp_solver(self.random_state, clock.left)
        for name, value in settings.items():
            setattr(solver.parameters, name, value)
        solver.parameters.max_deterministic_time = limit
        return solver

    def _codes(self, solver: cp_model.CpSolver) -> NDArray[np.int32]:
        """The code of a feature is the number of its false order literals."""
        return np.array(
            [sum(not solver.boolean_value(one) for one in chain) for chain in self._order], np.int32
        )

    def _chain(self, size: int) -> Literals:
        """Literals "code <= k" for k = 0 .. size - 2; each implies the next."""
        chain = [self._base.new_bool_var("") for _ in range(size - 1)]
        for one, following in pairwise(chain):
            self._base.add_implication(one, following)
        return chain

    def _tree(self, model: cp_model.CpModel, tree: Learner) -> Literals:
        """(9b) and (9c): exactly one leaf, and a leaf implies the bounds of its box."""
        boxes = tree.boxes()
        if len(boxes) <= 2:
            return [self._small(model, box) for box in boxes]
        leaves = [model.new_bool_var("") for _ in boxes]
        model.add_exactly_one(leaves)
        for leaf, box in zip(leaves, boxes, strict=True):
            model.add_bool_and(self._bounds(box)).only_enforce_if(leaf)
        return leaves

    def _small(self, model: cp_model.CpModel, box: dict[int, tuple[int, int]]) -> Any:
        """A leaf of a stump is an order literal; the leaf of a tree without splits is always reached."""
        bounds = self._bounds(box)
        return bounds[0] if bounds else model.new_constant(1)

    def _bounds(self, box: dict[int, tuple[int, int]]) -> Literals:
        bounds = []
        for feature, (low, high) in box.items():
            chain = self._order[feature]
            if high < len(chain):
                bounds.append(chain[high])
            if low > 0:
                bounds.append(~chain[low - 1])
        return bounds


def schedule(tries: Tries) -> Iterator[tuple[dict[str, Any], float]]:
    """Yield settings and deterministic limits, one try after another."""
    every, limit = tries
    while True:
        for settings in every:
            yield settings, limit
        limit *= GROWTH


def _sum(leaves: dict[Learner, Literals], row: Row) -> Any:
    literals = [leaf for tree in row.learners for leaf in leaves[tree]]
    values = [int(value) for part in row.values for value in part]
    return cp_model.LinearExpr.weighted_sum(literals, values)


def _require(model: cp_model.CpModel, leaves: dict[Learner, Literals], row: Row) -> None:
    """Add one of the rows (11), (12), (13); CP-SAT takes none without variables."""
    if row.learners:
        model.add(_sum(leaves, row) >= row.least)
    elif row.least > 0:
        model.add_bool_or([])
