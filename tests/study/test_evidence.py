"""The rule of verdicts against the words of its definition, on every small table of evidence."""

from __future__ import annotations

from fractions import Fraction

import pytest

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.study.judging.evidence import Coverage, Evidence, Share, total
from compactml.study.judging.verdicts import MEANINGS, Verdict, verdict_of

MOST = 7
TABLES = [
    (stated, agreeing, differing, inconclusive)
    for stated in range(1, MOST + 1)
    for agreeing in range(stated + 1)
    for differing in range(stated + 1 - agreeing)
    for inconclusive in range(stated + 1 - agreeing - differing)
]


def by_the_words(stated: int, agreeing: int, differing: int, inconclusive: int) -> str:
    """The definition, said once more, cell by cell and with shares instead of products."""
    cells = ["agrees"] * agreeing + ["differs"] * differing + ["open"] * inconclusive
    cells += ["untested"] * (stated - len(cells))
    tested = [cell for cell in cells if cell in ("agrees", "differs")]
    half = Fraction(1, 2)
    if Fraction(len(tested), stated) < half:
        seen = [cell for cell in cells if cell != "untested"]
        some = "open" in seen and Fraction(len(seen), stated) >= half
        return "inconclusive" if some else "not testable"
    share = Fraction(tested.count("agrees"), len(tested))
    if share == 1:
        return "reproduced" if tested == cells else "reproduced where testable"
    return "mixed" if share >= half else "not reproduced"


def test_the_rule_is_its_words_on_every_small_table() -> None:
    assert len(TABLES) == 329
    for table in TABLES:
        assert verdict_of(*table) == by_the_words(*table), table


def test_every_verdict_occurs_and_has_a_meaning() -> None:
    assert {verdict_of(*table) for table in TABLES} == set(Verdict) == set(MEANINGS)


def test_an_inferred_setting_makes_every_disagreement_inconclusive() -> None:
    for stated, agreeing, differing, inconclusive in TABLES:
        found = Evidence(
            stated, agreeing, differing, "x", "y", inconclusive, doubt="noise", inferred="alpha is ours"
        )
        assert found.verdict == by_the_words(stated, agreeing, 0, inconclusive + differing)
        assert (found.tested, found.undecided) == (agreeing, inconclusive + differing)
        assert found.verdict not in (Verdict.NOT_REPRODUCED, Verdict.MIXED)


def test_more_agreement_never_makes_a_verdict_worse() -> None:
    order = list(Verdict)
    for stated, agreeing, differing, inconclusive in TABLES:
        if differing and verdict_of(stated, agreeing, differing, inconclusive) != Verdict.INCONCLUSIVE:
            before = verdict_of(stated, agreeing, differing, inconclusive)
            after = verdict_of(stated, agreeing + 1, differing - 1, inconclusive)
            assert order.index(after) <= order.index(before)


def test_cells_are_counted() -> None:
    found = Evidence.of_cells(
        [True, False, False], "x", stated=5, doubtful=[True, True, False], doubt="noise"
    )
    assert (found.stated, found.agreeing, found.differing, found.inconclusive) == (5, 1, 1, 1)
    assert found.doubt == "noise"
    sure = Evidence.of_cells([True, True], "x", doubtful=[True, True], doubt="noise")
    assert (sure.verdict, sure.doubt) == (Verdict.REPRODUCED, "")  # what agrees needs no doubt
    with pytest.raises(InvalidDataError, match="one value for each of 2 cells"):
        Evidence.of_cells([True, False], "x", doubtful=[True])


@pytest.mark.parametrize(
    ("true", "doubt", "verdict"),
    [
        (True, "", "reproduced"),
        (True, "noise", "reproduced"),
        (False, "", "not reproduced"),
        (False, "noise", "inconclusive"),
    ],
)  # fmt: skip
def test_a_statement_is_right_wrong_or_undecided(true: bool, doubt: str, verdict: str) -> None:
    assert Evidence.of_statement(true, "x", doubt=doubt).verdict == verdict


def test_what_is_missing_is_not_testable_and_says_why() -> None:
    assert Evidence.missing("no data", stated=4).verdict == Verdict.NOT_TESTABLE
    with pytest.raises(InvalidParameterError, match="reason"):
        Evidence.missing("")


@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (1, 1, 1, 0), (2, -1, 0, 0), (3, 1, 1, 2)])
def test_counts_that_do_not_fit_are_refused(counts: tuple[int, int, int, int]) -> None:
    stated, agreeing, differing, inconclusive = counts
    with pytest.raises(InvalidParameterError, match="evidence"):
        Evidence(stated, agreeing, differing, "x", "y", inconclusive, doubt="noise")


def test_inconclusive_cells_need_a_doubt() -> None:
    with pytest.raises(InvalidParameterError, match="doubt"):
        Evidence(3, 1, 0, "x", "y", inconclusive=1)


def test_shares_and_sums_as_text() -> None:
    assert str(Share(14, 21, "datasets")) == "14 of 21 datasets"
    assert str(Share(2.5, None, "s")) == "2.5 s"
    assert Coverage().data is None
    parts = [Evidence(3, 1, 1, "x"), Evidence(4, 2, 0, "x", inconclusive=1, doubt="noise")]
    assert total(parts) == {"stated": 7, "tested": 4, "agreeing": 3, "undecided": 1}
