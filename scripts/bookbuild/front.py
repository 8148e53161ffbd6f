"""The first minute: the front page with its five cards, and the findings page."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import version

from bookbuild.project import Project
from bookbuild.repository import commit_address
from compactml.book import panels
from compactml.book.findings import LINES, SECTIONS, Findings, claim_address
from compactml.book.ledger import Ledger
from compactml.book.wording import in_words
from compactml.study.judging.claims import Basis, Checked
from compactml.study.judging.verdicts import Verdict

SCORECARD = "scorecard.html"
QUESTION = (
    "How much smaller can a forest, a rule set or a set of features become without losing what it knows? "
    "Five papers answer with integer programming. "
    "We ran them again, and this is what held; the methods are a Python library."
)
DOORS = (
    ("findings.html", "Read", "the findings on one page"),
    (SCORECARD, "Check", "a claim, a number, its evidence"),
    ("use.html", "Use it", "on your data"),
    ("reexecute.html", "Re-execute", "a chapter"),
)


def address(pattern: str) -> str:
    """Return the link of a claim, or of a pattern of claims, from a page of the folder ``book``."""
    return claim_address(pattern, SCORECARD)


def raw(html: Iterable[str]) -> str:
    """Wrap lines of HTML for a page in MyST."""
    return "\n".join(["```{raw} html", *html, "```", ""])


def front_page(
    papers: Iterable[tuple[Findings, str]], ledger: Ledger, source: str | None, commit: tuple[str, str]
) -> str:
    """Return the body of the front page.

    Parameters
    ----------
    papers : iterable of (Findings, str)
        With the address of each chapter's first page from the root of the book.
    ledger : Ledger
    source : str or None
        Address of the archive with the source.
    commit : (str, str)
        Short hash and day.
    """
    cards = (_card(found, page, ledger) for found, page in papers)
    doors = "".join(f'<a href="{page}"><b>{verb}</b> {what}</a>' for page, verb, what in DOORS)
    errata, possible = parted(ledger.counted(Basis.ERRATUM))
    wrong, sums = (
        f'<a href="{SCORECARD}?list={basis.name.lower()}">{count} {what}</a>'
        for basis, count, what in (
            (Basis.ERRATUM, len(errata), "errata"),
            (Basis.ARITHMETIC, len(ledger.counted(Basis.ARITHMETIC)), "claims"),
        )
    )
    perhaps = f", {len(possible)} that look so and stay open" if possible else ""
    return raw(
        [
            '<div class="cm-front">',
            f'<p class="cm-lead">{escape(QUESTION)}</p>',
            f'<div class="cm-papers">{"".join(cards)}</div>',
            f'<div class="cm-key">{panels.legend(ledger.counts(), f"{SCORECARD}?")}',
            f"<p>{held(ledger)} A square is one claim, with its evidence behind it "
            '(<a href="findings.html#what-the-verdicts-mean">what the verdicts mean</a>). '
            f"Besides: {wrong}, wrong by logic or by other printed numbers{perhaps}, and {sums} checked by "
            "arithmetic.</p>",
            "</div>",
            f'<nav class="cm-doors" aria-label="Where to go">{doors}</nav>',
            f'<p class="cm-about">{about(source, commit)}</p>',
            "</div>",
        ]
    )


def held(ledger: Ledger) -> str:
    """Return the verdicts in a sentence."""
    counts = ledger.counts()
    good = counts[Verdict.REPRODUCED] + counts[Verdict.WHERE_TESTABLE]
    undecided = counts[Verdict.INCONCLUSIVE] + counts[Verdict.NOT_TESTABLE]
    return (
        f"Of {sum(counts.values())} claims, tested by running them again, {good} held as far as they could be "
        f"decided and {undecided} stay undecided."
    )


def about(source: str | None, commit: tuple[str, str]) -> str:
    """Return version, day, and where the source is."""
    short, day = commit
    link = commit_address(short)
    said = f'commit <a href="{link}">{short}</a>' if link else f"commit {short}"
    parts = [f"Version {version('compactml')}", day, said]
    if source:
        parts.append(f'<a href="../{source}" download>source of this book (tar.gz)</a>')
    rest = (
        '<a href="cite.html">how to cite</a>',
        '<a href="licence.html">licences, and how to report an error</a>',
    )
    return " · ".join([*parts, *rest])


def _card(found: Findings, page: str, ledger: Ledger) -> str:
    claims = ledger.of(found.chapter, basis=Basis.RUNS)
    lines = "".join(
        f'<dt class="cm-line-{key}">{label}</dt><dd>{found.card[key].html(ledger, address)}</dd>'
        for key, label in LINES.items()
    )
    everything = f"{SCORECARD}?paper={found.chapter}"
    errata, possible = parted(ledger.of(found.chapter, basis=Basis.ERRATUM))
    said = ", ".join(filter(None, (_counted(errata, ""), _counted(possible, "possible ")))) or "no errata"
    wrong = f'<a href="{everything}&amp;list=erratum">{said}</a>'
    return (
        f'<section class="cm-paper"><h2><a href="../{page}.html">{escape(found.title)}</a></h2>'
        f'<p class="cm-by">{escape(found.authors)}, {found.year}</p><dl>{lines}</dl>'
        f'<p class="cm-count"><a href="{everything}">{len(claims)} claims</a>, {wrong}</p>'
        f"{panels.mosaic(claims, address, f'Verdicts on {found.title}')}</section>"
    )


def _counted(errata: Sequence[Checked], kind: str) -> str:
    """Return "2 possible errata"; nothing where there is none."""
    return f"{len(errata)} {kind}{'erratum' if len(errata) == 1 else 'errata'}" if errata else ""


def findings_page(papers: Iterable[tuple[Findings, str]], ledger: Ledger) -> str:
    """Return the findings page: each paper in five answers, then the errata of all papers.

    Parameters
    ----------
    papers, ledger
        As for `front_page`.
    """
    every = list(papers)
    lines: list[str] = []
    for found, page in every:
        claims = ledger.of(found.chapter, basis=Basis.RUNS)
        lines += [f"## {found.title}", ""]
        lines += [f"{found.authors}, {found.year}. {{doc}}`The chapter </{page}>`.", ""]
        lines += [raw([panels.mosaic(claims, address, f"Verdicts on {found.title}")])]
        for key, label in SECTIONS.items():
            lines += [f"**{label}.** {found.findings[key].html(ledger, address)}", ""]
    lines += ["## What the verdicts mean", "", raw([panels.meanings()])]
    lines += ["## What the papers get wrong", ""]
    lines += ["Each statement below is the paper's, in our words.", "Why it is wrong follows it.", ""]
    for found, _ in every:
        errata, possible = parted(ledger.of(found.chapter, basis=Basis.ERRATUM))
        if errata or possible:
            lines += [f"### {found.title}", ""]
        if errata:
            lines += [raw(["<dl class='cm-errata'>", *map(_erratum, errata), "</dl>"])]
        if possible:
            lines += ["These look wrong, and stay open:", ""]
            lines += [raw(["<dl class='cm-errata'>", *map(_erratum, possible), "</dl>"])]
    return "\n".join(lines)


def parted(errata: Iterable[Checked]) -> tuple[list[Checked], list[Checked]]:
    """Return the errata that are shown to be wrong, and those that something leaves open."""
    every = list(errata)
    return [one for one in every if one.shown_wrong], [one for one in every if not one.shown_wrong]


def _erratum(checked: Checked) -> str:
    claim, evidence = checked.claim, checked.evidence
    parts = [evidence.found, evidence.reason]
    if not checked.shown_wrong and evidence.doubt:
        parts.append(f"It stays open: {evidence.doubt}")
    why = " ".join(escape(_sentence(in_words(claim.chapter, text))) for text in parts if text)
    return (
        f'<dt>The paper says (<a href="{address(claim.id)}">{escape(claim.place)}</a>): {escape(claim.statement)}.</dt>'
        f"<dd>{why}</dd>"
    )


def _sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "?", "!")) or not text else ".")


def commit_of(project: Project) -> tuple[str, str]:
    """Return short hash and day of the commit that is built; "unknown" outside a checkout."""
    answer = subprocess.run(
        ["git", "log", "-1", "--format=%h %cs"], cwd=project.root, capture_output=True, text=True
    )
    short, _, day = answer.stdout.strip().partition(" ")
    return short or "unknown", day or "day unknown"
