"""Two-level rules by alternating minimisation (AM) and block coordinate descent (BCD) with LP relaxations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from compactml.boolean_rules.competitors.base import Clause, RuleSetClassifier
from compactml.errors import CompactmlError, InvalidParameterError, check_choice, check_finite, check_integer

__all__ = ["TwoLevelRuleClassifier"]

ZERO = 1e-9
PRICING_ZERO = 1e-7
"""Reduced costs above minus this count as not negative, as in the solver."""
FIRST_ROWS, FIRST_CONDITIONS = 500, 600
"""Negative rows and conditions with which a clause's LP begins; it grows to at most twice its size at a time."""


class RelaxationFailedError(CompactmlError, RuntimeError):
    """The LP of one clause was not solved; it is feasible and bounded, so this is numerical."""


class TwoLevelRuleClassifier(RuleSetClassifier):
    r"""AM and BCD of Su, Wei, Varshney and Malioutov (2016), as disjunctions of conjunctions.

    With :math:`a_{ij} = 1` where row i fails condition j and :math:`w_{jr}` = 1 if clause r has it, the loss is the
    Hamming distance from the rule to the closest one that is right on the row:

    - for a negative row, the number of clauses that hold on it, :math:`\sum_r \max(0, 1 - \sum_j a_{ij} w_{jr})`;
    - for a positive row, the fewest conditions to delete, :math:`\min_r \sum_j a_{ij} w_{jr}`.

    The objective is the mean loss plus ``regularization`` for each condition. Either method repeats: say for each
    clause which positive rows it has to cover, then solve the clause's linear program and round.

    Parameters
    ----------
    method : {"am", "bcd"}, default="bcd"
        AM hands each positive row to the clause closest to it, then renews all clauses. BCD renews one clause at a
        time, for the positive rows that no other clause covers.
    n_clauses : int, default=10
        The paper's value. A clause may switch itself off, at a loss of 1 for each positive row that it was to cover
        (one more condition that no row meets, free of regularisation).
    regularization : float, default=1e-3
    max_rounds : int, default=30
        Passes over all clauses, if no pass without progress ends the search before.
    random_state : int, default=0
        Seed of the first assignment.

    Attributes
    ----------
    objective_ : float
        Mean Hamming loss + regularisation of the rules found.
    n_rounds_ : int

    Notes
    -----
    Written from the abstracts of arXiv:1511.07361 and arXiv:1606.05798 and from what Dash, Günlük and Wei (2018) say of
    their runs. Not certain, and chosen here: the first assignment (each positive row to the closest of ``n_clauses``
    random ones), no price for switching off, the rounding (best level set of the LP's solution, then conditions that it
    can do without are dropped), ties (to the first clause), the stop (no progress; the best rules seen are returned).

    References
    ----------
    G. Su, D. Wei, K. R. Varshney and D. M. Malioutov, Interpretable Two-level Boolean Rule Learning for
    Classification, ICML Workshop on Human Interpretability in Machine Learning, 2016.
    """

    def __init__(
        self,
        method: str = "bcd",
        n_clauses: int = 10,
        regularization: float = 1e-3,
        max_rounds: int = 30,
        random_state: int = 0,
    ) -> None:
        self.method = method
        self.n_clauses = n_clauses
        self.regularization = regularization
        self.max_rounds = max_rounds
        self.random_state = random_state

    def _learn(self, X: NDArray[np.bool_], y: NDArray[np.bool_]) -> tuple[Clause, ...]:
        self._check()
        problem = _TwoLevelProblem(X, y, self.regularization)
        rng = np.random.default_rng(check_integer("random_state", self.random_state, 0))
        rules = problem.first_rules(self.n_clauses, rng)
        best, self.objective_, self.n_rounds_ = rules, problem.objective(rules), 0
        step = problem.alternate if self.method == "am" else problem.descend
        while self.n_rounds_ < self.max_rounds:
            self.n_rounds_ += 1
            rules = step(rules)
            value = problem.objective(rules)
            if value >= self.objective_ - ZERO:
                break
            best, self.objective_ = rules, value
        return tuple(dict.fromkeys(rule for rule in best if rule is not None))

    def _check(self) -> None:
        check_choice("method", self.method, ("am", "bcd"))
        for name in ("n_clauses", "max_rounds"):
            if not isinstance(value := getattr(self, name), int) or value < 1:
                raise InvalidParameterError(name, "an integer of at least 1", value)
        check_finite("regularization", self.regularization, 0.0)


class _TwoLevelProblem:
    """Objective and steps on one training set; a clause that is switched off is None."""

    def __init__(self, X: NDArray[np.bool_], y: NDArray[np.bool_], regularization: float) -> None:
        self.n = len(y)
        self.price = regularization * self.n
        self.positive = (~X[y]).astype(np.float64)  # a_ij of the positive rows
        rows, counts = np.unique(~X[~y], axis=0, return_counts=True)
        self.negative, self.weight = rows.astype(np.float64), counts.astype(np.float64)
        self.rejected = self.weight @ self.negative  # rows by each condition
        self._known: dict[bytes, Clause | None] = {}

    def distances(self, rules: list[Clause | None]) -> NDArray[np.float64]:
        """Count the conditions to delete until clause r holds on positive row i, shape (positive rows, clauses)."""
        return np.column_stack(
            [
                np.ones(len(self.positive)) if rule is None else self.positive[:, list(rule)].sum(axis=1)
                for rule in rules
            ]
        )

    def objective(self, rules: list[Clause | None]) -> float:
        """Return mean Hamming loss + regularisation."""
        loss = self.distances(rules).min(axis=1).sum()
        return float(loss + sum(self.false_cost(rule) for rule in rules if rule is not None)) / self.n

    def false_cost(self, rule: Clause) -> float:
        """Count the negative rows on which the clause holds, and the price of its conditions."""
        return self.cost_where(self.failed(rule), len(rule))

    def failed(self, rule: Clause) -> NDArray[np.float64]:
        """Count the conditions of the clause that each negative row fails."""
        return np.asarray(self.negative[:, list(rule)].sum(axis=1))

    def cost_where(self, failed: NDArray[np.float64], length: int) -> float:
        """Return `false_cost` of a clause of some length, given what each negative row fails of it."""
        return float(self.weight @ (failed == 0)) + self.price * length

    def first_rules(self, n_clauses: int, rng: np.random.Generator) -> list[Clause | None]:
        """Return clauses for the positive rows around random ones."""
        seeds = self.positive[
            rng.choice(len(self.positive), n_clauses, replace=len(self.positive) < n_clauses)
        ]
        apart = (1 - self.positive) @ seeds.T + self.positive @ (1 - seeds).T
        return self.renewed(apart.argmin(axis=1), n_clauses)

    def alternate(self, rules: list[Clause | None]) -> list[Clause | None]:
        """AM: all clauses anew for the rows closest to each."""
        return self.renewed(self.distances(rules).argmin(axis=1), len(rules))

    def renewed(self, owner: NDArray[np.intp], n_clauses: int) -> list[Clause | None]:
        return [self.clause(owner == r) for r in range(n_clauses)]

    def descend(self, rules: list[Clause | None]) -> list[Clause | None]:
        """BCD: each clause in turn for the rows that no other covers, kept if the objective falls."""
        rules = list(rules)
        value = self.objective(rules)
        for r in range(len(rules)):
            others = self.distances([*rules[:r], *rules[r + 1 :], None]).min(axis=1)
            changed = [*rules[:r], self.clause(others > 0), *rules[r + 1 :]]
            if (after := self.objective(changed)) < value - ZERO:
                rules, value = changed, after
        return rules

    def clause(self, rows: NDArray[np.bool_]) -> Clause | None:
        """Return the best rounded solution of the LP of a clause for its positive rows, or None if off is better.

        The last passes ask mostly for what is known.
        """
        key = rows.tobytes()
        if key not in self._known:
            self._known[key] = self._clause(rows)
        return self._known[key]

    def _clause(self, rows: NDArray[np.bool_]) -> Clause | None:
        if not rows.any():
            return None
        linear = self.positive[rows].sum(axis=0)
        w = self.relaxed(linear, float(rows.sum()))
        levels = np.unique(w[w > ZERO])
        best, value = None, float(rows.sum())  # the cost of switching off
        for level in levels[::-1]:
            rule, cost = self.without_redundant(tuple(np.flatnonzero(w >= level).tolist()), linear)
            if cost < value - ZERO:
                best, value = rule, cost
        return best

    def without_redundant(self, rule: Clause, linear: NDArray[np.float64]) -> tuple[Clause, float]:
        """Drop the conditions that cost most, one by one, as long as the clause's cost does not rise."""
        failed = self.failed(rule)
        cost = self.cost_where(failed, len(rule)) + linear[list(rule)].sum()
        for j in sorted(rule, key=lambda j: -linear[j]):
            shorter = tuple(k for k in rule if k != j)
            fewer = failed - self.negative[:, j]
            less = self.cost_where(fewer, len(shorter)) + linear[list(shorter)].sum()
            if shorter and less <= cost:
                rule, failed, cost = shorter, fewer, less
        return rule, float(cost)

    def relaxed(self, linear: NDArray[np.float64], off: float) -> NDArray[np.float64]:
        """Weights w_j of min cost'w + off w_0 + sum weight_i xi_i, xi_i >= 1 - a_i'w - w_0, 0 <= w <= 1.

        Most negative rows are rejected by any good clause, with xi_i = 0, and most conditions have w_j = 0. So the LP
        begins with the rows that are closest to the clause's own and with the conditions that reject the most for
        their cost. It takes in others as long as its solution leaves a row not wholly rejected or a condition of
        negative reduced cost; the last solution is one of the whole LP.
        """
        cost = np.append(linear + self.price, off)
        rows = np.zeros(len(self.negative), dtype=bool)
        rows[np.argsort(self.negative @ (off - linear), kind="stable")[:FIRST_ROWS]] = True
        columns = np.zeros(len(linear), dtype=bool)
        cheapest = np.argsort(cost[:-1] / np.maximum(self.rejected, 1.0), kind="stable")
        columns[cheapest[:FIRST_CONDITIONS]] = True
        while True:
            w, pi = self.relaxed_on(rows, columns, cost)
            gain = np.where(columns, 0.0, pi @ self.negative[rows] - cost[:-1])
            if include(columns, gain, PRICING_ZERO):
                continue
            missing = self.weight * (1 - w[-1] - self.negative[:, columns] @ w[:-1])  # of the rows' xi
            if not include(rows, np.where(rows, 0.0, missing), ZERO):
                break
        whole = np.zeros(len(linear))
        whole[columns] = w[:-1]
        return whole

    def relaxed_on(
        self, rows: NDArray[np.bool_], columns: NDArray[np.bool_], cost: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the solution of the LP over some negative rows and conditions, w_0 last, and the duals pi of the rows.

        Solved in its dual, which has a row for each condition rather than for each negative row:
        max sum pi - sum sigma, a_j'pi - sigma_j <= cost_j, 0 <= pi_i <= weight_i.
        """
        negative, weight = self.negative[np.ix_(rows, columns)], self.weight[rows]
        limits = np.append(cost[:-1][columns], cost[-1])
        left = np.vstack([negative.T, np.ones(len(negative))])
        result = linprog(
            np.concatenate([-np.ones(len(negative)), np.ones(len(limits))]),
            A_ub=np.hstack([left, -np.eye(len(limits))]),
            b_ub=limits,
            bounds=[*((0.0, u) for u in weight), *([(0.0, None)] * len(limits))],
            method="highs",
        )
        if result.status != 0:
            raise RelaxationFailedError(f"LP of one clause: {result.message}")
        return -result.ineqlin.marginals, result.x[: len(negative)]


def include(inside: NDArray[np.bool_], gain: NDArray[np.float64], least: float) -> bool:
    """Take in what gains more than ``least``, the most first, at most as many as are inside; whether there were any."""
    entering = np.argsort(-gain, kind="stable")[: inside.sum()]
    entering = entering[gain[entering] > least]
    inside[entering] = True
    return len(entering) > 0
