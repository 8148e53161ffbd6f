"""What another solver says of the values that a table of this chapter calls optimal.

"engines" calls the best clause of a pricing problem proved: its integer program is asked for as it stands.

"optima", "fico_rule" and "growth" call a rule set optimal. The program over all clauses has far too many columns for a
solver. What takes its place is the proof by duality: at fixed duals the program (6)-(10) bounds what any clause gains,
and with it every rule set. The duals are found anew by our search, which need not be believed: the bound follows from
the other solver's bound on (6)-(10) whatever the duals are, and the loss is counted from the rules. Where the trial
needed an enumeration beyond the relaxation, the other solver proves less than the value, and the opinion says so.

Tables 1 and 2 and Fig 1 show accuracies and complexities and call no rule set optimal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from compactml.boolean_rules.bounds import proved_by
from compactml.boolean_rules.certificate import verify_rules
from compactml.boolean_rules.duals import UNIT
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learning import Learned, compile_kernels, learn
from compactml.boolean_rules.pricing.integer_program import pricing_program
from compactml.boolean_rules.pricing.search import Search
from compactml.chapters.boolean_rules.trials.instances import duals_without_beam, whole_dataset
from compactml.chapters.boolean_rules.trials.printed_rule import printed_complexity
from compactml.chapters.boolean_rules.trials.synthetic_rows import (
    COMPLEXITY,
    LEARNING_GAP,
    LEARNING_SIZE,
    synthetic,
)
from compactml.solvers import Opinion, SolveOptions, Stated, Verdict, opinion_on
from compactml.study.chapter import Kind
from compactml.study.running.asking import KIND, LIMIT, opinion_trial
from compactml.study.running.opinions import Heard
from compactml.study.trial import Recipe, Result, Trial

TOLERANCE = 1e-6
"""A solver's bound on (6)-(10) is trusted up to this, absolute and relative."""
FINISHED = 1e-5
"""As the trials of "engines" have it, relative to a best value above 1."""
LARGEST = 2_000_000
"""Entries of a program, above which solvers overrun their time limit before they have looked at anything."""

VALUES: Mapping[str, str] = {"optimum": "loss", "fico_rule": "loss", "growth": "loss", "engine": "best"}
"""By kind the column of the value that a table may call optimal; its bound stands in ``bound``."""


def called_optimal(trial: Trial, result: Result) -> bool:
    """Whether a table calls the value of a result optimal: the loss meets its bound, or the engine finished.

    The result of an older record may lack what has no value.
    """
    if trial.kind not in VALUES:
        return False
    if trial.kind == "engine":
        return result["finished"] == 1
    value = result.get(VALUES[trial.kind])
    return value is not None and value == result.get("bound")


def opinion(trial: Trial, result: Result, solver: str | None) -> Trial | None:
    """The trial that asks another solver whether a value is optimal, None where no table says that it is.

    Parameters
    ----------
    trial : Trial
    result : Result
    solver : str or None
        The one that gave the result.
    """
    if not called_optimal(trial, result):
        return None
    return opinion_trial(trial, solver, result[VALUES[trial.kind]], bound=result["bound"])


def run_opinion(trial: Trial) -> Heard:
    """Ask a solver for the program that proves a trial's value; see the head of this module."""
    task = Task.of(trial)
    if (entries := task.entries) > LARGEST:
        reason = f"the program (6)-(10) has {entries} entries, the one over all clauses more"
        return Heard.of(Opinion(Verdict.NOT_REFUTED, None, None, None, None, reason, 0.0))
    compile_kernels()
    return _on_clause(trial, task) if dict(trial.parameters)["of"] == "engine" else _on_rules(trial, task)


@dataclass(frozen=True)
class Task:
    """The training problem of a trial.

    Attributes
    ----------
    instance : Instance
    complexity : int
        C of (3).
    max_clause_size : int
        D of (9).
    gap : float
        At which the trial stopped.
    """

    instance: Instance
    complexity: int
    max_clause_size: int
    gap: float = 0.0

    @classmethod
    def of(cls, trial: Trial) -> Task:
        """The problem of the trial that an opinion is on."""
        asked: dict[str, Any] = dict(trial.parameters)
        if asked["of"] == "growth":
            return cls(synthetic(asked["n"], trial.seed), COMPLEXITY, LEARNING_SIZE, LEARNING_GAP)
        complexity = printed_complexity() if asked["of"] == "fico_rule" else asked["C"]
        return cls(whole_dataset(trial.dataset), complexity, complexity - 1, asked.get("gap", 0.0))

    @property
    def entries(self) -> int:
        """Entries of (7) and (8) if every positive row has a dual."""
        false = ~self.instance.literals.evaluate(self.instance.codes)
        return int(2 * false[self.instance.positives > 0].sum() + false[self.instance.negatives > 0].sum())


def _on_clause(trial: Trial, task: Task) -> Heard:
    """On the best clause of a pricing problem; value and bound are f in rows, as in the trial.

    Where no clause gains anything the trial says 0, which no clause need have.
    """
    asked: dict[str, Any] = dict(trial.parameters)
    search = Search(task.instance, task.max_clause_size)
    duals = duals_without_beam(task.instance, task.complexity, search)
    program = pricing_program(task.instance, duals, task.max_clause_size)
    best, within = asked["stated"], FINISHED * max(1.0, asked["stated"])
    options = SolveOptions(time_limit=trial.time_limit, gap_abs=within)
    stated = Stated(-best if best > 0 else None, -max(asked["bound"], best))
    opinion = opinion_on(program, stated, options=options, not_by=asked["not_by"])
    heard = replace(Heard.of(opinion), value=_gained(opinion.value), bound=_gained(opinion.bound))
    nothing = not best and opinion.bound is not None and opinion.bound >= -within
    return replace(heard, verdict=str(Verdict.CONFIRMED), reason="") if nothing else heard


def _gained(objective: float | None) -> float | None:
    """The f of a clause from the objective of its program, which is minimised; None where it is not finite."""
    return None if objective is None or math.isinf(objective) else -objective


def _on_rules(trial: Trial, task: Task) -> Heard:
    """On a rule set; value is the loss that is counted, bound what follows from the other solver's bound."""
    asked: dict[str, Any] = dict(trial.parameters)
    learned = learn(
        task.instance,
        task.complexity,
        max_clause_size=task.max_clause_size,
        time_limit=trial.time_limit,
        gap=task.gap,
    )
    program = pricing_program(task.instance, learned.bound.duals, task.max_clause_size)
    options = SolveOptions(time_limit=trial.time_limit)
    opinion = opinion_on(program, Stated(None, None), options=options, not_by=asked["not_by"])
    loss, lower = _counted(task, learned), _proved(task, learned, opinion.bound)
    verdict, reason = _verdict(asked["stated"], loss, lower, opinion)
    return Heard(
        verdict=str(verdict),
        solver=opinion.solver,
        value=loss,
        bound=lower,
        reason=reason,
        seconds=opinion.seconds,
    )


def _counted(task: Task, learned: Learned) -> int:
    """Loss of the rules, counted anew; that of the empty rule set where they are not allowed."""
    check = verify_rules(task.instance, list(learned.clauses), task.complexity)
    return check.loss if check.holds else task.instance.n_positives


def _proved(task: Task, learned: Learned, bound: float | None) -> int | None:
    """The bound on the loss that a solver's bound on (6)-(10) proves, None without one."""
    if bound is None or not math.isfinite(bound):
        return None
    at_most = max(math.ceil((TOLERANCE * max(1.0, abs(bound)) - bound) * UNIT), 0)
    return proved_by(learned.bound.duals, task.complexity, at_most)


def _verdict(stated: float, loss: int, lower: int | None, opinion: Opinion) -> tuple[Verdict, str]:
    """Compare the stated loss with the one that is counted and the bound that is proved."""
    if loss < stated:
        return Verdict.REFUTED, f"a rule set with loss {loss}"
    if lower is None:
        return Verdict.NOT_REFUTED, opinion.reason or "no bound"
    if lower > stated:
        return Verdict.REFUTED, f"every rule set has a loss of at least {lower}"
    if lower == stated == loss:
        return Verdict.CONFIRMED, ""
    if lower == stated:
        return Verdict.NOT_REFUTED, f"it proves the bound, but the rules found anew have loss {loss}"
    return Verdict.NOT_REFUTED, f"it proves {lower} of {stated:g} at the duals of the relaxation"


def generated(trial: Trial) -> Recipe | None:
    """How the rows are made where the original is one of the growth study."""
    asked = dict(trial.parameters)
    return (synthetic, (asked["n"], trial.seed)) if asked["of"] == "growth" else None


def cost(trial: Trial) -> float:
    """Rough seconds on one core: finding the duals and asking may take the limit each."""
    return 2 * (trial.time_limit or LIMIT)


OPINION = Kind(KIND, run_opinion, Heard, cost, generated)
