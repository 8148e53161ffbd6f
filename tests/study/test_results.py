"""Dataclasses of results as columns, and rows as tables that have all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from compactml.errors import CompactmlError, InvalidDataError, InvalidParameterError
from compactml.study import Chapter, InvalidResult, Kind, Table, Trial, UnknownTable
from compactml.study.frames import frame
from compactml.study.results import columns, flat, not_stored, spread
from compactml.study.trial import checked_result


@dataclass(frozen=True)
class Part:
    size: int
    score: float


@dataclass(frozen=True)
class Whole:
    n: int
    parts: dict[str, Part] = spread(("a", "b"), Part)
    times: dict[str, float] = spread(("x", "y"))
    note: str | None = None


def test_a_family_of_columns_has_one_for_each_name() -> None:
    assert columns(Whole) == ["n", "size_a", "score_a", "size_b", "score_b", "times_x", "times_y", "note"]
    assert columns(Part, Whole)[:3] == ["size", "score", "n"]


def test_a_result_is_one_value_a_column_and_a_name_without_entry_is_missing() -> None:
    result = Whole(np.int64(3), {"b": Part(1, math.nan)}, {"x": np.float32(0.5)})  # type: ignore[arg-type]
    assert checked_result(result) == {"n": 3, "size_b": 1, "score_b": None, "times_x": 0.5, "note": None}
    assert set(flat(result)) <= set(columns(Whole))


@pytest.mark.parametrize("wrong", [Whole, 3, [("n", 1)]])
def test_what_is_no_result_is_refused(wrong: object) -> None:
    with pytest.raises((InvalidResult, TypeError)):
        checked_result(wrong)


def test_a_table_has_all_columns_and_numbers_that_are_missing_are_nan() -> None:
    names = ["dataset", *columns(Whole)]
    empty = frame([], names, texts=("dataset", "note"))
    assert list(empty) == names
    assert empty.drop(columns=["dataset", "note"]).dtypes.eq(float).all()
    some = frame([{"dataset": "iris", "more": 1, "n": None}], names, texts=("dataset", "note"))
    assert list(some) == [*names, "more"]
    assert np.isnan(some.loc[0, "n"])
    assert some.loc[0, "more"] == 1


def test_fields_that_cannot_be_stored_are_named() -> None:
    @dataclass(frozen=True)
    class Bad:
        values: list[int]
        n: int = 0

    assert not_stored([Whole, Part]) == []
    assert not_stored([Bad]) == ["Bad.values"]


def run(trial: Trial) -> Part:
    return Part(1, 0.5)


KIND = Kind("kind", run, Part, lambda trial: 1.0)


def test_a_chapter_refuses_two_of_one_name_and_names_what_it_has() -> None:
    toy = Chapter("toy-two", 1, "Toy", "toy", (KIND,), (Table("table_1"), Table("fig_1")))
    assert toy.folder == "toy_two"
    assert toy.run(Trial("toy-two", "kind", "iris")) == {"size": 1, "score": 0.5}
    errors: list[tuple[type[CompactmlError], dict[str, object]]] = [
        (InvalidDataError, {"kinds": (KIND, KIND)}),
        (InvalidDataError, {"tables": (Table("a"), Table("a"))}),
    ]
    for error, wrong in errors:
        with pytest.raises(error, match="distinct"):
            replace(toy, **wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownTable, match="table_1, fig_1, got 'table_2'"):
        toy.table("table_2")
    with pytest.raises(InvalidParameterError, match="slow"):
        toy.trials("table_1", "slow")
