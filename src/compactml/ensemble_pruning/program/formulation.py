"""Which steps beyond the paper's program are taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compactml.errors import InvalidParameterError, check_choice

__all__ = ["FORMULATIONS", "Formulation", "as_formulation"]

CUTS = ("asummability", "isotonic", "none")


@dataclass(frozen=True)
class Formulation:
    """Which steps beyond the paper are taken.

    Attributes
    ----------
    aggregate : bool
        One row and one column for each distinct vector of votes, instead of two rows and two columns for each point.
    fix_unanimous : bool
        A point without positive votes is called negative, one with all votes positive (unless all are negative).
    tight_big_m : bool
        The least big constants instead of K + 1.
    compact_diversity : bool
        (18) and (20) without the K (K - 1) / 2 columns y.
    cuts : {"asummability", "isotonic", "none"}
        Rows of which bound are used; they need ``aggregate``.
    search, branch : bool
        Begin from local search; branch over the classifiers before the program, or in its place: see `prune`.

    Examples
    --------
    >>> from compactml.ensemble_pruning import Formulation, prune
    >>> prune([[1, 0], [0, 1], [0, 0]], [1, 1, 0], formulation=Formulation(cuts="isotonic")).value
    3.0
    """

    aggregate: bool = True
    fix_unanimous: bool = True
    tight_big_m: bool = True
    compact_diversity: bool = True
    cuts: Literal["asummability", "isotonic", "none"] = "asummability"
    search: bool = True
    branch: bool = True

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            check_choice(name, value, CUTS if name == "cuts" else (True, False))
        if self.cuts != "none" and not self.aggregate:
            raise InvalidParameterError("cuts", "'none' without aggregation", self.cuts)

    @property
    def leaves_out_all_negative(self) -> bool:
        """Whether the rows hold for ensembles with L < sum x only."""
        return self.fix_unanimous or self.tight_big_m


FORMULATIONS = {
    "plain": Formulation(False, False, False, False, "none", False, False),
    "strengthened": Formulation(),
}


def as_formulation(formulation: str | Formulation) -> Formulation:
    """Return a formulation by its name, or raise `InvalidParameterError`."""
    if isinstance(formulation, Formulation):
        return formulation
    check_choice("formulation", formulation, FORMULATIONS)
    return FORMULATIONS[formulation]
