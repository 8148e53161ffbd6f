"""Claims of a paper, each with its check as code, and the scorecard that their evidence gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

import pandas as pd

from compactml.errors import InvalidDataError
from compactml.study.judging.evidence import SHARES, Evidence
from compactml.study.judging.verdicts import Verdict, verdict_of
from compactml.study.recording.errors import NotRecorded, WithoutEvidence
from compactml.study.recording.published import noting_reads

ABSENT = "(absent)"


class Basis(StrEnum):
    """What decides a claim; each basis has a list of its own."""

    RUNS = "tested by runs"
    ARITHMETIC = "arithmetic on the printed numbers"
    ERRATUM = "erratum"
    OURS = "our own finding"


@dataclass(frozen=True)
class Claim:
    """A quantitative statement of a paper, or one of ours.

    Attributes
    ----------
    id : str
    chapter : str
    place : str
        Where the paper says it ("Section 6.2").
    statement : str
        In our words, a sentence that stands alone.
    tolerance, tolerance_origin : str
        What counts as agreement, and why.
    check : callable
        Takes the chapter's data (frames by name) and returns the `Evidence`.
    basis : Basis
    """

    id: str
    chapter: str
    place: str
    statement: str
    tolerance: str
    tolerance_origin: str
    check: Callable[..., Evidence]
    basis: Basis = Basis.RUNS

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
        basis: Basis = Basis.RUNS,
    ) -> Claim:
        """Return a claim by its name within a chapter."""
        return cls(f"{chapter}/{name}", chapter, place, statement, tolerance, tolerance_origin, check, basis)

    @property
    def code(self) -> str:
        """Dotted name of the function that checks it."""
        check: Any = self.check
        while isinstance(check, partial):
            check = check.func
        return f"{check.__module__}.{check.__qualname__}"


@dataclass(frozen=True)
class Checked:
    """A claim with its evidence, and the tables that the check read.

    Attributes
    ----------
    claim : Claim
    evidence : Evidence
    recorded, published : tuple of str
        Names of the recorded and of the printed tables ("table_2"), in the order in which they were read.
    """

    claim: Claim
    evidence: Evidence
    recorded: tuple[str, ...]
    published: tuple[str, ...]

    @property
    def counted(self) -> bool:
        """Whether it is counted among the claims of its list: not what is ours or holds by construction."""
        return self.claim.basis is not Basis.OURS and not self.evidence.by_construction

    @property
    def shown_wrong(self) -> bool:
        """Whether it is an erratum, and nothing leaves open that the paper is wrong there."""
        undecided = (Verdict.INCONCLUSIVE, Verdict.NOT_TESTABLE)
        return self.claim.basis is Basis.ERRATUM and self.evidence.verdict not in undecided


def check_claims(claims: Iterable[Claim], data: Mapping[str, pd.DataFrame]) -> list[Checked]:
    """Check every claim.

    Parameters
    ----------
    claims : iterable of Claim
    data : mapping of str to DataFrame
        Given to every check; a claim that asks for a table which is not there is not testable.

    Returns
    -------
    list of Checked

    Raises
    ------
    InvalidDataError
        Two claims bear one id.
    WithoutEvidence
        A check returns none, or a claim that runs decide does not say over which data.
    """
    checked: list[Checked] = []
    for claim in claims:
        if any(one.claim.id == claim.id for one in checked):
            raise InvalidDataError("claims", "claims with distinct ids", f"{claim.id!r} twice")
        checked.append(_check(claim, data))
    return checked


def _check(claim: Claim, data: Mapping[str, pd.DataFrame]) -> Checked:
    tables = _Recorded(data)
    with noting_reads() as printed:
        try:
            evidence = claim.check(tables)
        except NotRecorded as error:
            evidence = Evidence.missing(str(error))
    if not isinstance(evidence, Evidence):
        raise WithoutEvidence(claim.id, f"an Evidence from {claim.code}", repr(evidence))
    if claim.basis is Basis.RUNS and evidence.tested and evidence.coverage.data is None:
        raise WithoutEvidence(claim.id, "the share of the paper's data that was tested", "none")
    return Checked(claim, evidence, tuple(tables.read), tuple(printed))


class _Recorded(dict[str, pd.DataFrame]):
    """The data of the checks, which notes what is read; a table that is not there is no programming error."""

    def __init__(self, data: Mapping[str, pd.DataFrame]) -> None:
        super().__init__(data)
        self.read: dict[str, None] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self:
            raise NotRecorded(name)
        self.read[name] = None
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a table that a check can do without."""
        return self[name] if name in self else default  # noqa: SIM401, which is this method


COUNTS = ("stated", "agreeing", "differing", "inconclusive")
TEXTS = ("inferred", "doubt", "by_construction", "found", "reason")
COLUMNS = (
    "id", "chapter", "basis", "place", "statement", "tolerance", "tolerance_origin", "verdict",
    *COUNTS, *SHARES, *TEXTS, "recorded", "published", "code",
)  # fmt: skip


def scorecard(claims: Iterable[Claim], data: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Check every claim, as a table.

    Parameters
    ----------
    claims, data
        As for `check_claims`, which also says what is raised.

    Returns
    -------
    DataFrame
        A row per claim with the columns of `COLUMNS`, counts as integers, all else as text.
    """
    return as_frame(check_claims(claims, data))


def as_frame(checked: Iterable[Checked]) -> pd.DataFrame:
    """Return checked claims as a table with the columns of `COLUMNS`."""
    return pd.DataFrame([dict(_row(one)) for one in checked], columns=list(COLUMNS))


def _row(checked: Checked) -> Iterator[tuple[str, Any]]:
    claim, evidence = checked.claim, checked.evidence
    for name in COLUMNS[:7]:
        yield name, str(getattr(claim, name))
    yield "verdict", str(evidence.verdict)
    for name in (*COUNTS, *TEXTS):
        yield name, getattr(evidence, name)
    for name in SHARES:
        yield name, str(getattr(evidence.coverage, name) or "")
    yield "recorded", " ".join(checked.recorded)
    yield "published", " ".join(checked.published)
    yield "code", claim.code


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


def unfounded_verdicts(card: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a scorecard whose verdict their own counts do not give: ``id``, ``verdict``, ``given``."""
    differing = card["differing"].where(card["inferred"].fillna("") == "", 0)
    undecided = card["inconclusive"] + card["differing"] - differing
    counts = zip(card["stated"], card["agreeing"], differing, undecided, strict=True)
    given = [str(verdict_of(*map(int, row))) for row in counts]
    found = card[["id", "verdict"]].assign(given=given)
    return found[found["verdict"] != found["given"]].reset_index(drop=True)
