"""What a classifier asks of its predictions beside a small Hamming loss, and how that is learned."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from compactml.boolean_rules.classifying.preparing import Prepared
from compactml.boolean_rules.classifying.problems import Early, Problem, Solved, early, solved
from compactml.boolean_rules.classifying.weights import whole_weights
from compactml.boolean_rules.exact.learning import Nothing, learn_exactly
from compactml.boolean_rules.exact.limits import Limits
from compactml.boolean_rules.generating import Ended, Options
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.literals import Literals
from compactml.clock import Clock
from compactml.errors import InvalidDataError, InvalidParameterError, check_choice, check_finite
from compactml.watch import Watch

__all__ = ["Asked", "LimitsNotKeptError"]

ROUNDING = 1e-9
"""Of a share times a number of rows."""

DIGITS = 10**6
"""A share that is named is rounded up to so fine a part."""


class LimitsNotKeptError(InvalidParameterError):
    """No rule set keeps the limits, or none that was met in time; it names one that would have to be weaker."""


@dataclass(frozen=True)
class Asked:
    """Parameters of `BooleanRuleClassifier` of these names, checked.

    Attributes
    ----------
    zero_one : bool
    max_flagged, equal_opportunity : float or None
    forced_columns : tuple of str or None
    """

    zero_one: bool
    max_flagged: float | None
    equal_opportunity: float | None
    forced_columns: tuple[str, ...]

    @classmethod
    def by(cls, estimator: Any) -> Asked | None:
        """Check what an estimator asks, as `of`; None where that is nothing."""
        asked = cls.of(estimator)
        if asked == cls(False, None, None, ()):
            return None
        if estimator.pricing != "branch_and_bound":
            allowed = "'branch_and_bound' with another loss, limits on predictions, or forced columns"
            raise InvalidParameterError("pricing", allowed, estimator.pricing)
        return asked

    @classmethod
    def of(cls, estimator: Any) -> Asked:
        """Check what an estimator asks.

        Raises
        ------
        InvalidParameterError
            A parameter outside its range.
        """
        check_choice("loss", estimator.loss, ("hamming", "zero_one"))
        for name in ("max_flagged", "equal_opportunity"):
            value = getattr(estimator, name)
            if value is not None and not 0 <= check_finite(name, value) <= 1:
                raise InvalidParameterError(name, "a number from 0 to 1, or None", value)
        forced = estimator.forced_columns
        if isinstance(forced, str) or not isinstance(forced, Iterable | type(None)):
            raise InvalidParameterError("forced_columns", "a list of columns of X, or None", forced)
        return cls(
            estimator.loss == "zero_one",
            None if estimator.max_flagged is None else float(estimator.max_flagged),
            None if estimator.equal_opportunity is None else float(estimator.equal_opportunity),
            () if forced is None else tuple(forced),
        )

    def learn(
        self,
        rows: Prepared,
        k: int,
        literals: Literals,
        costs: tuple[float, float],
        options: Options,
        clock: Clock,
        watch: Watch,
        *,
        dnf: bool,
    ) -> tuple[list[Solved], Early | None]:
        """Learn the rules of one of two classes.

        Parameters
        ----------
        rows : Prepared
        k : int
            The class.
        literals : Literals
            Those of the clauses; negated ones for a CNF.
        costs : tuple of two float
        options : Options
        clock, watch
            As in `compactml.boolean_rules.classifying.problems.learn_all`.
        dnf : bool

        Raises
        ------
        InvalidParameterError
            Nothing keeps the limits, or nothing was met in time that does.
        InvalidDataError
            Fewer than two groups have rows of the class.
        """
        problem, limits = self.problem(rows, k, literals, costs, dnf=dnf)
        unit = problem.unit

        def tell(loss: int, bound: int) -> None:
            watch.tell(unit * loss, unit * bound)

        ended = learn_exactly(problem.instance, limits, options, clock, watch, tell, zero_one=self.zero_one)
        if isinstance(ended, Nothing):
            raise self.refusal(ended, problem, limits, options, clock)
        answers = [solved(problem, ended.learned, rows.codes, literals)]
        return answers, early(answers, [ended])

    def problem(
        self,
        rows: Prepared,
        k: int,
        literals: Literals,
        costs: tuple[float, float],
        *,
        dnf: bool,
    ) -> tuple[Problem, Limits]:
        """The problem, of all rows, also of those whose weight is rounded to 0, and its limits."""
        of_class, label = rows.which == k, rows.classes[k]
        y = of_class == dnf
        weights = np.where(of_class, *costs) * (1.0 if rows.weights is None else rows.weights)
        whole = None if (weights == 1).all() else whole_weights(weights)
        instance = Instance.from_codes(rows.codes, y, literals)
        places, n = instance.places(rows.codes), len(instance.codes)
        if whole is not None:
            instance = replace(
                instance,
                positives=np.bincount(places, whole.counts * y, minlength=n).astype(np.int64),
                negatives=np.bincount(places, whole.counts * ~y, minlength=n).astype(np.int64),
            )
        limits = replace(
            Limits.none(instance),
            samples=np.bincount(places, minlength=n),
            most=len(y),
            columns=rows.forced[instance.kept],
            n_columns=len(set(self.forced_columns)),
        )
        if self.max_flagged is not None:
            flagged = math.floor(self.max_flagged * len(y) + ROUNDING)
            limits = replace(limits, most=flagged) if dnf else replace(limits, least=len(y) - flagged)
        if self.equal_opportunity is not None:
            assert rows.groups is not None
            values, group = np.unique(rows.groups[of_class], return_inverse=True)
            if len(values) < 2:
                allowed = f"such that at least two groups have rows of class {label!r}"
                raise InvalidDataError("groups", allowed, f"{len(values)}")
            counts = np.zeros((n, len(values)), dtype=np.int64)
            np.add.at(counts, (places[of_class], group), 1)
            limits = replace(limits, groups=counts, widest=float(self.equal_opportunity))
        return Problem(label, dnf, y, weights, whole, instance, self.zero_one), limits

    def refusal(
        self, nothing: Nothing, problem: Problem, limits: Limits, options: Options, clock: Clock
    ) -> LimitsNotKeptError:
        """Name the limit that nothing keeps, and where it is the share of rows flagged, the least that is feasible."""
        asked = [name for name in ("max_flagged", "equal_opportunity") if getattr(self, name) is not None]
        name = [*asked, "forced_columns"][0]
        value = getattr(self, name)
        if not nothing.proved:
            allowed = "kept by a rule set that is met within time_limit (whether one does is not known)"
            return LimitsNotKeptError(name, allowed, value)
        if name == "max_flagged":
            n = len(problem.y)
            none = np.zeros_like(limits.samples)
            flagged, others = (none, limits.samples) if problem.dnf else (limits.samples, none)
            least = learn_exactly(
                replace(problem.instance, positives=flagged, negatives=others),
                replace(limits, least=0, most=n),
                options,
                clock,
                Watch("least", clock),
                lambda loss, bound: None,
                zero_one=True,
            )
            if isinstance(least, Ended) and not least.early:
                share = math.ceil(DIGITS * least.learned.loss / n) / DIGITS
                return LimitsNotKeptError(name, f"at least {share:g}", value)
        return LimitsNotKeptError(name, "larger, or other limits weaker: no rule set keeps all", value)
