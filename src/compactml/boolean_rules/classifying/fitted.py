"""What a fitted classifier says of its rules: scalars for two classes, arrays or lists for more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from compactml.boolean_rules.classifying.lists import Ordered
from compactml.boolean_rules.classifying.preparing import Prepared
from compactml.boolean_rules.classifying.problems import Solved
from compactml.boolean_rules.rules import RuleList, Rules

__all__ = ["learned_attributes"]


def learned_attributes(
    solved: Sequence[Solved], rows: Prepared, form: str, ordered: Ordered | None
) -> dict[str, Any]:
    """Return the attributes of `BooleanRuleClassifier` that have a value for each problem.

    Parameters
    ----------
    solved : sequence of Solved
    rows : Prepared
    form : {"dnf", "cnf"}
    ordered : Ordered or None
        Where the rule sets are a list.
    """
    texts = [tuple(tuple(rows.literals.names[j] for j in clause) for clause in one.clauses) for one in solved]
    also = [tuple(name for name in rows.also_missing if any(name in c for c in text)) for text in texts]
    values: dict[str, list[Any]] = {
        "rules_": [
            Rules(rule_set.label, form, text, names)
            for rule_set, text, names in zip(solved, texts, also, strict=True)
        ],
        "objective_": [rule_set.objective for rule_set in solved],
        "lower_bound_": [rule_set.lower_bound for rule_set in solved],
        "gap_": [rule_set.gap for rule_set in solved],
        "weight_unit_": [rule_set.unit for rule_set in solved],
        "history_": [rule_set.learned.history for rule_set in solved],
    }
    if len(rows.classes) == 2:
        return {name: column[0] for name, column in values.items()}
    lists = ("rules_", "history_")
    several: dict[str, Any] = {
        name: column if name in lists else np.array(column) for name, column in values.items()
    }
    if ordered is not None:
        several["rules_"] = RuleList(tuple(several["rules_"]), rows.classes[ordered.order[-1]])
    return several
