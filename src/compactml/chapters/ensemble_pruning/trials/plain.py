"""What a trial of the paper's own program does: Table 3 of Bastos, Brandão and Valle (2024), and section 5.3.

The program is (1)-(12), with (14)-(18) and (20) for F3, on the points as they are: no bound, search or start of ours
comes before the solver, and the bound is the solver's. Its constant K + 1 in (6) is the only thing that is not as
printed; where the solver finds nothing better, the ensemble that calls every point negative stands in.
"""

from __future__ import annotations

from dataclasses import dataclass

from compactml.chapters.ensemble_pruning.trials import costs
from compactml.chapters.ensemble_pruning.trials.measures import Pruned, finite, measured, trial_votes
from compactml.chapters.ensemble_pruning.trials.origin import found_by, proved_bound
from compactml.ensemble_pruning.diversity import CONFIGURATIONS, diversity_limits
from compactml.ensemble_pruning.pruning import prune
from compactml.ensemble_pruning.result import relative_gap
from compactml.study.chapter import Kind
from compactml.study.trial import Trial


@dataclass(frozen=True)
class Plain(Pruned):
    """The ensemble of the paper's program and what is proved of it.

    Attributes
    ----------
    bound, gap : float or None
        None where nothing is proved.
    solver_gap : float or None
        The gap to the solver's own bound, which is not rounded to whole points as ``bound`` is.
    proved : int
        1 if the ensemble is optimal.
    found_by : str
        "program", or "start" where the solver has nothing better than to call every point negative.
    solver : str
    """

    bound: float | None
    gap: float | None
    solver_gap: float | None
    proved: int
    found_by: str
    solver: str


def run_plain(trial: Trial) -> Plain:
    """F1 or F3, as the paper has them."""
    parts = trial_votes(trial)
    votes, y = parts["validation"].votes, parts["validation"].y
    tau, gamma = diversity_limits(votes, y, trial.method) if trial.method in CONFIGURATIONS else (0.0, 0.0)
    pruned = prune(
        votes,
        y,
        min_pfc=tau,
        mean_pfc=gamma,
        formulation="plain",
        time_limit=trial.time_limit,
        random_state=trial.seed,
    )
    bound = proved_bound(pruned)
    return Plain(
        value=pruned.value,
        bound=finite(bound),
        gap=finite(relative_gap(pruned.value, bound)),
        solver_gap=None
        if pruned.solver_bound is None
        else finite(relative_gap(pruned.value, pruned.solver_bound)),
        proved=int(pruned.proved),
        **measured(parts, pruned.selected, pruned.threshold),
        tau=tau,
        gamma=gamma,
        seconds=pruned.seconds,
        found_by=found_by(pruned),
        solver=str(pruned.choice),
    )


PLAIN = Kind("plain", run_plain, Plain, costs.of_plain)
"""A kind of its own: what it finds is never taken for ours."""
