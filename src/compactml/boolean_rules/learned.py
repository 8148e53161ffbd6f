"""What is learned of one binary problem: a rule set and what is proved of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from compactml.boolean_rules.bounds import Bound, Round
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Clause, Instance

__all__ = ["Learned"]


@dataclass(frozen=True)
class Learned:
    """A rule set and what is known about it.

    Attributes
    ----------
    clauses : tuple of Clause
    loss : int
        Hamming loss (1).
    lower_bound : int
        No rule set of clauses with at most ``max_clause_size`` literals and this complexity has a smaller loss.
    max_clause_size : int
        D of the bound; with D = C - 1 it holds for all rule sets.
    bound : Bound
        Duals behind column generation's bound, for an independent check.
    enumerated : int or None
        Number of clauses that the proof of optimality went through, None where the bound did without.
    history : tuple of Round
    generated : tuple of Clause
        All clauses that were generated, for a second pass (`compactml.boolean_rules.second_pass`).

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.boolean_rules import Instance, Literals, learn
    >>> y = np.array([True, True, False, False])
    >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    >>> instance = Instance.from_codes(X, y, Literals.binary(["a", "b"]))
    >>> learned = learn(instance, 2)
    >>> learned.loss, learned.lower_bound
    (0, 0)
    """

    clauses: tuple[Clause, ...]
    loss: int
    lower_bound: int
    max_clause_size: int
    bound: Bound
    enumerated: int | None
    history: tuple[Round, ...]
    generated: tuple[Clause, ...] = field(repr=False)

    @classmethod
    def nothing(cls, instance: Instance, max_clause_size: int) -> Learned:
        """The empty rule set, of which nothing is proved."""
        bound = Bound(0, Duals(0 * instance.positives, 0), 0, None)
        return cls((), instance.n_positives, 0, max_clause_size, bound, None, (), ())

    @property
    def n_columns(self) -> int:
        """Number of clauses that were generated."""
        return len(self.generated)

    @property
    def gap(self) -> float:
        """(loss - lower bound) / loss; 0 is a proof of optimality."""
        return (self.loss - self.lower_bound) / self.loss if self.loss else 0.0
