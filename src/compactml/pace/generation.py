"""Phase 1 of Akkerman, Ferry, Guyard and Vidal (2026), Section 3: learners by column generation.

`singly` is the paper's: (P1) is separated exactly until it is faithful on the region, then a learner is added, and so
on (Section 3 and the first paragraph of Section 4). `in_batches` is ours, with two departures, none of which touches
the guarantee. It separates by local search only, since phase 1 does no more than fill the pool of learners; the exact
separation comes with the weights that are kept. And learners are generated ten at a time on a fixed S, since a column
against a set that grows at the same time shows no progress.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.loop import LEARNERS, Compression
from compactml.pace.separation.climbing import climb
from compactml.pace.trees.pricing import Priced, price
from compactml.pace.weights.interior import inner_duals
from compactml.pace.weights.master import LinearMaster, LinearSolution, reduced_cost

__all__ = ["DUALS", "INTERIOR", "UNIFORM", "VERTEX", "Pricing", "in_batches", "singly"]

VERTEX, INTERIOR, UNIFORM = DUALS = ("vertex", "interior", "uniform")
TOLERANCE = 1e-6
"""Reduced costs above minus this count as not negative."""
BATCH = 10
"""Learners generated on a fixed S, at most."""


@dataclass(frozen=True)
class Pricing:
    """How new learners are found.

    Attributes
    ----------
    way : {"cart", "exact"}
        See `compactml.pace.trees.pricing.price`.
    max_depth : int or None
    most : int
        Learners, at most.
    duals : {"vertex", "interior", "uniform"}
        Which multipliers weigh the samples in (7). (P1) is degenerate, and its optimal duals are many: that of the
        simplex method, or one from inside their face (`compactml.pace.weights.interior.inner_duals`). With "uniform"
        all rows have the same one: smoothing of duals with the uniform vector as its fixed stability centre (Wentges,
        1997). Where that misprices, that is finds no new learner with a negative reduced cost by the optimal duals,
        those price a second time.
    """

    way: str
    max_depth: int | None
    most: int
    duals: str = VERTEX


def singly(run: Compression, how: Pricing, clock: Clock) -> None:
    """Phase 1 as the paper has it: exact separation after each (P1), then one learner, until none improves."""
    with run.master() as master:
        while True:
            solution, _ = run.settle(master, clock)
            if clock.stopped() or run.n_generated >= how.most:
                return
            if _generated(run, master, solution, how, clock) is None:
                return


def in_batches(run: Compression, how: Pricing, most: int | None = None) -> bool:
    """Phase 1 as we have it: samples by local search, up to ten learners on these, and again.

    Parameters
    ----------
    run : Compression
    how : Pricing
    most : int, optional
        Batches, at most.

    Returns
    -------
    bool
        Whether there may be more learners that improve (P1).
    """
    clock = run.clock
    with run.master() as master:
        for _ in count() if most is None else range(most):
            if clock.stopped():
                break
            solution, added = _climbed(run, master), 0
            wanted = min(BATCH, how.most - run.n_generated)
            while added < wanted and not clock.stopped():
                better = _generated(run, master, solution, how, clock)
                if better is None:
                    break
                solution, added = better, added + 1
            if added == 0:
                return False
    return True


def _climbed(run: Compression, master: LinearMaster) -> LinearSolution:
    """Add samples that local search finds, until it finds none for the weights of (P1)."""
    while True:
        solution = master.solve()
        if run.clock.stopped():
            return solution
        setting, current = run.setting, run.samples.rounded(solution.weights)
        allowed = run.clock.allowance()
        points = climb(setting.grid, setting.region, current, run.samples.codes, time_limit=allowed)
        if run.add(points, master) == 0:
            return solution


def _generated(
    run: Compression, master: LinearMaster, solution: LinearSolution, how: Pricing, clock: Clock
) -> LinearSolution | None:
    """Price a learner and add it if it improves; the solution of (P1) with it, or None."""
    priced = _priced(run, solution, how, clock)
    improving = _improves(run, priced)
    if improving:
        run.add_learner(priced.learner, priced.margins, master)
        solution = master.solve()
    run.record_learner(solution, priced.reduced_cost, priced.exact)
    return solution if improving else None


def _priced(run: Compression, solution: LinearSolution, how: Pricing, clock: Clock) -> Priced:
    """Find a learner by the duals that are asked for, or by those of the vertex where these give none."""
    duals = solution.duals
    if how.duals == UNIFORM:
        even = np.full(len(duals), duals.sum() / len(duals))
        priced = _by(run, even, how, clock)
        against_optimum = _cost(run, priced, duals)
        if _improves(run, against_optimum):
            return against_optimum
    if how.duals == INTERIOR:
        costs = [float(run.cost(learner)) for learner in run.samples.learners]
        inner = inner_duals(run.samples.margins, solution.value, costs)
        duals = duals if inner is None else inner
    return _by(run, duals, how, clock)


def _by(run: Compression, duals: NDArray[np.float64], how: Pricing, clock: Clock) -> Priced:
    priced = price(
        run.samples,
        duals,
        pricing=how.way,
        max_depth=how.max_depth,
        time_limit=clock.allowance(),
        random_state=run.random_state,
    )
    return priced if run.objective == LEARNERS else _cost(run, priced, duals)


def _cost(run: Compression, priced: Priced, duals: NDArray[np.float64]) -> Priced:
    """The learner with its reduced cost by other duals, or at its cost: not the smallest one any more."""
    margins = priced.margins / run.samples.scale
    return replace(priced, reduced_cost=reduced_cost(duals, margins, run.cost(priced.learner)), exact=False)


def _improves(run: Compression, priced: Priced) -> bool:
    known = (run.samples.integers == priced.margins[:, None]).all(axis=0).any()
    return bool(priced.reduced_cost < -TOLERANCE and not known)
