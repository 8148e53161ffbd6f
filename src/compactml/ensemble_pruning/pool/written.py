"""What is kept of a pruned ensemble in a file: its selected members, threshold, value and bound.

Members are written by a function that is given: which models of other packages there are is none of this one's
business. The members that were not selected are not kept, so that the selected ones are all that come back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from compactml.ensemble_pruning.averaging.regressor import PrunedEnsembleRegressor
from compactml.ensemble_pruning.classifier import PrunedEnsembleClassifier
from compactml.ensemble_pruning.pool.members import Members
from compactml.kept import Kept, columns_of, plain_parameters, set_columns, set_parameters

__all__ = ["classifier_of", "classifier_state", "regressor_of", "regressor_state"]

NUMBERS = ("value_", "bound_", "gap_", "score_", "score_bound_")
LEFT_OUT = ("estimators", "prefit", "diversity")

Write = Callable[[Any, str], dict[str, Any]]
Read = Callable[[Kept], Any]


def classifier_state(model: PrunedEnsembleClassifier, write: Write) -> dict[str, Any]:
    """Return what is to be kept of a fitted `PrunedEnsembleClassifier`; ``write`` takes its members apart."""
    state = _state(model, write)
    threshold = None if model.threshold_ is None else int(model.threshold_)
    labels = model._members.labels
    return state | {
        "classes": model.classes_,
        "labels": labels,
        "threshold": threshold,
        "solver": model.solver_,
    }


def classifier_of(kept: Kept, read: Read) -> PrunedEnsembleClassifier:
    """Return the `PrunedEnsembleClassifier` that `classifier_state` took apart, or raise `InvalidDataError`."""
    model = PrunedEnsembleClassifier()
    _fill(model, kept, read)
    model.classes_ = kept.array("classes", "biufUO", [None])
    labels = kept.array("labels", "biufUO", [len(model.classes_)])
    threshold = kept.anything("threshold")
    if threshold is not None:
        threshold = kept.integer("threshold", 0, 2**31 - 1)
    elif len(model.classes_) == 2 and model.voting == "hard":
        raise kept.refuse("threshold", "an integer", "none")
    model.threshold_, model.solver_ = threshold, kept.anything("solver")
    model.pool_, model._members = None, Members(model.estimators_, labels, None)
    return model


def regressor_state(model: PrunedEnsembleRegressor, write: Write) -> dict[str, Any]:
    """Return what is to be kept of a fitted `PrunedEnsembleRegressor`."""
    return _state(model, write)


def regressor_of(kept: Kept, read: Read) -> PrunedEnsembleRegressor:
    """Return the `PrunedEnsembleRegressor` that `regressor_state` took apart, or raise `InvalidDataError`."""
    model = PrunedEnsembleRegressor()
    _fill(model, kept, read)
    return model


def _state(model: Any, write: Write) -> dict[str, Any]:
    check_is_fitted(model)
    members = [write(model.estimators_[k], f"estimators_[{k}]") for k in model.selected_]
    numbers = {name: float(getattr(model, name)) for name in NUMBERS}
    return {
        "parameters": plain_parameters(model, (*LEFT_OUT, "objective")),
        **columns_of(model),
        "members": members,
        "numbers": numbers,
    }


def _fill(model: Any, kept: Kept, read: Read) -> None:
    """Parameters, members and what is proved; the members count as fitted elsewhere."""
    set_parameters(model, kept)
    set_columns(model, kept)
    model.estimators_ = [read(part) for part in kept.parts("members")]
    model.estimators, model.prefit = model.estimators_, True
    model.selected_ = np.arange(len(model.estimators_))
    numbers = kept.part("numbers")
    for name in NUMBERS:
        setattr(model, name, float(numbers.number(name)))
