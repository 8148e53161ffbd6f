from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from compactml.errors import InvalidDataError
from compactml.study.judging.claims import (
    ABSENT,
    COLUMNS,
    Basis,
    Claim,
    changed_verdicts,
    check_claims,
    scorecard,
    unfounded_verdicts,
)
from compactml.study.judging.evidence import Coverage, Evidence, Share
from compactml.study.recording.errors import WithoutEvidence
from compactml.study.recording.published import published

DATA = Coverage(Share(1, 2, "datasets"))


def claim(id: str, check: Callable[[Mapping[str, Any]], Evidence], basis: Basis = Basis.RUNS) -> Claim:
    return Claim(id, "toy", "Table 1", "The value is at most one", "exact", "the prose", check, basis)


def at_most_one(data: Mapping[str, pd.DataFrame]) -> Evidence:
    largest = data["table_1"]["value"].max()
    reason = "" if largest <= 1 else "one is too large"
    return Evidence.of_statement(largest <= 1, f"largest {largest}", reason, coverage=DATA)


@pytest.mark.parametrize(("value", "verdict"), [(1, "reproduced"), (2, "not reproduced")])
def test_verdicts_come_from_the_data(value: int, verdict: str) -> None:
    card = scorecard([claim("a", at_most_one)], {"table_1": pd.DataFrame({"value": [value]})})
    assert list(card) == list(COLUMNS)
    assert card.loc[0, ["id", "verdict", "found"]].to_list() == ["a", verdict, f"largest {value}"]
    assert card.loc[0, ["data", "recorded"]].to_list() == ["1 of 2 datasets", "table_1"]
    assert card.loc[0, "code"] == f"{__name__}.at_most_one"


def test_claim_without_its_table_is_not_testable_but_other_errors_are_errors() -> None:
    card = scorecard([claim("a", at_most_one)], {})
    assert card["verdict"].to_list() == ["not testable"]
    assert "'table_1' is not recorded" in card["reason"][0]
    with pytest.raises(KeyError, match="value"):
        scorecard([claim("a", at_most_one)], {"table_1": pd.DataFrame()})


def test_ids_are_distinct() -> None:
    with pytest.raises(InvalidDataError, match="'a' twice"):
        scorecard([claim("a", at_most_one)] * 2, {})


def test_a_claim_without_evidence_is_an_error_that_names_it() -> None:
    with pytest.raises(WithoutEvidence, match=r"claim 'a'.*got None"):
        scorecard([claim("a", lambda data: None)], {})  # type: ignore[arg-type, return-value]

    def nowhere(data: Mapping[str, pd.DataFrame]) -> Evidence:
        return Evidence.of_statement(True, "x")

    with pytest.raises(WithoutEvidence, match=r"claim 'b'.*share of the paper's data"):
        scorecard([claim("b", nowhere)], {})
    assert (
        len(scorecard([claim("b", nowhere, Basis.ARITHMETIC)], {})) == 1
    )  # print alone has no share of data


def test_what_is_ours_or_cannot_fail_is_shown_and_not_counted() -> None:
    def built(data: Mapping[str, pd.DataFrame]) -> Evidence:
        return replace(at_most_one(data), by_construction="we prune first")

    data = {"table_1": pd.DataFrame({"value": [1]})}
    claims = [claim("a", at_most_one), claim("b", built), claim("c", at_most_one, Basis.OURS)]
    assert [one.counted for one in check_claims(claims, data)] == [True, False, False]


def test_the_tables_that_a_check_reads_are_noted() -> None:
    def reads(data: Mapping[str, pd.DataFrame]) -> Evidence:
        assert data.get("table_9") is None
        assert data.get("table_2") is not None
        published("pace", "table_4")
        return at_most_one(data)

    tables = dict.fromkeys(("table_1", "table_2", "table_3"), pd.DataFrame({"value": [1]}))
    (found,) = check_claims([claim("a", reads)], tables)
    assert (found.recorded, found.published) == (("table_2", "table_1"), ("table_4",))


def card(**verdicts: str) -> pd.DataFrame:
    return pd.DataFrame({"id": list(verdicts), "verdict": list(verdicts.values())})


def test_changed_verdicts() -> None:
    recorded = card(same="mixed", worse="mixed", gone="mixed")
    changed = changed_verdicts(card(new="mixed", worse="not reproduced", same="mixed"), recorded)
    assert changed.set_index("id").to_dict("index") == {
        "worse": {"recorded": "mixed", "now": "not reproduced"},
        "gone": {"recorded": "mixed", "now": ABSENT},
        "new": {"recorded": ABSENT, "now": "mixed"},
    }
    assert changed_verdicts(recorded, recorded).empty


def test_a_verdict_that_its_evidence_does_not_give_is_found() -> None:
    data = {"table_1": pd.DataFrame({"value": [2]})}
    true = scorecard([claim("a", at_most_one), claim("b", at_most_one)], data)
    assert unfounded_verdicts(true).empty
    false = true.assign(verdict=["reproduced", "not reproduced"])
    assert unfounded_verdicts(false).to_dict("records") == [
        {"id": "a", "verdict": "reproduced", "given": "not reproduced"}
    ]
    inferred = true.assign(inferred=["a guess", ""])
    assert unfounded_verdicts(inferred)["given"].to_list() == ["inconclusive"]
