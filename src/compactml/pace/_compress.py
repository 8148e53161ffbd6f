"""`compress`: from a fitted ensemble to a small one that agrees with it on a region, and what is proved of that."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.ensemble import RandomForestClassifier

from compactml.clock import Clock
from compactml.errors import InvalidParameterError, check_choice
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.generation import DUALS, Pricing, in_batches, singly
from compactml.pace.loop import LEARNERS, OBJECTIVES, Compression, States, Weighed
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import check_seed, make_setting
from compactml.pace.separation.emptiness import first_points
from compactml.pace.separation.separator import FORMS, Separator
from compactml.pace.trees.pricing import INITIAL, PRICINGS, check_depth
from compactml.pace.weights.big_m import weight_bounds
from compactml.pace.weights.swapping import greedy, thinned
from compactml.solvers import SOLVERS

__all__ = [
    "GENERATE_FIRST",
    "ORDERS",
    "PRUNE_FIRST",
    "checked_clock",
    "compile_kernels",
    "compress",
    "run_phases",
]

PRUNE_FIRST, GENERATE_FIRST = ORDERS = ("prune first", "generate first")
FIRST_SHARE = 0.4
"""Part of the time for pruning before learners are generated."""
GENERATION_SHARE = 0.6
"""Part of the time for generation where it comes first and pruning follows."""


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
    time_limit: float | None = None,
    solver: str = "auto",
    random_state: int = 0,
    votes: str = "auto",
    isolation_forest: Any = None,
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
        Least margin of the region (4) as a share of the total weight, in [0, 1].
    beta : float, default 0.0
        Share of the training samples that an isolation forest may flag as implausible (5), in [0, 1].
    generate : bool, default True
        Phase 1: add trees by column generation, at most as many as the ensemble has.
    prune : bool, default True
        Phase 2: the smallest support, (P0). Without it the weights are those of (P1).
    pricing : {"cart", "exact"}, default "cart"
        See `compactml.pace.trees.pricing.price`.
    separation : {"auto", "search", "constraint", "objective", "both", "milp"}, default "auto"
        See `compactml.pace.separation.separator.Separator`; each form gives the same proofs.
    max_depth : int, "initial" or None, default "initial"
        Of generated trees: a number of tests, the depth of the deepest initial tree, or no limit, as in scikit-learn.
        The paper does not say how deep its new trees may be.
    duals : {"vertex", "interior", "uniform"}, default "vertex"
        Which of the many optimal multipliers of (P1) weigh the samples in (7), see
        `compactml.pace.generation.Pricing`. The paper does not say.
    order : {"prune first", "generate first"}, default "prune first"
        "generate first" is the order of the paper's Section 3: (P1) is separated exactly until it is faithful, with one
        sample for each pair of labels in a round; then one tree joins; (P0) comes once, at the end. "prune first"
        prunes before as well, and keeps that answer unless a better one is certified in time: so it is never worse
        than pruning alone, which the paper's order may be. It generates trees ten at a time on samples that local
        search finds.
    objective : {"learners", "leaves"}, default "learners"
        What (P1) and (P0) count. With "leaves" a learner costs as many as it has, as the paper's perspectives propose.
    time_limit : float, optional
        Seconds; what compiling takes at the first use comes before them. What is not proved then is not claimed: see
        ``certificate_`` of the result.
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

    Returns
    -------
    CompressedEnsemble
        If the time is out before the method can begin, the initial ensemble, with nothing proved and without a history.

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
    """
    check_choice("generate", generate, (True, False))
    check_choice("prune", prune, (True, False))
    check_choice("pricing", pricing, PRICINGS)
    check_choice("separation", separation, FORMS)
    check_choice("duals", duals, DUALS)
    check_choice("order", order, ORDERS)
    check_choice("objective", objective, OBJECTIVES)
    check_choice("solver", solver, ("auto", *SOLVERS))
    clock = checked_clock(time_limit, None if max_depth == INITIAL else max_depth, random_state)
    setting = make_setting(
        ensemble,
        X,
        alpha=alpha,
        beta=beta,
        votes=votes,
        isolation_forest=isolation_forest,
        random_state=random_state,
    )
    separator = Separator(
        setting.grid, setting.region, form=separation, solver=solver, random_state=random_state
    )
    points = first_points(setting, time_limit=clock.allowance(), random_state=random_state)
    if len(points) == 0 or clock.stopped():  # over before a point was found, or before the search could begin
        return CompressedEnsemble(setting, setting.initial, unknown(setting.initial.n_classes))
    samples = FaithfulnessSet(setting.region, points)
    run = Compression(
        setting, samples, separator, clock, solver, random_state, order == PRUNE_FIRST, objective
    )
    how = Pricing(pricing, _depth(max_depth, samples), len(samples.learners), duals)
    current, proved = run_phases(run, how if generate else None, prune)
    return CompressedEnsemble(setting, current, proved, run.history)


def run_phases(run: Compression, how: Pricing | None, prune: bool) -> Weighed:
    """Run the phases in their order: ours where the run harvests samples by local search, else the paper's.

    Parameters
    ----------
    run : Compression
    how : Pricing or None
        None without generation.
    prune : bool
    """
    earlier = None
    if how is not None and run.harvest:
        earlier = run.prune(share=FIRST_SHARE) if prune else None
        in_batches(run, how)
    elif how is not None:
        singly(run, how, run.clock.part(GENERATION_SHARE * run.clock.left) if prune else run.clock)
    return run.prune(earlier) if prune else run.weigh()


def unknown(n_classes: int) -> States:
    """The states of all pairs of classes before anything is proved."""
    return dict.fromkeys(permutations(range(n_classes), 2), "unknown")


def _depth(max_depth: int | str | None, samples: FaithfulnessSet) -> int | None:
    if max_depth == INITIAL:
        return max(1, *(learner.depth for learner in samples.learners))
    assert max_depth is None or isinstance(max_depth, int)
    return max_depth


@cache
def compile_kernels() -> None:
    """Compress a tiny forest, once in a process: compiling and loading must not use up the time limit of another."""
    X = np.random.default_rng(0).integers(0, 4, (40, 3)).astype(float)
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, X.sum(axis=1) > 4)
    compress(forest, X, alpha=0.1, beta=0.1)
    # What so small a forest does without:
    margins, everything, clock = np.eye(3) + 0.1, np.arange(3), Clock(None)
    weight_bounds(margins, 0.2, clock)
    support = greedy(margins, 0.2, everything[:0], everything, clock)
    thinned(margins, 0.2, support, everything, 1, 0, clock)


def checked_clock(time_limit: Any, max_depth: Any, random_state: Any) -> Clock:
    """Check the parameters that all searches of this package have, and start the clock; compiling comes before."""
    if max_depth is not None:
        check_depth(max_depth)
    check_seed(random_state)
    limit = _checked_limit(time_limit)
    if limit is not None:
        compile_kernels()
    return Clock(limit)


def _checked_limit(time_limit: Any) -> float | None:
    if time_limit is None:
        return None
    number = isinstance(time_limit, int | float | np.integer | np.floating)
    if not number or isinstance(time_limit, bool) or not 0 < time_limit < np.inf:
        raise InvalidParameterError("time_limit", "None or a positive number of seconds", time_limit)
    return float(time_limit)
