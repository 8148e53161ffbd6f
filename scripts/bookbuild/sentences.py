"""Sentences that cannot go stale: what a page says it found names the verdicts that it assumes.

In a page's source a comment stands before the heading or paragraph that rests on claims::

    <!-- rests on: pace/single-trees = inconclusive; pace/wins-* = reproduced or inconclusive -->
    ## Single trees come out where depth is free

In ``book/findings`` every entry has its ``rests``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bookbuild.sections import LABELS
from compactml import chapters
from compactml.book.findings import findings
from compactml.book.ledger import Ledger
from compactml.errors import CompactmlError
from compactml.study.judging.claims import as_frame, changed_verdicts, unfounded_verdicts
from compactml.study.recording.errors import StaleSentence
from compactml.study.recording.recorded import CLAIMS, recorded

COMMENT = re.compile(rf"<!--\s*rests on:(.*?)-->\s*{LABELS}([^\n]*)", re.DOTALL)
PAGES = ("book", "notebooks")


@dataclass(frozen=True)
class Resting:
    """A sentence of a page: where it stands, its text, and what it rests on."""

    page: str
    text: str
    rests: dict[str, tuple[str, ...]]


def resting(root: Path) -> Iterator[Resting]:
    """Find every marked sentence of the pages.

    Raises
    ------
    StaleSentence
        A comment that is not written "claim = verdict; claim = verdict or verdict".
    """
    for folder in PAGES:
        for path in sorted((root / folder).rglob("*.md")):
            for comment in COMMENT.finditer(path.read_text(encoding="utf-8")):
                page = path.relative_to(root).as_posix()
                yield Resting(page, comment[2].strip(), _rests(f"{page}: {comment[2].strip()}", comment[1]))


def _rests(where: str, text: str) -> dict[str, tuple[str, ...]]:
    found = {}
    for entry in " ".join(text.split()).split(";"):
        pattern, equals, words = (part.strip() for part in entry.partition("="))
        if not (pattern and equals and words):
            raise StaleSentence(where, f"'claim = verdict', and has {entry.strip()!r}")
        found[pattern] = tuple(word.strip() for word in words.split(" or "))
    return found


def problems(root: Path, ledger: Ledger) -> list[str]:
    """Return what is wrong with the sentences and the verdicts of the book; empty if nothing is.

    Parameters
    ----------
    root : Path
        The checkout.
    ledger : Ledger

    Returns
    -------
    list of str
        A line for every sentence that assumes what is not so, for every recorded verdict that its evidence does not
        give, and for every one that has changed since it was recorded.
    """
    wrong = [*_sentences(root, ledger), *_cards(ledger)]
    for chapter in chapters.names():
        kept = recorded(chapter, CLAIMS)
        if kept is None:
            wrong.append(
                f"{chapter}: no verdicts are recorded (compactml claims {chapter} --record --official)"
            )
            continue
        for row in unfounded_verdicts(kept).itertuples():
            wrong.append(f"claim {row.id!r}: recorded as {row.verdict}, its evidence gives {row.given}")
        for row in changed_verdicts(as_frame(ledger.of(chapter, counted=False)), kept).itertuples():
            wrong.append(f"claim {row.id!r}: recorded as {row.recorded}, now {row.now}")
    return wrong


def _sentences(root: Path, ledger: Ledger) -> Iterator[str]:
    try:
        for one in resting(root):
            try:
                ledger.require(one.text, one.rests)
            except StaleSentence as error:
                yield f"{one.page}: {error}"
    except StaleSentence as error:
        yield str(error)


def _cards(ledger: Ledger) -> Iterator[str]:
    for chapter in chapters.names():
        try:
            findings(chapter).check(ledger)
        except (CompactmlError, OSError) as error:
            yield f"book/findings, {chapter}: {error}"
