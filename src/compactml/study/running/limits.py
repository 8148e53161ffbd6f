"""What a single trial may take."""

from __future__ import annotations

from dataclasses import dataclass

from compactml.errors import InvalidParameterError

__all__ = ["WHERE_ROOM", "TrialLimits"]

WHERE_ROOM = "run it again with fewer jobs or where more memory is free"
"""The way out for what died of a signal: most often the system ends a process for want of memory."""


@dataclass(frozen=True)
class TrialLimits:
    """What a single trial may take before its process is ended and it is listed as failed; None for no limit.

    Raises
    ------
    InvalidParameterError
        A limit is 0, negative or not a number, which nothing exceeds.
    """

    seconds: float | None = None
    mib: float | None = None

    def __post_init__(self) -> None:
        for name, limit in (("trial_seconds", self.seconds), ("trial_mib", self.mib)):
            if limit is not None and not limit > 0:
                raise InvalidParameterError(name, "a number greater than 0", limit)

    def exceeded(self, seconds: float, mib: float | None) -> str:
        """Say which limit is exceeded; nothing where none is."""
        if self.seconds is not None and seconds > self.seconds:
            return (
                f"took longer than the {self.seconds:g} s that a trial may take; --trial-seconds allows more"
            )
        if self.mib is not None and mib is not None and mib > self.mib:
            return f"took {mib:.0f} MiB, more than the {self.mib:g} MiB that a trial may take; --trial-mib allows more"
        return ""
