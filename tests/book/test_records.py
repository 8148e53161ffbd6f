"""Which recorded tables today's code would record otherwise."""

from __future__ import annotations

import platform
from typing import Any

import pytest
from click.testing import CliRunner

from compactml import chapters
from compactml.book import records
from compactml.book.records import (
    CURRENT,
    OLDER_CODE,
    OLDER_FORMULA,
    OTHER_SOLVERS,
    SOLVER_NOT_RECORDED,
    _described,
    recorded_states,
)
from compactml.cli.program import main_group
from compactml.study import Trial
from compactml.study.keys.closure import code_of, library_versions, module_of
from compactml.study.keys.fingerprint import FORMULA
from compactml.study.recording.origins import source_line, summary
from compactml.study.recording.recorded import recorded_provenance
from tests.study.toy_report import finished

OLD = {"n_trials": 2, "cpu_seconds": 7200.0, "solver": [SOLVER_NOT_RECORDED]}


def test_a_table_of_the_first_formula_is_stale_and_says_that_no_solver_was_recorded() -> None:
    found = _described(chapters.chapter("pace"), "table_1", OLD)
    assert found == {
        "trials": 2, "hours": 2.0, "formula": "1", "solver": SOLVER_NOT_RECORDED, "state": OLDER_FORMULA,
    }  # fmt: skip


HIGHS = {"solver": "highs", "version": "1.0", "licence": "open source"}


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The provenance of Pace's first table as this code, with HiGHS 1.0, would record it."""
    monkeypatch.setattr(records, "solver_identity", lambda: {"usable": [HIGHS]})
    code = code_of(module_of(chapters.chapter("pace").kind(Trial("pace", "compress", "")).run))
    versions = {name.replace("-", "_"): [one] for name, one in library_versions(code.libraries).items()}
    versions["python"] = [platform.python_version()]
    return {
        "n_trials": 1, "wall_seconds": 1.0, "cpu_seconds": 1.0, "formula": [FORMULA], "solver": [],
        "code": [code.sha256], "versions": versions, "backends": [HIGHS],
    }  # fmt: skip


def changed(origin: dict[str, Any], name: str, *values: str) -> dict[str, Any]:
    return origin | {"versions": origin["versions"] | {name: list(values)}}


def test_what_is_as_it_was_recorded_is_current_and_what_is_not_is_named(now: dict[str, Any]) -> None:
    own = chapters.chapter("pace")
    both = now | {"code": [*now["code"], "other"]}
    two = changed(now, "numpy", "0.1", *now["versions"]["numpy"])
    for origin, state in (
        (now, CURRENT),
        (both, OLDER_CODE),
        (two, "other numpy 0.1"),
        (changed(now, "python", "3.9.1"), "other python 3.9"),
        (changed(now, "python", platform.python_version() + "1"), CURRENT),
        (now | {"backends": [HIGHS | {"version": "0.9"}]}, OTHER_SOLVERS),
        (now | {"backends": [HIGHS, HIGHS | {"solver": "gurobi"}]}, OTHER_SOLVERS),
        (now | {"backends": [HIGHS, HIGHS | {"solver": "cp-sat"}]}, CURRENT),
        (changed(both, "numpy", "0.1"), f"{OLDER_CODE}, other numpy 0.1"),
        (now | {"formula": [1, FORMULA]}, OLDER_FORMULA),
    ):
        assert _described(own, "table_1", origin)["state"] == state
    assert _described(own, "a peer's", both)["state"] == CURRENT


def test_what_a_sample_has_shown_to_be_equal_is_current(now: dict[str, Any]) -> None:
    own = chapters.chapter("pace")
    judged = {"code": "other", "code_now": now["code"][0], "libraries": {"numpy": ["0.1", "now"]}}
    kept = changed(now, "numpy", "0.1", *now["versions"]["numpy"]) | {"code": ["other"]}
    assert _described(own, "table_1", kept)["state"] == f"{OLDER_CODE}, other numpy 0.1"
    assert _described(own, "table_1", kept | {"continued": [judged]})["state"] == CURRENT
    of_then = judged | {"code_now": "of then"}
    assert OLDER_CODE in _described(own, "table_1", kept | {"continued": [of_then]})["state"]


def test_every_recorded_table_of_the_book_is_listed() -> None:
    found = recorded_states()
    assert set(found["chapter"]) == set(chapters.names())
    assert not found.duplicated(["chapter", "table"]).any()
    assert {"aix360", "fipepy", "table_2_scikit_learn_1_1"} <= set(found["table"])
    assert {"AIX360", "fipepy"} <= set(found["solver"])
    shown = CliRunner().invoke(main_group, ["records"])
    assert shown.exit_code == 0
    silent = (found["solver"] == SOLVER_NOT_RECORDED).sum()
    assert f"{silent} tables: {SOLVER_NOT_RECORDED}" in shown.output


def test_a_page_says_that_no_solver_was_recorded() -> None:
    kept = recorded_provenance("pace", "table_1")
    if kept is not None and kept.get("formula") is None:
        assert SOLVER_NOT_RECORDED in source_line(kept)
    assert SOLVER_NOT_RECORDED in source_line(summary([finished("iris")]) | {"solver": [SOLVER_NOT_RECORDED]})
