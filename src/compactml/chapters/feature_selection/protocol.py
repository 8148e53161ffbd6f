"""How much of the protocol of Mehmanchi, Gómez and Prokopyev (2021), section 5, each profile runs.

The paper gave every run 3600 s on four threads of CPLEX 12.9.
"""

from __future__ import annotations

from compactml.chapters.feature_selection.datasets import DATASETS, LIVE, PaperDataset
from compactml.study.profile import GUARD, Profile

SOLVER_LIMIT = {Profile.QUICK: GUARD, Profile.STANDARD: 300.0, Profile.PAPER: 3600.0}
"""Seconds of one of the paper's methods."""
WORK_UNITS, FEW_NODES = 1.0, 0.01
"""Work of one program of the paper's methods in the quick profile, see `compactml.solvers.SolveOptions`: about a second
of Gurobi; ten nodes of HiGHS, which takes the programs that are too large for licences of a limited size."""
LICENSED_ROWS = 2_000
"""Rows of the largest program that such a licence takes."""
SMALL_ONLY = ("milp3", "value_disjunction")
"""Models of which the quick profile has no larger one: their first relaxation takes minutes, and no limit on work ends
it."""
HOUR = 3600.0
"""The paper's limit, which the standard profile has for a few runs of their own."""
HEURISTIC_LIMIT = {Profile.QUICK: GUARD, Profile.STANDARD: 300.0, Profile.PAPER: HOUR}
"""Seconds of processor time of scikit-feature."""
CERTIFIED_LIMIT = {Profile.QUICK: GUARD, Profile.STANDARD: 300.0, Profile.PAPER: 3600.0}
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
QUICK_EXACT = tuple(name for name in QUICK_BEYOND if name != "Semeion_Hand")
"""Those of them that our method proves exactly in a tenth of its limit, so that a loaded machine proves them too."""
IN_AN_HOUR = ("Semeion_Hand", "Madelon")
"""Datasets above 60 features that the paper's prose says Algorithms 1 and 2 to solve for mRMR."""
UP_TO_62 = tuple(dataset.name for dataset in DATASETS if dataset.p <= 62)
"""Datasets of the study of the early stop: the smallest, all of which the paper's Algorithms 1 and 2 solve."""
SMALL = tuple(dataset.name for dataset in DATASETS if dataset.p <= 60)
"""Datasets that the paper calls small, on which model (12) can be built."""
TIMED = (
    *(name for name in UP_TO_62),
    "Hill-Valley",
    "Madelon",
    "CNAE-9",
)
"""Datasets on which Algorithm 1 or 2 solves CFS in the paper, without its impossible rows: scikit-feature is timed."""
GROWTH_SIZES = {
    Profile.QUICK: (25, 50),
    Profile.STANDARD: (25, 50, 100, 200, 400, 800),
    Profile.PAPER: (25, 50, 100, 200, 400, 800),
}
"""Features of the study of growth."""


def names(profile: Profile, quick: tuple[str, ...]) -> tuple[str, ...]:
    """Printed names of the datasets of a profile."""
    return quick if profile is Profile.QUICK else tuple(dataset.name for dataset in DATASETS)


def live(profile: Profile) -> tuple[PaperDataset, ...]:
    """Datasets that the paper does not have and every build can run."""
    return LIVE if profile is Profile.QUICK else ()
