"""The integer program of Bastos, Brandão and Valle (2024), as the paper has it and strengthened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning.instance import PruningInstance, called_positive
from compactml.ensemble_pruning.program.constraints import diversity as diverse
from compactml.ensemble_pruning.program.constraints import patterns as on_patterns
from compactml.ensemble_pruning.program.constraints import points as on_points
from compactml.ensemble_pruning.program.constraints.points import BigM
from compactml.ensemble_pruning.program.feasible_sets import check_limits
from compactml.ensemble_pruning.program.formulation import Formulation, as_formulation
from compactml.ensemble_pruning.program.rows import Columns, RowGroup, program
from compactml.errors import InvalidDataError, check_instance
from compactml.solvers import MixedIntegerProgram, SolveOptions, SolveResult, solve

__all__ = ["PruningProgram"]


@dataclass(frozen=True, eq=False)
class PruningProgram:
    """Model (1)-(12) with (14)-(18), (20) and limits on the size, for an instance.

    "plain" is the paper's own, with both directions of every implication, hence for weights of any sign, and with
    K + 1 for K in (6). Of the strengthened form the objective is the cost of errors, to be minimised.

    Parameters
    ----------
    instance : PruningInstance
    formulation : {"strengthened", "plain"} or Formulation
    cuts : sparse array of 0/1, shape (n_cuts, m), optional
        Rows over the instance's patterns; at least one pattern of each is an error of every ensemble.
    diversity : Diversity, optional
    min_size, max_size : int
        Limits on the number of classifiers, 0 and K if not given.

    Raises
    ------
    InvalidParameterError, InvalidDataError
        An unknown formulation; cuts without aggregation or of another number of patterns.

    Examples
    --------
    >>> from compactml.ensemble_pruning import PruningInstance, PruningProgram
    >>> program = PruningProgram(PruningInstance.from_votes([[1, 0], [0, 1], [0, 0]], [1, 1, 0]))
    >>> program.bound(program.solve("highs"))  # all three points can be called rightly
    3.0
    """

    instance: PruningInstance
    formulation: str | Formulation = "strengthened"
    cuts: sparse.csr_array | None = None
    diversity: Diversity | None = None
    min_size: int = 0
    max_size: int | None = None

    def __post_init__(self) -> None:
        check_limits(self.instance, self.diversity, self.min_size, self.max_size)
        if self.cuts is None:
            return
        m = len(self.instance.patterns)
        check_instance("cuts", self.cuts, sparse.sparray)
        if self.form.cuts == "none":
            raise InvalidDataError("cuts", "None in a formulation without cuts", "rows")
        if self.cuts.shape[1] != m:
            raise InvalidDataError("cuts", f"of shape (n_cuts, {m})", f"shape {self.cuts.shape}")

    @cached_property
    def form(self) -> Formulation:
        """The switches."""
        return as_formulation(self.formulation)

    @cached_property
    def problem(self) -> MixedIntegerProgram:
        """The program for a solver."""
        groups = self._pattern_rows() if self.form.aggregate else self._point_rows()
        groups += self._limits()
        objective: dict[str, Any] = self._error_costs if self.form.aggregate else self._point_weights
        return program(self._columns, groups, objective, "min" if self.form.aggregate else "max")

    @property
    def n_entries(self) -> int:
        """About as many entries the matrix has: the votes, on points once for each side of a call, and the cuts."""
        votes = self.instance.patterns if self.form.aggregate else self.instance.votes
        cuts = 0 if self.cuts is None or not self.form.aggregate else self.cuts.nnz
        return int(votes.sum()) * (1 if self.form.aggregate else 2) + cuts

    def solve(
        self,
        solver: str = "auto",
        *,
        time_limit: float | None = None,
        seed: int = 0,
        start: tuple[NDArray[np.intp], int] | None = None,
    ) -> SolveResult:
        """Solve, from a start that is left out where the program has no place for it.

        It raises what `compactml.solvers.solve` raises.
        """
        has_place = start is not None and self.has_place_for(*start)
        vector = self.vector(*start) if start is not None and has_place else None
        # Errors are whole numbers of the unit, so a proof within less than one is a proof.
        gap = 0.999 if self.form.aggregate and self.instance.integral else 0.0
        options = SolveOptions(time_limit=time_limit, seed=seed, start=vector, gap_abs=gap)
        return solve(self.problem, solver, options)

    def has_place_for(self, selected: NDArray[np.intp], threshold: int) -> bool:
        """Whether an ensemble calls anything positive or the form takes it all the same."""
        return threshold < len(selected) or not self.form.leaves_out_all_negative

    def vector(self, selected: NDArray[np.intp], threshold: int) -> NDArray[np.float64]:
        """The solution of the program that an ensemble is, shape (n_columns,)."""
        instance, k = self.instance, self.instance.n_classifiers
        x = np.zeros(k)
        x[selected] = 1.0
        values: dict[str, Any] = {"x": x, "L": min(threshold, k)}
        if self.form.aggregate:
            values["e"] = called_positive(instance.patterns, selected, threshold) != (instance.gains > 0)
        else:
            called = called_positive(instance.votes, selected, threshold)
            positive, negative = called[instance.y], called[~instance.y]
            values |= {"t+": positive, "f-": ~positive, "t-": ~negative, "f+": negative}
        if "y" in self._columns.places:
            first, second = diverse.pairs(k)
            values["y"] = x[first] * x[second]
        if "p" in self._columns.places and self.diversity is not None:
            values["p"] = x * (diverse.excess(self.diversity.credit, self.diversity.mean_pfc) @ x)
        return self._columns.vector(values)

    def ensemble(self, vector: NDArray[np.float64]) -> tuple[NDArray[np.intp], int]:
        """Selected classifiers and threshold of a solution."""
        places = self._columns.places
        selected = np.flatnonzero(vector[places["x"]] > 0.5)
        return selected, round(float(vector[places["L"]][0]))

    def bound(self, result: SolveResult, *, rounded: bool = True) -> float:
        """Bound on the objective (1) over all ensembles that a solver's bound proves, as it is or rounded.

        Of a program on points it is the solver's alone: infinite where the solver proves nothing, and above what equal
        votes allow where the solver does not see that. A program on patterns has them in its objective.
        """
        instance = self.instance
        proved = np.nan if result.bound is None else result.bound
        if self.form.aggregate:
            errors = max(proved, 0.0) if np.isfinite(proved) else 0.0
        else:
            errors = instance.ideal - proved / instance.unit if np.isfinite(proved) else -np.inf
        bound = instance.unit * (instance.ideal - (instance.whole(errors) if rounded else errors))
        if self.form.leaves_out_all_negative:
            bound = max(bound, instance.unit * instance.offset)
        return bound

    @cached_property
    def _columns(self) -> Columns:
        k, columns = self.instance.n_classifiers, Columns()
        columns.add("x", k)
        columns.add("L", 1, upper=k)
        if self.form.aggregate:
            columns.add("e", len(self.instance.patterns), *self._known(self.instance.gains > 0))
        else:
            self._add_point_columns(columns)
        if self.diversity is not None and self.diversity.binding:
            self._add_diversity_columns(columns, self.diversity)
        return columns

    def _add_point_columns(self, columns: Columns) -> None:
        """(9), (10); where a call is known, both bounds say so."""
        unanimous = self.form.fix_unanimous
        for right, wrong, votes, is_positive in (
            ("t+", "f-", self._beta, True),
            ("t-", "f+", self._alpha, False),
        ):
            counts = np.asarray(votes.sum(axis=1))
            called = unanimous & (counts == votes.shape[1])
            not_called = unanimous & (counts == 0)
            yes, no = (called, not_called) if is_positive else (not_called, called)
            columns.add(right, len(counts), yes, ~no)
            columns.add(wrong, len(counts), no, ~yes)

    def _add_diversity_columns(self, columns: Columns, diversity: Diversity) -> None:
        """(17), or the columns p of the compact form."""
        k = self.instance.n_classifiers
        if not self.form.compact_diversity:
            columns.add("y", k * (k - 1) // 2, integer=False)
        elif diversity.mean_pfc > 0:
            excess = diverse.excess(diversity.credit, diversity.mean_pfc)
            columns.add("p", k, -diverse.negative(excess), diverse.negative(-excess), integer=False)

    def _known(self, better_positive: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Bounds of e: a vector with all votes is called positive."""
        full = self.instance.patterns.all(axis=1) & self.form.fix_unanimous
        return full & ~better_positive, ~(full & better_positive)

    def _point_rows(self) -> list[RowGroup]:
        """(2)-(7)."""
        beta, alpha = BigM(self._beta, self.form.tight_big_m), BigM(self._alpha, self.form.tight_big_m)
        return [
            on_points.no_true_positive(beta.votes, beta.below),
            on_points.no_false_negative(beta.votes, beta.above),
            on_points.call_of_positive(beta.votes.shape[0]),
            on_points.no_true_negative(alpha.votes, alpha.above_negative),
            on_points.no_false_positive(alpha.votes, alpha.below),
            on_points.call_of_negative(alpha.votes.shape[0]),
        ]

    def _pattern_rows(self) -> list[RowGroup]:
        """(2) and (5) on distinct vectors, and the cuts."""
        votes, better_positive = (
            sparse.csr_array(self.instance.patterns, dtype=float),
            self.instance.gains > 0,
        )
        big = BigM(votes, self.form.tight_big_m)
        by_kind = np.where(better_positive, big.below, big.above_negative)
        groups = [on_patterns.errors_of_patterns(votes, better_positive, by_kind)]
        return groups if self.cuts is None else [*groups, on_patterns.cover_rows(self.cuts)]

    def _limits(self) -> list[RowGroup]:
        """Rows over x and L that both forms share, as far as they are needed."""
        k, groups = self.instance.n_classifiers, list[RowGroup]()
        if self.form.leaves_out_all_negative:
            groups.append(on_patterns.some_positive_call(k))
        if self.min_size > 0 or (self.max_size is not None and self.max_size < k):
            groups.append(diverse.size(k, self.min_size, k if self.max_size is None else self.max_size))
        if self.diversity is not None and self.diversity.binding:
            groups += diverse.diversity_rows(self.diversity, compact=self.form.compact_diversity)
        return groups

    @property
    def _error_costs(self) -> dict[str, Any]:
        return {"e": np.abs(self.instance.gains)}

    @property
    def _point_weights(self) -> dict[str, Any]:
        """(1)."""
        weights = self.instance.weights
        return {
            "t+": float(weights.true_positive),
            "f-": float(weights.false_negative),
            "t-": float(weights.true_negative),
            "f+": float(weights.false_positive),
        }

    @cached_property
    def _beta(self) -> sparse.csr_array:
        """B: votes on the positive points."""
        return sparse.csr_array(self.instance.votes[self.instance.y], dtype=float)

    @cached_property
    def _alpha(self) -> sparse.csr_array:
        """A: votes on the negative points."""
        return sparse.csr_array(self.instance.votes[~self.instance.y], dtype=float)
