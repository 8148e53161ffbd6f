"""The paper's column generation in Tables 1 and 2, see `compactml.boolean_rules.paper_procedure`.

CPLEX is HiGHS here, since no licence may decide a result. The pricing limit is a quarter of the overall limit, as 30 s
are of the paper's 120.
"""

from __future__ import annotations

from dataclasses import dataclass

from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.paper_procedure import (
    Steps,
    learn_as_printed,
    pricing_nonzeros,
    printed_pricing,
)
from compactml.chapters.boolean_rules.trials.folds import FoldFit, grid_of
from compactml.chapters.boolean_rules.trials.two_passes import DNF, SOLVER, run_two_passes
from compactml.clock import Clock
from compactml.solvers.backends.highs import VERSION
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

__all__ = ["PAPER_CG_KIND", "PaperFit", "Printed"]

ZERO = 1e-9
"""Value of a linear program up to which it is 0: none is smaller."""


@dataclass(frozen=True, kw_only=True)
class PaperFit(FoldFit):
    """What the paper's procedure learned on one fold, and by which of its steps.

    Attributes
    ----------
    literals, nonzeros : int
        Of the whole training part, and of its pricing program.
    sampled : bool
        Whether that was too large, and samples were priced.
    by_program, by_heuristic : int
        Rounds of column generation on the whole training part, over all C, in which the integer program found clauses,
        or the heuristic behind it.
    lp_solved : int
        Values of C for which the linear program over all clauses of the whole training part is proved solved: in the
        end the integer program proved that no clause improves it, or its value is 0.
    best_train_accuracy : float
        Over all C.
    generated : int
        Clauses, over all C.
    least_gap : float
        Of the training part, over all C: (loss - bound of the linear program) / loss before the second pass; 0 is a
        proof that the rule set is optimal.
    """

    literals: int
    nonzeros: int
    sampled: bool
    by_program: int
    by_heuristic: int
    lp_solved: int
    best_train_accuracy: float
    generated: int
    least_gap: float


class Printed:
    """The paper's procedure for one instance after another; it remembers the steps of the last instance."""

    def __init__(self, time_limit: float, seed: int) -> None:
        self.time_limit, self.seed = time_limit, seed
        self.instance: Instance | None = None
        self.steps: list[Steps] = []

    def __call__(self, instance: Instance, complexity: int) -> Learned:
        """Learn with one C."""
        if instance is not self.instance:
            self.instance, self.steps = instance, []
        size, limit = complexity - 1, self.time_limit / 4
        pricing = printed_pricing(instance, size, limit, SOLVER, self.seed)
        self.steps.append(pricing.steps)
        return learn_as_printed(
            instance, complexity, size, Clock(self.time_limit), limit, 0.0, SOLVER, self.seed, pricing=pricing
        )  # fmt: skip


def run_paper_cg(trial: Trial) -> PaperFit:
    """One fold."""
    assert trial.time_limit is not None
    learner = Printed(trial.time_limit, trial.seed)
    form = str(dict(trial.parameters).get("form", DNF))
    fit, learned, points = run_two_passes(trial, learner, f"the paper's procedure by HiGHS {VERSION}", form)
    assert learner.instance is not None
    return PaperFit(
        **vars(fit),
        literals=len(learner.instance.literals),
        nonzeros=pricing_nonzeros(learner.instance),
        sampled=any(one.sampled for one in learner.steps),
        by_program=sum(one.by_program for one in learner.steps),
        by_heuristic=sum(one.by_heuristic for one in learner.steps),
        lp_solved=sum(map(_solved, learner.steps, learned)),
        best_train_accuracy=max(point.train_accuracy for point in points),
        generated=sum(result.n_columns for result in learned),
        least_gap=min(result.gap for result in learned),
    )


def _solved(steps: Steps, learned: Learned) -> bool:
    """Whether the linear program over all clauses is proved solved."""
    return steps.priced_out or (bool(learned.history) and learned.history[-1].master_value <= ZERO)


def cost(trial: Trial) -> float:
    """Rough seconds of one fold on one core: the limit of generation, and what the last programs take."""
    inner = int(str(dict(trial.parameters)["inner"]))
    return 0.5 + 1.2 * (trial.time_limit or 1.0) * len(grid_of(trial)) * (1 + inner)


PAPER_CG_KIND = Kind("paper_cg", run_paper_cg, PaperFit, cost)
