"""Pruning an ensemble: bounds, search and integer program together, or the paper's program alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.feasible_sets import check_sizes, feasible_set
from compactml.ensemble_pruning.program.formulation import Formulation, as_formulation
from compactml.ensemble_pruning.result import PruningResult
from compactml.ensemble_pruning.steps import PruningRun
from compactml.errors import InvalidParameterError, check_choice, check_finite, check_integer
from compactml.solvers import SOLVERS
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["LARGEST_SEED", "checked_diversity", "prune", "pruned"]

LARGEST_SEED = 2_000_000_000
"""What every solver takes."""


def prune(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    objective: Any = "accuracy",
    min_pfc: float = 0.0,
    mean_pfc: float = 0.0,
    formulation: str | Formulation = "strengthened",
    solver: str = "auto",
    time_limit: float | None = 60.0,
    random_state: int = 0,
    max_size: int | None = None,
    min_size: int = 0,
    verbose: bool = False,
    callback: Callback | None = None,
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
        How much the selected classifiers must fail on different rows: the least of each, and the least mean (the
        paper's tau and gamma). A least above the mean decides alone.
    formulation : {"strengthened", "plain"} or Formulation
        "plain" is the paper's program on a solver and nothing else. "strengthened" proves bounds, searches and branches
        on classifiers; what that leaves open on few vectors of votes, or without a time limit, the program with the
        cuts of the bounds closes, from the best ensemble found.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
    time_limit : float or None, default=60.0
        Seconds for the whole call, None for as long as the proof takes; what compiling takes does
        not count. What ends a call before its proof gives an `compactml.watch.EndedEarlyWarning`.
    random_state : int, default=0
        Seed of searches and solver. A run without a time limit repeats exactly; so does one with a limit, if each
        step ends before its share of the time does (a twentieth for a search, a tenth for the first tree).
    max_size, min_size : int, optional
        Limits on the number of classifiers (not in the paper).
    verbose : bool, default=False
        Print a line for each better ensemble or bound.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better ensemble or bound.

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
    limit = checked_limit(time_limit)
    watch = Watch("prune", Clock(limit), verbose=verbose, callback=callback)
    result = pruned(
        votes,
        y,
        watch,
        objective=objective,
        min_pfc=min_pfc,
        mean_pfc=mean_pfc,
        formulation=formulation,
        solver=solver,
        random_state=random_state,
        max_size=max_size,
        min_size=min_size,
    )
    if not result.complete:
        watch.warn(result.value, result.bound)
    return result


def pruned(
    votes: ArrayLike,
    y: ArrayLike,
    watch: Watch,
    *,
    objective: Any = "accuracy",
    min_pfc: float = 0.0,
    mean_pfc: float = 0.0,
    formulation: str | Formulation = "strengthened",
    solver: str = "auto",
    random_state: int = 0,
    max_size: int | None = None,
    min_size: int = 0,
) -> PruningResult:
    """Prune as `prune` does, by the watch's clock and without a warning.

    An interrupt ends it with the best so far where the watch keeps that.
    """
    form = as_formulation(formulation)
    check_choice("solver", solver, ("auto", *SOLVERS))
    check_integer("random_state", random_state, 0, LARGEST_SEED - 1)
    instance = PruningInstance.from_votes(votes, y, objective)
    diversity = checked_diversity(instance.votes == instance.y[:, np.newaxis], min_pfc, mean_pfc)
    sizes = check_sizes(min_size, max_size, instance.n_classifiers)
    run = PruningRun(instance, diversity, *sizes, form, solver, watch, random_state)
    with watch.interruptible():
        witness = feasible_set(diversity, *sizes, solver=solver, clock=watch.clock)
        for threshold in (instance.n_classifiers, len(witness) // 2):
            run.offer("start", witness, threshold)
        first = (run.prove_isotonic, run.search, run.branch, run.search_on)
        last = (run.branch_on,) if run.leaves_out_program else (run.prove_asummability, run.solve)
        for step in (*first, *last):
            if not run.closed:
                step()
    return run.result()


def checked_diversity(right: NDArray[np.bool_], min_pfc: Any, mean_pfc: Any) -> Diversity:
    """The limits, with the failure credits on the same points (not said in the paper).

    Parameters
    ----------
    right : ndarray of bool, shape (n, K)
        Which classifiers are right on which points.
    min_pfc, mean_pfc : float in [0, 1]

    Raises
    ------
    InvalidParameterError
    """
    for name, limit in (("min_pfc", min_pfc), ("mean_pfc", mean_pfc)):
        if check_finite(name, limit, 0.0) > 1.0:
            raise InvalidParameterError(name, "in [0, 1]", limit)
    return Diversity(failure_credit(right), float(min_pfc), float(mean_pfc))
