"""Second opinions on smallest ensembles: on real trials of a small part of the iris data, right and falsified."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.trials import opinions as module
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, FIPE_L1, GENERATE, PACE, PRUNE
from compactml.clock import Clock
from compactml.pace.weights.games import best_weights
from compactml.solvers import Opinion, Verdict, solve
from compactml.study.trial import Result, Scalar, Trial

pytestmark = pytest.mark.usefixtures("iris_in_bins")


def trial(method: str, ensemble: str = RANDOM_FOREST) -> Trial:
    fipe = method in (FIPE, FIPE_L1)
    parameters: dict[str, Scalar] = {"n_learners": 6, "depth": 2, "alpha": 0.1, "beta": 0.0}
    if fipe:
        parameters |= {"depth": 1, "alpha": 0.0, "n_learners": 8}
    else:
        parameters |= {"pricing": "cart", "generated_depth": None}
    parameters |= {"ensemble": ensemble}
    kind = "fipe" if fipe else "compress"
    return Trial("pace", kind, "iris", method, None, 1, tuple(parameters.items()), 60.0)


def of(method: str, ensemble: str = RANDOM_FOREST) -> tuple[Trial, Result, Trial]:
    """A trial, its result and the trial of its second opinion."""
    asked = trial(method, ensemble)
    result = CHAPTER.run(asked)
    assert CHAPTER.opinion is not None
    second = CHAPTER.opinion(asked, result, None)
    assert second is not None, result
    return asked, result, second


def changed(second: Trial, **values: Scalar) -> Trial:
    return replace(second, parameters=tuple((dict(second.parameters) | values).items()))


@pytest.mark.parametrize("ensemble", [RANDOM_FOREST, ADABOOST])
@pytest.mark.parametrize("method", [PRUNE, PACE, FIPE])
def test_a_smallest_ensemble_is_confirmed(method: str, ensemble: str) -> None:
    asked, result, second = of(method, ensemble)
    assert (second.kind, second.dataset, second.method) == ("opinion", "iris", method)
    assert (second.seed, second.time_limit) == (1, 60.0)
    added = {"of": asked.kind, "stated": result["final_size"], "bound": result["lower_bound"], "not_by": None}
    counts = {name: result[name] for name in ("pool", "n_samples")}
    assert dict(second.parameters) == dict(asked.parameters) | added | counts
    found = CHAPTER.run(second)
    assert found["verdict"] == "confirmed", found
    assert found["value"] == result["final_size"]
    assert found["solver"]


def test_the_solver_is_another_one() -> None:
    _, _, second = of(PRUNE)
    for solver in ("highs", "scip"):
        found = CHAPTER.run(changed(second, not_by=solver))
        assert not str(found["solver"]).startswith(solver)


@pytest.mark.parametrize("method", [PRUNE, PACE, FIPE])
def test_a_size_that_is_too_large_is_refuted(method: str) -> None:
    _, result, second = of(method)
    more = int(result["final_size"] or 0) + 1
    found = CHAPTER.run(changed(second, stated=more, bound=more))
    assert (found["verdict"], found["value"]) == ("refuted", more - 1)


def test_other_rows_refute_nothing_and_another_pool_is_not_asked() -> None:
    _, result, second = of(PRUNE)
    more = int(result["final_size"] or 0) + 1
    found = CHAPTER.run(changed(second, stated=more, bound=more, n_samples=1))
    assert (found["verdict"], found["reason"]) == ("not refuted", module.OTHER_ROWS)
    assert CHAPTER.run(changed(second, n_samples=1))["verdict"] == "confirmed"
    found = CHAPTER.run(changed(second, pool=1))
    assert (found["verdict"], found["reason"]) == ("not refuted", module.OTHER_POOL)


def test_a_support_within_tolerances_only_refutes_nothing() -> None:
    _, result, second = of(PRUNE)
    more = int(result["final_size"] or 0) + 1
    asked = changed(second, stated=more, bound=more)
    samples = module.repeated(asked)
    assert samples is not None
    rows = module.Rows.of(samples.margins, Clock(None))
    problem = module.fewest(rows, more, Clock(None))
    said = Opinion(Verdict.REFUTED, "highs 1", None, None, None, "", 0.0)
    assert module.doubts(asked, samples, rows, problem, said) is None
    wrong = replace(rows, epsilon=2.0)
    assert module.doubts(asked, samples, wrong, problem, said) == module.TOLERANCES_ONLY


def test_what_no_table_calls_smallest_gets_no_opinion() -> None:
    asked, result, second = of(PRUNE)
    for column in ("proved_l0", "certified"):
        assert module.opinion(asked, result | {column: 0}, None) is None
    assert module.opinion(asked, {"error": "EmptyRegionError"}, None) is None
    assert module.opinion(second, {"verdict": "confirmed"}, None) is None
    assert module.opinion(replace(asked, kind="merge"), result, None) is None
    for method in (GENERATE, FIPE_L1):
        other = trial(method)
        assert module.opinion(other, CHAPTER.run(other), None) is None


@pytest.mark.parametrize("seed", range(4))
def test_the_program_finds_the_smallest_support_or_the_stated_size(seed: int) -> None:
    margins = np.random.default_rng(seed).integers(-1, 4, (6, 6)) / 3
    rows = module.Rows.of(margins, Clock(None))
    assert rows.epsilon == module.EPSILON
    sizes = (
        n
        for n in range(1, 7)
        if any(best_weights(margins, np.array(one))[0] >= rows.epsilon for one in combinations(range(6), n))
    )
    least = next(sizes)
    for stated in (least - 1, least, least + 1):
        if stated:
            assert solve(module.fewest(rows, stated, Clock(None)), "highs").objective == min(stated, least)


def test_the_cost_is_that_of_the_run_again_and_more() -> None:
    asked, _, second = of(PRUNE)
    assert CHAPTER.cost(second) > CHAPTER.cost(asked)
