"""Feature selection by fractional 0-1 programming (Mehmanchi, Gómez and Prokopyev 2021)."""

from compactml.feature_selection.errors import CertificateError, ContinuousFeaturesError, NoUsableFeatureError
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult, Tolerance

__all__ = [
    "CertificateError",
    "ContinuousFeaturesError",
    "FractionalProgram",
    "FractionalResult",
    "NoUsableFeatureError",
    "Tolerance",
]
