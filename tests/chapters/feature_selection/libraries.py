"""Which distributions the module of each kind computes with, written down from the kinds and not from the key."""

from __future__ import annotations

from tests.distributions import PROGRAMS

DEPENDS = {
    PROGRAMS: "milp parametric full scikit_feature optimum reading certified growth opinion",
    "numpy scipy scikit-learn numba pandas": "raw_heuristic",
    "numpy numba pandas": "sizes",
}
