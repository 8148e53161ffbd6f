"""What the book says it found, from ``book/findings/<chapter>.yml``: sentences that name the claims they rest on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from compactml.book.ledger import Ledger
from compactml.study.recording.errors import StaleSentence
from compactml.study.recording.published import folder_name, home

FOLDER = Path("book") / "findings"
LINES = {"says": "The paper says", "held": "Held", "not": "Did not", "new": "New here"}
"""The lines of a card, with their labels."""
BOX = {"says": "The paper says", "found": "We found", "sure": "How sure", "run": "How it was run"}
SECTIONS = {
    "says": "What it claims",
    "held": "What held",
    "not": "What did not",
    "new": "What is new",
    "sure": "How sure we are",
}
PARTS = {"card": LINES, "box": BOX, "findings": SECTIONS}
WORDS_OF_A_LINE = 16
"""A line of a card has no more words than these: a stranger reads five cards in a minute."""
LINK = re.compile(r"\[([^\]]+)\]\(claim:([^)\s]+)\)")
NAMED = ("Algorithm", "Algorithms", "Table", "Tables", "Fig", "Figs", "Section", "Proposition", "Problem")
LOOSE_NUMBER = re.compile("".join(rf"(?<!{name} )" for name in NAMED) + r"(?<![\w{])\d")
"""A number that is typed, and not the number of a table."""


@dataclass(frozen=True)
class Sentence:
    """A text, and the verdicts that it assumes.

    Attributes
    ----------
    text : str
        ``[{agreeing} of {tested}](claim:ID)`` becomes a link to the claim, with numbers from its evidence.
    rests : dict of str to tuple of str
        Verdicts that are assumed, by claim or by pattern of claims.
    """

    text: str
    rests: Mapping[str, tuple[str, ...]]

    def check(self, ledger: Ledger) -> None:
        """Raise `StaleSentence` unless all that the sentence assumes is so."""
        ledger.require(self.text, self.rests)
        for link in LINK.finditer(self.text):
            ledger.matching(link[2], self.text)
        self.html(ledger, lambda pattern: pattern)

    def html(self, ledger: Ledger, address: Callable[[str], str]) -> str:
        """Return the text as HTML; ``address`` gives the link of a claim or pattern.

        Raises
        ------
        StaleSentence
            A number or a claim that is named does not exist.
        """
        parts, end = [], 0
        for link in LINK.finditer(self.text):
            parts.append(escape(self.text[end : link.start()], quote=False))
            label = _filled(link[1], ledger.numbers(link[2], self.text), self.text)
            parts.append(f'<a href="{escape(address(link[2]))}">{escape(label, quote=False)}</a>')
            end = link.end()
        return "".join(parts) + escape(self.text[end:], quote=False)

    def without_links(self, ledger: Ledger) -> str:
        """Return the text without links."""
        return LINK.sub(
            lambda link: _filled(link[1], ledger.numbers(link[2], self.text), self.text), self.text
        )


def _filled(label: str, numbers: Mapping[str, str], sentence: str) -> str:
    try:
        return label.format(**numbers)
    except (KeyError, IndexError, ValueError) as error:
        raise StaleSentence(
            sentence, f"the number {error}; there are {', '.join(sorted(numbers))}"
        ) from error


@dataclass(frozen=True)
class Findings:
    """What the book says of one paper.

    Attributes
    ----------
    chapter, title, authors : str
    year : int
    figure : Sentence
        What is to be seen in the figure that opens the chapter.
    card, box, findings : dict of str to Sentence
        By the keys of `LINES`, `BOX` and `SECTIONS`.
    """

    chapter: str
    title: str
    authors: str
    year: int
    figure: Sentence
    card: Mapping[str, Sentence]
    box: Mapping[str, Sentence]
    findings: Mapping[str, Sentence]

    def sentences(self) -> Iterator[Sentence]:
        """Yield all sentences."""
        yield self.figure
        for part in PARTS:
            yield from getattr(self, part).values()

    def check(self, ledger: Ledger) -> None:
        """Check every sentence, and that the lines of the card are short.

        Raises
        ------
        StaleSentence
            A sentence assumes what is not so, types a number, or is too long for a card.
        """
        for sentence in self.sentences():
            sentence.check(ledger)
            if LOOSE_NUMBER.search(LINK.sub("", sentence.text)):
                raise StaleSentence(sentence.text, "a number that is typed; let a claim give it")
        for sentence in self.card.values():
            words = len(sentence.without_links(ledger).split())
            if words > WORDS_OF_A_LINE:
                raise StaleSentence(
                    sentence.text, f"at most {WORDS_OF_A_LINE} words of a card; it has {words}"
                )


def findings(chapter: str) -> Findings:
    """Return what the book says of a chapter's paper, unchecked.

    Raises
    ------
    StaleSentence
        The file lacks a part or has one too many.
    """
    path = home() / FOLDER / f"{folder_name(chapter)}.yml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    parts = {name: _part(path, name, content.pop(name, {}), keys) for name, keys in PARTS.items()}
    figure = _sentence(f"{path.name}, figure", content.pop("figure", None))
    names = {"title", "authors", "year"}
    if set(content) != names:
        raise StaleSentence(str(path.name), f"the entries {sorted(names)}; it has {sorted(content)}")
    title, authors, year = (content[name] for name in ("title", "authors", "year"))
    return Findings(chapter, title, authors, year, figure, parts["card"], parts["box"], parts["findings"])


def _part(path: Path, part: str, given: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Sentence]:
    if set(given) != set(keys):
        raise StaleSentence(f"{path.name}, {part}", f"the entries {sorted(keys)}; it has {sorted(given)}")
    return {key: _sentence(f"{path.name}, {part}, {key}", given[key]) for key in keys}


def _sentence(where: str, given: Any) -> Sentence:
    if not isinstance(given, dict) or set(given) != {"text", "rests"}:
        raise StaleSentence(where, f"a text and what it rests on; it is {given!r}")
    rests = {
        str(id): tuple(verdict if isinstance(verdict, list) else [verdict])
        for id, verdict in (given["rests"] or {}).items()
    }
    return Sentence(" ".join(given["text"].split()), rests)


def claim_address(pattern: str, to_scorecard: str) -> str:
    """Return the link of a claim on the scorecard, or of the filter that shows the claims of a pattern."""
    if "*" in pattern:
        return f"{to_scorecard}?find={quote(pattern.split('*')[0], safe='/')}"
    return f"{to_scorecard}#{anchor(pattern)}"


def anchor(id: str) -> str:
    """Return the permanent anchor of a claim's card."""
    return id.replace("/", ".")
