"""Prune and compress tree ensembles with certified faithfulness (Akkerman, Ferry, Guyard and Vidal, 2026)."""

from compactml.compiling import announce
from compactml.pace._compress import compress
from compactml.pace._fipe import fipe
from compactml.pace._single_tree import single_tree
from compactml.pace.bounding import SizeBound, least_size
from compactml.pace.certificate import Certificate
from compactml.pace.classifier import PaceClassifier
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.errors import EmptyRegionError, ScoreOverflowError, UnfaithfulError
from compactml.pace.merging import merge
from compactml.pace.rechecking import Recheck, recheck
from compactml.pace.refitting import refit

__all__ = [
    "Certificate",
    "CompressedEnsemble",
    "EmptyRegionError",
    "PaceClassifier",
    "Recheck",
    "ScoreOverflowError",
    "SizeBound",
    "UnfaithfulError",
    "compress",
    "fipe",
    "least_size",
    "merge",
    "recheck",
    "refit",
    "single_tree",
]

announce()
