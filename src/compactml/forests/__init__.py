"""Tree ensembles as arrays: what the chapters that change trees have in common."""

from compactml.forests.ensembles import (
    SUPPORTED,
    check_ensemble,
    check_matrix,
    count_conditions,
    fitted_trees,
    leaves,
    members,
    with_thresholds,
)
from compactml.forests.errors import UnfittedEnsembleError, UnsupportedEnsembleError

__all__ = [
    "SUPPORTED",
    "UnfittedEnsembleError",
    "UnsupportedEnsembleError",
    "check_ensemble",
    "check_matrix",
    "count_conditions",
    "fitted_trees",
    "leaves",
    "members",
    "with_thresholds",
]
