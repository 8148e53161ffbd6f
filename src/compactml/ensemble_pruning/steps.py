"""The run of a pruning: the best ensemble and the best bound so far, and the steps that improve them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning._local_search import searched
from compactml.ensemble_pruning.bounds.asummability import asummability_of
from compactml.ensemble_pruning.bounds.branching import DEFAULT_NODES, NO_LIMIT, ClassifierTree
from compactml.ensemble_pruning.bounds.isotonic import Conflicts, conflicts_of
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.formulation import Formulation
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.ensemble_pruning.result import Progress, PruningResult, relative_gap
from compactml.solvers import Outcome, SolverChoice, SolverStatusError, VerificationError
from compactml.solvers.problem import leaves_time_for
from compactml.watch import Watch

__all__ = ["FEW_PATTERNS", "PruningRun"]

PROVED, ROUNDING = 1e-9, 1e-6
SEARCH_SHARE = 0.05
"""Of the time, for each local search."""
FIRST_MOVES, MORE_MOVES = 20_000, 100_000
"""Moves of the two searches for each classifier of the pool."""
FIRST_TREE_SHARE, RELAXATION_SHARE = 0.1, 0.8
"""Of the time, at most, for the tree before the second search, and for the asummability bound."""
FEW_PATTERNS = 250
"""With more, branching on classifiers proves more than the program in the same time; with fewer, the program closes
what the tree leaves open. Without a time limit the program always comes last: it needs less memory than the tree."""


class _Best(NamedTuple):
    """The best ensemble, kept as one: an interrupt finds the old one or the new one."""

    selected: NDArray[np.intp]
    threshold: int
    value: float


@dataclass
class PruningRun:
    """The best ensemble and the best bound so far, and the steps that improve them."""

    instance: PruningInstance
    diversity: Diversity
    min_size: int
    max_size: int
    form: Formulation
    solver: str
    watch: Watch
    seed: int
    best: _Best | None = None
    bound: float = np.inf
    finished: bool = False
    conflicts: Conflicts | None = None
    cuts: sparse.csr_array | None = None
    tree: ClassifierTree | None = None
    choice: SolverChoice | None = None
    solver_bound: float | None = None
    history: list[Progress] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        return self.watch.clock

    @property
    def value(self) -> float:
        return -np.inf if self.best is None else self.best.value

    @property
    def leaves_out_program(self) -> bool:
        """Whether the time that is left after the second search is the tree's."""
        many = len(self.instance.gains) > FEW_PATTERNS
        return self.form.branch and self.clock.limit is not None and many

    @property
    def closed(self) -> bool:
        return relative_gap(self.value, self.bound) <= PROVED

    def offer(self, step: str, selected: NDArray[np.intp], threshold: int) -> None:
        """Keep an ensemble that is better; one of a solver may miss a limit on diversity by its tolerance."""
        value = self.instance.value(selected, threshold)
        allowed = self.min_size <= len(selected) <= self.max_size and self.diversity.met(selected)
        if allowed and value > self.value:
            self.best = _Best(selected, threshold, value)
            self._note(step)

    def limit(self, step: str, bound: float, seconds: float | None = None) -> None:
        """Keep a bound that is better; rounding may put it a little below an ensemble, nothing may put it farther."""
        allowed = ROUNDING * (self.instance.weights.largest + abs(self.value))
        if self.value - bound > allowed:
            raise VerificationError(step, "excess of an ensemble over the bound", allowed, self.value - bound)
        bound = max(bound, self.value)
        if bound < self.bound:
            self.bound = bound
            self._note(step, seconds)

    def prove_isotonic(self) -> None:
        """Bound by the maximum flow."""
        if self.form.cuts != "none":
            self.conflicts = conflicts_of(self.instance, self.clock)
            found = self.conflicts.isotonic
            self.cuts = found.rows
            self.limit("isotonic", found.bound)

    def prove_asummability(self) -> None:
        """Bound by the covering relaxation."""
        if self.form.cuts == "asummability":
            clock = self._part(RELAXATION_SHARE)
            found = asummability_of(self.instance, clock, conflicts=self.conflicts)
            self.cuts = found.rows
            self.limit("asummability", found.bound)

    def branch(self) -> None:
        """Branch and bound over the classifiers for a part of the time."""
        if self.form.branch:
            self.tree = ClassifierTree(self.instance, self._decided, (self.min_size, self.max_size))
            self._grow(self._part(FIRST_TREE_SHARE))

    def branch_on(self) -> None:
        """Go on for the rest of the time."""
        self._grow(self.clock)
        self.finished = self.tree is not None and not self.tree.open

    def _grow(self, clock: Clock) -> None:
        """Without a time limit the program comes to an end itself, so the tree may end by its nodes."""
        assert self.tree is not None
        self.tree.cut_off(self.value)
        self.tree.run(clock, DEFAULT_NODES if clock.limit is None else NO_LIMIT)
        for seconds, errors in self.tree.history:
            self.limit("branching", self.instance.bound(errors), seconds)

    def _decided(self, candidate: tuple[NDArray[np.intp], int]) -> float:
        self.offer("branching", *candidate)
        return self.value

    def search(self) -> None:
        """Annealing, short."""
        self._anneal(FIRST_MOVES, self.seed)

    def search_on(self) -> None:
        """Annealing, longer and on other paths."""
        self._anneal(MORE_MOVES, self.seed + 1)

    def _anneal(self, moves: int, seed: int) -> None:
        if not self.form.search:
            return
        ensemble = searched(
            self.instance,
            diversity=self.diversity,
            clock=Clock(self._share(SEARCH_SHARE)),
            random_state=seed,
            start=None if self.best is None else self.best[:2],
            max_size=self.max_size,
            min_size=self.min_size,
            moves=moves * self.instance.n_classifiers,
            target=self.bound,
        )
        if ensemble is not None:
            self.offer("local search", *ensemble)

    def solve(self) -> None:
        """The integer program."""
        model = PruningProgram(
            self.instance, self.form, self.cuts, self.diversity, self.min_size, self.max_size
        )
        if not leaves_time_for(model.n_entries, self.clock):
            return
        start = self.best[:2] if self.form.search and self.best is not None else None
        result = model.solve(self.solver, time_limit=self._share(1.0), seed=self.seed, start=start)
        self.choice, self.solver_bound = result.choice, model.bound(result, rounded=False)
        if result.outcome is Outcome.INFEASIBLE:
            raise SolverStatusError(result.choice.solver, "infeasible, although there is an ensemble")
        if result.x is not None:
            self.offer("program", *model.ensemble(result.x))
        self.limit("program", model.bound(result))
        self.finished = result.outcome is Outcome.OPTIMAL

    def result(self) -> PruningResult:
        """Return what has been found.

        Raises
        ------
        KeyboardInterrupt
            Nothing was found before an interrupt.
        """
        if self.best is None:
            raise KeyboardInterrupt
        if self.watch.interrupted:
            self.limit("ideal", self.instance.unit * self.instance.ideal)
        return PruningResult(
            selected=self.best.selected,
            threshold=self.best.threshold,
            value=self.value,
            bound=max(self.bound if np.isfinite(self.bound) else self.instance.most, self.value),
            seconds=self.clock.seconds,
            choice=self.choice,
            history=tuple(self.history),
            complete=self.closed or self.finished,
            solver_bound=self.solver_bound,
        )

    def _part(self, share: float) -> Clock:
        """Clock of a step."""
        seconds = self._share(share)
        return self.clock if seconds is None else self.clock.part(seconds)

    def _share(self, share: float) -> float | None:
        """Seconds of a step: a share of the whole time, no more than is left."""
        limit = self.clock.limit
        return None if limit is None else min(share * limit, self.clock.left)

    def _note(self, step: str, seconds: float | None = None) -> None:
        at = self.clock.seconds if seconds is None else seconds
        self.history.append(Progress(step, at, self.value, self.bound))
        if not self.watch.interrupted:
            self.watch.tell(self.value, self.bound)
