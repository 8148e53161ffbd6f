"""An independent check of bounds and rule sets, as plain as it can be.

It shares nothing with `compactml.boolean_rules.pricing` but the meaning of `Duals`: the 0/1 matrix of the literals is
evaluated anew, and a depth-first search over sets of literals is cut by two facts only. With P the mu that a clause of
complexity c covers, no longer clause containing it has f > P - lambda (c + 1); and a literal that takes no row of any
weight away from a clause is of no use in any clause that contains it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.errors import InvalidDataError, InvalidParameterError

__all__ = ["BoundCheck", "RulesCheck", "verify_bound", "verify_rules"]


@dataclass(frozen=True)
class BoundCheck:
    """Outcome of `verify_bound`.

    Attributes
    ----------
    holds : bool or None
        Whether no clause has f above ``at_most``; None when the node limit came first.
    value : int or None
        The lower bound on the Hamming loss that follows when it holds.
    counterexample : Clause or None
        A clause with f above ``at_most``.
    nodes : int
        Clauses whose extensions were scored.
    """

    holds: bool | None
    value: int | None
    counterexample: Clause | None
    nodes: int


@dataclass(frozen=True)
class RulesCheck:
    """Outcome of `verify_rules`.

    Attributes
    ----------
    loss : int
        Hamming loss (1).
    complexity : int
        Left side of (3).
    holds : bool
        The complexity is allowed and every clause has a literal.
    """

    loss: int
    complexity: int
    holds: bool


def verify_bound(
    instance: Instance,
    duals: Duals,
    complexity: int,
    max_clause_size: int,
    at_most: int,
    *,
    node_limit: int = 1_000_000,
) -> BoundCheck:
    """Prove anew that no clause has f > ``at_most``, and with it the bound of Dash, Günlük and Wei (2018), section 3.

    Parameters
    ----------
    instance : Instance
    duals : Duals
    complexity : int
        C of (3).
    max_clause_size : int
        D of (9): the bound holds for rule sets of clauses of at most so many literals.
    at_most : int
        In units of 1 / UNIT.
    node_limit : int, default 1000000
        The check ends undecided after so many nodes.

    Raises
    ------
    InvalidDataError
        ``duals`` are outside ``0 <= mu <= UNIT * positives`` or ``0 <= price``.
    InvalidParameterError
        ``max_clause_size`` or ``complexity`` is too small.
    """
    if max_clause_size < 1:
        raise InvalidParameterError("max_clause_size", "at least 1", max_clause_size)
    if complexity < 1:
        raise InvalidParameterError("complexity", "at least 1", complexity)
    _check_box(instance, duals)
    nodes = 0
    for counterexample in _extensions_scored(instance, duals, max_clause_size, at_most):
        nodes += 1
        if counterexample is not None:
            return BoundCheck(False, None, counterexample, nodes)
        if nodes > node_limit:
            return BoundCheck(None, None, None, nodes)
    return BoundCheck(True, _bound(duals, complexity, at_most), None, nodes)


def verify_rules(instance: Instance, rules: list[Clause], complexity: int) -> RulesCheck:
    """Recompute the Hamming loss and the complexity of a rule set row by row.

    Parameters
    ----------
    instance : Instance
    rules : list of Clause
    complexity : int
        C of (3).
    """
    loss = 0
    truth = instance.literals.evaluate(instance.codes).tolist()
    for row, positives, negatives in zip(
        truth, instance.positives.tolist(), instance.negatives.tolist(), strict=True
    ):
        n_satisfied = sum(all(row[j] for j in clause) for clause in rules)
        loss += n_satisfied * negatives + (positives if n_satisfied == 0 else 0)
    used = sum(1 + len(clause) for clause in rules)
    return RulesCheck(loss, used, used <= complexity and all(rules))


def _check_box(instance: Instance, duals: Duals) -> None:
    largest = [UNIT * count for count in instance.positives.tolist()]
    mu = duals.mu.tolist()
    if len(mu) != len(largest) or any(not 0 <= one <= top for one, top in zip(mu, largest, strict=True)):
        raise InvalidDataError("duals", "0 <= mu <= UNIT * positives on every row", "a mu outside")
    if duals.price < 0:
        raise InvalidDataError("duals", "a price that is not negative", str(duals.price))


def _bound(duals: Duals, complexity: int, at_most: int) -> int:
    """``ceil((sum mu - C lambda - C / 2 at_most) / UNIT)`` in Python's integers, and 0 if that is negative.

    A rule set of Q clauses has a loss of at least ``sum mu - C lambda - Q max f`` by weak duality, and Q <= C / 2.
    """
    value = sum(duals.mu.tolist()) - complexity * int(duals.price)
    twice = 2 * value - complexity * max(int(at_most), 0)
    return max(-(-twice // (2 * UNIT)), 0)


def _extensions_scored(
    instance: Instance, duals: Duals, max_clause_size: int, at_most: int
) -> Iterator[Clause | None]:
    """Visit the nodes of the search; yields, for each, a clause with f > ``at_most`` if one was met there.

    A node is a clause, the rows it covers and the literals that may still extend it. One matrix product gives mu and
    negatives of all its extensions by one literal (the diagonal) and by two.
    """
    lost = UNIT * instance.negatives
    weighted = (duals.mu > 0) | (lost > 0)
    # Sums of weights are whole numbers below 2**53: floating point is exact.
    truth = instance.literals.evaluate(instance.codes[weighted]).astype(np.float64)
    weights = np.stack([duals.mu[weighted], lost[weighted]]).astype(np.float64)
    yield _better_literal(truth, weights, duals.price, at_most)
    alive = np.flatnonzero(weights[0] @ truth - 3 * duals.price > at_most)
    stack: list[tuple[Clause, NDArray[np.intp], NDArray[np.intp]]] = [((), np.arange(len(truth)), alive)]
    while stack:
        clause, rows, literals = stack.pop()
        if len(literals) < 2 or len(clause) + 2 > max_clause_size:
            continue
        part, part_weights = truth[np.ix_(rows, literals)], weights[:, rows]
        mu, neg = ((part.T * one) @ part for one in part_weights)
        order = np.argsort(mu.diagonal(), kind="stable")
        # Each pair once: a literal is extended by those that cover more, and so may be pruned less.
        later = np.argsort(order)[None, :] > np.argsort(order)[:, None]
        f = mu - neg - duals.price * (3 + len(clause))
        first, second = (int(i) for i in np.unravel_index(np.where(later, f, -np.inf).argmax(), f.shape))
        found = f[first, second] > at_most
        yield (*clause, int(literals[first]), int(literals[second])) if found else None
        changes = (mu < mu.diagonal()[:, None]) | (neg < neg.diagonal()[:, None])
        alive_after = later & changes & (mu - duals.price * (4 + len(clause)) > at_most)
        for i in np.flatnonzero(alive_after.sum(axis=1) > 1):
            child = (*clause, int(literals[i]))
            stack.append((child, rows[part[:, i] > 0], literals[alive_after[i]]))


def _better_literal(
    truth: NDArray[np.float64], weights: NDArray[np.float64], price: int, at_most: int
) -> Clause | None:
    """A clause of one literal with f > ``at_most``."""
    mu, neg = weights @ truth
    f = mu - neg - 2 * price
    return (int(f.argmax()),) if f.size and f.max() > at_most else None
