"""The build fails, naming the sentence, when a verdict no longer is what the sentence assumes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import pytest

import build_book
from bookbuild import sentences
from bookbuild.project import Project
from bookbuild.sections import find, sections
from bookbuild.sentences import problems, resting
from compactml.book.ledger import Ledger, ledger
from compactml.study.judging.claims import as_frame
from compactml.study.recording.recorded import recorded

ROOT = Path(__file__).resolve().parents[2]


def page(root: Path, text: str) -> Path:
    folder = root / "notebooks" / "toy"
    folder.mkdir(parents=True)
    (folder / "02_reproduction.md").write_text(text, encoding="utf-8")
    return root


def test_the_book_says_what_is_so() -> None:
    assert problems(ROOT, ledger()) == []


def test_marked_sentences_are_found(tmp_path: Path) -> None:
    text = (
        "# A title\n\n<!-- rests on: pace/a = mixed; pace/b-* = reproduced or\n  inconclusive -->\n"
        "## Single trees come out\n\nText. <!-- another comment -->\n"
    )
    (one,) = resting(page(tmp_path, text))
    assert (one.page, one.text) == ("notebooks/toy/02_reproduction.md", "## Single trees come out")
    assert one.rests == {"pace/a": ("mixed",), "pace/b-*": ("reproduced", "inconclusive")}


@pytest.mark.parametrize(
    ("rests", "says"),
    [
        ("pace/single-trees = inconclusive", "it is reproduced"),
        ("pace/no-such-claim = mixed", "does not exist"),
        ("pace/single-trees = holds", "which is no verdict"),
        ("pace/single-trees", "'claim = verdict'"),
    ],
)
def test_a_stale_sentence_is_named(tmp_path: Path, rests: str, says: str) -> None:
    root = page(tmp_path, f"<!-- rests on: {rests} -->\n## One tree is enough\n")
    (wrong,) = problems(root, ledger())
    assert wrong.startswith("notebooks/toy/02_reproduction.md: ") or "02_reproduction.md: ## One" in wrong
    assert "## One tree is enough" in wrong
    assert says in wrong


def test_a_verdict_that_changes_fails_the_build_with_every_sentence_that_rests_on_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = ledger()
    id = "pace/single-trees"
    other = replace(
        every.checked[id].evidence, agreeing=0, differing=every.checked[id].evidence.stated, inconclusive=0
    )
    changed = Ledger({**every.checked, id: replace(every.checked[id], evidence=other)})
    monkeypatch.setattr(build_book, "ledger", lambda: changed)
    with pytest.raises(click.ClickException) as caught:
        build_book.refuse_stale_sentences(Project(ROOT))
    assert f"claim '{id}': recorded as reproduced, now inconclusive" in caught.value.message


def test_a_recorded_verdict_that_its_evidence_does_not_give_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def tampered(chapter: str, id: str) -> object:
        card = recorded(chapter, id)
        assert card is not None
        if chapter == "pace":
            card.loc[card["id"] == "pace/single-trees", "verdict"] = "inconclusive"
        return card

    monkeypatch.setattr(sentences, "recorded", tampered)
    wrong = problems(ROOT, ledger())
    assert "claim 'pace/single-trees': recorded as inconclusive, its evidence gives reproduced" in wrong
    assert "claim 'pace/single-trees': recorded as inconclusive, now reproduced" in wrong


def test_every_claim_is_recorded_with_its_evidence() -> None:
    for chapter in {one.claim.chapter for one in ledger().checked.values()}:
        kept = recorded(chapter, "claims")
        now = as_frame(ledger().of(chapter, counted=False))
        assert kept is not None
        assert kept["id"].to_list() == now["id"].to_list()
        for name in ("stated", "agreeing", "differing", "inconclusive"):
            assert kept[name].to_list() == now[name].to_list(), name


def test_a_table_is_found_where_a_page_names_it() -> None:
    text = "\n\n".join(
        [
            "# Title",
            "## First $K$ `x`",
            "show('table_10')",
            "```\n# no heading\n'table_1'\n```",
            "## First K x",
            "'fig_2'",
        ]
    )
    found = list(sections("notebooks/toy/02", text))
    assert [one.anchor for one in found] == ["title", "first-k-x", "first-k-x-2"]
    assert find(found, ["table_1"]).address == "notebooks/toy/02.html#first-k-x"
    assert find(found, ["nothing", "fig_2"]).anchor == "first-k-x-2"
    assert find(found, ["nothing"]).anchor == "title"
    named = list(sections("p", "# A\n\n<!-- toy/one-more -->\n\n# B\n\n<!-- claims: toy/one, toy/two -->\n"))
    assert [find(named, [id]).anchor for id in ("toy/one", "toy/two", "toy/one-more")] == ["b", "b", "a"]


@pytest.mark.parametrize("label", ["", "(toy-b)=\n"])
def test_what_a_heading_rests_on_is_found_below_it(label: str) -> None:
    comment = "<!-- rests on: toy/one = mixed;\n  toy/two = mixed -->"
    text = f"# A\n\nText.\n\n{comment}\n\n{label}## B\n\nText.\n"
    named = list(sections("p", text))
    assert [find(named, [id]).anchor for id in ("toy/one", "toy/two")] == ["b", "b"]
    assert "rests on" not in named[0].source
