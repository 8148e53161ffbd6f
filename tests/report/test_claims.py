from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import pytest

from compactml.exceptions import InvalidDataError, InvalidParameterError
from compactml.report.claims import ABSENT, Claim, Evidence, Verdict, changed_verdicts, graded, scorecard


def claim(id: str, check: Callable[[Mapping[str, Any]], Evidence]) -> Claim:
    return Claim(id, "toy", "Table 1", "The value is at most one", "exact", "the prose", check)


def at_most_one(data: Mapping[str, pd.DataFrame]) -> Evidence:
    largest = data["table_1"]["value"].max()
    verdict = Verdict.HOLDS if largest <= 1 else Verdict.DOES_NOT_HOLD
    return Evidence(verdict, f"largest {largest}", "" if largest <= 1 else "one is too large")


@pytest.mark.parametrize(("value", "verdict"), [(1, "holds"), (2, "does not hold")])
def test_verdicts_come_from_the_data(value: int, verdict: str) -> None:
    card = scorecard([claim("a", at_most_one)], {"table_1": pd.DataFrame({"value": [value]})})
    assert card.loc[0, ["id", "verdict", "found"]].to_list() == ["a", verdict, f"largest {value}"]


def test_claim_without_its_table_is_not_testable_but_other_errors_are_errors() -> None:
    card = scorecard([claim("a", at_most_one)], {})
    assert card["verdict"].to_list() == ["not testable here"]
    assert "'table_1' is not recorded" in card["reason"][0]
    with pytest.raises(KeyError, match="value"):
        scorecard([claim("a", at_most_one)], {"table_1": pd.DataFrame()})


def test_ids_are_distinct_and_reasons_given() -> None:
    with pytest.raises(InvalidDataError, match="'a' twice"):
        scorecard([claim("a", at_most_one)] * 2, {})
    with pytest.raises(InvalidParameterError, match="reason"):
        Evidence(Verdict.NOT_TESTABLE, "")


def card(**verdicts: str) -> pd.DataFrame:
    return pd.DataFrame({"id": list(verdicts), "verdict": list(verdicts.values())})


def test_changed_verdicts() -> None:
    recorded = card(same="holds", worse="holds", gone="holds")
    changed = changed_verdicts(card(new="holds", worse="does not hold", same="holds"), recorded)
    assert changed.set_index("id").to_dict("index") == {
        "worse": {"recorded": "holds", "now": "does not hold"},
        "gone": {"recorded": "holds", "now": ABSENT},
        "new": {"recorded": ABSENT, "now": "holds"},
    }
    assert changed_verdicts(recorded, recorded).empty


@pytest.mark.parametrize(
    ("agreeing", "seen", "stated", "verdict"),
    [
        (21, 21, 21, "holds"),
        (20, 20, 21, "holds in part"),
        (10, 20, 21, "holds in part"),
        (9, 20, 21, "does not hold"),
        (0, 0, 21, "does not hold"),
    ],
)
def test_a_statement_holds_on_everything_and_in_part_from_one_half_on(
    agreeing: int, seen: int, stated: int, verdict: str
) -> None:
    assert graded(agreeing, seen, stated) == verdict
