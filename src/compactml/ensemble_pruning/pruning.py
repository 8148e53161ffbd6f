"""Pruning an ensemble: bounds, search and integer program together, or the paper's program alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit
from compactml.ensemble_pruning._local_search import local_search
from compactml.ensemble_pruning.bounds.asummability import asummability_of
from compactml.ensemble_pruning.bounds.branching import DEFAULT_NODES, NO_LIMIT, ClassifierTree
from compactml.ensemble_pruning.bounds.isotonic import isotonic_of
from compactml.ensemble_pruning.compiling import compile_kernels
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.feasible_sets import check_sizes, feasible_set
from compactml.ensemble_pruning.program.pruning_program import Formulation, PruningProgram, as_formulation
from compactml.ensemble_pruning.result import Progress, PruningResult, relative_gap
from compactml.errors import InvalidParameterError, check_choice, check_finite, check_integer
from compactml.solvers import SOLVERS, Outcome, SolverChoice, SolverStatusError, VerificationError

__all__ = ["prune"]

PROVED, ROUNDING = 1e-9, 1e-6
LARGEST_SEED = 2_000_000_000
"""What every solver takes."""
SEARCH_SHARE = 0.05
"""Of the time, for each local search."""
FIRST_MOVES, MORE_MOVES = 20_000, 100_000
"""Moves of the two searches for each classifier of the pool."""
FIRST_TREE_SHARE, RELAXATION_SHARE = 0.1, 0.8
"""Of the time, at most, for the tree before the second search, and for the asummability bound."""
FEW_PATTERNS = 250
"""With more, branching on classifiers proves more than the program in the same time; with fewer, the program closes
what the tree leaves open. Without a time limit the program always comes last: it needs less memory than the tree."""


def prune(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    objective: Any = "accuracy",
    min_pfc: float = 0.0,
    mean_pfc: float = 0.0,
    formulation: str | Formulation = "strengthened",
    solver: str = "auto",
    time_limit: float | None = None,
    random_state: int = 0,
    max_size: int | None = None,
    min_size: int = 0,
) -> PruningResult:
    """Choose classifiers and a threshold that maximise the objective (1), with a bound.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
        1 where a classifier votes positive; K >= 2.
    y : array-like of 0/1, shape (n,)
        1 for the positive class.
    objective : {"accuracy", "balanced_accuracy", "recall"}, four numbers, or Weights
        As in `objective_weights`.
    min_pfc, mean_pfc : float in [0, 1], default=0
        tau of (18) and gamma of (20). The paper has tau <= gamma; above gamma, tau alone decides.
    formulation : {"strengthened", "plain"} or Formulation
        "plain" is the paper's program on a solver and nothing else. "strengthened" proves bounds, searches and branches
        on classifiers; what that leaves open on few vectors of votes, or without a time limit, the program with the
        cuts of the bounds closes, from the best ensemble found.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
    time_limit : float, optional
        Seconds; what compiling takes at the first use comes before them. The steps in between look at the clock, a
        solver may overrun a little.
    random_state : int, default=0
        Seed of searches and solver. A run without a time limit repeats exactly.
    max_size, min_size : int, optional
        Limits on the number of classifiers (not in the paper).

    Returns
    -------
    PruningResult
        Value and bound are in units of (1) and hold at any time limit; the value is counted from the votes.
        ``choice`` is None where no integer program was needed.

    Raises
    ------
    InvalidDataError
        Votes or labels that are not 0/1 (NaN too), K < 2.
    InvalidParameterError
        An unknown objective or formulation, limits outside [0, 1], sizes that exclude each other.
    DiversityInfeasibleError
        No set of at least ``min_size`` >= 2 classifiers is diverse enough.
    DiversityUndecidedError
        The time was up before there was any such set or the proof that there is none.
    CompactmlError
        As `compactml.solvers.solve`.

    Examples
    --------
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> result = prune(votes, [1, 1, 1, 0, 0])
    >>> result.value, result.bound, result.selected.tolist(), result.threshold
    (5.0, 5.0, [0, 1, 2], 1)
    """
    limit = None if time_limit is None else check_finite("time_limit", time_limit, 0.0)
    if limit is not None:
        compile_kernels()
    clock = Clock(limit)
    form = as_formulation(formulation)
    check_choice("solver", solver, ("auto", *SOLVERS))
    check_integer("random_state", random_state, 0, LARGEST_SEED - 1)
    instance = PruningInstance.from_votes(votes, y, objective)
    diversity = _diversity(instance, min_pfc, mean_pfc)
    sizes = check_sizes(min_size, max_size, instance.n_classifiers)
    run = _Run(instance, diversity, *sizes, form, solver, clock, random_state)
    witness = feasible_set(diversity, *sizes, solver=solver, clock=clock)
    for threshold in (instance.n_classifiers, len(witness) // 2):
        run.offer("start", witness, threshold)
    first = (run.prove_isotonic, run.search, run.branch, run.search_on)
    last = (run.branch_on,) if run.leaves_out_program else (run.prove_asummability, run.solve)
    for step in (*first, *last):
        if not run.closed:
            step()
    return run.result()


def _diversity(instance: PruningInstance, min_pfc: float, mean_pfc: float) -> Diversity:
    """The limits, with the failure credits on the same points (not said in the paper)."""
    for name, limit in (("min_pfc", min_pfc), ("mean_pfc", mean_pfc)):
        if check_finite(name, limit, 0.0) > 1.0:
            raise InvalidParameterError(name, "in [0, 1]", limit)
    right = instance.votes == instance.y[:, np.newaxis]
    return Diversity(failure_credit(right), float(min_pfc), float(mean_pfc))


@dataclass
class _Run:
    """The best ensemble and the best bound so far, and the steps that improve them."""

    instance: PruningInstance
    diversity: Diversity
    min_size: int
    max_size: int
    form: Formulation
    solver: str
    clock: Clock
    seed: int
    selected: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    threshold: int = 0
    value: float = -np.inf
    bound: float = np.inf
    cuts: sparse.csr_array | None = None
    tree: ClassifierTree | None = None
    choice: SolverChoice | None = None
    history: list[Progress] = field(default_factory=list)

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
            self.selected, self.threshold, self.value = selected, threshold, value
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
            found = isotonic_of(self.instance)
            self.cuts = found.rows
            self.limit("isotonic", found.bound)

    def prove_asummability(self) -> None:
        """Bound by the covering relaxation."""
        if self.form.cuts == "asummability":
            found = asummability_of(self.instance, self._part(RELAXATION_SHARE))
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
        ensemble = local_search(
            self.instance,
            diversity=self.diversity,
            time_limit=self._share(SEARCH_SHARE),
            random_state=seed,
            start=(self.selected, self.threshold),
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
        start = (self.selected, self.threshold) if self.form.search else None
        result = model.solve(self.solver, time_limit=self._share(1.0), seed=self.seed, start=start)
        self.choice = result.choice
        if result.outcome is Outcome.INFEASIBLE:
            raise SolverStatusError(result.choice.solver, "infeasible, although there is an ensemble")
        if result.x is not None:
            self.offer("program", *model.ensemble(result.x))
        self.limit("program", model.bound(result))

    def result(self) -> PruningResult:
        """Return what has been found."""
        return PruningResult(
            selected=self.selected,
            threshold=self.threshold,
            value=self.value,
            bound=max(self.bound, self.value),
            seconds=self.clock.seconds,
            choice=self.choice,
            history=tuple(self.history),
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
