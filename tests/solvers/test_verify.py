from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from compactml.solvers import MixedIntegerProgram, Outcome, VerificationError, violation
from compactml.solvers.result import RawResult
from compactml.solvers.verify import verified

MIP = MixedIntegerProgram([1, 2], [[1, 1]], row_lower=1.5, upper=2, integrality=[True, False])
LP = MixedIntegerProgram([1, 2], [[1, 1]], row_lower=1.5, upper=2)
ANSWER = RawResult(Outcome.OPTIMAL, np.array([2.0, 0.0]), 2.0, 2.0)
LP_ANSWER = RawResult(Outcome.OPTIMAL, np.array([1.5, 0.0]), 1.5, duals=np.array([1.0]))


@pytest.mark.parametrize(
    ("x", "found"), [([2, 0], 0), ([1, 0], 0.5 / 1.5), ([3, 0], 0.5), ([2, -0.25], 0.25), ([1.75, 1], 0.25)]
)
def test_violation_of_rows_bounds_and_integrality(x: list[float], found: float) -> None:
    assert violation(MIP, np.array(x, dtype=float)) == pytest.approx(found)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"x": np.array([1.0, 0.0]), "objective": 1.0}, "violation"),
        ({"x": np.array([1.5, 0.0]), "objective": 1.5}, "violation"),
        ({"x": np.array([2.0, np.nan])}, "wrong entries"),
        ({"x": np.array([2.0])}, "wrong entries"),
        ({"objective": 1.9}, "error of the objective"),
        ({"objective": np.nan}, "error of the objective"),
        ({"bound": 2.1}, "excess of the bound"),
        ({"bound": 1.9}, "distance of the bound"),
        ({"bound": np.nan}, "distance of the bound"),
    ],
)
def test_a_wrong_word_is_found(changes: dict[str, object], what: str) -> None:
    verified(MIP, "solver", ANSWER)
    with pytest.raises(VerificationError, match=f"solver: .*{what}"):
        verified(MIP, "solver", replace(ANSWER, **changes))


def test_the_gap_that_was_asked_for_counts() -> None:
    wide = replace(ANSWER, bound=1.9)
    assert verified(MIP, "solver", wide, gap=0.06).gap == pytest.approx(0.05)
    assert verified(MIP, "solver", replace(wide, outcome=Outcome.FEASIBLE)).gap == pytest.approx(0.05)


def test_an_lp_is_proved_by_its_duals() -> None:
    answer = verified(LP, "solver", LP_ANSWER)
    assert (answer.bound, answer.gap) == (1.5, 0)
    assert answer.reduced_costs is not None
    assert answer.reduced_costs.tolist() == [0, 1]
    with pytest.raises(VerificationError, match="distance of the bound"):  # feasible but not optimal
        verified(LP, "solver", replace(LP_ANSWER, x=np.array([1.0, 0.5]), objective=2.0))
    with pytest.raises(VerificationError, match="infeasibility of the dual"):  # the wrong sign
        verified(LP, "solver", replace(LP_ANSWER, duals=np.array([-1.0])))


def test_integers_are_rounded_where_the_point_stays_feasible() -> None:
    nearly = replace(ANSWER, x=np.array([2.0 - 1e-8, 0.0]))
    assert verified(MIP, "solver", nearly).x.tolist() == [2, 0]
    # x2 <= 1e7 x1 with x1 = 0 within the tolerance of integrality, and x2 = 9 all the same.
    big_m = MixedIntegerProgram([0, -1], [[-1e7, 1]], row_upper=0, upper=9, integrality=[True, False])
    point = np.array([9e-7, 9.0])
    kept = verified(big_m, "solver", RawResult(Outcome.FEASIBLE, point, -9.0, -np.inf)).x
    assert kept.tolist() == point.tolist()
