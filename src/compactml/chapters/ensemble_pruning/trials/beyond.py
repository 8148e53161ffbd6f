"""Trials that the paper does not have: bounds beside each other, and the gap against time.

Both take the objective accuracy without diversity (F1). "Errors" are validation rows called wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compactml.chapters.ensemble_pruning.trials import costs
from compactml.chapters.ensemble_pruning.trials.measures import finite, trial_votes
from compactml.chapters.ensemble_pruning.trials.origin import START, found_by, proved_bound
from compactml.clock import Clock
from compactml.ensemble_pruning._local_search import local_search
from compactml.ensemble_pruning.bounds.asummability import asummability_of
from compactml.ensemble_pruning.bounds.branching import NO_LIMIT, branching_bound
from compactml.ensemble_pruning.bounds.isotonic import isotonic_of
from compactml.ensemble_pruning.compiling import compile_kernels
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.formulation import FORMULATIONS, Formulation
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.ensemble_pruning.pruning import prune
from compactml.ensemble_pruning.result import relative_gap
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

CURVES: Mapping[str, Formulation] = {
    "plain": FORMULATIONS["plain"],
    "aggregated": Formulation(cuts="none", search=False, branch=False),
    "isotonic": Formulation(cuts="isotonic", search=False, branch=False),
    "asummability": Formulation(cuts="asummability", search=False, branch=False),
    "local_search": Formulation(branch=False),
    "branching": FORMULATIONS["strengthened"],
}
"""Each with what those before it have."""
CURVE_SOLVER = "highs"
SEARCH_SHARE, SEARCH_MOVES = 0.25, 5_000_000
"""Of the time limit of a trial of the bounds, and moves; as long as the rest the two slow bounds may take each."""


@dataclass(frozen=True)
class Bounds:
    """Errors that local search finds and that each bound proves, with seconds and gaps.

    Attributes
    ----------
    n_validation, n_patterns : int
        Validation rows, and distinct vectors of votes among them.
    errors_found, errors_isotonic, errors_asummability, errors_branching : float
        Of the best ensemble found, and below which no ensemble can go.
    n_nodes, n_cuts : int
        Of branching, and of the asummability bound.
    gap_isotonic, gap_asummability, gap_branching : float or None
        To what local search found; None where they are infinite.
    """

    n_validation: int
    n_patterns: int
    errors_found: float
    errors_isotonic: float
    errors_asummability: float
    errors_branching: float
    n_nodes: int
    n_cuts: int
    seconds_isotonic: float
    seconds_search: float
    seconds_asummability: float
    seconds_branching: float
    gap_isotonic: float | None
    gap_asummability: float | None
    gap_branching: float | None


@dataclass(frozen=True)
class Curve:
    """Where a formulation stands at a time limit.

    Attributes
    ----------
    value : float
        Validation rows called right.
    bound, errors_bound : float or None
        None where nothing is proved.
    gap : float or None
        None also where the formulation has nothing better than the ensemble that every run starts with, and no proof
        that there is none.
    n_rows, n_columns : int
        Of the formulation's program before cuts are added, solved or not.
    solver : str or None
        None where no program was solved.
    found_by : str
        The step that found the ensemble; "start" where none did.
    """

    value: float
    bound: float | None
    gap: float | None
    errors_found: float
    errors_bound: float | None
    n_validation: int
    n_rows: int
    n_columns: int
    seconds: float
    solver: str | None
    found_by: str


def run_bounds(trial: Trial) -> Bounds:
    """What local search finds and what each bound proves, and how long they take."""
    compile_kernels()
    validation = trial_votes(trial)["validation"]
    votes, y = validation.votes, validation.y
    limit = trial.time_limit or 0.0
    instance, n = PruningInstance.from_votes(votes, y), len(y)
    clock = Clock(None)
    isotonic = isotonic_of(instance)
    after_isotonic = clock.seconds
    best = local_search(
        instance,
        time_limit=SEARCH_SHARE * limit,
        moves=SEARCH_MOVES,
        random_state=trial.seed,
        target=isotonic.bound,
    )
    assert best is not None  # without limits on size and diversity every ensemble is one
    after_search = clock.seconds
    rest, value = (1 - SEARCH_SHARE) * limit, instance.value(*best)
    asummability = asummability_of(instance, Clock(rest))
    after_asummability = clock.seconds
    branching = branching_bound(votes, y, value=value, time_limit=rest, max_nodes=NO_LIMIT)
    return Bounds(
        n_validation=n,
        n_patterns=len(instance.patterns),
        errors_found=n - value,
        errors_isotonic=n - isotonic.bound,
        errors_asummability=n - asummability.bound,
        errors_branching=n - branching.bound,
        n_nodes=branching.n_nodes,
        n_cuts=asummability.rows.shape[0],
        seconds_isotonic=after_isotonic,
        seconds_search=after_search - after_isotonic,
        seconds_asummability=after_asummability - after_search,
        seconds_branching=clock.seconds - after_asummability,
        gap_isotonic=finite(relative_gap(value, isotonic.bound)),
        gap_asummability=finite(relative_gap(value, asummability.bound)),
        gap_branching=finite(relative_gap(value, branching.bound)),
    )


def run_curve(trial: Trial) -> Curve:
    """The gap that one formulation reaches within one time limit, on one solver for all."""
    compile_kernels()
    validation = trial_votes(trial)["validation"]
    votes, y = validation.votes, validation.y
    n, form = len(y), CURVES[trial.method]
    pruned = prune(
        votes,
        y,
        formulation=form,
        solver=CURVE_SOLVER,
        time_limit=trial.time_limit,
        random_state=trial.seed,
    )
    model = PruningProgram(PruningInstance.from_votes(votes, y), form).problem.matrix
    proved, origin = proved_bound(pruned), found_by(pruned)
    bound, gap = finite(proved), finite(relative_gap(pruned.value, proved))
    return Curve(
        value=pruned.value,
        bound=bound,
        gap=gap if origin != START or pruned.proved else None,
        errors_found=n - pruned.value,
        errors_bound=None if bound is None else n - bound,
        n_validation=n,
        n_rows=model.shape[0],
        n_columns=model.shape[1],
        seconds=pruned.seconds,
        solver=None if pruned.choice is None else str(pruned.choice),
        found_by=origin,
    )


BOUNDS = Kind("bounds", run_bounds, Bounds, costs.of_program)
CURVE = Kind("curve", run_curve, Curve, costs.of_curve)
