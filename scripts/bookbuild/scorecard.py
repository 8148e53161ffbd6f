"""The scorecard: a card a claim, with its evidence and where to check it; and the same as JSON."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from bookbuild.front import raw
from bookbuild.sources import check_anchor, data_files
from compactml.book import panels
from compactml.book.findings import anchor
from compactml.book.ledger import Ledger
from compactml.book.tracing import commands
from compactml.book.wording import in_words
from compactml.study.judging.claims import Basis, Checked
from compactml.study.judging.evidence import SHARES, Evidence, Share
from compactml.study.judging.verdicts import Verdict

LISTS = {
    Basis.RUNS: "Tested by runs",
    Basis.ARITHMETIC: "Arithmetic on the printed numbers",
    Basis.ERRATUM: "Errata",
    Basis.OURS: "Our findings, not counted",
}
"""The lists, in order; the last also has what holds by construction."""
ABOUT = {
    Basis.RUNS: "What the papers state about experiments, tested by running them again.",
    Basis.ARITHMETIC: "What the printed numbers say of themselves; no run is needed.",
    Basis.ERRATUM: "What the papers get wrong, or seem to, each with its demonstration.",
    Basis.OURS: "Our own findings, and what cannot fail because our program is built so.",
}

SINGLE = {
    "agree": "it holds",
    "differ": "it does not hold",
    "undecided": "undecided",
    "not tested": "not tested",
}
"""What became of a single statement, by what became of a cell."""

escape = partial(html.escape, quote=False)
"""All of it stands between tags, where a quotation mark needs no five letters."""

Section = Callable[[Checked], str]


def list_of(checked: Checked) -> Basis:
    """Return the list in which a claim stands."""
    return checked.claim.basis if checked.counted else Basis.OURS


def verdict_of(checked: Checked) -> str | None:
    """Return a claim's verdict; errata are wrong, and what is ours is no claim of a paper."""
    judged = checked.claim.basis in (Basis.RUNS, Basis.ARITHMETIC)
    return checked.evidence.verdict.value if judged else None


def scorecard_page(ledger: Ledger, titles: Mapping[str, str], section: Section) -> str:
    """Return the body of the scorecard.

    Parameters
    ----------
    ledger : Ledger
    titles : dict of str to str
        Short name of each chapter's paper.
    section : callable
        Gives the address of the section that a claim belongs to, from the root of the book.
    """
    lines = [_controls(ledger, titles)]
    for basis, title in LISTS.items():
        own = [one for one in ledger.checked.values() if list_of(one) is basis]
        cards = (card(one, titles[one.claim.chapter], section(one)) for one in own)
        lines += [
            f'<section class="cm-list" data-list="{basis.name.lower()}"><h2>{title}</h2><p>{ABOUT[basis]}</p>',
            f'<div class="cm-cards">{"".join(cards)}</div></section>',
        ]
    return raw([*lines, '<script src="../_static/scorecard.js" defer></script>'])


def _controls(ledger: Ledger, titles: Mapping[str, str]) -> str:
    tabs = "".join(
        f'<button type="button" data-key="list" data-value="{basis.name.lower()}" aria-pressed="false">'
        f"{title} <span></span></button>"
        for basis, title in LISTS.items()
    )
    verdicts = "".join(
        f'<button type="button" data-key="verdict" data-value="{verdict.value}" aria-pressed="false">'
        f"{panels.square(verdict)}{verdict.value} <span></span></button>"
        for verdict in Verdict
    )
    papers = "".join(
        f'<button type="button" data-key="paper" data-value="{chapter}" aria-pressed="false">'
        f"{escape(title)} <span></span></button>"
        for chapter, title in titles.items()
    )
    orders = "".join(
        f'<option value="{value}">{text}</option>'
        for value, text in (("paper", "by paper"), ("verdict", "by verdict"), ("tested", "by share tested"))
    )
    return (
        f'<div class="cm-controls" hidden><div class="cm-tabs" role="group" aria-label="List">{tabs}</div>'
        '<div class="cm-filters"><input type="search" placeholder="Search claims" aria-label="Search claims">'
        f'<label>Sort <select aria-label="Sort claims">{orders}</select></label></div>'
        '<details class="cm-more" open><summary>Filter by verdict and paper</summary>'
        f'<div class="cm-filters" role="group" aria-label="Verdict">{verdicts}</div>'
        f'<div class="cm-filters" role="group" aria-label="Paper">{papers}</div></details>'
        '<p class="cm-shown" role="status" aria-live="polite"></p>'
        f"<details><summary>What the verdicts mean</summary>{panels.meanings()}</details></div>"
    )


def card(checked: Checked, title: str, section: str) -> str:
    """Return the card of a claim.

    Parameters
    ----------
    checked : Checked
    title : str
        Short name of the paper.
    section : str
        Address of its section from the root of the book.
    """
    claim, evidence = checked.claim, checked.evidence
    name = anchor(claim.id)
    mark = (
        "ours"
        if claim.basis is Basis.OURS
        else "no"
        if checked.shown_wrong
        else panels.MARKS[evidence.verdict][0]
    )
    data = "".join(
        f'<a href="../{file}" download>{escape(label)}</a>' for label, file in data_files(checked).items()
    )
    code = f"checks_{claim.chapter.replace('-', '_')}.html#{check_anchor(claim.code)}"
    run = escape("\n".join(commands(checked)))
    return (
        f'<article class="cm-card cm-card-{mark}" id="{name}" '
        f'data-verdict="{verdict_of(checked) or "none"}" '
        f'data-cells="{evidence.agreeing} {evidence.tested} {evidence.undecided} {evidence.stated}">'
        f"<header>{panels.chip(checked)}<span>{escape(title)} · {escape(claim.place)}</span>"
        f'<a href="#{name}" aria-label="Link to it">#</a></header>'
        f"<h3>{'The paper says: ' * (claim.basis is Basis.ERRATUM)}{escape(claim.statement)}</h3>"
        f"<p>{escape(in_words(claim.chapter, evidence.found))}</p>"
        f"{_counts(evidence)}{_shares(evidence)}"
        f"<details><summary>Why, and how it was judged</summary>{_why(checked)}</details>"
        f"<details><summary>Commands and data</summary><pre><code>{run}</code></pre>{data}</details>"
        f'<footer><a href="../{section}">section</a> <a href="{code}">code</a>'
        f'<code class="cm-id">{claim.id}</code></footer></article>'
    )


def _counts(evidence: Evidence) -> str:
    """How many cells agree, as a bar and in words."""
    untested = evidence.stated - evidence.tested - evidence.undecided
    parts = (
        ("yes", evidence.agreeing, "agree"),
        ("no", evidence.refuting, "differ"),
        ("open", evidence.undecided, "undecided"),
        ("untested", untested, "not tested"),
    )
    bar = "".join(f'<i class="{name}" style="flex:{count}"></i>' for name, count, _ in parts if count)
    if evidence.stated == 1:
        (what,) = (SINGLE[word] for _, count, word in parts if count)
        text = f"One statement: {what}"
    else:
        text = f"Of {evidence.stated}: " + ", ".join(f"{count} {word}" for _, count, word in parts if count)
    return f'<div class="cm-bar">{bar}</div><small>{text}</small>'


def _shares(evidence: Evidence) -> str:
    parts = [f"{name} {share}" for name in SHARES if (share := getattr(evidence.coverage, name)) is not None]
    return f"<small>{escape(' · '.join(parts))}</small>" if parts else ""


def _why(checked: Checked) -> str:
    claim, evidence = checked.claim, checked.evidence
    entries = {
        "Explained by": evidence.reason,
        "Refutes nothing because": evidence.doubt,
        "Setting that we inferred": evidence.inferred,
        "Holds by construction": evidence.by_construction,
        "Counts as agreement": f"{claim.tolerance} ({claim.tolerance_origin})",
    }
    lines = (
        f"<dt>{label}</dt><dd>{escape(in_words(claim.chapter, text))}</dd>"
        for label, text in entries.items()
        if text
    )
    return f"<dl>{''.join(lines)}</dl>"


def as_json(ledger: Ledger, section: Section) -> str:
    """Return all claims for machines, in the order of the page."""
    return json.dumps(
        [_entry(one, section(one)) for one in ledger.checked.values()], indent=1, ensure_ascii=False
    )


def _entry(checked: Checked, section: str) -> dict[str, Any]:
    claim, evidence = checked.claim, checked.evidence
    return {
        "id": claim.id,
        "link": f"book/scorecard.html#{anchor(claim.id)}",
        "chapter": claim.chapter,
        "list": str(list_of(checked)),
        "counted": checked.counted,
        "place": claim.place,
        "statement": claim.statement,
        "verdict": verdict_of(checked),
        "stated": evidence.stated,
        "tested": evidence.tested,
        "agreeing": evidence.agreeing,
        "undecided": evidence.undecided,
        **{name: _share(getattr(evidence.coverage, name)) for name in SHARES},
        "found": evidence.found,
        "reason": evidence.reason,
        "doubt": evidence.doubt,
        "inferred": evidence.inferred,
        "by_construction": evidence.by_construction,
        "tolerance": claim.tolerance,
        "tolerance_origin": claim.tolerance_origin,
        "section": section,
        "files": list(data_files(checked).values()),
        "code": claim.code,
        "commands": commands(checked),
    }


def _share(share: Share | None) -> dict[str, Any] | None:
    return None if share is None else {"ours": share.ours, "paper": share.paper, "unit": share.unit}


def codes(checked: Iterable[Checked]) -> list[str]:
    """Return the dotted names of the checks, in order, each once."""
    return list(dict.fromkeys(one.claim.code for one in checked))
