"""What the check of a claim found, counted in cells or statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import ArrayLike

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.study.judging.noise import CHANCE, Outcome
from compactml.study.judging.verdicts import Verdict, verdict_of


@dataclass(frozen=True)
class Share:
    """What we used of what the paper used: 14 of 21 datasets, 60 of 300 s.

    Attributes
    ----------
    ours : float
    paper : float or None
        None where the paper does not say.
    unit : str
        "datasets", "folds", "s on one thread, the paper on eight".
    """

    ours: float
    paper: float | None
    unit: str

    def __str__(self) -> str:
        of = "" if self.paper is None else f" of {self.paper:g}"
        return f"{self.ours:g}{of} {self.unit}"


@dataclass(frozen=True)
class Coverage:
    """Data, repetitions and time behind some evidence, as shares of the paper's; None where there is no such thing."""

    data: Share | None = None
    repetitions: Share | None = None
    time: Share | None = None


SHARES = tuple(one.name for one in fields(Coverage))


@dataclass(frozen=True)
class Evidence:
    """The outcome of a check, counted in cells of a table or in statements; its verdict follows.

    Attributes
    ----------
    stated : int
        Cells in the paper.
    agreeing, differing : int
        Cells that were tested and do or do not agree.
    found : str
        The numbers that decide.
    reason : str
        What explains them, in words.
    inconclusive : int
        Cells that were run and decide nothing: within two errors of the runs (`compactml.study.judging.noise`), or
        where time, threads or solver could change it.
    doubt : str
        Why these decide nothing.
    inferred : str
        The setting that we had to infer, if any. Under it no cell that differs refutes anything.
    by_construction : str
        Why it cannot fail here, if so; such a claim is shown and not counted.
    coverage : Coverage
    numbers : mapping of str to str
        Numbers for sentences that rest on the claim, by name, as they are to be read.

    Raises
    ------
    InvalidParameterError
        Counts that do not fit each other; inconclusive cells without a doubt; nothing decided and no reason.
    """

    stated: int
    agreeing: int
    differing: int
    found: str
    reason: str = ""
    inconclusive: int = 0
    doubt: str = ""
    inferred: str = ""
    by_construction: str = ""
    coverage: Coverage = field(default_factory=Coverage)
    numbers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seen = (self.agreeing, self.differing, self.inconclusive)
        if min(seen) < 0 or self.stated < max(1, sum(seen)):
            allowed = "agreeing + differing + inconclusive of at most stated, stated at least 1"
            raise InvalidParameterError("evidence", allowed, f"{seen} of {self.stated}")
        if self.inconclusive and not self.doubt:
            raise InvalidParameterError("doubt", "given where cells are inconclusive", self.doubt)
        silent = not (self.reason or self.doubt or self.inferred)
        if silent and self.verdict in (Verdict.INCONCLUSIVE, Verdict.NOT_TESTABLE):
            raise InvalidParameterError(
                "reason", f"given for evidence that is {self.verdict.value}", self.reason
            )

    @property
    def undecided(self) -> int:
        """Cells that differ and refute nothing: the inconclusive ones, and all under an inferred setting."""
        return self.inconclusive + (self.differing if self.inferred else 0)

    @property
    def refuting(self) -> int:
        """Cells that differ and count."""
        return 0 if self.inferred else self.differing

    @property
    def tested(self) -> int:
        """Cells that count as tested."""
        return self.agreeing + self.refuting

    @property
    def verdict(self) -> Verdict:
        """What `verdict_of` makes of the counts."""
        return verdict_of(self.stated, self.agreeing, self.refuting, self.undecided)

    @classmethod
    def of_cells(
        cls,
        right: ArrayLike,
        finding: str,
        reason: str = "",
        *,
        stated: int | None = None,
        doubtful: ArrayLike | None = None,
        doubt: str = "",
        inferred: str = "",
        by_construction: str = "",
        coverage: Coverage | None = None,
        numbers: Mapping[str, str] | None = None,
    ) -> Evidence:
        """Count cells.

        Parameters
        ----------
        right : array-like of bool
            Whether each cell that was tested agrees.
        finding, reason : str
        stated : int, optional
            Cells in the paper; by default those that were tested.
        doubtful : array-like of bool of the same length, optional
            Cells that refute nothing if they differ.
        doubt, inferred, by_construction : str
        coverage : Coverage, optional
        numbers : mapping of str to str, optional

        Raises
        ------
        InvalidDataError
            ``doubtful`` has another length.
        """
        agrees = np.atleast_1d(np.asarray(right, dtype=bool))
        spared = np.zeros_like(agrees) if doubtful is None else np.atleast_1d(np.asarray(doubtful, bool))
        if spared.shape != agrees.shape:
            raise InvalidDataError("doubtful", f"one value for each of {agrees.size} cells", str(spared.size))
        inconclusive = int((~agrees & spared).sum())
        return cls(
            agrees.size if stated is None else stated,
            int(agrees.sum()),
            int((~agrees & ~spared).sum()),
            finding,
            reason,
            inconclusive,
            doubt if inconclusive else "",
            inferred,
            by_construction,
            coverage or Coverage(),
            numbers or {},
        )

    @classmethod
    def of_statement(
        cls,
        true: bool,
        finding: str,
        reason: str = "",
        *,
        doubt: str = "",
        inferred: str = "",
        by_construction: str = "",
        coverage: Coverage | None = None,
        numbers: Mapping[str, str] | None = None,
    ) -> Evidence:
        """Make evidence of one statement that is right or wrong; with a ``doubt`` a wrong one refutes nothing."""
        return cls.of_cells(
            [true], finding, reason, doubtful=[bool(doubt)], doubt=doubt, inferred=inferred,
            by_construction=by_construction, coverage=coverage, numbers=numbers,
        )  # fmt: skip

    @classmethod
    def of_outcomes(
        cls,
        outcomes: Iterable[Outcome],
        finding: str,
        reason: str = "",
        *,
        stated: int | None = None,
        doubt: str = CHANCE,
        inferred: str = "",
        by_construction: str = "",
        coverage: Coverage | None = None,
        numbers: Mapping[str, str] | None = None,
    ) -> Evidence:
        """Count outcomes of tests.

        Parameters
        ----------
        outcomes : iterable of Outcome
            One for each cell, or statement, that was run.
        finding, reason : str
        stated : int, optional
            Cells in the paper; by default those that were run.
        doubt : str
            Why inconclusive ones decide nothing.
        inferred, by_construction : str
        coverage : Coverage, optional
        numbers : mapping of str to str, optional
        """
        counts = Counter(outcomes)
        inconclusive = counts[Outcome.INCONCLUSIVE]
        return cls(
            counts.total() if stated is None else stated,
            counts[Outcome.AGREES],
            counts[Outcome.DIFFERS],
            finding,
            reason,
            inconclusive,
            doubt if inconclusive else "",
            inferred,
            by_construction,
            coverage or Coverage(),
            numbers or {},
        )

    @classmethod
    def missing(
        cls, reason: str, stated: int = 1, found: str = "", coverage: Coverage | None = None
    ) -> Evidence:
        """Make evidence that nothing could be tested, and say why."""
        return cls(stated, 0, 0, found, reason, coverage=coverage or Coverage())


def because(*reasons: str) -> str:
    """Return the reasons that there are, as one text."""
    return "; ".join(reason for reason in reasons if reason)


def lacking(seen: int, stated: int, what: str = "datasets not at hand") -> str:
    """Say how many of the things of a statement are missing, as a reason."""
    return f"{stated - seen} of {stated} {what}" if seen < stated else ""


def total(evidence: Iterable[Evidence]) -> dict[str, int]:
    """Return the cells stated, tested, agreeing and undecided in several pieces of evidence together."""
    parts = list(evidence)
    return {
        name: sum(getattr(part, name) for part in parts)
        for name in ("stated", "tested", "agreeing", "undecided")
    }
