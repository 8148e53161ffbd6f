"""Claims of a paper, each with its check as code, and the verdicts that the numbers give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd

from compactml.exceptions import InvalidDataError, InvalidParameterError
from compactml.report.errors import NotRecorded

ABSENT = "(absent)"


class Verdict(StrEnum):
    """What became of a claim."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    DOES_NOT_HOLD = "does not hold"
    NOT_TESTABLE = "not testable here"


@dataclass(frozen=True)
class Evidence:
    """The outcome of a check.

    Attributes
    ----------
    verdict : Verdict
    found : str
        The numbers that decide.
    reason : str
        Why, in words; a claim that is not testable here must say it.

    Raises
    ------
    InvalidParameterError
        Not testable without a reason.
    """

    verdict: Verdict
    found: str
    reason: str = ""

    def __post_init__(self) -> None:
        if self.verdict is Verdict.NOT_TESTABLE and not self.reason:
            raise InvalidParameterError("reason", "given for a claim that is not testable", self.reason)


def graded(agreeing: int, seen: int, stated: int) -> Verdict:
    """The verdict of a statement over ``stated`` things of which ``seen`` could be tested.

    It holds where all of them agree, in part where half or more of those seen do, and else not: what is missing makes
    any statement hold in part at best.
    """
    if agreeing == stated:
        return Verdict.HOLDS
    return Verdict.IN_PART if agreeing >= seen / 2 > 0 else Verdict.DOES_NOT_HOLD


@dataclass(frozen=True)
class Claim:
    """A quantitative statement of a paper.

    Attributes
    ----------
    id : str
    chapter : str
    place : str
        Where the paper says it ("Section 6.2").
    statement : str
        In our words.
    tolerance, tolerance_origin : str
        What counts as agreement, and why.
    check : callable
        Takes the chapter's data (frames by name) and returns the `Evidence`.
    """

    id: str
    chapter: str
    place: str
    statement: str
    tolerance: str
    tolerance_origin: str
    check: Callable[..., Evidence]

    @classmethod
    def of(
        cls,
        chapter: str,
        name: str,
        place: str,
        statement: str,
        tolerance: str,
        tolerance_origin: str,
        check: Callable[..., Evidence],
    ) -> Claim:
        """A claim by its name within a chapter."""
        return cls(f"{chapter}/{name}", chapter, place, statement, tolerance, tolerance_origin, check)


COLUMNS = (
    "id", "chapter", "place", "statement", "tolerance", "tolerance_origin", "verdict", "found", "reason",
)  # fmt: skip


def scorecard(claims: Iterable[Claim], data: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Check every claim.

    Parameters
    ----------
    claims : iterable of Claim
    data : mapping of str to DataFrame
        Given to every check; a claim that asks for a table which is not there is not testable.

    Returns
    -------
    DataFrame of str
        A row per claim with the columns of `COLUMNS`.

    Raises
    ------
    InvalidDataError
        Two claims bear one id.
    """
    rows: list[dict[str, str]] = []
    for claim in claims:
        if any(row["id"] == claim.id for row in rows):
            raise InvalidDataError("claims", "claims with distinct ids", f"{claim.id!r} twice")
        evidence = _evidence(claim, _Recorded(data))
        row = {name: getattr(claim, name) for name in COLUMNS[:6]}
        rows.append(
            row | {"verdict": str(evidence.verdict), "found": evidence.found, "reason": evidence.reason}
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


class _Recorded(dict[str, pd.DataFrame]):
    """The data of the checks; a table that is not there is no programming error."""

    def __missing__(self, name: str) -> pd.DataFrame:
        raise NotRecorded(name)


def _evidence(claim: Claim, data: Mapping[str, pd.DataFrame]) -> Evidence:
    try:
        return claim.check(data)
    except NotRecorded as error:
        return Evidence(Verdict.NOT_TESTABLE, "", str(error))


def changed_verdicts(scorecard: pd.DataFrame, recorded: pd.DataFrame) -> pd.DataFrame:
    """Return the claims whose verdict is not the recorded one.

    Parameters
    ----------
    scorecard, recorded : DataFrame
        With the columns ``id`` and ``verdict``.

    Returns
    -------
    DataFrame
        ``id``, ``recorded``, ``now``; empty if nothing changed. A claim that only one side has is a change,
        with "(absent)" on the other.
    """
    sides = [frame.set_index("id")["verdict"] for frame in (recorded, scorecard)]
    both = pd.concat(sides, axis="columns", keys=["recorded", "now"]).fillna(ABSENT).rename_axis("id")
    return both[both["recorded"] != both["now"]].reset_index()
