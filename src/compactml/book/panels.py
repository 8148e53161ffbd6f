"""Verdicts as HTML: a square a claim, a card a claim, and the box that opens a chapter. One colour language for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from urllib.parse import quote

from compactml.book import findings as book
from compactml.book.ledger import chapter_ledger
from compactml.study.judging.claims import Basis, Checked
from compactml.study.judging.verdicts import MEANINGS, Verdict
from compactml.study.page.picture import Html

MARKS = {
    Verdict.REPRODUCED: ("yes", "✓"),
    Verdict.WHERE_TESTABLE: ("partly", "✓"),
    Verdict.MIXED: ("mixed", "~"),
    Verdict.NOT_REPRODUCED: ("no", "✕"),
    Verdict.INCONCLUSIVE: ("open", "?"),
    Verdict.NOT_TESTABLE: ("untested", "–"),
}
"""Class and sign of each verdict; the sign serves whom the colour does not."""

FROM_CHAPTER = "../../book/scorecard.html"
"""The scorecard as a page of a chapter sees it."""

Address = Callable[[str], str]


def in_order(checked: Iterable[Checked]) -> list[Checked]:
    """Return claims from reproduced to not testable, otherwise in the order given."""
    verdicts = list(Verdict)
    return sorted(checked, key=lambda one: verdicts.index(one.evidence.verdict))


def square(verdict: Verdict) -> str:
    """Return the square of a verdict, without a link."""
    name, sign = MARKS[verdict]
    return f'<i class="cm-v cm-v-{name}" aria-hidden="true">{sign}</i>'


def chip(checked: Checked) -> str:
    """Return square and word of a claim's verdict; what is our own has no verdict."""
    if checked.claim.basis is Basis.OURS:
        return '<b class="cm-chip">our finding</b>'
    if checked.claim.basis is Basis.ERRATUM:
        if not checked.shown_wrong:
            return f'{square(checked.evidence.verdict)}<b class="cm-chip">possible erratum</b>'
        return f'{square(Verdict.NOT_REPRODUCED)}<b class="cm-chip">erratum</b>'
    verdict = checked.evidence.verdict
    word = "by construction" if checked.evidence.by_construction else verdict.value
    return f'{square(verdict)}<b class="cm-chip">{word}</b>'


def mosaic(checked: Iterable[Checked], address: Address, label: str) -> str:
    """Return a square a claim, each a link to its card."""
    squares = [
        f'<a href="{escape(address(one.claim.id))}" title="{escape(sentence)}" aria-label="{escape(sentence)}">'
        f"{square(one.evidence.verdict)}</a>"
        for one in in_order(checked)
        for sentence in (f"{one.evidence.verdict.value.capitalize()}: {one.claim.statement}",)
    ]
    return f'<div class="cm-mosaic" role="group" aria-label="{escape(label)}">{"".join(squares)}</div>'


def legend(counts: Mapping[Verdict, int], scorecard: str) -> str:
    """Return the verdicts with their numbers, each a link to its claims; its meaning is its title.

    Parameters
    ----------
    counts : dict of Verdict to int
    scorecard : str
        Address of the scorecard, a filter perhaps begun ("scorecard.html?paper=pace&").
    """
    entries = [
        f'<a href="{escape(scorecard)}verdict={quote(verdict.value)}" title="{escape(MEANINGS[verdict])}">'
        f"{square(verdict)}<span><b>{count}</b> {verdict.value}</span></a>"
        for verdict, count in counts.items()
    ]
    return f'<div class="cm-legend">{"".join(entries)}</div>'


def meanings() -> str:
    """Return what the six verdicts mean."""
    entries = [
        f"<dt>{square(verdict)} {verdict.value}</dt><dd>{text[:1].upper()}{text[1:]}.</dd>"
        for verdict, text in MEANINGS.items()
    ]
    return f'<dl class="cm-meanings">{"".join(entries)}</dl>'


def verdicts(chapter: str) -> Html:
    """Return the verdicts on a chapter's claims: a square a claim that runs decide, each a link to its card."""
    every = chapter_ledger(chapter)
    counted = every.of(chapter, basis=Basis.RUNS)
    others = len(every.of(chapter, counted=False)) - len(counted)
    address = _address(FROM_CHAPTER)
    return Html(
        f'<div class="cm-verdicts">{mosaic(counted, address, "Verdicts on the claims that runs decide")}'
        f"{legend(every.counts(counted), f'{FROM_CHAPTER}?paper={chapter}&')}"
        f'<p><a href="{FROM_CHAPTER}?paper={chapter}">All {len(counted)} claims with their evidence</a>, and {others} '
        "more: arithmetic on the printed numbers, errata, and what is our own.</p></div>"
    )


def box(chapter: str) -> str:
    """Return the box that opens a chapter: what the paper says, what we found, how sure, how it was run."""
    every = chapter_ledger(chapter)
    findings = book.findings(chapter)
    findings.check(every)
    address = _address(FROM_CHAPTER)
    lines = "".join(
        f"<dt>{label}</dt><dd>{findings.box[key].html(every, address)}</dd>"
        for key, label in book.BOX.items()
    )
    return f'<dl class="cm-box">{lines}</dl>'


def _address(scorecard: str) -> Address:
    return lambda pattern: book.claim_address(pattern, scorecard)
