"""What is kept of rules in a file: rules, losses and bounds, but not the history and duals of the proof."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from compactml.boolean_rules.attributes import Attribute, Cuts, Values, joined
from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifier import BooleanRuleClassifier
from compactml.boolean_rules.classifying.cross_validated import BooleanRuleClassifierCV
from compactml.boolean_rules.classifying.lists import Ordered
from compactml.boolean_rules.classifying.precisions import Precisions
from compactml.boolean_rules.classifying.problems import Solved
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.rules import RuleList, Rules
from compactml.errors import InvalidDataError
from compactml.kept import Kept, columns_of, plain_parameters, set_columns, set_parameters

__all__ = ["cross_validated_of", "cross_validated_state", "rules_of", "rules_state"]

MEASURED = ("objective_", "lower_bound_", "gap_", "weight_unit_")
LITERALS = ("attribute", "lo", "hi", "complement", "group")
MOST = 2**31 - 1


def rules_state(model: BooleanRuleClassifier) -> dict[str, Any]:
    """Return what is to be kept of a fitted `BooleanRuleClassifier`."""
    check_is_fitted(model)
    labels = model.classes_.tolist()
    literals, ordered = model._literals, model._ordered
    rules = [model.rules_] if isinstance(model.rules_, Rules) else list(model.rules_)
    binarizer = getattr(model, "binarizer_", None)
    return {
        "parameters": plain_parameters(model, ("binarizer", "pos_label", "class_weight")),
        **columns_of(model),
        "classes": model.classes_,
        "class_counts": model.class_counts_,
        "binarizer": None if binarizer is None else _binarizer_state(binarizer),
        "literals": {name: getattr(literals, name) for name in LITERALS}
        | {"names": list(literals.names), "n_bins": literals.n_bins},
        "solved": [
            {
                "label": labels.index(solution.label),
                "dnf": bool(solution.dnf),
                "clauses": [[int(j) for j in clause] for clause in solution.clauses],
                "objective": _plain(solution.objective),
                "lower_bound": _plain(solution.lower_bound),
                "unit": _plain(solution.unit),
                "precisions": solution.precisions.clauses,
                "rest": float(solution.precisions.rest),
                "texts": [list(clause) for clause in text.clauses],
                "also_missing": list(text.also_missing),
            }
            for solution, text in zip(model._solved, rules, strict=True)
        ],
        "ordered": None
        if ordered is None
        else {"order": list(ordered.order), "shares": list(ordered.shares)},
        "measured": {name: getattr(model, name) for name in MEASURED},
        "bound_clause_size": int(model.bound_clause_size_),
        "training_errors": int(model.training_errors_),
    }


def rules_of(kept: Kept) -> BooleanRuleClassifier:
    """Return the `BooleanRuleClassifier` that `rules_state` took apart, or raise `InvalidDataError`."""
    model = BooleanRuleClassifier(binarizer=None)
    set_parameters(model, kept)
    n_features = set_columns(model, kept)
    model.classes_ = kept.array("classes", "biufUO", [None])
    n_classes = len(model.classes_)
    if n_classes < 2:
        raise kept.refuse("classes", "at least two", f"{n_classes}")
    model.class_counts_ = kept.within("class_counts", 0, 2**62, [n_classes])
    n_attributes = n_features
    if kept.anything("binarizer") is not None:
        model.binarizer_ = binarizer = _binarizer_of(kept.part("binarizer"))
        set_columns(binarizer, kept)
        binarizer.columns_ = kept.part("binarizer").within("columns", 0, n_features - 1, [None])
        names = [
            str(name)
            for name in getattr(binarizer, "feature_names_in_", [f"x{i}" for i in range(n_features)])
        ]
        n_attributes = len(binarizer.attributes_)
        if len(binarizer.columns_) != n_attributes:
            raise kept.refuse("binarizer.columns", f"one of each of {n_attributes} attributes", "others")
        binarizer.literals_ = joined([names[i] for i in binarizer.columns_], binarizer.attributes_)
        model.binarizer = "deciles" if kept.part("binarizer").flag("deciles") else binarizer
    model._literals = literals = _literals_of(kept.part("literals"), n_attributes)
    solved = kept.parts("solved")
    is_list = kept.anything("ordered") is not None
    fewest, most = (1, 1) if n_classes == 2 else (1, n_classes - 1) if is_list else (n_classes, n_classes)
    if not fewest <= len(solved) <= most:
        raise kept.refuse("solved", f"{fewest} to {most} rule sets", f"{len(solved)}")
    model._solved = [_solved_of(one, model.classes_, len(literals)) for one in solved]
    model._ordered = _ordered_of(kept.part("ordered"), model._solved, model.classes_) if is_list else None
    form = kept.part("parameters").text("form", ("dnf", "cnf"))
    rules = [_rules_of(one, part, form) for one, part in zip(model._solved, solved, strict=True)]
    model.rules_ = rules[0] if n_classes == 2 else rules
    if model._ordered is not None:
        model.rules_ = RuleList(tuple(rules), model.classes_[model._ordered.order[-1]])
    measured = kept.part("measured")
    for name in MEASURED:
        if n_classes == 2:
            setattr(model, name, measured.number(name))
        else:
            setattr(model, name, measured.array(name, "iuf", [len(solved)]))
    model.bound_clause_size_ = kept.integer("bound_clause_size", 0, MOST)
    model.training_errors_ = kept.integer("training_errors", 0, 2**62)
    return model


def cross_validated_state(model: BooleanRuleClassifierCV) -> dict[str, Any]:
    """Return what is to be kept of a fitted `BooleanRuleClassifierCV`."""
    check_is_fitted(model)
    return {
        "parameters": plain_parameters(model, ("cv", "scoring", "estimator")),
        "best": rules_state(model.best_estimator_),
        "complexity": int(model.complexity_),
        "best_score": float(model.best_score_),
        "results": model.cv_results_,
    }


def cross_validated_of(kept: Kept) -> BooleanRuleClassifierCV:
    """Return the `BooleanRuleClassifierCV` that `cross_validated_state` took apart."""
    model = BooleanRuleClassifierCV()
    set_parameters(model, kept)
    model.best_estimator_ = best = rules_of(kept.part("best"))
    for name in ("n_features_in_", "feature_names_in_", "classes_", "rules_"):
        if hasattr(best, name):
            setattr(model, name, getattr(best, name))
    model.complexity_ = kept.integer("complexity", 2, MOST)
    model.best_score_ = float(kept.number("best_score"))
    results = kept.part("results")
    model.cv_results_ = {name: results.array(name, "if", [None]) for name in results.data}
    return model


def _plain(value: Any) -> float:
    return value.item() if isinstance(value, np.generic) else value


def _binarizer_state(binarizer: DecileBinarizer) -> dict[str, Any]:
    attributes: list[dict[str, Any]] = []
    for attribute in binarizer.attributes_:
        if isinstance(attribute, Cuts):
            attributes.append(
                {"thresholds": attribute.thresholds, "missing": attribute.missing, "above": attribute.above}
            )
            continue
        values = [_plain(value) for value in attribute.values]
        if not all(isinstance(value, bool | int | float | str) for value in values):
            allowed = "texts, numbers or booleans, to be written to a file"
            raise InvalidDataError("values of a column", allowed, type(values[0]).__name__)
        attributes.append({"values": values, "missing": attribute.missing, "numeric": attribute.numeric})
    parameters = plain_parameters(binarizer)
    return {
        "parameters": parameters,
        "deciles": parameters == DecileBinarizer().get_params(),
        "columns": binarizer.columns_,
        "attributes": attributes,
    }


def _binarizer_of(kept: Kept) -> DecileBinarizer:
    binarizer = DecileBinarizer()
    set_parameters(binarizer, kept)
    binarizer.attributes_ = tuple(_attribute(one) for one in kept.parts("attributes"))
    return binarizer


def _attribute(kept: Kept) -> Attribute:
    missing = kept.flag("missing")
    if "thresholds" in kept.data:
        thresholds = kept.array("thresholds", "f", [None])
        if not (np.diff(thresholds) > 0).all():
            raise kept.refuse("thresholds", "rising", "others")
        return Cuts(thresholds, missing, kept.flag("above"))
    values, numeric = kept.anything("values"), kept.flag("numeric")
    if not isinstance(values, list) or not all(isinstance(one, bool | int | float | str) for one in values):
        raise kept.refuse("values", "a list of texts, numbers or booleans", "another one")
    if len({(type(one), one) for one in values}) != len(values) or (numeric and any(map(_is_text, values))):
        raise kept.refuse("values", "different ones of the kind that is named", "others")
    return Values(tuple(values), missing, numeric)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _literals_of(kept: Kept, n_attributes: int) -> Literals:
    names = kept.texts("names")
    d = len(names)
    return Literals(
        kept.within("attribute", 0, n_attributes - 1, [d]),
        kept.within("lo", -MOST, MOST, [d]),
        kept.within("hi", -MOST, MOST, [d]),
        kept.array("complement", "b", [d]),
        kept.within("group", 0, MOST, [d]),
        names,
        kept.within("n_bins", 0, MOST, [n_attributes]),
    )


def _solved_of(kept: Kept, classes: Any, n_literals: int) -> Solved:
    clauses = kept.anything("clauses")
    if not isinstance(clauses, list):
        raise kept.refuse("clauses", "a list", type(clauses).__name__)
    parts = [Kept({"clause": one}, kept.where) for one in clauses]
    return Solved(
        classes[kept.integer("label", 0, len(classes) - 1)],
        kept.flag("dnf"),
        tuple(part.integers("clause", 0, n_literals - 1) for part in parts),
        cast(Any, None),  # the proof
        kept.number("objective"),
        kept.number("lower_bound"),
        kept.number("unit"),
        Precisions(kept.array("precisions", "f", [len(clauses)]), float(kept.number("rest"))),
    )


def _ordered_of(kept: Kept, stages: list[Solved], classes: Any) -> Ordered:
    n = len(classes)
    order, shares = kept.integers("order", 0, n - 1), kept.anything("shares")
    labels = [stage.label for stage in stages]
    if sorted(order) != list(range(n)) or labels != [classes[k] for k in order[: len(stages)]]:
        raise kept.refuse("order", "each class once, those of the stages first", "others")
    if not isinstance(shares, list) or len(shares) != len(stages) + 1:
        raise kept.refuse("shares", "one of each stage, and of the rest", "others")
    sizes = [*(len(stage.clauses) if stage.dnf else 1 for stage in stages), 1]
    parts = [Kept({"share": one}, kept.where) for one in shares]
    return Ordered(
        order,
        tuple(part.array("share", "f", [size, n]) for part, size in zip(parts, sizes, strict=True)),
    )


def _rules_of(solved: Solved, kept: Kept, form: str) -> Rules:
    texts = kept.anything("texts")
    if not isinstance(texts, list) or len(texts) != len(solved.clauses):
        raise kept.refuse("texts", "the conditions of each clause", "others")
    clauses = tuple(Kept({"text": one}, kept.where).texts("text") for one in texts)
    return Rules(solved.label, form, clauses, kept.texts("also_missing"))
