"""Which stored rows have what is asked for, and which are served here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from compactml.errors import InvalidParameterError
from compactml.study import Store, Trial, UnknownChapter
from compactml.study.chapter import Chapter
from compactml.study.keys.fingerprint import KeyParts, key_parts, recipe_identity
from compactml.study.running.listing import listed
from compactml.study.running.provenance import Provenance, collect
from compactml.study.storing.rows import SUMMED, checksum
from tests.study.test_provenance import MEASURED
from tests.study.toy_trials import CHAPTER, NO_DATA, run

HIGHS = {"solver": "highs", "version": "1.13.1", "licence": "open source", "statuses": {"optimal": 3}}
GUROBI = {
    "solver": "gurobi",
    "version": "13.0.3",
    "licence": "size-limited licence",
    "statuses": {"feasible": 1},
}


def find(chapter: str) -> Chapter:
    if chapter != "toy":
        raise UnknownChapter(chapter, ["toy"])
    return CHAPTER


def put(
    store: Store, seed: int, parts: KeyParts, *backends: dict[str, object], **changes: object
) -> Provenance:
    trial = Trial("toy", "sleeping", "synthetic:none", seed=seed)
    origin = collect(trial, {}, replace(MEASURED, backends=backends), parts, "made up", None)
    store.put(parts.key(trial), trial, {}, replace(origin, **changes).as_dict())  # type: ignore[arg-type]
    return origin


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """One row of HiGHS, one of HiGHS and Gurobi, one of another HiGHS, one of a starved trial without a solver."""
    parts = key_parts(run, recipe_identity(NO_DATA))
    with Store(tmp_path / "results.sqlite") as opened:
        put(opened, 0, parts, HIGHS)
        put(opened, 1, parts, HIGHS, GUROBI, host="far")
        put(opened, 2, replace(parts, code="other"), HIGHS | {"version": "9.9.9"})
        put(opened, 3, parts, starved=True, commit="abcdef")
        yield opened


@pytest.mark.parametrize(
    ("where", "seeds"),
    [
        ([], "0123"),
        ([("solver", "highs")], "012"),
        ([("solver", "gurobi")], "1"),
        ([("solver", "highs"), ("version", "1.13.1")], "01"),
        ([("licence", "size-limited licence")], "1"),
        ([("status", "feasible")], "1"),
        ([("host", "far")], "1"),
        ([("commit", "abc")], "3"),
        ([("starved", "True")], "3"),
        ([("state", "served")], "013"),
        ([("state", "not served: other code")], "2"),
        ([("solver", "cplex")], ""),
    ],
)
def test_rows_that_have_what_is_asked_for(store: Store, where: list[tuple[str, str]], seeds: str) -> None:
    assert "".join(listed(store, find, where=where)["seed"]) == seeds


def test_an_unknown_field_is_refused(store: Store) -> None:
    with pytest.raises(InvalidParameterError, match="where: must be one of"):
        listed(store, find, where=[("colour", "red")])


def test_a_row_whose_key_is_not_its_own_is_shown_as_such(store: Store) -> None:
    parts = key_parts(run, recipe_identity(NO_DATA))
    put(store, 4, parts, code_sha256="changed afterwards")
    (state,) = listed(store, find, where=[("state", "its key does not fit what it says")])["seed"]
    assert state == "4"


def test_rows_of_chapters_and_formulas_that_are_gone_are_listed(store: Store) -> None:
    store.put(
        "key",
        Trial("gone", "k", "iris"),
        {},
        put(store, 5, key_parts(run, recipe_identity(NO_DATA))).as_dict(),
    )
    entry = next(one for one in store.entries() if one["key"] == "key")
    entry |= {"formula": 1, "provenance": '{"solver": "highs 1.13.1, open source, no limit"}'}
    store.remove(["key"])
    store.write([entry | {"checksum": checksum(*(entry[name] for name in SUMMED))}])
    frame = listed(store, find, "gone", [("solver", "highs"), ("version", "1.13.1")])
    assert frame["state"].tolist() == ["not served: first formula of the key"]
