"""Which distributions the module of each kind computes with, written down from the kinds and not from the key."""

from __future__ import annotations

from tests.distributions import PROGRAMS, WITHOUT_LEARNERS

DEPENDS = {
    PROGRAMS: (
        "nested nested_others trade_off trade_off_others fico_rule optimum liver_reading fico_cuts aix360 opinion"
    ),
    f"{PROGRAMS} ortools": "engine",
    WITHOUT_LEARNERS: "growth",
}
