"""All claims of all chapters, checked once: what sentences of the book rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from compactml import chapters
from compactml.study.judging.claims import Basis, Checked, check_claims
from compactml.study.judging.evidence import SHARES, total
from compactml.study.judging.verdicts import Verdict
from compactml.study.recording.errors import StaleSentence
from compactml.study.recording.tables import claim_tables


@dataclass(frozen=True)
class Ledger:
    """Checked claims by id, in the order of the chapters.

    Attributes
    ----------
    checked : dict of str to Checked
    """

    checked: Mapping[str, Checked]

    def matching(self, pattern: str, sentence: str = "") -> list[Checked]:
        """Return the claims whose id matches ``pattern`` ("pace/single-trees", "pace/wins-*").

        Raises
        ------
        StaleSentence
            There are none; ``sentence`` is what names them.
        """
        found = [one for id, one in self.checked.items() if fnmatchcase(id, pattern)]
        if not found:
            raise StaleSentence(sentence, f"the claim {pattern!r}, which does not exist")
        return found

    def of(self, chapter: str, *, counted: bool = True, basis: Basis | None = None) -> list[Checked]:
        """Return the claims of a chapter, those that are counted or all, of one basis or of all."""
        return [
            item
            for item in self.checked.values()
            if item.claim.chapter == chapter
            and (item.counted or not counted)
            and basis in (None, item.claim.basis)
        ]

    def require(self, sentence: str, rests: Mapping[str, Iterable[str]]) -> None:
        """Check that claims have the verdicts that a sentence assumes.

        Parameters
        ----------
        sentence : str
            Named in the error.
        rests : mapping of str to iterable of str
            Verdicts that the sentence allows, by pattern of the ids.

        Raises
        ------
        StaleSentence
            A claim has another verdict, does not exist, or a verdict is none of the six.
        """
        for pattern, allowed in rests.items():
            words = set(allowed)
            unknown = words - {verdict.value for verdict in Verdict}
            if unknown or not words:
                raise StaleSentence(
                    sentence, f"{pattern} = {', '.join(sorted(unknown))!r}, which is no verdict"
                )
            for item in self.matching(pattern, sentence):
                verdict = item.evidence.verdict
                if verdict not in words:
                    raise StaleSentence(
                        sentence, f"{item.claim.id} = {' or '.join(sorted(words))}; it is {verdict.value}"
                    )

    def numbers(self, pattern: str, sentence: str = "") -> dict[str, str]:
        """Return what a sentence may say of the claims of a pattern: counts, shares, and their own numbers.

        Counts are added up; shares and named numbers are those of the first claim that has them.
        """
        found = [one.evidence for one in self.matching(pattern, sentence)]
        numbers = {name: f"{count:,}" for name, count in total(found).items()}
        numbers["claims"] = str(len(found))
        for evidence in reversed(found):
            numbers |= evidence.numbers
            shares = {name: getattr(evidence.coverage, name) for name in SHARES}
            numbers |= {name: str(share) for name, share in shares.items() if share is not None}
        return numbers

    def counts(self, checked: Iterable[Checked] | None = None) -> dict[Verdict, int]:
        """Return how many claims have each verdict; by default of all those that runs decide and that count."""
        chosen = self.counted() if checked is None else checked
        found = Counter(one.evidence.verdict for one in chosen)
        return {verdict: found[verdict] for verdict in Verdict}

    def counted(self, basis: Basis = Basis.RUNS) -> list[Checked]:
        """Return the claims of one basis, of all chapters, that are counted."""
        return [one for one in self.checked.values() if one.counted and one.claim.basis is basis]


@cache
def chapter_ledger(chapter: str) -> Ledger:
    """Check all claims of a chapter on its recorded tables; once in a process.

    Raises
    ------
    UnknownChapter
    """
    found = chapters.chapter(chapter)
    return Ledger({one.claim.id: one for one in check_claims(found.claims, claim_tables(found))})


def ledger() -> Ledger:
    """Check all claims of all chapters on the recorded tables; once in a process."""
    return Ledger(
        {
            id: one
            for found in chapters.every_chapter()
            for id, one in chapter_ledger(found.name).checked.items()
        }
    )
