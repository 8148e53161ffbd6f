"""Tree ensembles as arrays: what the chapters that change trees have in common."""

import compactml.compiling  # noqa: F401 (before any kernel is defined)
from compactml.forests.ensembles import (
    SUPPORTED,
    check_ensemble,
    check_matrix,
    conditions_of,
    count_conditions,
    fitted_trees,
    leaves,
    members,
    with_thresholds,
)
from compactml.forests.errors import UnfittedEnsembleError, UnsupportedEnsembleError
from compactml.forests.grid import SplitGrid, floor_to_float32
from compactml.forests.trees import (
    ForestArrays,
    TreeArrays,
    average_path_length,
    check_classifier,
    check_kind,
    forest_arrays,
    isolation_trees,
)

__all__ = [
    "SUPPORTED",
    "ForestArrays",
    "SplitGrid",
    "TreeArrays",
    "UnfittedEnsembleError",
    "UnsupportedEnsembleError",
    "average_path_length",
    "check_classifier",
    "check_ensemble",
    "check_kind",
    "check_matrix",
    "conditions_of",
    "count_conditions",
    "fitted_trees",
    "floor_to_float32",
    "forest_arrays",
    "isolation_trees",
    "leaves",
    "members",
    "with_thresholds",
]
