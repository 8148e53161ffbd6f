"""Which recorded tables today's code would record otherwise."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from toy_report import finished

from compactml import experiments
from compactml.cli import main_group
from compactml.experiments.closure import code_of, module_of
from compactml.report.origins import source_line, summary
from compactml.report.recorded import recorded_provenance
from compactml.report.records import (
    CURRENT,
    OLDER_CODE,
    OLDER_FORMULA,
    SOLVER_NOT_RECORDED,
    _described,
    recorded_states,
)

OLD = {"n_trials": 2, "cpu_seconds": 7200.0, "solver": [SOLVER_NOT_RECORDED]}


def test_a_table_of_the_first_formula_is_stale_and_says_that_no_solver_was_recorded() -> None:
    found = _described(experiments.experiment("pace"), "table_1", OLD)
    assert found == {
        "trials": 2, "hours": 2.0, "formula": "1", "solver": SOLVER_NOT_RECORDED, "state": OLDER_FORMULA,
    }  # fmt: skip


@pytest.mark.parametrize(("more", "state"), [([], CURRENT), (["0" * 64], OLDER_CODE)])
def test_code_of_now_is_current_and_other_code_is_not(more: list[str], state: str) -> None:
    own = experiments.experiment("condition-sharing")
    code = code_of(module_of(own.kinds["sharing"])).sha256
    origin = {"n_trials": 1, "wall_seconds": 1.0, "cpu_seconds": 1.0, "formula": [2], "solver": [],
              "code": [code, *more], "backends": [{"solver": "highs"}]}  # fmt: skip
    found = _described(own, "table_2", origin)
    assert (found["state"], found["solver"]) == (state, "highs")


def test_every_recorded_table_of_the_book_is_listed() -> None:
    found = recorded_states()
    assert set(found["chapter"]) == set(experiments.MODULES)
    assert not found.duplicated(["chapter", "table"]).any()
    shown = CliRunner().invoke(main_group, ["records"])
    assert shown.exit_code == 0
    silent = (found["solver"] == SOLVER_NOT_RECORDED).sum()
    assert f"{silent} tables: {SOLVER_NOT_RECORDED}" in shown.output


def test_a_page_says_that_no_solver_was_recorded() -> None:
    kept = recorded_provenance("pace", "table_1")
    if kept is not None and kept.get("formula") is None:
        assert SOLVER_NOT_RECORDED in source_line(kept)
    assert SOLVER_NOT_RECORDED in source_line(summary([finished("iris")]) | {"solver": [SOLVER_NOT_RECORDED]})
