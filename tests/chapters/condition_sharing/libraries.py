"""Which distributions the module of each kind computes with, written down from the kinds and not from the key."""

from __future__ import annotations

from tests.distributions import TREES

DEPENDS = {
    TREES: (
        "sharing relaxation speed growth evaluator tradeoff search baseline "
        "sharing_scikit_learn_1_1 sharing_scikit_learn_1_1_0 rounding"
    ),
}
