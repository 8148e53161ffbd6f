"""The method of Section 3 of Akkerman, Ferry, Guyard and Vidal (2026): generate, prune, certify.

A run holds the samples, the pool of learners and what was done, and has the steps that both orders of the phases are
made of; how learners are generated says `compactml.pace.generation`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.history import Step
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.learners import Learner
from compactml.pace.model.setting import Setting
from compactml.pace.separation.separator import Separation, Separator
from compactml.pace.weights.cheapest import CheapestPruner
from compactml.pace.weights.master import LinearMaster, LinearSolution
from compactml.pace.weights.pruning import Pruner
from compactml.solvers import MasterNotSolvedError
from compactml.watch import Watch

__all__ = [
    "LEARNERS",
    "LEAVES",
    "OBJECTIVES",
    "Compression",
    "States",
    "Weighed",
    "faithful",
    "states_of",
    "unknown",
]

States = dict[tuple[int, int], bool | Literal["unknown"]]
"""Of each ordered pair of classes, whether it is proved."""
Weighed = tuple[IntegerEnsemble, States]

LEARNERS, LEAVES = OBJECTIVES = ("learners", "leaves")
"""What (P1) and (P0) count."""
USED = 1e-9
"""Share of the total weight above which a learner counts as used."""


@dataclass
class Compression:
    """A run: the samples, the pool of learners and what has been recorded.

    Attributes
    ----------
    setting : Setting
    samples : FaithfulnessSet
        S, and the pool.
    separator : Separator
    clock : Clock
    solver : str
        Of the mixed-integer program.
    random_state : int
    harvest : bool
        Whether local search comes before exact separation and after it; without it a round of separation gives one
        sample for each pair of labels at most, as in the paper (Section 4).
    objective : {"learners", "leaves"}
    history : list of Step
    watch : Watch, optional
        Told of each better certified ensemble.
    best : IntegerEnsemble
        The best certified ensemble so far, at first the initial one, which agrees with itself.
    """

    setting: Setting
    samples: FaithfulnessSet
    separator: Separator
    clock: Clock
    solver: str = "auto"
    random_state: int = 0
    harvest: bool = True
    objective: str = LEARNERS
    history: list[Step] = field(default_factory=list)
    watch: Watch | None = None

    def __post_init__(self) -> None:
        self.best = self.setting.initial

    def offer(self, certified: IntegerEnsemble) -> None:
        """Keep a certified ensemble if it is better than the best one."""
        if self.worth(certified) < self.worth(self.best):
            self.best = certified

    def tell(self, bound: int = 1) -> None:
        """Report the objective of the best ensemble, and a bound on it."""
        if self.watch is not None:
            worth = self.worth(self.best)
            self.watch.tell(worth, min(bound, worth))

    def master(self) -> LinearMaster:
        """Open (P1) on the pool and S as they are."""
        costs = [self.cost(learner) for learner in self.samples.learners]
        return LinearMaster(self.samples.margins, costs=costs)

    def weigh(self) -> Weighed:
        """Return the weights of (P1) on the pool, separated until none is left or the time is over."""
        with self.master() as master:
            return self.settle(master, self.clock)[1]

    def settle(self, master: LinearMaster, clock: Clock) -> tuple[LinearSolution, Weighed]:
        """Solve (P1) and separate, until no sample separates or the time is over."""
        while True:
            solution = master.solve()
            current = self.samples.rounded(solution.weights)
            answer = self.separate(current, clock)
            n_new = self.add(answer.points, master)
            self.record("weigh", current, solution.value, n_new=n_new, n_solved=answer.n_solved)
            if n_new == 0 or clock.stopped():
                return solution, (current, answer.proved)

    def prune(self, earlier: Weighed | None = None, share: float = 1.0) -> Weighed:
        """Phase 2: (P0) on the pool, separated until the smallest support is certified or the time is over.

        Parameters
        ----------
        earlier : pair of IntegerEnsemble and States, optional
            An earlier answer, which comes back unless a better one is found.
        share : float, default 1.0
            Part of the time left that may be used.
        """
        if earlier is not None and self.clock.stopped():
            return earlier
        clock = self.clock.part(share * self.clock.left)
        pruner = self.pruner()
        try:
            return self._pruned_by(pruner, earlier, clock)
        except MasterNotSolvedError:  # out of time, before there were weights on the samples
            return earlier or (self.best, states_of(self.setting, True))

    def _pruned_by(self, pruner: Pruner, earlier: Weighed | None, clock: Clock) -> Weighed:
        pruned = pruner.prune(self.samples.margins, clock)
        certified = earlier if earlier is not None and faithful(earlier[1]) else None
        while certified is None or pruned.bound < self.worth(certified[0]):
            if certified is not None and pruned.cost >= self.worth(certified[0]):
                pruned = pruner.prove(clock)  # S has more to say only on a smaller support
                if pruned.cost >= self.worth(certified[0]):
                    break
            current = self.samples.rounded(pruned.weights)
            answer = self.separate(current, clock)
            n_new = self.add(answer.points, None)
            self.record(
                "prune", current, float(pruned.cost), pruned.bound, n_new=n_new, n_solved=answer.n_solved
            )
            if answer.certified:
                certified = current, answer.proved
            elif n_new == 0 or clock.stopped():
                certified = certified or (current, answer.proved)
                break
            else:
                pruned = pruner.prune(self.samples.margins, clock)
        self.record_end(certified[0], pruner.bound)
        return certified

    def cost(self, learner: Learner) -> int:
        """What a learner adds to the objective."""
        return learner.n_leaves if self.objective == LEAVES else 1

    def add(self, points: NDArray[np.int32], master: LinearMaster | None) -> int:
        """Add samples to S and their rows to the master; return how many were new."""
        m = len(self.samples.integers)
        n_new = self.samples.add_samples(points)
        if master is not None and n_new:
            master.add_rows(self.samples.integers[m:] / self.samples.scale)
        return n_new

    def add_learner(self, learner: Learner, margins: NDArray[np.int64], master: LinearMaster) -> None:
        """Add a learner to the pool and its column to the master."""
        self.samples.add_learners([learner])
        master.add_columns(margins[:, None] / self.samples.scale, self.cost(learner))

    @property
    def n_generated(self) -> int:
        return sum(learner.origin is None for learner in self.samples.learners)

    def record_learner(self, solution: LinearSolution, reduced_cost: float, exact: bool) -> None:
        """Record a priced learner, and the solution of (P1) after it."""
        size = int((solution.weights > USED * solution.value).sum())
        counts = len(self.samples), len(self.samples.learners), self.n_generated, size
        self.history.append(
            Step(
                "generate",
                self.clock.seconds,
                *counts,
                solution.value,
                None,
                reduced_cost,
                exact,
                best=self.worth(self.best),
            )
        )

    def pruner(self) -> Pruner:
        """Open (P0) on the pool as it is."""
        if self.objective == LEARNERS:
            return Pruner(solver=self.solver, random_state=self.random_state)
        costs = [self.cost(learner) for learner in self.samples.learners]
        return CheapestPruner(costs, solver=self.solver, random_state=self.random_state)

    def worth(self, current: IntegerEnsemble) -> int:
        """The objective of an ensemble."""
        return sum(self.cost(learner) for learner in current.learners)

    def separate(self, current: IntegerEnsemble, clock: Clock, turns: int | None = None) -> Separation:
        """Separate; what is certified so is kept if it is better than the best."""
        hints = self.samples.codes if self.harvest else None
        answer = self.separator.separate(current, time_limit=clock.allowance(), hints=hints, turns=turns)
        if answer.certified:
            self.offer(current)
        return answer

    def record(
        self,
        phase: str,
        current: IntegerEnsemble,
        value: float,
        bound: int | None = None,
        *,
        n_new: int = 0,
        n_solved: int = 0,
    ) -> None:
        """Record a step other than one of generation."""
        self.history.append(
            Step(
                phase,
                self.clock.seconds,
                len(self.samples),
                len(self.samples.learners),
                self.n_generated,
                len(current.learners),
                value,
                bound,
                n_new=n_new,
                n_solved=n_solved,
                best=self.worth(self.best),
            )
        )

    def record_end(self, current: IntegerEnsemble, bound: int) -> None:
        """The answer of a phase of pruning, and what is known about smaller ones from the same pool."""
        worth = self.worth(current)
        self.record("prune", current, float(worth), min(bound, worth))


def faithful(states: States) -> bool:
    """Whether every pair is proved."""
    return all(state is True for state in states.values())


def unknown(n_classes: int) -> States:
    """The states of all pairs of classes before anything is proved."""
    return dict.fromkeys(permutations(range(n_classes), 2), "unknown")


def states_of(setting: Setting, proved: bool | None) -> States:
    """The states of all pairs of classes, each proved or, for None, unknown."""
    states = unknown(setting.initial.n_classes)
    return states if proved is None else dict.fromkeys(states, proved)
