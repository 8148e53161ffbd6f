"""Choosing an ensemble from votes: the best one, or the smallest that is hardly worse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.ensemble_pruning.instance import called_positive
from compactml.ensemble_pruning.plurality.instance import PluralityInstance, plurality
from compactml.ensemble_pruning.plurality.pruning import plurality_pruned
from compactml.ensemble_pruning.plurality.result import PluralityResult
from compactml.ensemble_pruning.pruning import pruned
from compactml.ensemble_pruning.result import PruningResult, relative_gap
from compactml.ensemble_pruning.weights import objective_weights
from compactml.watch import Watch

__all__ = ["RULES", "Selection", "select"]

RULES = ("best", "one_standard_error")

Result = PruningResult | PluralityResult


@dataclass(frozen=True, eq=False)
class Selection:
    """What was chosen.

    Attributes
    ----------
    result : PruningResult or PluralityResult
        Of the chosen ensemble; its bound is on ensembles of at most its size.
    bound : float
        No ensemble that meets the limits has a larger value, of whatever size.
    ideal : float
        The value if every row were called rightly.
    complete : bool
        Whether no limit and no interrupt cut the work short.
    """

    result: Result
    bound: float
    ideal: float
    complete: bool

    @property
    def gap(self) -> float:
        """(bound - value) / abs(value)."""
        return relative_gap(self.result.value, self.bound)

    @property
    def shares(self) -> tuple[float, float]:
        """Value and bound as shares of the ideal; NaN where there is none."""
        ideal = self.ideal if self.ideal > 0 else np.nan
        return self.result.value / ideal, self.bound / ideal


def select(
    codes: NDArray[np.intp],
    y: NDArray[np.intp],
    n_classes: int,
    watch: Watch,
    *,
    rule: str,
    options: Mapping[str, Any],
) -> Selection:
    """Choose from the votes.

    Parameters
    ----------
    codes : ndarray of int, shape (n, K)
        Numbers of the classes that are voted for.
    y : ndarray of int, shape (n,)
    n_classes : int
        2 for a threshold on the positive votes; more for a plurality.
    watch : Watch
    rule : {"best", "one_standard_error"}
    options : mapping
        Of `prune` or `prune_plurality`.
    """
    task = _Task(codes, y, n_classes, options)
    best = task.run(watch)
    smaller, complete = best, best.complete
    if rule == "one_standard_error" and not watch.interrupted:
        quiet = Watch(watch.name, watch.clock, keep=watch.keep)
        smaller, decided = task.smallest(best, quiet)
        watch.interrupted |= quiet.interrupted
        complete &= decided
    return Selection(smaller, best.bound, task.value_of(np.ones(len(y), dtype=bool)), complete)


@dataclass(frozen=True, eq=False)
class _Task:
    """Votes to choose from."""

    codes: NDArray[np.intp]
    y: NDArray[np.intp]
    n_classes: int
    options: Mapping[str, Any]

    def run(self, watch: Watch, **changed: Any) -> Result:
        """The best ensemble within limits."""
        options = {**self.options, **changed}
        if self.n_classes == 2:
            return pruned(self.codes == 1, self.y == 1, watch, **options)
        plain = {name: value for name, value in options.items() if name != "formulation"}
        plain["min_size"] = max(plain["min_size"], 1)
        return plurality_pruned(self.codes, self.y, watch, **plain)

    def smallest(self, best: Result, watch: Watch) -> tuple[Result, bool]:
        """The best ensemble of the smallest size whose value is within one standard error of the best.

        The standard error is that of the best one's value, a sum over the rows. Second, whether no smaller size is
        left undecided.
        """
        worth = self.worth(self.right(best))
        need = best.value - float(np.sqrt(len(worth)) * worth.std())
        decided = True
        for size in range(max(self.options["min_size"], 1), len(best.selected)):
            found = self.run(watch, max_size=size)
            if found.value >= need:
                return found, decided and found.complete
            decided &= found.complete or found.bound < need
            if watch.interrupted:
                return best, False
        return best, decided

    def right(self, result: Result) -> NDArray[np.bool_]:
        """Which rows an ensemble calls rightly."""
        if isinstance(result, PruningResult):
            called = called_positive(self.codes == 1, result.selected, result.threshold)
            return np.asarray(called == (self.y == 1))
        return np.asarray(plurality(self.codes[:, result.selected], self.n_classes).argmax(axis=1) == self.y)

    def worth(self, right: NDArray[np.bool_]) -> NDArray[np.float64]:
        """What each row adds to the value."""
        if self.n_classes > 2:
            worth = PluralityInstance.from_votes(self.codes, self.y, self.options["objective"]).worth
            known = np.unique(np.concatenate([self.codes.ravel(), self.y]))
            each = np.zeros(self.n_classes)
            each[known] = [float(one) for one in worth]
            return np.where(right, each[self.y], 0.0)
        cells = objective_weights(self.options["objective"], self.y == 1)
        positive = np.where(right, float(cells.true_positive), float(cells.false_negative))
        negative = np.where(right, float(cells.true_negative), float(cells.false_positive))
        return np.where(self.y == 1, positive, negative)

    def value_of(self, right: NDArray[np.bool_]) -> float:
        """The value where these rows are called rightly."""
        return float(self.worth(right).sum())
