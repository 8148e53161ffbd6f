"""What a single trial may take."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TrialLimits"]


@dataclass(frozen=True)
class TrialLimits:
    """What a single trial may take before its process is ended and it is listed as failed; None for no limit."""

    seconds: float | None = None
    mib: float | None = None

    def exceeded(self, seconds: float, mib: float | None) -> str:
        """Say which limit is exceeded; nothing where none is."""
        if self.seconds is not None and seconds > self.seconds:
            return f"took longer than the {self.seconds:g} s that a trial may take"
        if self.mib is not None and mib is not None and mib > self.mib:
            return f"took {mib:.0f} MiB, more than the {self.mib:g} MiB that a trial may take"
        return ""
