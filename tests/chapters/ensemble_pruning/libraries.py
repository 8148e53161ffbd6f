"""Which distributions the module of each kind computes with, written down from the kinds and not from the key."""

from __future__ import annotations

from tests.distributions import PROGRAMS

DEPENDS = {
    PROGRAMS: "dataset program plain bounds curve",
    PROGRAMS.replace(" numba", ""): "opinion",
    "numpy scipy scikit-learn pandas": "baseline",
}
