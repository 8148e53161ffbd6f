from __future__ import annotations

from typing import Any

import pytest

from compactml.errors import InvalidParameterError
from compactml.solvers import SolveOptions, SolverChoice


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("time_limit", -1),
        ("time_limit", float("inf")),
        ("time_limit", float("nan")),
        ("time_limit", "1"),
        ("work_limit", True),
        ("gap", 1.0),
        ("gap", -0.1),
        ("threads", 0),
        ("threads", 1.5),
        ("seed", -1),
        ("seed", 2**31),
    ],
)
def test_options_out_of_range_are_named(name: str, value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be "):
        SolveOptions(**{name: value})


def test_a_choice_reads_as_a_sentence() -> None:
    choice = SolverChoice("gurobi", "13.0.3", "size-limited licence", "812 of 2000 rows used")
    assert str(choice) == "gurobi 13.0.3, size-limited licence, 812 of 2000 rows used"
