"""A hash of a fitted ensemble of scikit-learn, for two environments that must speak about the same one."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np


def digest(model: Any) -> str:
    """Hash of all trees and weights."""
    found = hashlib.sha256()
    for member in model.estimators_:
        tree = member.tree_
        for array in (tree.feature, tree.threshold, tree.children_left, tree.children_right, tree.value):
            found.update(np.ascontiguousarray(array).tobytes())
    found.update(np.asarray(getattr(model, "estimator_weights_", [])).tobytes())
    return found.hexdigest()
