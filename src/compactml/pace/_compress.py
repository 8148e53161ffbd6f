"""`compress`: from a fitted ensemble to a small one that agrees with it on a region, and what is proved of that."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.ensemble import RandomForestClassifier

from compactml.clock import Clock
from compactml.errors import check_choice
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.generation import DUALS, Pricing
from compactml.pace.loop import LEARNERS, LEAVES, OBJECTIVES, Compression, Weighed, states_of
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import AT_ONCE, Setting, check_seed, make_setting
from compactml.pace.phases import answer_of
from compactml.pace.separation.emptiness import first_points
from compactml.pace.separation.separator import FORMS, Separator
from compactml.pace.trees.pricing import INITIAL, PRICINGS, check_depth
from compactml.pace.weights.big_m import weight_bounds
from compactml.pace.weights.heaviest import Combinations, larger_sets
from compactml.pace.weights.swapping import greedy, thinned
from compactml.solvers import SOLVERS
from compactml.watch import Callback, Watch, checked_limit

__all__ = [
    "GENERATE_FIRST",
    "ORDERS",
    "PRUNE_FIRST",
    "checked_clock",
    "compile_kernels",
    "compress",
    "compressed_under",
]

PRUNE_FIRST, GENERATE_FIRST = ORDERS = ("prune first", "generate first")


def compress(
    ensemble: Any,
    X: ArrayLike,
    *,
    alpha: float = 0.0,
    beta: float = 0.0,
    generate: bool = True,
    prune: bool = True,
    pricing: str = "cart",
    separation: str = "auto",
    max_depth: int | str | None = INITIAL,
    duals: str = "vertex",
    order: str = PRUNE_FIRST,
    objective: str = LEARNERS,
    uncertified: bool = False,
    time_limit: float | None = 60.0,
    solver: str = "auto",
    random_state: int = 0,
    votes: str = "auto",
    isolation_forest: Any = None,
    verbose: bool = False,
    callback: Callback | None = None,
) -> CompressedEnsemble:
    """Prune and compress a tree ensemble so that its predictions agree on a region (Akkerman and others, 2026).

    Parameters
    ----------
    ensemble : RandomForestClassifier, ExtraTreesClassifier or AdaBoostClassifier
        Fitted; it is not changed.
    X : array-like, shape (n, n_features)
        Training samples. A feature that has only whole numbers here is taken to have no others: the region, and what is
        proved, is for these (see ``in_region`` of the result).
    alpha : float, default 0.0
        Least margin of the region as a share of the total weight, in [0, 1].
    beta : float, default 0.0
        Share of the training samples that an isolation forest may flag as implausible, in [0, 1].
    generate : bool, default True
        Phase 1: add trees by column generation, at most as many as the ensemble has.
    prune : bool, default True
        Phase 2: as few learners as possible. Without it the weights are those of phase 1.
    pricing : {"cart", "exact"}, default "cart"
        See `compactml.pace.trees.pricing.price`.
    separation : {"auto", "search", "constraint", "objective", "both", "milp"}, default "auto"
        See `compactml.pace.separation.separator.Separator`; each form gives the same proofs.
    max_depth : int, "initial" or None, default "initial"
        Of generated trees: a number of tests, the depth of the deepest initial tree, or no limit, as in scikit-learn.
        The paper does not say how deep its new trees may be.
    duals : {"vertex", "interior", "uniform"}, default "vertex"
        Which of the many optimal multipliers of phase 1 weigh the samples of a new tree, see
        `compactml.pace.generation.Pricing`. The paper does not say.
    order : {"prune first", "generate first"}, default "prune first"
        "generate first" is the paper's order: phase 1 is separated exactly until it is faithful, with one sample
        for each pair of labels in a round; then one tree joins; phase 2 comes once, at the end. "prune first"
        prunes before as well, so that it is never worse than pruning alone, which the paper's order may be. It
        generates trees ten at a time on samples that local search finds.
    objective : {"learners", "leaves"}, default "learners"
        What both phases count. With "leaves" a learner costs as many as it has, as the paper's perspectives propose.
    uncertified : bool, default False
        Whether the answer may be one without a certificate. By default it is certified and no larger than ``ensemble``:
        with "prune first" the best certified one of all steps, which begin with ``ensemble`` itself; with "generate
        first", or without ``prune``, that of the last step, unless it lacks a certificate. True returns what the last
        step of the paper's method has, certified or not, which may be larger than ``ensemble``.
    time_limit : float or None, default 60.0
        Seconds for all of it, None for no limit; what compiling takes does not count. It decides
        only when to stop. An `compactml.watch.EndedEarlyWarning` says what was reached.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}, default "auto"
        Of mixed-integer programs.
    random_state : int, default 0
        An integer: the same call gives the same answer.
    votes : {"auto", "soft", "hard"}, default "auto"
        See `compactml.forests.forest_arrays`.
    isolation_forest : IsolationForest, optional
        Fitted on samples like X; used only if beta > 0. By default scikit-learn's standard one (100 trees on up to
        256 samples each) is fitted on X with ``random_state``. The paper does not say which one it uses; fewer and
        smaller trees make proofs much faster, and describe plausibility more coarsely.
    verbose : bool, default False
        Print a line at each better certified ensemble, and at each better bound.
    callback : callable, optional
        Called then with a `compactml.watch.News`: the objective, the bound (see ``bound_`` of the result; 1 where
        learners are generated), the gap and the seconds.

    Returns
    -------
    CompressedEnsemble
        If the time is out before the method can begin, the initial ensemble, without a history; with ``uncertified``
        nothing is said to be proved about it.

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError
        Another kind of ensemble, or one (also an isolation forest) without trees yet.
    InvalidDataError, InvalidParameterError
    EmptyRegionError
        It is proved that no point is in the region.
    ScoreOverflowError, WeightRoundingError
        Weights that no integers of the size allowed can stand for.
    SolverNotAvailableError, ModelTooLargeError, SolverStatusError
        The solver that is asked for is not there, its licence is too small, or it failed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    >>> small = compress(forest, X, alpha=0.1)
    >>> small.certificate_.faithful, small.n_learners_ < 10
    (True, True)
    """
    clock = checked_clock(time_limit, stated_depth(max_depth), random_state)
    return compressed_under(
        Watch("compress", clock, verbose=verbose, callback=callback),
        ensemble,
        X,
        alpha=alpha,
        beta=beta,
        generate=generate,
        prune=prune,
        pricing=pricing,
        separation=separation,
        max_depth=max_depth,
        duals=duals,
        order=order,
        objective=objective,
        uncertified=uncertified,
        solver=solver,
        random_state=random_state,
        votes=votes,
        isolation_forest=isolation_forest,
    )


def compressed_under(
    watch: Watch,
    ensemble: Any,
    X: ArrayLike,
    *,
    alpha: float = 0.0,
    beta: float = 0.0,
    generate: bool = True,
    prune: bool = True,
    pricing: str = "cart",
    separation: str = "auto",
    max_depth: int | str | None = INITIAL,
    duals: str = "vertex",
    order: str = PRUNE_FIRST,
    objective: str = LEARNERS,
    uncertified: bool = False,
    solver: str = "auto",
    random_state: int = 0,
    votes: str = "auto",
    isolation_forest: Any = None,
) -> CompressedEnsemble:
    """`compress` under the eyes of a caller, whose watch says whether an interrupt keeps the best answer so far."""
    check_choice("generate", generate, (True, False))
    check_choice("prune", prune, (True, False))
    check_choice("pricing", pricing, PRICINGS)
    check_choice("separation", separation, FORMS)
    check_choice("duals", duals, DUALS)
    check_choice("order", order, ORDERS)
    check_choice("objective", objective, OBJECTIVES)
    check_choice("solver", solver, ("auto", *SOLVERS))
    check_choice("uncertified", uncertified, (True, False))
    clock = watch.clock
    setting = make_setting(
        ensemble,
        X,
        alpha=alpha,
        beta=beta,
        votes=votes,
        isolation_forest=isolation_forest,
        random_state=random_state,
        clock=clock,
    )
    separator = Separator(
        setting.grid, setting.region, form=separation, solver=solver, random_state=random_state
    )
    answer: Weighed = (setting.initial, states_of(setting, None if uncertified else True))
    run: Compression | None = None
    with watch.interruptible():
        points = first_points(setting, time_limit=clock.allowance(), random_state=random_state)
        if len(points) and not clock.stopped():
            samples = _taken(setting, points, clock)
            harvest = order == PRUNE_FIRST
            run = Compression(
                setting, samples, separator, clock, solver, random_state, harvest, objective, watch=watch
            )
            pricer = Pricing(pricing, _depth(max_depth, samples), len(samples.learners), duals)
            answer = answer_of(run, pricer if generate else None, prune, uncertified)
    if watch.interrupted and run is not None:
        answer = run.best, states_of(setting, True)
    small = CompressedEnsemble(setting, *answer, run.history if run is not None else ())
    if watch.interrupted or clock.stopped():
        _warn(watch, small, objective, generate, prune)
    return small


def _taken(setting: Setting, points: NDArray[np.int32], clock: Clock) -> FaithfulnessSet:
    """S of those points that there is time for, at least of the first thousands."""
    samples = FaithfulnessSet(setting.region, points[:AT_ONCE])
    for start in range(AT_ONCE, len(points), AT_ONCE):
        if clock.stopped():
            break
        samples.add_samples(points[start : start + AT_ONCE])
    return samples


def _warn(watch: Watch, small: CompressedEnsemble, objective: str, generate: bool, prune: bool) -> None:
    """Warn unless the answer is proved all the same."""
    value = small.n_leaves_ if objective == LEAVES else small.n_learners_
    bound = small.bound_ if prune and not generate else None
    complete = not prune and not generate and not watch.interrupted
    if not small.certificate_.faithful or not (complete or value == (bound or 1)):
        watch.warn(value, bound or 1)


def _depth(max_depth: int | str | None, samples: FaithfulnessSet) -> int | None:
    if max_depth == INITIAL:
        return max(1, *(learner.depth for learner in samples.learners))
    assert max_depth is None or isinstance(max_depth, int)
    return max_depth


@cache
def compile_kernels() -> None:
    """Compress a tiny forest, once in a process: for trials that measure seconds."""
    X = np.random.default_rng(0).integers(0, 4, (40, 3)).astype(float)
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, X.sum(axis=1) > 4)
    compress(forest, X, alpha=0.1, beta=0.1, time_limit=None)
    # What so small a forest does without:
    margins, everything, clock = np.eye(3) + 0.1, np.arange(3), Clock(None)
    weight_bounds(margins, 0.2, clock)
    support = greedy(margins, 0.2, everything[:0], everything, clock)
    thinned(margins, 0.2, support, everything, 1, 0, clock)
    pairs = larger_sets(np.zeros((1, 1), dtype=np.int64), 3)
    assert pairs is not None  # they are few
    Combinations(3).refuted(pairs, 1)


def stated_depth(max_depth: Any) -> Any:
    """Return what ``max_depth`` states, None where the initial trees decide."""
    return None if isinstance(max_depth, str) and max_depth == INITIAL else max_depth


def checked_clock(time_limit: Any, max_depth: Any, random_state: Any) -> Clock:
    """Check the parameters that all searches of this package have, and start the clock."""
    if max_depth is not None:
        check_depth(max_depth)
    check_seed(random_state)
    return Clock(checked_limit(time_limit))
