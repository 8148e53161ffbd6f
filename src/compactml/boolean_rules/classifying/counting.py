"""`count_rule_sets`: how much choice there is among rule sets that are nearly as good as the best one."""

from __future__ import annotations

from typing import Any

from compactml.boolean_rules.classifier import BooleanRuleClassifier
from compactml.boolean_rules.classifying.asked import Asked
from compactml.boolean_rules.classifying.preparing import prepare
from compactml.boolean_rules.classifying.weights import check_costs
from compactml.boolean_rules.exact.counting import RuleSetCount, count_sets
from compactml.boolean_rules.exact.learning import Nothing
from compactml.boolean_rules.exact.sets import Problem
from compactml.boolean_rules.generating import Options
from compactml.clock import Clock
from compactml.errors import InvalidDataError, InvalidParameterError, check_finite, check_integer
from compactml.watch import Watch

__all__ = ["count_rule_sets"]


def count_rule_sets(
    estimator: BooleanRuleClassifier,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    groups: Any = None,
    *,
    within: float = 0.05,
    most: int = 100_000,
) -> RuleSetCount:
    """Count the rule sets whose training loss is within 5 % of the least, exactly up to 100,000, else "at least".

    Take it before a rule set is explained to others: where many are as good, no condition in the best one is a finding
    by itself. Rule sets differ where their clauses do; clauses that are true of the same training rows count as one,
    the shortest of them, and those that are true of none do not count.

    Parameters
    ----------
    estimator : BooleanRuleClassifier
        Complexity, loss, limits and the time limit; it is not fitted. For two classes, with the default pricing.
    X, y, sample_weight, groups
        As in `BooleanRuleClassifier.fit`; weights must be whole multiples of a unit, as whole numbers are.
    within : float, default 0.05
        Part of the least loss by which a rule set may be worse.
    most : int, default 100000
        Largest number that is counted.

    Returns
    -------
    RuleSetCount
        Not exact where there are more than ``most``, or where ``time_limit`` came first.

    Warns
    -----
    EndedEarlyWarning
        A limit ended the count, or the proof of the best rule set; with its loss and bound.

    Raises
    ------
    InvalidParameterError
        A parameter outside its range, or limits that no rule set is known to keep.
    InvalidDataError
        As in `BooleanRuleClassifier.fit`; more than two classes; other weights.

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.boolean_rules import BooleanRuleClassifier, count_rule_sets
    >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    >>> model = BooleanRuleClassifier(7, binarizer=None)
    >>> print(count_rule_sets(model, X, [1, 1, 1, 0]))
    2 rule sets have a loss of at most 0 (best: 0)
    """
    if not isinstance(estimator, BooleanRuleClassifier):
        raise InvalidParameterError("estimator", "a BooleanRuleClassifier", estimator)
    check_finite("within", within, 0.0)
    check_integer("most", most, 1, 2**53)
    estimator._check_parameters()
    asked = Asked.of(estimator)
    clock = Clock(estimator.time_limit)
    watch = Watch("count_rule_sets", clock, verbose=estimator.verbose, callback=estimator.callback)
    rows = prepare(estimator, X, y, sample_weight, groups)
    if len(rows.classes) > 2:
        raise InvalidDataError("y", "labels of two classes", f"{len(rows.classes)} classes")
    (k,) = rows.positive(estimator.pos_label)
    dnf = estimator.form == "dnf"
    literals = rows.literals if dnf else rows.literals.negated()
    options = Options(int(estimator.complexity), estimator.max_clause_size)
    weighed, limits = asked.problem(rows, k, literals, check_costs(estimator.error_costs), dnf=dnf)
    if weighed.whole is not None and not weighed.whole.exact:
        raise InvalidDataError(
            "sample_weight", "whole multiples of a unit, with costs and class_weight", "others"
        )
    problem = Problem(weighed.instance, limits, options.complexity, options.clause_size, weighed.zero_one)
    counted = count_sets(problem, options, clock, watch, float(within), most)
    if isinstance(counted, Nothing):
        raise asked.refusal(counted, weighed, limits, options, clock)
    unit = weighed.unit
    if counted.early:
        watch.warn(unit * counted.best, unit * counted.bound, limit=counted.cause)
    return RuleSetCount(counted.count, counted.exact, unit * counted.best, unit * counted.worst)
