"""How far a licence goes, in the same words for every solver; each adapter finds its own out by asking its solver."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import inf

__all__ = ["Level", "Licence", "refused"]


class Level(StrEnum):
    """How far a licence goes.

    Examples
    --------
    >>> from compactml.solvers import Level, licence
    >>> licence("highs").level is Level.OPEN
    True
    """

    OPEN = "open source"
    FULL = "full licence"
    SIZE_LIMITED = "size-limited licence"
    EXPIRED = "expired licence"
    UNUSABLE = "no valid licence"
    MISSING = "not installed"


@dataclass(frozen=True)
class Licence:
    """What a solver may do here.

    Attributes
    ----------
    solver : str
    level : Level
    version : str
        Empty where the package is missing.
    detail : str
        The solver's own message where it cannot be used.
    max_columns, max_rows, max_quadratic_columns : float
        Infinite without a limit.
    expires : date or None
        None where there is no last day or the solver does not tell.

    Examples
    --------
    >>> from compactml.solvers import licence
    >>> found = licence("highs")
    >>> str(found.level), found.max_rows
    ('open source', inf)
    """

    solver: str
    level: Level
    version: str = ""
    detail: str = ""
    max_columns: float = inf
    max_rows: float = inf
    max_quadratic_columns: float = inf
    expires: date | None = None

    @property
    def usable(self) -> bool:
        """Whether the solver takes any model at all."""
        return self.level in (Level.OPEN, Level.FULL, Level.SIZE_LIMITED)

    @property
    def refusal(self) -> str:
        """Why the solver cannot be used."""
        return f"{self.level} ({self.detail})" if self.detail else str(self.level)


def refused(solver: str, version: str, message: str) -> Licence:
    """Make the licence of a solver that says why it cannot be used."""
    level = Level.EXPIRED if "expired" in message.lower() else Level.UNUSABLE
    return Licence(solver, level, version, message)
