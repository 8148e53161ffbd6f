"""How much of the protocol of Mehmanchi, Gómez and Prokopyev (2021), section 5, each profile runs.

The paper gave every run 3600 s on four threads of CPLEX 12.9.
"""

from __future__ import annotations

from collections.abc import Mapping

from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.trials.paper import PARAMETRIC
from compactml.study.profile import Profile

MILPS: Mapping[str, tuple[str, ...]] = {"mrmr": ("milp1", "milp2", "milp3"), "cfs": ("milp1", "milp2")}
FULL, HEURISTIC = "full", "heuristic"
TABLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "table_2": ("mrmr", MILPS["mrmr"]),
    "table_3": ("mrmr", ("milp1", "milp3", *PARAMETRIC, HEURISTIC)),
    "table_4": ("cfs", (*MILPS["cfs"], *PARAMETRIC, HEURISTIC)),
    "table_5": ("mrmr", (FULL, *MILPS["mrmr"])),
    "table_6": ("mrmr", (FULL, "milp1", "milp3", *PARAMETRIC, HEURISTIC)),
    "table_7": ("cfs", (FULL, *MILPS["cfs"], *PARAMETRIC, HEURISTIC)),
}
"""Measure and methods of each of the paper's tables."""

SOLVER_LIMIT = {Profile.QUICK: 3.0, Profile.STANDARD: 300.0, Profile.PAPER: 3600.0}
"""Seconds of one of the paper's methods."""
CERTIFIED_LIMIT = {Profile.QUICK: 20.0, Profile.STANDARD: 300.0, Profile.PAPER: 3600.0}
"""Seconds of our method, at either tolerance."""

QUICK = ("banknote_auth", "Breast_cancer", "Zoo", "Breast_Cancer")
"""Datasets of the quick profile by their printed names."""
QUICK_BEYOND = (
    *QUICK,
    "Letter_Recog",
    "SPECTF_Heart",
    "Lung_Cancer",
    "Optical_Recog",
    "SCADI",
    "Semeion_Hand",
)


def names(profile: Profile, quick: tuple[str, ...]) -> tuple[str, ...]:
    """Printed names of the datasets of a profile."""
    return quick if profile is Profile.QUICK else tuple(dataset.name for dataset in DATASETS)
