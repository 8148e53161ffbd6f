"""Claims that are declared on their checks: names, statements, arguments, order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from compactml.errors import InvalidDataError
from compactml.study.judging.claims import Basis, check_claims
from compactml.study.judging.declaring import claim, declared
from compactml.study.judging.evidence import Coverage, Evidence, Share

COVERAGE = Coverage(Share(1, 1, "dataset"))
SIZES = {"a": {"size": 1, "who": "small ones"}, "b": {"size": 2, "who": "large ones"}}


@claim("toy", "size-{key}", "Table {size}", tolerance="{size} at most", why="print", over=SIZES)
def sizes(tables: dict[str, pd.DataFrame], size: int) -> Evidence:
    """The {who} have size {size}.

    How it is checked does not belong to the statement.
    """
    return Evidence.of_statement(tables["table_1"]["size"][0] == size, f"size {size}", coverage=COVERAGE)


@claim("toy", "alone", "Section 2", tolerance="exact", why="logic", basis=Basis.OURS)
def alone(tables: dict[str, pd.DataFrame]) -> Evidence:
    """It stands alone."""
    return Evidence.of_statement(True, "it does")


def module(*checks: object) -> ModuleType:
    made = ModuleType(__name__)
    for number, check in enumerate(checks):
        setattr(made, f"check_{number}", check)
    return made


def test_each_entry_is_a_claim_with_its_words_and_the_check_gets_what_it_asks_for() -> None:
    claims = declared(module(sizes, alone))
    assert [one.id for one in claims] == ["toy/size-a", "toy/size-b", "toy/alone"]
    assert [one.statement for one in claims] == [
        "The small ones have size 1", "The large ones have size 2", "It stands alone",
    ]  # fmt: skip
    assert [(one.place, one.tolerance, one.tolerance_origin) for one in claims] == [
        ("Table 1", "1 at most", "print"), ("Table 2", "2 at most", "print"), ("Section 2", "exact", "logic"),
    ]  # fmt: skip
    assert [one.basis for one in claims] == [Basis.RUNS, Basis.RUNS, Basis.OURS]
    assert {one.code for one in claims} == {f"{__name__}.sizes", f"{__name__}.alone"}
    checked = check_claims(claims, {"table_1": pd.DataFrame({"size": [1]})})
    assert [one.evidence.agreeing for one in checked] == [1, 0, 1]


def test_the_order_is_that_of_the_modules_and_what_is_imported_does_not_count_twice() -> None:
    assert next(one.id for one in declared(module(alone), module(sizes))) == "toy/alone"
    other = ModuleType("other")
    other.sizes = sizes  # type: ignore[attr-defined]
    assert declared(other) == ()


def test_interleaved_checks_give_their_claims_entry_by_entry() -> None:
    entries: Mapping[str, Mapping[str, object]] = {"a": {}, "b": {}}

    def check(name: str, interleaved: bool = True) -> Callable[[Any], Evidence]:
        def stated(tables: Any) -> Evidence:
            """It is so."""
            return Evidence.of_statement(True, "it is")

        over = dict(entries)
        return claim(
            "toy",
            name + "-{key}",
            "Table 1",
            tolerance="exact",
            why="logic",
            over=over,
            interleaved=interleaved,
        )(stated)

    claims = declared(
        module(check("x"), check("y"), check("z", interleaved=False), check("v")), module(check("w"))
    )
    assert [one.id.removeprefix("toy/") for one in claims] == [
        "x-a", "y-a", "x-b", "y-b", "z-a", "z-b", "v-a", "v-b", "w-a", "w-b",
    ]  # fmt: skip


def test_a_claim_needs_its_statement() -> None:
    with pytest.raises(InvalidDataError, match="docstring states the claim"):

        @claim("toy", "silent", "Table 1", tolerance="exact", why="logic")
        def silent(tables: object) -> Evidence:
            return Evidence.of_statement(True, "")
