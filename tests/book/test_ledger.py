"""Sentences of the book hold only as long as the verdicts that they name."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from compactml.book.findings import BOX, LINES, SECTIONS, Sentence, claim_address, findings
from compactml.book.ledger import Ledger
from compactml.book.panels import MARKS, chip, in_order, legend, mosaic
from compactml.study.judging.claims import Basis, Checked, Claim
from compactml.study.judging.evidence import Coverage, Evidence, Share
from compactml.study.judging.verdicts import Verdict
from compactml.study.recording.errors import StaleSentence, WithoutEvidence

YES = Evidence(4, 3, 0, "three", coverage=Coverage(Share(3, 4, "datasets")), numbers={"factor": "12"})
NO = Evidence(1, 0, 1, "none")


def checked(id: str, evidence: Evidence, basis: Basis = Basis.RUNS) -> Checked:
    claim = Claim(
        id, id.split("/")[0], "Table 1", f"Statement <{id}>", "exact", "prose", lambda _: evidence, basis
    )
    return Checked(claim, evidence, (), ())


LEDGER = Ledger(
    {
        one.claim.id: one
        for one in (checked("toy/no", NO), checked("toy/yes", YES), checked("toy/ours", YES, Basis.OURS))
    }
)


def sentence(text: str, **rests: str) -> Sentence:
    return Sentence(text, {name.replace("__", "/"): (verdict,) for name, verdict in rests.items()})


def test_a_sentence_stands_while_its_verdicts_do() -> None:
    sentence("It held.", toy__yes="reproduced where testable").check(LEDGER)
    with pytest.raises(StaleSentence, match=r"'It held\.'.*toy/no = reproduced; it is not reproduced"):
        sentence("It held.", toy__no="reproduced").check(LEDGER)
    Sentence("Either.", {"toy/no": ("mixed", "not reproduced")}).check(LEDGER)
    with pytest.raises(StaleSentence, match="toy/no"):
        Sentence("All of them.", {"toy/*": ("reproduced where testable",)}).check(LEDGER)


@pytest.mark.parametrize(
    ("text", "rests", "says"),
    [
        ("Who?", {"toy/nobody": ("mixed",)}, "the claim 'toy/nobody', which does not exist"),
        ("What?", {"toy/yes": ("holds",)}, "'holds', which is no verdict"),
        ("[x](claim:toy/nobody)", {}, "does not exist"),
        ("[{nothing}](claim:toy/yes)", {}, "the number 'nothing'"),
        ("[{}](claim:toy/yes)", {}, "the number"),
    ],
)
def test_a_sentence_that_names_what_is_not_there_is_refused(
    text: str, rests: dict[str, tuple[str]], says: str
) -> None:
    with pytest.raises(StaleSentence, match=says) as caught:
        Sentence(text, rests).check(LEDGER)
    assert text in str(caught.value)


def test_numbers_come_from_the_evidence() -> None:
    text = (
        "It held in [{agreeing} of {tested}](claim:toy/*) cells & [{factor} times](claim:toy/yes) on {data}."
    )
    found = Sentence(text.replace(" on {data}", ""), {})
    assert found.without_links(LEDGER) == "It held in 6 of 7 cells & 12 times."
    html = found.html(LEDGER, lambda pattern: f"#{pattern}")
    assert '<a href="#toy/*">6 of 7</a> cells &amp; <a href="#toy/yes">12 times</a>.' in html
    assert Sentence("[{data}](claim:toy/yes)", {}).without_links(LEDGER) == "3 of 4 datasets"


def test_links_are_permanent() -> None:
    assert claim_address("pace/single-trees", "scorecard.html") == "scorecard.html#pace.single-trees"
    assert claim_address("pace/wins-*", "scorecard.html") == "scorecard.html?find=pace/wins-"


def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **changes: str) -> None:
    """Findings of a toy chapter; a part or an entry can be replaced."""
    text = changes.pop("text", "It held.")
    lines = ["title: Toy", "authors: A and B", "year: 2020", f"figure: {{text: '{text}', rests: {{}}}}"]
    for part, keys in (("card", LINES), ("box", BOX), ("findings", SECTIONS)):
        lines += [f"{part}:", *(f"  {key}: {{text: '{text}', rests: {{}}}}" for key in keys)]
    content = "\n".join(lines)
    for old, new in changes.items():
        content = content.replace(old, new)
    (tmp_path / "data" / "published").mkdir(parents=True)
    (tmp_path / "book" / "findings").mkdir(parents=True)
    (tmp_path / "book" / "findings" / "toy.yml").write_text(content)
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))


def test_findings_are_read_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file(tmp_path, monkeypatch)
    found = findings("toy")
    found.check(LEDGER)
    assert (found.title, found.year, list(found.card)) == ("Toy", 2020, list(LINES))
    assert len(list(found.sentences())) == 1 + len(LINES) + len(BOX) + len(SECTIONS)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"year": "yaer"}, "the entries .*'year'"),
        ({"  says": "  said"}, "toy.yml, card"),
        ({"rests: {}": "rest: {}"}, "a text and what it rests on"),
    ],
)
def test_findings_with_a_slip_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str], says: str
) -> None:
    file(tmp_path, monkeypatch, **changes)
    with pytest.raises(StaleSentence, match=says):
        findings("toy")


@pytest.mark.parametrize(
    ("text", "says"),
    [("word " * 17, "at most 16 words"), ("It held on 9 of them.", "a number that is typed")],
)
def test_long_lines_and_typed_numbers_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str
) -> None:
    file(tmp_path, monkeypatch, text=text)
    with pytest.raises(StaleSentence, match=says):
        findings("toy").check(LEDGER)


def test_the_number_of_a_table_may_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file(tmp_path, monkeypatch, text="Table 2 and Algorithm 4 of F1.")
    findings("toy").check(LEDGER)


def test_counts_and_squares() -> None:
    assert LEDGER.counts()[Verdict.NOT_REPRODUCED] == 1
    assert sum(LEDGER.counts().values()) == 2  # ours is not counted
    assert [one.claim.id for one in LEDGER.of("toy")] == ["toy/no", "toy/yes"]
    assert len(LEDGER.of("toy", counted=False)) == 3
    squares = mosaic(in_order(LEDGER.of("toy")), lambda id: f"#{id}", "Toy")
    assert squares.index("#toy/yes") < squares.index("#toy/no")
    assert "Statement &lt;toy/no&gt;" in squares
    assert squares.count("<a ") == 2
    shown = legend(LEDGER.counts(), "scorecard.html?paper=toy&")
    assert "<b>1</b> not reproduced" in shown
    assert 'href="scorecard.html?paper=toy&amp;verdict=not%20reproduced"' in shown


def test_an_erratum_that_something_leaves_open_is_not_called_wrong() -> None:
    open_one = Evidence.of_statement(False, "the copy has none", doubt="a line is missing")
    wrong, possible = (
        checked(f"toy/{name}", one, Basis.ERRATUM) for name, one in (("a", NO), ("b", open_one))
    )
    assert (wrong.shown_wrong, possible.shown_wrong) == (True, False)
    assert MARKS[Verdict.NOT_REPRODUCED][0] in chip(wrong)
    assert MARKS[Verdict.NOT_REPRODUCED][0] not in chip(possible)
    assert "possible erratum" in chip(possible)
    assert not checked("toy/runs", NO).shown_wrong


def test_every_verdict_has_a_colour_and_a_sign_of_its_own() -> None:
    assert set(MARKS) == set(Verdict)
    assert len({name for name, _ in MARKS.values()}) == len(Verdict)
    assert len({sign for _, sign in MARKS.values()}) == len(Verdict) - 1  # both green ones are ticks


@pytest.mark.parametrize("error", [StaleSentence("a", "b"), WithoutEvidence("a", "b", "c")])
def test_errors_pickle(error: Exception) -> None:
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
