"""Trials that the paper does not have: bounds beside each other, and the gap against time.

Both take the objective accuracy without diversity (F1). "Errors" are validation rows called wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from compactml.chapters.ensemble_pruning.datasets import BY_KEY
from compactml.chapters.ensemble_pruning.protocol import PROTOCOLS
from compactml.chapters.ensemble_pruning.trials.measures import finite, trial_votes
from compactml.clock import Clock
from compactml.ensemble_pruning._local_search import local_search
from compactml.ensemble_pruning.bounds.asummability import asummability_of
from compactml.ensemble_pruning.bounds.branching import NO_LIMIT, branching_bound
from compactml.ensemble_pruning.bounds.isotonic import isotonic_of
from compactml.ensemble_pruning.compiling import compile_kernels
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.pruning_program import FORMULATIONS, Formulation, PruningProgram
from compactml.ensemble_pruning.pruning import prune
from compactml.ensemble_pruning.result import relative_gap
from compactml.study.profile import Profile
from compactml.study.trial import Result, Trial

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
TABLES = ("bounds", "curves")


def run_bounds(trial: Trial) -> Result:
    """What local search finds and what each bound proves, and how long they take."""
    compile_kernels()
    own = trial_votes(trial)["validation"]
    limit = trial.time_limit or 0.0
    instance, n = PruningInstance.from_votes(own.votes, own.y), len(own.y)
    clock = Clock(None)
    isotonic = isotonic_of(instance)
    after_isotonic = clock.seconds
    found = local_search(
        instance,
        time_limit=SEARCH_SHARE * limit,
        moves=SEARCH_MOVES,
        random_state=trial.seed,
        target=isotonic.bound,
    )
    assert found is not None  # without limits on size and diversity every ensemble is one
    after_search = clock.seconds
    rest, value = (1 - SEARCH_SHARE) * limit, instance.value(*found)
    asummability = asummability_of(instance, Clock(rest))
    after_asummability = clock.seconds
    branching = branching_bound(own.votes, own.y, value=value, time_limit=rest, max_nodes=NO_LIMIT)
    return {
        "n_validation": n,
        "n_patterns": len(instance.patterns),
        "errors_found": n - value,
        "errors_isotonic": n - isotonic.bound,
        "errors_asummability": n - asummability.bound,
        "errors_branching": n - branching.bound,
        "n_nodes": branching.n_nodes,
        "n_cuts": asummability.rows.shape[0],
        "seconds_isotonic": after_isotonic,
        "seconds_search": after_search - after_isotonic,
        "seconds_asummability": after_asummability - after_search,
        "seconds_branching": clock.seconds - after_asummability,
        "gap_isotonic": finite(relative_gap(value, isotonic.bound)),
        "gap_asummability": finite(relative_gap(value, asummability.bound)),
        "gap_branching": finite(relative_gap(value, branching.bound)),
    }


def run_curve(trial: Trial) -> Result:
    """The gap that one formulation reaches within one time limit, on one solver for all."""
    compile_kernels()
    own = trial_votes(trial)["validation"]
    n, form = len(own.y), CURVES[trial.method]
    found = prune(
        own.votes,
        own.y,
        formulation=form,
        solver=CURVE_SOLVER,
        time_limit=trial.time_limit,
        random_state=trial.seed,
    )
    model = PruningProgram(PruningInstance.from_votes(own.votes, own.y), form).problem.matrix
    bound = finite(found.bound)
    return {
        "value": found.value,
        "bound": bound,
        "gap": finite(found.gap),
        "errors_found": n - found.value,
        "errors_bound": None if bound is None else n - bound,
        "n_validation": n,
        "n_rows": model.shape[0],
        "n_columns": model.shape[1],
        "seconds": found.seconds,
        "solver": None if found.choice is None else str(found.choice),
    }


RUN: Mapping[str, Callable[[Trial], Result]] = {"bounds": run_bounds, "curve": run_curve}


def trials(chapter: str, table: str, profile: Profile) -> list[Trial]:
    """Trials of one of these tables, at the largest size of the profile."""
    protocol = PROTOCOLS[profile]
    K = max(protocol.sizes)
    parameters: tuple[tuple[str, Any], ...] = (("K", K), ("pool", K))
    if table == "bounds":
        return [
            Trial(chapter, "bounds", key, "F1", fold, repetition, parameters, protocol.limit)
            for key in keys(protocol.datasets)
            for repetition, fold in protocol.runs
        ]
    return [
        Trial(chapter, "curve", key, method, fold, repetition, parameters, limit)
        for key in keys(protocol.curve_datasets)
        for method in CURVES
        for limit in protocol.curve_limits
        for repetition, fold in protocol.curve_runs
    ]


def keys(names: tuple[str, ...]) -> list[str]:
    """Keys of datasets, in the paper's order, by their printed names."""
    return [key for key, dataset in BY_KEY.items() if dataset.name in names]
