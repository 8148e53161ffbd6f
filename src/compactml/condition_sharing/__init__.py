"""Sharing branching conditions in tree ensembles (Nakamura and Sakurada, arXiv:2212.07103)."""

from compactml.compiling import announce
from compactml.condition_sharing._shared_thresholds import shared_thresholds, solved_as_printed
from compactml.condition_sharing.certificate import Certificate, certify
from compactml.condition_sharing.dynamic import minimum_intersecting_set_dynamic
from compactml.condition_sharing.effect import Effect, PredictionsChangedWarning
from compactml.condition_sharing.intersecting_set import minimum_intersecting_set
from compactml.condition_sharing.intervals import Intervals, node_intervals
from compactml.condition_sharing.k_means import cluster_centres, k_means_conditions
from compactml.condition_sharing.sharing import SharedEnsemble, share_conditions

__all__ = [
    "Certificate",
    "Effect",
    "Intervals",
    "PredictionsChangedWarning",
    "SharedEnsemble",
    "certify",
    "cluster_centres",
    "k_means_conditions",
    "minimum_intersecting_set",
    "minimum_intersecting_set_dynamic",
    "node_intervals",
    "share_conditions",
    "shared_thresholds",
    "solved_as_printed",
]

announce()
