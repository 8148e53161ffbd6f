"""What one program did on one case."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["CLOCK", "OURS", "Measured"]

CLOCK = Path(__file__).with_name("processor_clock.py")
OURS = "ours"


@dataclass(frozen=True)
class Measured:
    """One program on one case.

    Attributes
    ----------
    setting : str
        What was asked of all programs.
    program : str
        ``ours``, or a package and its version.
    seconds : float
        Of the processor; NaN where the program gave no answer.
    value : float
        What its answer is judged by: errors, share of right predictions, or trees.
    proved : bool
        Whether the program proved its answer to be the best.
    note : str
        Why there is no answer, or how it was found.
    """

    setting: str
    program: str
    seconds: float
    value: float
    proved: bool = False
    note: str = ""
