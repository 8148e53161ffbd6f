from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml import chapters
from compactml.datasets import ChecksumMismatch, Dataset, DatasetNotAvailable, UnknownDataset, content_hash
from compactml.errors import InvalidParameterError
from compactml.solvers import Level, SolverIdentity, identity, usable_solvers
from compactml.study import Trial
from compactml.study.keys import closure, fingerprint
from compactml.study.keys.closure import LIBRARIES
from compactml.study.keys.fingerprint import (
    DataIdentity,
    KeyParts,
    code_key,
    data_identity,
    key_parts,
    recipe_identity,
    trial_data,
)

DATA = DataIdentity("hash", "made up")
DEPENDS = {
    name: import_module(f"tests.chapters.{chapters.chapter(name).folder}.libraries").DEPENDS
    for name in chapters.names()
}
"""Which distributions the module of each kind computes with, by chapter."""
SOLVER_PACKAGES = {"highspy", "gurobipy", "cplex", "pyscipopt"}
VARIABLES = ("COMPACTML_SOLVER", "COMPACTML_STORE", "COMPACTML_CACHE", "OMP_NUM_THREADS", "PYTHONHASHSEED")
CASES = [
    (chapter, kind, set(libraries.split()))
    for chapter, rows in DEPENDS.items()
    for libraries, kinds in rows.items()
    for kind in kinds.split()
]


def function_of(chapter: str, kind: str) -> Callable[[Trial], Any]:
    return chapters.chapter(chapter).kind(Trial(chapter, kind, "")).run


def key(chapter: str, kind: str) -> str:
    return key_parts(function_of(chapter, kind), DATA).key(Trial(chapter, kind, "iris"))


def test_the_table_has_every_kind() -> None:
    listed = {(chapter, kind) for chapter, kind, _ in CASES}
    assert len(listed) == len(CASES)
    assert listed == {(found.name, kind.name) for found in chapters.every_chapter() for kind in found.kinds}


@pytest.mark.parametrize(("chapter", "kind", "libraries"), CASES)
def test_a_new_key_exactly_where_the_table_says(
    chapter: str, kind: str, libraries: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    before = key(chapter, kind)
    changed = set()
    for name in [distribution for distribution, _ in LIBRARIES.values()] + ["tqdm", "joblib", "pytest"]:
        with monkeypatch.context() as other:
            other.setattr(closure, "version", lambda one, name=name: "9.9.9" if one == name else version(one))
            if key(chapter, kind) != before:
                changed.add(name)
    assert changed == libraries
    for variable in VARIABLES:
        with monkeypatch.context() as other:
            other.setenv(variable, "cplex" if variable == "COMPACTML_SOLVER" else "1")
            solves = variable == "COMPACTML_SOLVER" and bool(libraries & SOLVER_PACKAGES)
            assert (key(chapter, kind) != before) == solves, variable


def test_python_counts_without_its_last_part(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key("condition-sharing", "sharing")
    monkeypatch.setattr(sys, "version_info", (3, 11, 99))
    assert key("condition-sharing", "sharing") == before
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    assert key("condition-sharing", "sharing") != before


def licensed(**changes: Any) -> SolverIdentity:
    return replace(SolverIdentity("highs", "1.13.1", str(Level.OPEN), None, None, None), **changes)


@pytest.mark.parametrize(
    "change",
    [
        {"version": "9.9.9"},
        {"licence": str(Level.FULL)},
        {"max_columns": 2000},
        {"max_rows": 2000},
        {"max_quadratic_columns": 200},
    ],
)
def test_what_a_solver_may_do_counts(change: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    keys = set()
    for found in (licensed(), licensed(**change)):
        monkeypatch.setattr(identity, "_identity", lambda solver, found=found: found)
        keys |= {key("boolean-rules", "nested"), key("condition-sharing", "sharing")}
    assert len(keys) == 3  # one of the kind that solves nothing


def test_the_order_and_number_of_solvers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    usable = usable_solvers()
    keys = set()
    for order in (usable, usable[::-1], usable[:-1]):
        monkeypatch.setattr(identity, "usable_solvers", lambda order=order: order)
        keys.add(key("pace", "compress"))
    assert len(keys) == len({usable, usable[::-1], usable[:-1]}) > 1


def test_an_unknown_solver_is_refused_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPACTML_SOLVER", "abacus")
    with pytest.raises(InvalidParameterError, match="COMPACTML_SOLVER"):
        key("pace", "compress")


def test_key_depends_on_every_part() -> None:
    trial, other = Trial("c", "k", "d"), Trial("c", "k", "d", seed=1)
    parts = KeyParts("x", {"numpy": "1"}, None, "y")
    variants = [
        replace(parts, code="z"),
        replace(parts, libraries={"numpy": "2"}),
        replace(parts, solvers={"requested": "auto", "usable": []}),
        replace(parts, data="z"),
        replace(parts, formula=3),
        replace(parts, code="xy", data=""),
    ]
    keys = {parts.key(trial), parts.key(other), *(one.key(trial) for one in variants)}
    assert len(keys) == 8
    assert all(len(one) == hashlib.sha256().digest_size * 2 for one in keys)
    assert KeyParts("x", {"numpy": "1"}, None, "y").key(trial) == parts.key(trial)


def test_a_key_can_be_computed_again_from_what_is_written_down() -> None:
    parts = key_parts(function_of("pace", "compress"), DATA)
    written = json.loads(json.dumps(vars(parts) | {"_text": None}))
    del written["_text"]
    trial = Trial("pace", "compress", "iris")
    assert KeyParts(**written).key(trial) == parts.key(trial)


def test_differences_name_the_part() -> None:
    solvers = {"requested": "auto", "usable": [vars(licensed())]}
    parts = KeyParts("a" * 64, {"numpy": "1", "highspy": "1.13.1"}, solvers, "b" * 64)
    assert parts.differences(parts) == []
    other = KeyParts("c" * 64, {"numpy": "1", "highspy": "9.9.9"}, solvers | {"requested": "highs"}, "")
    found = parts.differences(other)
    assert found[0] == f"code: {'a' * 12} here, {'c' * 12} there"
    assert found[1] == "library highspy: 1.13.1 here, 9.9.9 there"
    assert found[2].startswith("solvers: auto; highs, 1.13.1, open source")
    assert found[3] == f"data: {'b' * 12} here, none there"


def test_the_key_of_the_votes_has_all_but_data() -> None:
    assert code_key("compactml.chapters.ensemble_pruning.trials.votes") == code_key(
        "compactml.chapters.ensemble_pruning.trials.votes"
    )
    assert code_key("compactml.clock") != code_key("compactml._kernels")


@pytest.fixture
def no_memory() -> Iterator[None]:
    data_identity.cache_clear()
    yield
    data_identity.cache_clear()


@pytest.mark.usefixtures("no_memory")
def test_data_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"a": [1.0]})
    dataset = Dataset(frame, pd.Series([0]), "classification", "toy", "made up", "")
    monkeypatch.setattr(fingerprint, "prepared", lambda key: dataset)
    assert data_identity("toy").sha256 == content_hash(dataset)
    assert data_identity("toy").source == "made up"


@pytest.mark.usefixtures("no_memory")
def test_unknown_missing_and_wrong_data(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownDataset, match="made up"):
        data_identity("synthetic:made up")

    def missing(key: str) -> Dataset:
        raise DatasetNotAvailable(key, "file", ["folder"])

    monkeypatch.setattr(fingerprint, "prepared", missing)
    assert not data_identity("iris").at_hand

    def wrong(key: str) -> Dataset:
        raise ChecksumMismatch(key, "file", "a", "b")

    monkeypatch.setattr(fingerprint, "prepared", wrong)
    with pytest.raises(ChecksumMismatch):
        data_identity("wdbc")


GENERATED = {
    "condition-sharing": [
        Trial("condition-sharing", "growth", "synthetic:40x5", "ERT", parameters=(("trees", 4),)),
        Trial("condition-sharing", "growth", "synthetic:41x5", "ERT", parameters=(("trees", 4),)),
        Trial("condition-sharing", "growth", "synthetic:40x5", "ERT", seed=1, parameters=(("trees", 4),)),
        Trial("condition-sharing", "search", "synthetic:intervals", parameters=(("c", 2), ("p", 9))),
    ],
    "boolean-rules": [
        Trial("boolean-rules", "growth", "synthetic", "CG", parameters=(("n", 50),)),
        Trial("boolean-rules", "growth", "synthetic", "CG", parameters=(("n", 60),)),
        Trial("boolean-rules", "nested", "tic_tac_toe_endgames", "CG"),
    ],
}


@pytest.mark.parametrize("chapter", GENERATED)
def test_generated_data_are_hashed_by_value(chapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [trial_data(trial, chapters.chapter(chapter).generated(trial)) for trial in GENERATED[chapter]]
    assert len({one.sha256 for one in found}) == len(found)
    assert all(len(one.sha256) == 64 and one.at_hand for one in found)


@pytest.mark.parametrize("chapter", DEPENDS)
def test_every_dataset_of_the_quick_book_has_a_hash_or_a_recipe(chapter: str) -> None:
    found = chapters.chapter(chapter)
    trials = {trial for id in found.table_ids for trial in found.trials(id, "quick")}
    made = {trial.dataset for trial in trials if found.generated(trial)}
    for name in {trial.dataset for trial in trials} - made:
        identity = data_identity(name)
        assert identity.sha256 or not identity.at_hand


@dataclass
class Held:
    codes: np.ndarray
    names: tuple[str, ...]


def filled(value: float, dtype: str, name: str, rows: int) -> Held:
    return Held(np.full((rows, 12 // rows), value, dtype=dtype), (name,))


def test_values_types_and_shapes_of_generated_data_count() -> None:
    cases = [
        (1.0, "f8", "a", 3),
        (2.0, "f8", "a", 3),
        (1.0, "f4", "a", 3),
        (1.0, "f8", "b", 3),
        (1.0, "f8", "a", 4),
    ]
    assert len({recipe_identity((filled, case)).sha256 for case in cases}) == len(cases)
    recipe_identity.cache_clear()
    assert recipe_identity((filled, cases[0])).sha256 == recipe_identity((filled, cases[0])).sha256
