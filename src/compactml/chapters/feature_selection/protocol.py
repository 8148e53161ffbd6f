"""How much of the protocol of Mehmanchi, Gómez and Prokopyev (2021), section 5, each profile runs.

The paper gave every run 3600 s on four threads of CPLEX 12.9.
"""

from __future__ import annotations

from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.study.profile import Profile

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
GROWTH_SIZES = {
    Profile.QUICK: (25, 50),
    Profile.STANDARD: (25, 50, 100, 200, 400, 800),
    Profile.PAPER: (25, 50, 100, 200, 400, 800),
}
"""Features of the study of growth."""


def names(profile: Profile, quick: tuple[str, ...]) -> tuple[str, ...]:
    """Printed names of the datasets of a profile."""
    return quick if profile is Profile.QUICK else tuple(dataset.name for dataset in DATASETS)
