"""Our exact search in Tables 1 and 2, with the paper's second pass."""

from __future__ import annotations

from functools import partial

from compactml.boolean_rules.learning import compile_kernels, learn
from compactml.chapters.boolean_rules.trials.folds import FoldFit, grid_of
from compactml.chapters.boolean_rules.trials.two_passes import SOLVER, run_two_passes
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

__all__ = ["OUR_CG_KIND"]


def run_our_cg(trial: Trial) -> FoldFit:
    """One fold."""
    compile_kernels()
    learner = partial(learn, time_limit=trial.time_limit, solver=SOLVER)
    return run_two_passes(trial, learner, "our search; integer programs by HiGHS").fit


def cost(trial: Trial) -> float:
    """Rough seconds of one fold on one core: many fits are proved optimal long before their limit."""
    inner = int(str(dict(trial.parameters)["inner"]))
    return 0.5 + 0.6 * (trial.time_limit or 1.0) * len(grid_of(trial)) * (1 + inner)


OUR_CG_KIND = Kind("our_cg", run_our_cg, FoldFit, cost)
