"""Which models a file may hold, and who takes them apart: the one place that knows all methods.

A method's module is imported when a model of it is written or read, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from compactml.errors import CompactmlError, InvalidDataError, InvalidParameterError
from compactml.forests import written as forests
from compactml.kept import Kept

__all__ = ["KINDS", "apart", "together"]

RULES = "compactml.boolean_rules.classifying.written"
SELECTORS = "compactml.feature_selection.selectors.written"
PACE = "compactml.pace.written"
PRUNING = "compactml.ensemble_pruning.pool.written"
SHARING = "compactml.condition_sharing.written"

KINDS: Mapping[str, tuple[str, str, str]] = {
    "BooleanRuleClassifier": (RULES, "rules_state", "rules_of"),
    "BooleanRuleClassifierCV": (RULES, "cross_validated_state", "cross_validated_of"),
    "CFSSelector": (SELECTORS, "selector_state", "cfs_of"),
    "MRMRSelector": (SELECTORS, "selector_state", "mrmr_of"),
    "CompressedEnsemble": (PACE, "compressed_state", "compressed_of"),
    "PaceClassifier": (PACE, "classifier_state", "classifier_of"),
    "PrunedEnsembleClassifier": (PRUNING, "classifier_state", "classifier_of"),
    "PrunedEnsembleRegressor": (PRUNING, "regressor_state", "regressor_of"),
    "SharedEnsemble": (SHARING, "shared_state", "shared_of"),
}
"""For each class the module that knows it, and its functions to take a model apart and to build it again."""
BROKEN = (
    TypeError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    ArithmeticError,
    MemoryError,
)
"""What data that fit together nowhere may raise where a model is built."""


def apart(model: Any, name: str = "model") -> dict[str, Any]:
    """Return class and plain data of a fitted model, as they are written.

    Raises
    ------
    InvalidParameterError
        A model of a class that is not known, named by ``name``.
    NotFittedError
        One that is not fitted.
    """
    kind = type(model).__name__
    if kind in KINDS and type(model).__module__.split(".")[0] == __name__.split(".")[0]:
        module, take, _ = KINDS[kind]
        function = getattr(import_module(module), take)
        return {"class": kind, "state": function(model, apart) if module == PRUNING else function(model)}
    if type(model) in (*forests.TREES, *forests.ENSEMBLES):
        return {"class": "scikit-learn", "state": forests.state_of(model)}
    known = ", ".join([*KINDS, *forests.KNOWN])
    raise InvalidParameterError(name, f"a fitted model that a file can hold ({known})", model)


def together(written: Kept) -> Any:
    """Return the model of `apart`.

    Raises
    ------
    InvalidDataError
        A class that is not known, or data that are none of a model of it.
    """
    kind, state = written.text("class"), written.part("state")
    if kind != "scikit-learn" and kind not in KINDS:
        raise written.refuse("class", f"one of {', '.join(KINDS)}", repr(kind)[:60])
    try:
        if kind == "scikit-learn":
            return forests.model_of(state)
        module, _, build = KINDS[kind]
        function = getattr(import_module(module), build)
        return function(state, together) if module == PRUNING else function(state)
    except CompactmlError as error:
        if isinstance(error, InvalidDataError):
            raise
        raise InvalidDataError("path", f"data of a {kind}", str(error)) from error
    except BROKEN as error:
        raise InvalidDataError("path", f"data of a {kind}", f"{type(error).__name__}: {error}") from error
