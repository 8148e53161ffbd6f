"""The constraint program, where OR-tools is installed: it is not loaded before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compactml.errors import MissingPackageError
from compactml.forests import SplitGrid
from compactml.pace.model.region import Region

if TYPE_CHECKING:
    from compactml.pace.separation.constraint_program import ConstraintSeparation

__all__ = ["constraint_separation"]


def constraint_separation(
    grid: SplitGrid, region: Region, *, feasibility: bool, objective: bool, random_state: int
) -> ConstraintSeparation:
    """Return the constraint program of a region.

    Raises
    ------
    MissingPackageError
        Without OR-tools.
    """
    try:
        from compactml.pace.separation.constraint_program import ConstraintSeparation
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] != "ortools":
            raise
        raise MissingPackageError("separation by a constraint program", "ortools", "pace") from error
    return ConstraintSeparation(grid, region, feasibility, objective, random_state)
