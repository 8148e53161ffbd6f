"""A set of classifiers that meets the limits on size and diversity, or the proof that there is none.

The empty set and a single classifier meet every limit on diversity, so only a least size of 2 or more can exclude all
sets. Then the largest value of a limit comes from Newton's method on a ratio: with

    F(t) = max over the sets S of (sum of what S has) - t (sum of what it would need for t = 1),

F(t) > 0 names a set beyond t, and F(t) = 0 proves that there is none. For (18) this is max over S of the smallest
sum_l (FC_kl - t) x_l of a member k, for (20) max over S of sum_{k<l} (FC_kl - t) x_k x_l.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.ensemble_pruning._failure_credit import TOLERANCE, Diversity, pairwise_failure_crediting
from compactml.ensemble_pruning.errors import DiversityInfeasibleError, DiversityUndecidedError
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.constraints import diversity as diverse
from compactml.ensemble_pruning.program.rows import Columns, RowGroup, program
from compactml.errors import InvalidDataError, check_instance, check_integer
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, solve

__all__ = ["check_limits", "check_sizes", "feasible_set"]

Selected = NDArray[np.intp]


def check_sizes(min_size: Any, max_size: Any, n_classifiers: int) -> tuple[int, int]:
    """Return the limits on the number of classifiers, K for None.

    Raises
    ------
    InvalidParameterError
        No integer, or not 0 <= min_size <= max_size <= K with max_size >= 1.
    """
    least = check_integer("min_size", min_size, 0, n_classifiers)
    most = n_classifiers if max_size is None else max_size
    return least, check_integer("max_size", most, max(least, 1), n_classifiers)


def check_limits(instance: Any, diversity: Any, min_size: Any, max_size: Any) -> None:
    """Refuse an instance and limits that do not fit together, by name."""
    check_instance("instance", instance, PruningInstance)
    K = instance.n_classifiers
    check_sizes(min_size, max_size, K)
    if diversity is not None:
        check_instance("diversity", diversity, Diversity)
        if len(diversity.credit) != K:
            raise InvalidDataError("diversity", f"of {K} classifiers", f"{len(diversity.credit)}")


def feasible_set(
    diversity: Diversity, min_size: int, max_size: int, *, solver: str = "auto", clock: Clock | None = None
) -> Selected:
    """A set of min_size to max_size classifiers that meets (18) and (20).

    Raises
    ------
    DiversityInfeasibleError
        There is none. The error names the limit that cannot be met and its largest feasible value: of (18) alone, or
        of (20) beside (18).
    DiversityUndecidedError
        The time is up.
    """
    if min_size < 2 or not diversity.binding:
        return np.arange(min_size)
    peeled = _peel(diversity, min_size, max_size)
    if diversity.met(peeled):
        return peeled
    search = _Newton(diversity.credit, (min_size, max_size), solver, clock or Clock(None))
    tau, gamma = diversity.min_pfc, diversity.mean_pfc
    wide = search.raise_limit("min_pfc", tau, peeled, np.min, lambda t: search.minimum_program(t))
    return search.raise_limit("mean_pfc", gamma, wide, np.mean, lambda t: search.mean_program(t, tau))


def _peel(diversity: Diversity, min_size: int, max_size: int) -> Selected:
    """Take away the least diverse classifier until the set meets the limits or is as small as it may be."""
    selected = np.arange(len(diversity.credit))
    while len(selected) > min_size and not (len(selected) <= max_size and diversity.met(selected)):
        selected = np.delete(selected, pairwise_failure_crediting(diversity.credit, selected).argmin())
    return selected


class _Newton:
    """Newton's method for the largest value of a limit."""

    def __init__(
        self, credit: NDArray[np.float64], sizes: tuple[int, int], solver: str, clock: Clock
    ) -> None:
        self.credit, self.sizes, self.solver, self.clock = credit, sizes, solver, clock

    def raise_limit(
        self,
        name: str,
        asked: float,
        selected: Selected,
        measure: Callable[[NDArray[np.float64]], Any],
        build: Callable[[float], MixedIntegerProgram],
    ) -> Selected:
        """From a set to one whose PFC, measured by min or mean, is at least as asked for."""
        value = float(measure(pairwise_failure_crediting(self.credit, selected)))
        while value < asked - TOLERANCE:
            better = self._best(build(value))
            larger = float(measure(pairwise_failure_crediting(self.credit, better)))
            if larger <= value + TOLERANCE:
                raise DiversityInfeasibleError(name, asked, value, f"{self.sizes[0]} to {self.sizes[1]}")
            selected, value = better, larger
        return selected

    def minimum_program(self, t: float) -> MixedIntegerProgram:
        """F for (18): the largest z with z <= sum_l (FC_kl - t) x_l for each selected k."""
        above = diverse.excess(self.credit, t)
        n, highest = len(above), diverse.negative(-above)
        columns, big = self._columns(), highest + diverse.negative(above)
        columns.add("z", 1, -highest.max() - big.max(), highest.max(), integer=False)
        big = big + highest.max()
        row = RowGroup(
            {"z": sparse.csr_array(np.ones((n, 1))), "x": sparse.csr_array(np.diag(big) - above)}, upper=big
        )
        return program(columns, [self._size(self.sizes[1]), row], {"z": 1.0}, "max")

    def mean_program(self, t: float, tau: float) -> MixedIntegerProgram:
        """F for (20), twice: the largest sum_k p_k under (18).

        Without (18) only sets of the least size count: the mean over the pairs of a larger set is the average of the
        means of its subsets of that size, so one of them has at least the same.
        """
        above = diverse.excess(self.credit, t)
        columns = self._columns()
        columns.add("p", len(above), -diverse.negative(above), diverse.negative(-above), integer=False)
        *products, _ = diverse.compact_mean(self.credit, t)
        minimum = [diverse.compact_minimum(self.credit, tau)] if tau > 0 else []
        largest = self.sizes[1] if tau > 0 else self.sizes[0]
        return program(columns, [self._size(largest), *products, *minimum], {"p": 1.0}, "max")

    def _columns(self) -> Columns:
        columns = Columns()
        columns.add("x", len(self.credit))
        return columns

    def _size(self, largest: int) -> RowGroup:
        return diverse.size(len(self.credit), self.sizes[0], largest)

    def _best(self, problem: MixedIntegerProgram) -> Selected:
        """The set of a proved optimum."""
        result = solve(problem, self.solver, SolveOptions(time_limit=self.clock.allowance()))
        if result.x is None or result.outcome is not Outcome.OPTIMAL:
            raise DiversityUndecidedError(self.sizes[0], self.clock.seconds)
        return np.flatnonzero(result.x[: len(self.credit)] > 0.5)
