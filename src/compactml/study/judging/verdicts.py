"""The verdicts on claims, and the one rule that makes one of counts."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["MEANINGS", "Verdict", "verdict_of"]


class Verdict(StrEnum):
    """What became of a claim, from the best to what says nothing."""

    REPRODUCED = "reproduced"
    WHERE_TESTABLE = "reproduced where testable"
    MIXED = "mixed"
    NOT_REPRODUCED = "not reproduced"
    INCONCLUSIVE = "inconclusive"
    NOT_TESTABLE = "not testable"


MEANINGS = {
    Verdict.REPRODUCED: "everything that the paper states was tested, and all of it agrees",
    Verdict.WHERE_TESTABLE: (
        "at least half could be decided, and all of that agrees; the rest has no data, or differs and refutes nothing"
    ),
    Verdict.MIXED: "at least half of what could be decided agrees, and some does not",
    Verdict.NOT_REPRODUCED: "less than half of what could be decided agrees",
    Verdict.INCONCLUSIVE: (
        "too little could be decided: the rest may be as it is by chance, by a setting that we inferred, or by time, "
        "threads or solver"
    ),
    Verdict.NOT_TESTABLE: "less than half could be tested here: the data are missing, or the runs are still to be made",
}


def verdict_of(stated: int, agreeing: int, differing: int, inconclusive: int) -> Verdict:
    """Return the verdict of counts of cells, or of statements.

    Parameters
    ----------
    stated : int
        Cells in the paper.
    agreeing, differing : int
        Cells that were tested; the others lack their data or their runs.
    inconclusive : int
        Cells that were run and decide nothing. They count as not tested.

    Returns
    -------
    Verdict
        Where half of the cells or more were tested: *reproduced* if all cells agree, *reproduced where testable* if
        all tested ones do, *mixed* if half of these or more do, else *not reproduced*. Where fewer were tested:
        *inconclusive* if the inconclusive cells would make up the half, else *not testable*.
    """
    tested = agreeing + differing
    if tested > 0 and 2 * tested >= stated:
        if agreeing == tested:
            return Verdict.REPRODUCED if tested == stated else Verdict.WHERE_TESTABLE
        return Verdict.MIXED if 2 * agreeing >= tested else Verdict.NOT_REPRODUCED
    enough = inconclusive > 0 and 2 * (tested + inconclusive) >= stated
    return Verdict.INCONCLUSIVE if enough else Verdict.NOT_TESTABLE
