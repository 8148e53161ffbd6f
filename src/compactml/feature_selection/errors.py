"""Exceptions of feature selection."""

from __future__ import annotations

from compactml.errors import CompactmlError, InvalidParameterError


class ContinuousFeaturesError(CompactmlError, ValueError):
    """A column looks continuous and no discretiser was named."""

    def __init__(self, columns: tuple[str, ...], n_distinct: int, n_samples: int, allowed: str) -> None:
        shown = ", ".join(columns[:5]) + (f" and {len(columns) - 5} more" if len(columns) > 5 else "")
        super().__init__(
            f"discretizer: must be {allowed} for continuous columns, got None; "
            f"{columns[0]} has {n_distinct} distinct values in {n_samples} samples (columns: {shown})."
        )
        self.columns, self.n_distinct, self.n_samples = columns, n_distinct, n_samples
        self.allowed = allowed


class NoUsableFeatureError(CompactmlError, ValueError):
    """Every feature is constant, so no set of features says anything about the class."""

    def __init__(self, n_features: int) -> None:
        super().__init__(f"X: must have a feature that is not constant, got {n_features} constant ones.")
        self.n_features = n_features


class TimeLimitTooShortError(InvalidParameterError):
    """The features could not be measured in the time limit, so no set has a value."""

    def __init__(self, limit: float, n_samples: int, n_features: int, share: float, seconds: float) -> None:
        self.share, self.seconds = share, seconds
        allowed = (
            f"None or seconds enough to measure {n_features} columns of {n_samples} rows "
            f"({share:.0%} of their pairs took {seconds:.1f} s)"
        )
        super().__init__("time_limit", allowed, limit)


class CertificateError(CompactmlError, ValueError):
    """A certificate does not prove what it claims."""

    def __init__(self, claim: str, reason: str) -> None:
        super().__init__(f"certificate: must prove {claim}, got one where {reason}.")
        self.claim, self.reason = claim, reason
