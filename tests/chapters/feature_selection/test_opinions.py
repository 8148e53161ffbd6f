"""Second opinions on optima of feature selection: on real trials of a small made table, right and falsified."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.feature_selection import datasets
from compactml.chapters.feature_selection.chapter import CHAPTER
from compactml.chapters.feature_selection.datasets import DISCRETE, LEVELS
from compactml.chapters.feature_selection.trials import costs, heuristics, optima
from compactml.chapters.feature_selection.trials import opinions as module
from compactml.chapters.feature_selection.trials import paper as trials_module
from compactml.feature_selection.program import FractionalProgram
from compactml.solvers import solve
from compactml.study.results import columns
from compactml.study.trial import Result, Scalar, Trial

KEY = "toy"


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Six features of three levels; the class depends on two of them."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.integers(0, 3, (90, 6)), columns=list("abcdef"))
    y = ((X["a"] + X["b"] > 1) ^ (rng.random(90) < 0.1)).astype("int64")
    own = datasets.PaperDataset("toy", KEY, 6, 90, DISCRETE, LEVELS)
    monkeypatch.setitem(datasets.BY_KEY, KEY, own)
    for one in (trials_module, costs, heuristics, optima):
        monkeypatch.setattr(one, "BY_KEY", datasets.BY_KEY)
    monkeypatch.setattr(datasets, "prepared", lambda key: type("D", (), {"X": X, "y": y})())
    datasets.table.cache_clear()
    yield
    datasets.table.cache_clear()


def trial(kind: str, method: str, measure: str, **more: Scalar) -> Trial:
    parameters = (("measure", measure), ("discretizer", LEVELS), *more.items())
    return Trial(
        "feature-selection", kind, KEY, method=method, seed=1, parameters=parameters, time_limit=20.0
    )


ASKED = {
    "milp": ("milp1", {}),
    "parametric": ("newton", {}),
    "certified": ("certified", {"table": "exact"}),
    "growth": ("certified", {"p": 4}),
    "optimum": ("certified", {}),
    "reading": ("certified", {"name": "Zoo", "su": "geometric", "drop_constant": False}),
}


def of(kind: str, measure: str) -> tuple[Trial, Result, Trial, str | None]:
    """A trial, its result, the trial of its second opinion and the solver that may not give it."""
    method, more = ASKED[kind]
    asked = trial(kind, method, measure, **more)  # type: ignore[arg-type]
    result = CHAPTER.run(asked)
    solver = str(result["solver"]).split()[0] if result["solver"] else None
    assert CHAPTER.opinion is not None
    second = CHAPTER.opinion(asked, result, solver)
    assert second is not None
    return asked, result, second, solver


def falsified(second: Trial, **changed: Scalar) -> Result:
    parameters = tuple((dict(second.parameters) | changed).items())
    return CHAPTER.run(replace(second, parameters=parameters))


@pytest.mark.parametrize(("kind", "measure"), list(product(ASKED, ["mrmr", "cfs"])))
def test_an_optimum_is_confirmed_by_another_solver(kind: str, measure: str) -> None:
    asked, result, second, solver = of(kind, measure)
    assert (second.kind, second.dataset, second.method, second.seed) == ("opinion", KEY, asked.method, 1)
    assert second.time_limit == asked.time_limit
    added = {"of": kind, "stated": result["value"], "bound": result["bound"], "support": result["support"]}
    assert dict(second.parameters) == dict(asked.parameters) | added | {"not_by": solver}
    found = CHAPTER.run(second)
    assert found["verdict"] == "confirmed", found
    assert found["solver"]
    assert str(found["solver"]).split()[0] != solver


@pytest.mark.parametrize("measure", ["mrmr", "cfs"])
def test_a_worse_set_that_is_called_optimal_is_refuted(measure: str) -> None:
    second = of("certified", measure)[2]
    own = module.asked_program(second)
    worse = own.value([5])
    assert worse < float(dict(second.parameters)["stated"])  # type: ignore[arg-type]
    found = falsified(second, stated=worse, bound=worse, support="[5]")
    assert found["verdict"] == "refuted"
    assert float(found["value"] or 0) > 0


def test_a_value_that_its_set_does_not_have_is_refuted() -> None:
    second = of("milp", "mrmr")[2]
    stated = float(dict(second.parameters)["stated"])  # type: ignore[arg-type]
    for wrong in (stated + 0.05, stated - 0.05):
        found = falsified(second, stated=wrong, bound=wrong)
        assert (found["verdict"], found["solver"]) == ("refuted", None)
        assert "another value" in str(found["reason"])


def test_what_no_table_calls_optimal_gets_no_opinion() -> None:
    asked, result, _, _ = of("parametric", "cfs")
    assert module.opinion(asked, result | {"proved": 0}, None) is None
    assert module.opinion(asked, {"outcome": "not run: 9 rows", "proved": None}, None) is None
    for kind in ("full", "raw_heuristic"):
        other = trial(kind, kind, "cfs", cut=None)
        assert module.opinion(other, CHAPTER.run(other), None) is None
    assert module.opinion(of("parametric", "cfs")[2], {"verdict": "confirmed"}, None) is None


def test_all_kinds_are_told_apart() -> None:
    silent = {kind.name for kind in CHAPTER.kinds if "proved" not in columns(kind.result)}
    assert silent == {"full", "raw_heuristic", "scikit_feature", "sizes", module.KIND}
    assert {kind.name for kind in CHAPTER.kinds} - silent == set(ASKED)


def test_too_many_products_are_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    second = of("parametric", "mrmr")[2]
    monkeypatch.setattr(module, "LARGEST_PAIRS", 3)
    found = CHAPTER.run(second)
    assert (found["verdict"], found["reason"]) == ("not refuted", module.TOO_MANY)


def test_the_program_has_the_better_sets() -> None:
    rng = np.random.default_rng(0)
    own = FractionalProgram(
        rng.normal(size=4), rng.normal(size=(4, 4)), rng.random(4) + 0.1, rng.random((4, 4))
    )
    sets = [np.flatnonzero(one) for one in product([0, 1], repeat=4) if any(one)]
    values = sorted(own.value(one) for one in sets)
    for t in (values[-1] + 1e-3, values[-1] - 1e-3, values[-3] - 1e-3):
        problem = module.better_sets(own, t)
        best = max(
            [0.0]
            + [
                float(own.a[s].sum() + own.b[np.ix_(s, s)].sum())
                - t * float(own.c[s].sum() + own.d[np.ix_(s, s)].sum())
                for s in sets
            ]
        )
        found = solve(problem, "highs").objective
        assert found == pytest.approx(best, abs=1e-6)


def test_the_cost_is_below_the_limit() -> None:
    second = of("milp", "cfs")[2]
    assert 0 < CHAPTER.cost(second) <= float(second.time_limit or 0)
