"""Pruning for several classes: search, bound and integer program together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning.plurality.conflicts import conflicts_of
from compactml.ensemble_pruning.plurality.instance import PluralityInstance
from compactml.ensemble_pruning.plurality.program import plurality_program, start_of
from compactml.ensemble_pruning.plurality.result import PluralityResult
from compactml.ensemble_pruning.plurality.search import climb
from compactml.ensemble_pruning.program.feasible_sets import check_sizes, feasible_set
from compactml.ensemble_pruning.pruning import LARGEST_SEED, checked_diversity
from compactml.ensemble_pruning.result import Progress, relative_gap
from compactml.errors import InvalidParameterError, check_choice, check_integer
from compactml.solvers import SOLVERS, Outcome, SolveOptions, SolverChoice, VerificationError, solve
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["plurality_pruned", "prune_plurality"]

PROVED, ROUNDING = 1e-9, 1e-6
SEARCH_SHARE = 0.2
"""Of the time, at most."""
AS_LONG = 10
"""How many times as long as the rows the integer program takes until a solver looks at its clock."""


def prune_plurality(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    objective: str = "accuracy",
    min_pfc: float = 0.0,
    mean_pfc: float = 0.0,
    solver: str = "auto",
    time_limit: float | None = 60.0,
    random_state: int = 0,
    max_size: int | None = None,
    min_size: int = 1,
    verbose: bool = False,
    callback: Callback | None = None,
) -> PluralityResult:
    """Choose classifiers whose plurality vote calls most points rightly, with a bound. Not in the paper.

    A point is given the class that most of the chosen classifiers vote for, among equals the first in sorted order.
    Of two classes this is a majority vote: `prune` chooses its threshold besides, and so is never worse.

    Parameters
    ----------
    votes : array-like of labels, shape (n, K)
        What each classifier predicts; K >= 2. Any number of classes.
    y : array-like of labels, shape (n,)
        The true classes.
    objective : {"accuracy", "balanced_accuracy"}
        The number of points called rightly, or the same with a point of class c counted n / (C n_c) times, which is n
        times the balanced accuracy.
    min_pfc, mean_pfc : float in [0, 1], default=0
        Limits on the failure crediting of pairs, as in `prune`; they look at right and wrong calls alone.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
    time_limit : float or None, default=60.0
        Seconds for the whole call, None for as long as the proof takes. What ends a call before its proof gives an
        `compactml.watch.EndedEarlyWarning`.
    random_state : int, default=0
        Seed of search and solver.
    max_size, min_size : int, optional
        Limits on the number of classifiers; at least 1.
    verbose : bool, default=False
        Print a line for each better set or bound.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better set or bound.

    Returns
    -------
    PluralityResult
        Value and bound hold at any time limit; the value is counted from the votes.

    Raises
    ------
    InvalidDataError
        Votes or labels that are NaN, of other shapes or of types that do not compare; K < 2.
    InvalidParameterError
        An unknown objective, limits outside [0, 1], sizes that exclude each other.
    DiversityInfeasibleError, DiversityUndecidedError
        As `prune`.
    CompactmlError
        As `compactml.solvers.solve`.

    Examples
    --------
    >>> votes = [["a", "a", "b"], ["b", "c", "b"], ["c", "c", "c"], ["b", "a", "a"]]
    >>> result = prune_plurality(votes, ["a", "b", "c", "a"])
    >>> result.value, result.bound, result.selected.tolist()
    (4.0, 4.0, [0, 1])
    """
    watch = Watch("prune_plurality", Clock(checked_limit(time_limit)), verbose=verbose, callback=callback)
    result = plurality_pruned(
        votes,
        y,
        watch,
        objective=objective,
        min_pfc=min_pfc,
        mean_pfc=mean_pfc,
        solver=solver,
        random_state=random_state,
        max_size=max_size,
        min_size=min_size,
    )
    if not result.complete:
        watch.warn(result.value, result.bound)
    return result


def plurality_pruned(
    votes: ArrayLike,
    y: ArrayLike,
    watch: Watch,
    *,
    objective: Any = "accuracy",
    min_pfc: float = 0.0,
    mean_pfc: float = 0.0,
    solver: str = "auto",
    random_state: int = 0,
    max_size: int | None = None,
    min_size: int = 1,
) -> PluralityResult:
    """Prune as `prune_plurality` does, by the watch's clock and without a warning."""
    check_choice("solver", solver, ("auto", *SOLVERS))
    check_integer("random_state", random_state, 0, LARGEST_SEED - 1)
    begun = watch.clock.seconds
    instance = PluralityInstance.from_votes(votes, y, objective)
    seconds_of_rows = watch.clock.seconds - begun
    diversity = checked_diversity(instance.codes == instance.y[:, np.newaxis], min_pfc, mean_pfc)
    sizes = check_sizes(min_size, max_size, instance.n_classifiers)
    if sizes[0] < 1:
        raise InvalidParameterError("min_size", "at least 1: no classifier has no plurality", min_size)
    run = _Run(instance, diversity, sizes, solver, watch, random_state, seconds_of_rows)
    with watch.interruptible():
        run.offer("start", feasible_set(diversity, *sizes, solver=solver, clock=watch.clock))
        run.offer_each_alone()
        for step in (run.search, run.prove_conflicts, run.solve):
            if not run.closed:
                step()
    return run.result()


@dataclass
class _Run:
    """The best set and the best bound so far, and the steps that improve them."""

    instance: PluralityInstance
    diversity: Diversity
    sizes: tuple[int, int]
    solver: str
    watch: Watch
    seed: int
    seconds_of_rows: float
    best: tuple[NDArray[np.intp], float] | None = None
    bound: float = np.inf
    finished: bool = False
    cuts: sparse.csr_array | None = None
    choice: SolverChoice | None = None
    history: list[Progress] = field(default_factory=list)

    @property
    def value(self) -> float:
        return -np.inf if self.best is None else self.best[1]

    @property
    def closed(self) -> bool:
        return relative_gap(self.value, self.bound) <= PROVED

    def offer(self, step: str, selected: NDArray[np.intp]) -> float:
        """Keep a set that is allowed and better, and return the best value."""
        value = self.instance.value(selected)
        fits = self.sizes[0] <= len(selected) <= self.sizes[1]
        if value > self.value and fits and self.diversity.met(selected):
            self.best = selected, value
            self._note(step)
        return self.value

    def offer_each_alone(self) -> None:
        """Offer every classifier: whatever the limit, no allowed one is better than the set that is returned."""
        if self.sizes[0] == 1:
            for number in range(self.instance.n_classifiers):
                self.offer("alone", np.array([number], dtype=np.intp))

    def limit(self, step: str, errors: float) -> None:
        """Keep a bound that is better; rounding may put it a little below a set, nothing may put it farther."""
        bound = self.instance.bound(errors)
        allowed = ROUNDING * (1 + abs(self.value))
        if self.value - bound > allowed:
            raise VerificationError(step, "excess of a set over the bound", allowed, self.value - bound)
        bound = max(bound, self.value)
        if bound < self.bound:
            self.bound = bound
            self._note(step)

    def search(self) -> None:
        """Climb from many starts, and begin with the bound that needs no search."""
        self.limit("ideal", 0.0)
        if self.closed:
            return
        clock = self.watch.clock
        self._climb(clock if clock.limit is None else clock.part(SEARCH_SHARE * clock.limit), self.seed)

    def prove_conflicts(self) -> None:
        """Bound by pairs of points that exclude each other."""
        found = conflicts_of(self.instance, self.watch.clock)
        self.cuts = found.rows
        self.limit("conflicts", found.errors)

    def solve(self) -> None:
        """The integer program where there is time to make it, else more climbs."""
        if self.watch.clock.left < AS_LONG * self.seconds_of_rows:
            self._climb(self.watch.clock, self.seed + 1)
            return
        assert self.best is not None
        assert self.cuts is not None
        model = plurality_program(self.instance, self.diversity, self.sizes, self.cuts)
        # Errors are whole numbers of the unit, so a proof within less than one is a proof.
        options = SolveOptions(
            time_limit=self.watch.clock.allowance(),
            seed=self.seed,
            start=start_of(self.instance, self.diversity, self.best[0]),
            gap_abs=0.999 if self.instance.integral else 0.0,
        )
        result = solve(model, self.solver, options)
        self.choice = result.choice
        if result.x is not None:
            self.offer("program", np.flatnonzero(result.x[: self.instance.n_classifiers] > 0.5))
        if result.bound is not None and np.isfinite(result.bound):
            self.limit("program", result.bound)
        self.finished = result.outcome is Outcome.OPTIMAL

    def result(self) -> PluralityResult:
        """Return what has been found, or raise KeyboardInterrupt if nothing was."""
        if self.best is None:
            raise KeyboardInterrupt
        if self.watch.interrupted:
            self.limit("ideal", 0.0)
        return PluralityResult(
            selected=self.best[0],
            classes=self.instance.classes,
            value=self.value,
            bound=self.bound,
            seconds=self.watch.clock.seconds,
            choice=self.choice,
            history=tuple(self.history),
            complete=self.closed or self.finished,
        )

    def _climb(self, clock: Clock, seed: int) -> None:
        climb(
            self.instance,
            lambda selected: self.offer("local search", selected),
            sizes=self.sizes,
            clock=clock,
            seed=seed,
            goal=self.bound,
        )

    def _note(self, step: str) -> None:
        self.history.append(Progress(step, self.watch.clock.seconds, self.value, self.bound))
        if not self.watch.interrupted:
            self.watch.tell(self.value, self.bound)
