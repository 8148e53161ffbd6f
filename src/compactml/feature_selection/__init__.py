"""Feature selection by fractional 0-1 programming (Mehmanchi, Gómez and Prokopyev 2021)."""

from compactml.compiling import announce
from compactml.feature_selection.building import Measures, Preparation, measure
from compactml.feature_selection.certificate import Certificate
from compactml.feature_selection.discretize import encode
from compactml.feature_selection.errors import (
    CertificateError,
    ContinuousFeaturesError,
    NoUsableFeatureError,
    TimeLimitTooShortError,
)
from compactml.feature_selection.greedy import GreedyResult, cfs_forward, mrmr_forward
from compactml.feature_selection.measures import (
    class_information,
    entropies,
    mutual_information,
    symmetrical_uncertainty,
)
from compactml.feature_selection.program import FractionalProgram, cfs_program, mrmr_program
from compactml.feature_selection.result import FractionalResult, Tolerance
from compactml.feature_selection.selectors import CFSSelector, MRMRSelector, SelectionPath, selection_path
from compactml.feature_selection.solving import solve
from compactml.feature_selection.targets import encode_target
from compactml.feature_selection.verifying import verify

__all__ = [
    "CFSSelector",
    "Certificate",
    "CertificateError",
    "ContinuousFeaturesError",
    "FractionalProgram",
    "FractionalResult",
    "GreedyResult",
    "MRMRSelector",
    "Measures",
    "NoUsableFeatureError",
    "Preparation",
    "SelectionPath",
    "TimeLimitTooShortError",
    "Tolerance",
    "cfs_forward",
    "cfs_program",
    "class_information",
    "encode",
    "encode_target",
    "entropies",
    "measure",
    "mrmr_forward",
    "mrmr_program",
    "mutual_information",
    "selection_path",
    "solve",
    "symmetrical_uncertainty",
    "verify",
]

announce()
