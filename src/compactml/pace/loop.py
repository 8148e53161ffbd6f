"""The method of Section 3 of Akkerman, Ferry, Guyard and Vidal (2026): generate, prune, certify.

Three departures, none of which touches the guarantee. Where there is a phase of generation, pruning comes before it,
too: the samples that it finds tell what generated learners must be right on, and its answer is kept if the larger pool
gives no better one within the effort. Generation separates by local search only, since it does no
more than fill the pool of learners; the exact separation comes with the weights that are kept. And learners are
generated in batches on a fixed S, since a column against a set that grows at the same time shows no progress.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.history import Step
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import Setting
from compactml.pace.separation.climbing import climb
from compactml.pace.separation.separator import Separation, Separator
from compactml.pace.trees.pricing import price
from compactml.pace.weights.master import LinearMaster, LinearSolution
from compactml.pace.weights.pruning import Pruner

__all__ = ["Compression", "States", "Weighed"]

States = dict[tuple[int, int], bool | Literal["unknown"]]
"""Of each ordered pair of classes, whether it is proved."""
Weighed = tuple[IntegerEnsemble, States]

TOLERANCE = 1e-6
"""Reduced costs above minus this count as not negative."""
BATCH = 10
"""Learners generated on a fixed S, at most."""
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
    history : list of Step
    """

    setting: Setting
    samples: FaithfulnessSet
    separator: Separator
    clock: Clock
    solver: str = "auto"
    random_state: int = 0
    history: list[Step] = field(default_factory=list)

    def generate(self, pricing: str, max_depth: int, most: int) -> None:
        """Phase 1: enrich the pool with at most ``most`` learners of negative reduced cost."""
        with LinearMaster(self.samples.margins) as master:
            while not self.clock.stopped():
                solution = self._grow(master)
                added = self._batch(master, solution, pricing, max_depth, most - self._n_generated)
                if added == 0:
                    return

    def weigh(self) -> Weighed:
        """Return the weights of (P1) on the pool, separated until none is left or the time is over."""
        with LinearMaster(self.samples.margins) as master:
            while True:
                solution = master.solve()
                current = self.samples.rounded(solution.weights)
                answer = self._separate(current, self.clock)
                n_new = self._add(answer.points, master)
                self._record("weigh", current, solution.value, n_new=n_new, n_solved=answer.n_solved)
                if n_new == 0 or self.clock.stopped():
                    return current, answer.proved

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
        pruner = Pruner(solver=self.solver, random_state=self.random_state)
        pruned = pruner.prune(self.samples.margins, clock)
        certified = earlier if earlier is not None and _faithful(earlier) else None
        while certified is None or pruned.bound < len(certified[0].learners):
            if certified is not None and pruned.size >= len(certified[0].learners):
                pruned = pruner.prove(clock)  # S has more to say only on a smaller support
                if pruned.size >= len(certified[0].learners):
                    break
            current = self.samples.rounded(pruned.weights)
            answer = self._separate(current, clock)
            n_new = self._add(answer.points, None)
            self._record(
                "prune", current, float(pruned.size), pruned.bound, n_new=n_new, n_solved=answer.n_solved
            )
            if answer.certified:
                certified = current, answer.proved
            elif n_new == 0 or clock.stopped():
                certified = certified or (current, answer.proved)
                break
            else:
                pruned = pruner.prune(self.samples.margins, clock)
        self._record_end(certified[0], pruner.bound)
        return certified

    def _grow(self, master: LinearMaster) -> LinearSolution:
        """Add samples that local search finds, until it finds none for the weights of (P1)."""
        while True:
            solution = master.solve()
            if self.clock.stopped():
                return solution
            current = self.samples.rounded(solution.weights)
            points = climb(
                self.setting.grid,
                self.setting.region,
                current,
                self.samples.codes,
                time_limit=self.clock.allowance(),
            )
            if self._add(points, master) == 0:
                return solution

    def _batch(
        self, master: LinearMaster, solution: LinearSolution, pricing: str, max_depth: int, most: int
    ) -> int:
        """Generate learners on the S at hand; return how many."""
        added = 0
        while added < min(BATCH, most) and not self.clock.stopped():
            priced = price(
                self.samples,
                solution.duals,
                pricing=pricing,
                max_depth=max_depth,
                time_limit=self.clock.allowance(),
                random_state=self.random_state,
            )
            known = (self.samples.integers == priced.margins[:, None]).all(axis=0).any()
            improving = priced.reduced_cost < -TOLERANCE and not known
            if improving:
                self.samples.add_learners([priced.learner])
                master.add_columns(priced.margins[:, None] / self.samples.scale)
                solution = master.solve()
                added += 1
            self._record_learner(solution, priced.reduced_cost, priced.exact)
            if not improving:
                break
        return added

    def _separate(self, current: IntegerEnsemble, clock: Clock) -> Separation:
        return self.separator.separate(current, time_limit=clock.allowance(), hints=self.samples.codes)

    def _add(self, points: NDArray[np.int32], master: LinearMaster | None) -> int:
        """Add samples to S and their rows to the master; return how many were new."""
        m = len(self.samples.integers)
        n_new = self.samples.add_samples(points)
        if master is not None and n_new:
            master.add_rows(self.samples.integers[m:] / self.samples.scale)
        return n_new

    @property
    def _n_generated(self) -> int:
        return sum(learner.origin is None for learner in self.samples.learners)

    def _record(
        self,
        phase: str,
        current: IntegerEnsemble,
        value: float,
        bound: int | None = None,
        *,
        n_new: int,
        n_solved: int,
    ) -> None:
        self.history.append(
            Step(
                phase,
                self.clock.seconds,
                len(self.samples),
                len(self.samples.learners),
                self._n_generated,
                len(current.learners),
                value,
                bound,
                n_new=n_new,
                n_solved=n_solved,
            )
        )

    def _record_learner(self, solution: LinearSolution, reduced_cost: float, exact: bool) -> None:
        size = int((solution.weights > USED * solution.value).sum())
        counts = len(self.samples), len(self.samples.learners), self._n_generated, size
        self.history.append(
            Step("generate", self.clock.seconds, *counts, solution.value, None, reduced_cost, exact)
        )

    def _record_end(self, current: IntegerEnsemble, bound: int) -> None:
        """The answer of a phase of pruning, and what is known about smaller ones from the same pool."""
        size = len(current.learners)
        self._record("prune", current, float(size), min(bound, size), n_new=0, n_solved=0)


def _faithful(weighed: Weighed) -> bool:
    return all(state is True for state in weighed[1].values())
