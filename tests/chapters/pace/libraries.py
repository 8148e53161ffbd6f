"""Which distributions the module of each kind computes with, written down from the kinds and not from the key."""

from __future__ import annotations

from tests.distributions import PROGRAMS

DEPENDS = {
    f"{PROGRAMS} ortools": "faithful engines",
    f"{PROGRAMS} ortools pystreed": (
        "dataset compress fipe history pricing recheck merge refit opinion fipepy reading sized scale"
    ),
}
