"""What the ratios for feature selection rest on: which solvers run, which run counts, that both sides agree."""

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks import feature_selection
from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.solving import solve
from compactml.solvers import Level, Licence

LICENCES = {
    "gurobi": Licence(
        "gurobi", Level.SIZE_LIMITED, max_columns=2000, max_rows=2000, max_quadratic_columns=200
    ),
    "cplex": Licence("cplex", Level.SIZE_LIMITED, max_columns=1000, max_rows=1000),
    "highs": Licence("highs", Level.OPEN),
    "scip": Licence("scip", Level.OPEN),
}


def program_of(p):
    return FractionalProgram(np.zeros(p), np.eye(p), np.zeros(p), np.ones((p, p)), measure="mrmr")


@pytest.fixture
def small():
    redundancy = np.array([[0.7, 0.1, 0.05], [0.1, 0.6, 0.05], [0.05, 0.05, 0.5]])
    weights = np.array([0.6, 0.5, 0.05])[:, None] - redundancy
    return FractionalProgram(np.zeros(3), weights, np.zeros(3), np.ones((3, 3)), measure="mrmr")


@pytest.mark.parametrize(
    ("p", "takers"),
    [(200, ["gurobi", "cplex"]), (201, ["cplex"]), (1000, ["cplex"]), (1001, ["highs", "scip"])],
)
def test_solvers_that_take_the_problem_as_it_stands(p, takers, monkeypatch):
    monkeypatch.setattr(feature_selection, "licence", LICENCES.get)
    assert feature_selection.takers(program_of(p)) == takers


def test_a_missing_solver_does_not_run(monkeypatch):
    without = LICENCES | {"gurobi": Licence("gurobi", Level.MISSING)}
    monkeypatch.setattr(feature_selection, "licence", without.get)
    assert feature_selection.takers(program_of(5)) == ["cplex"]


def runs(monkeypatch, small, **seconds):
    """Let solvers seem to need so many seconds; negative ones seem to have no proof at the limit."""
    base = solve(small, method="newton", solver="highs")

    def timed(own, *, method, solver, time_limit):
        shown = seconds[solver]
        unfinished = {"proved": False, "bound": -shown} if shown < 0 else {}
        return replace(base, seconds=abs(shown), **unfinished)

    monkeypatch.setattr(feature_selection, "solve", timed)
    monkeypatch.setattr(feature_selection, "takers", lambda own: list(seconds))
    return feature_selection.newton(small)


def test_the_fastest_proof_counts(monkeypatch, small):
    assert runs(monkeypatch, small, gurobi=2.0, cplex=1.0, highs=-0.5).seconds == 1.0


def test_without_a_proof_the_best_bound_counts(monkeypatch, small):
    assert runs(monkeypatch, small, gurobi=-2.0, cplex=-1.0).bound == 1.0


@pytest.mark.parametrize(("proved", "shown"), [(True, 20.0), (False, "> 20")])
def test_an_unfinished_run_gives_a_lower_bound(proved, shown, monkeypatch, small):
    result = solve(small, method="newton")
    monkeypatch.setattr(feature_selection, "certified", lambda own: replace(result, seconds=0.1))
    monkeypatch.setattr(feature_selection, "newton", lambda own: replace(result, seconds=2.0, proved=proved))
    row = feature_selection.ratio("any", "mrmr", small)
    assert (row["ratio"], row["aim"]) == (shown, feature_selection.AIM)


@pytest.mark.parametrize("wrong", [{"proved": False}, {"value": 0.2}, {"bound": 0.1}])
def test_results_that_disagree_are_an_error(wrong, monkeypatch, small):
    result = solve(small, method="newton", gap_rel=1e-6, gap_abs=1e-6)
    assert math.isclose(result.value, 0.175)
    monkeypatch.setattr(feature_selection, "certified", lambda own: replace(result, **wrong))
    monkeypatch.setattr(feature_selection, "newton", lambda own: result)
    with pytest.raises(AssertionError, match="any, mrmr"):
        feature_selection.ratio("any", "mrmr", small)
