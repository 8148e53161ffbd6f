"""Which distributions the module of each kind computes with, written down from the kinds and not from the key."""

from __future__ import annotations

from tests.distributions import PROGRAMS

WITHOUT_PROGRAMS = "numpy scipy scikit-learn pandas"
"""Of kinds that solve nothing: programs of others, and readings of the data."""
DEPENDS = {
    PROGRAMS: "nested nested_others trade_off trade_off_others fico_rule optimum aix360 opinion our_cg growth "
    "paper_cg paper_optimum",
    f"{PROGRAMS} ortools": "engine",
    WITHOUT_PROGRAMS: "liver_reading fico_cuts ripper brs scikit",
}
