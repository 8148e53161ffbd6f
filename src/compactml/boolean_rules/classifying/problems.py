"""The binary problems of a classifier: one for two classes, else one for each class against the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.classifying.precisions import Precisions
from compactml.boolean_rules.classifying.weights import WholeWeights, whole_weights
from compactml.boolean_rules.exact.learning import learn_exactly
from compactml.boolean_rules.exact.limits import Limits
from compactml.boolean_rules.generating import Ended, Options, Tell, learn_within
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.literals import Literals
from compactml.clock import Clock
from compactml.watch import Watch

__all__ = [
    "Early",
    "Problem",
    "Solved",
    "early",
    "learn_all",
    "learn_one",
    "not_begun",
    "problem_of",
    "solved",
]


@dataclass(frozen=True)
class Problem:
    """One class against the others.

    Attributes
    ----------
    label : object
        The class for which the rules are true.
    dnf : bool
        Whether the clauses describe that class, rather than the others (the negation of a CNF).
    y : ndarray of bool, shape (n,)
        Rows of the class that the clauses describe.
    weights : ndarray of float, shape (n,)
    whole : WholeWeights or None
        The same as whole numbers; None where every row counts once.
    instance : Instance
    zero_one : bool
        Whether rows of the other class count once, rather than for each clause.
    """

    label: Any
    dnf: bool
    y: NDArray[np.bool_]
    weights: NDArray[np.float64]
    whole: WholeWeights | None
    instance: Instance
    zero_one: bool = False

    @property
    def unit(self) -> float:
        """What one unit of the instance's loss weighs."""
        return 1 if self.whole is None else self.whole.unit


def problem_of(
    label: Any,
    of_class: NDArray[np.bool_],
    *,
    dnf: bool,
    codes: NDArray[np.integer],
    literals: Literals,
    weights: NDArray[np.float64] | None,
    costs: tuple[float, float],
    zero_one: bool,
) -> Problem:
    """Return the problem of one class.

    Parameters
    ----------
    label : object
    of_class : ndarray of bool, shape (n,)
        Rows of the class.
    dnf : bool
    codes : ndarray of int, shape (n, n_attributes)
    literals : Literals
        Those of the clauses; negated ones for a CNF.
    weights : ndarray of float, shape (n,), optional
    costs : tuple of two float
        Of missing a row of the class, and of taking another one for it.
    zero_one : bool
    """
    y = of_class == dnf
    if weights is None and costs == (1.0, 1.0):
        return Problem(
            label, dnf, y, np.ones(len(y)), None, Instance.from_codes(codes, y, literals), zero_one
        )
    own = np.where(of_class, *costs) * (1.0 if weights is None else weights)
    whole = whole_weights(own)
    instance = Instance.from_codes(codes, y, literals, whole.counts)
    return Problem(label, dnf, y, own, whole, instance, zero_one)


@dataclass(frozen=True)
class Solved:
    """What was learned of a problem.

    Attributes
    ----------
    label, dnf
        As in `Problem`.
    clauses : tuple of tuple of int
        Indices of the literals given to `problem_of`.
    learned : Learned
        In whole weights.
    objective, lower_bound : int or float
        In the caller's weights; ints where every row counts once.
    unit : float
        What a unit of the learned loss weighs.
    precisions : Precisions
    """

    label: Any
    dnf: bool
    clauses: tuple[tuple[int, ...], ...]
    learned: Learned
    objective: float
    lower_bound: float
    unit: float
    precisions: Precisions

    @property
    def gap(self) -> float:
        """(objective - lower bound) / objective."""
        return (self.objective - self.lower_bound) / self.objective if self.objective else 0.0

    def true(self, codes: NDArray[np.integer], literals: Literals) -> NDArray[np.bool_]:
        """Truth of each clause on each row, shape (n, n_clauses)."""
        return _true(self.clauses, codes, literals)

    def says(self, true: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether each row is said to be of ``label``, shape (n,)."""
        return true.any(axis=1) == self.dnf

    def probability(self, true: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Probability of ``label`` for each row."""
        described = self.precisions.probability(true)
        return described if self.dnf else 1 - described


class Early(NamedTuple):
    """Sums over all problems where one was ended before its proof, and by what, see `Watch.warn`."""

    value: float
    bound: float
    cause: str | None


def learn_all(
    problems: Sequence[Problem],
    options: Options,
    clock: Clock,
    watch: Watch,
    codes: NDArray[np.integer],
    literals: Literals,
) -> tuple[list[Solved], Early | None]:
    """Learn one problem after another; each may take its share of the time that is left.

    Returns what was learned, and what ended it early if anything did.

    Parameters
    ----------
    problems : sequence of Problem
    options : Options
    clock : Clock
        Of all problems together.
    watch : Watch
        Is told the sums over all problems.
    codes : ndarray of int, shape (n, n_attributes)
        Training rows.
    literals : Literals
        As in `problem_of`.
    """
    ended: list[Ended] = []
    value = [problem.unit * problem.instance.n_positives for problem in problems]
    bound = [0.0] * len(problems)
    for k, problem in enumerate(problems):

        def tell(loss: int, lower: int, k: int = k, unit: float = problem.unit) -> None:
            value[k], bound[k] = unit * loss, unit * lower
            watch.tell(sum(value), sum(bound))

        if watch.interrupted:
            ended.append(not_begun(problem.instance, options))
            continue
        share = clock.part(clock.left / (len(problems) - k))
        ended.append(learn_one(problem, options, share, watch, tell))
    answers = [
        solved(problem, one.learned, codes, literals) for problem, one in zip(problems, ended, strict=True)
    ]
    return answers, early(answers, ended)


def learn_one(problem: Problem, options: Options, clock: Clock, watch: Watch, tell: Tell) -> Ended:
    """Learn one problem without limits, of the loss that is asked; the arguments are those of `learn_within`."""
    if not problem.zero_one:
        return learn_within(problem.instance, options, clock, watch, tell)
    nothing = Limits.none(problem.instance)
    ended = learn_exactly(problem.instance, nothing, options, clock, watch, tell, zero_one=True)
    assert isinstance(ended, Ended)  # the empty rule set is allowed
    return ended


def early(answers: Sequence[Solved], ended: Sequence[Ended]) -> Early | None:
    """What a warning says where one problem was ended before its proof."""
    if not any(last.early for last in ended):
        return None
    cause = next((last.cause for last in ended if last.early and last.cause), None)
    return Early(sum(last.objective for last in answers), sum(last.lower_bound for last in answers), cause)


def not_begun(instance: Instance, options: Options) -> Ended:
    """The empty rule set of a problem that an interrupt came before."""
    nothing = Learned.nothing(instance, options.clause_size)
    return Ended(nothing, early=nothing.loss > 0)


def solved(problem: Problem, learned: Learned, codes: NDArray[np.integer], literals: Literals) -> Solved:
    """What was learned, in the caller's weights; ``codes`` are the rows of the problem."""
    kept = problem.instance.kept
    clauses = tuple(tuple(kept[list(clause)].tolist()) for clause in learned.clauses)
    true = _true(clauses, codes, literals)
    objective: float = learned.loss
    lower: float = learned.lower_bound
    if problem.whole is not None:
        objective, lower = problem.unit * learned.loss, problem.unit * learned.lower_bound
        if not problem.whole.exact:
            times = true.any(axis=1) if problem.zero_one else true.sum(axis=1)
            objective = float((problem.weights * np.where(problem.y, times == 0, times)).sum())
            lower = float(np.nextafter(lower, 0.0))  # the product was rounded
    precisions = Precisions.of(true, problem.y, problem.weights)
    return Solved(problem.label, problem.dnf, clauses, learned, objective, lower, problem.unit, precisions)


def _true(
    clauses: tuple[tuple[int, ...], ...], codes: NDArray[np.integer], literals: Literals
) -> NDArray[np.bool_]:
    true = np.ones((len(codes), len(clauses)), dtype=bool)
    for k, clause in enumerate(clauses):
        true[:, k] = literals.take(clause).evaluate(codes).all(axis=1)
    return true
