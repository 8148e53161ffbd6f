"""What single trials measure, on a small part of the iris data."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST, trial_setting
from compactml.chapters.pace.trials.paper import FIPE, FIPE_L1, GENERATE, PACE, PRUNE
from compactml.pace.model.enumerating import all_cells
from compactml.pace.separation.separator import FORMS
from compactml.study.trial import Result, Scalar, Trial

pytestmark = pytest.mark.usefixtures("iris_in_bins")


def trial(kind: str, method: str, ensemble: str, **changed: Scalar) -> Trial:
    parameters: dict[str, Scalar] = {"n_learners": 6, "depth": 2, "alpha": 0.1, "beta": 0.0}
    if kind in ("compress", "recheck"):
        parameters |= {"pricing": "cart", "generated_depth": None}
    parameters |= {"ensemble": ensemble} | changed
    return Trial("pace", kind, "iris", method, None, 1, tuple(parameters.items()), 60.0)


def measured(kind: str, method: str, ensemble: str = RANDOM_FOREST, **changed: Scalar) -> Result:
    return CHAPTER.run(trial(kind, method, ensemble, **changed))


@pytest.mark.parametrize("ensemble", [RANDOM_FOREST, ADABOOST])
@pytest.mark.parametrize("method", [GENERATE, PRUNE, PACE])
def test_a_compression_is_certified_and_its_numbers_fit_together(ensemble: str, method: str) -> None:
    found = measured("compress", method, ensemble)
    assert found["certified"] == 1
    assert found["region_fidelity"] == 1.0
    size, pool, initial = (int(found[name] or 0) for name in ("final_size", "pool", "initial_size"))
    assert 1 <= size <= pool
    assert found["generated_in_final"] == int(found["n_generated"] or 0) / size
    assert (pool == initial) or method != PRUNE
    assert float(found["least_margin"] or 0) > 0
    assert size <= int(found["total_leaves"] or 0) <= 4 * size  # depth 2
    assert int(found["n_samples"] or 0) >= int(found["n_training_samples"] or 0)
    assert (found["lower_bound"] is None) == (method == GENERATE)
    assert found["proved_l0"] == (None if method == GENERATE else int(found["lower_bound"] == size))


def test_the_isolation_forest_is_the_trials() -> None:
    asked = {"beta": 0.2, "isolation_trees": 7, "isolation_samples": 32}
    setting = trial_setting(trial("compress", PRUNE, RANDOM_FOREST, **asked))
    assert len(setting.region.isolation.learners) == 7
    assert max(int(one.n_leaves) for one in setting.region.isolation.learners) <= 32
    found = measured("compress", PRUNE, **asked)
    assert found["certified"] == 1
    assert float(found["region_share"] or 0) < 1


def test_an_empty_region_is_a_result() -> None:
    found = measured("compress", PRUNE, alpha=1.0, n_learners=25, depth=1)
    assert found["error"] == "EmptyRegionError"
    assert 0 < float(found["largest_margin"] or 0) < 1


def test_the_smallest_support_is_not_larger_than_that_of_the_linear_program() -> None:
    small, linear = (measured("fipe", method, depth=1, alpha=0.0) for method in (FIPE, FIPE_L1))
    ours = measured("compress", PRUNE, depth=1, alpha=0.0)
    assert small["certified"] == linear["certified"] == ours["certified"] == 1
    assert small["proved_l0"] == ours["proved_l0"] == 1
    assert int(small["final_size"] or 0) <= int(linear["final_size"] or 0)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_reaches_faithfulness(form: str) -> None:
    found = measured("faithful", form, alpha=0.0)
    assert (found["certified"], found["timed_out"], found["rounded"]) == (1, 0, 1)
    pairs = 6
    assert found["n_solved"] == pairs * int(found["rounds"] or 0)
    assert 0 < int(found["n_samples"] or 0) <= pairs * (int(found["rounds"] or 0) - 1)


def test_all_forms_agree_on_the_same_weights() -> None:
    answers = [measured("engines", form, alpha=0.0) for form in FORMS]
    for place in ("first", "middle", "last"):
        assert {found[f"answered_{place}"] for found in answers} == {1}
        assert len({found[f"separated_{place}"] for found in answers}) == 1
    assert {found["separated_last"] for found in answers} == {0}
    assert all(int(found["separated_first"] or 0) > 0 for found in answers)


def test_a_history_counts_up() -> None:
    found = measured("history", "exact")
    steps = np.array(json.loads(str(found["steps"])))
    assert steps[:, 0].tolist() == list(range(len(steps)))
    assert (np.diff(steps[:, 3]) > 0).all()  # at least one problem for every new learner
    assert (np.diff(steps[:, 4]) >= 0).all()
    assert (steps[:, 1] < 0).sum() >= len(steps) - 1
    assert found["ended"] in ("not negative", "most")


def test_exact_pricing_is_not_worse_on_the_same_samples() -> None:
    cart, exact = (measured("pricing", method) for method in ("cart", "exact"))
    assert cart["n_samples"] == exact["n_samples"]
    assert cart["lp_value_start"] == exact["lp_value_start"]
    assert (cart["proved"], exact["proved"]) == (0, 1)
    start, by_cart, by_exact = (
        float(value or 0) for value in (cart["lp_value_start"], cart["lp_value"], exact["lp_value"])
    )
    assert 1 - 1e-9 <= by_exact <= by_cart + 1e-9
    assert by_exact < start


def test_a_certificate_is_checked_on_all_cells_of_the_region() -> None:
    asked = trial("recheck", PACE, RANDOM_FOREST, n_points=1000)
    found = CHAPTER.run(asked)
    setting = trial_setting(asked)
    inside = sum(int(setting.region.contains(cells).sum()) for cells in all_cells(setting.grid.sizes))
    assert (found["certified"], found["exhaustive"], found["disagreements"]) == (1, 1, 0)
    assert found["n_points"] == inside > 0


def test_the_same_trial_gives_the_same_numbers() -> None:
    one, again = (measured("compress", PACE) for _ in range(2))
    assert {name for name, value in one.items() if again[name] != value} <= {"seconds"}


def test_classes_are_counted_by_falling_share() -> None:
    found = measured("dataset", "")
    assert (found["n"], found["classes"], found["numerical"]) == (150, 3, 3)
    shares = [float(found[f"share_{k}"] or 0) for k in (1, 2, 3)]
    assert all(a >= b for a, b in product(shares[:1], shares[1:]))
    assert sum(shares) == pytest.approx(1.0)


@pytest.mark.parametrize("ensemble", [RANDOM_FOREST, ADABOOST])
def test_merging_leaves_fewer_trees_and_says_how_many_leaves(ensemble: str) -> None:
    asked = {"depth": 1, "alpha": 0.0, "pricing": "cart", "generated_depth": 2, "n_points": 500}
    found = measured("merge", PRUNE, ensemble, **asked)
    sizes = [int(found[f"{name}_size"] or 0) for name in ("merged", "thrifty", "final")]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]
    assert int(found["thrifty_leaves"] or 0) <= int(found["total_leaves"] or 0) == 2 * sizes[2]
    assert (found["certified"], found["disagreements"]) == (1, 0)
    setting = trial_setting(trial("merge", PRUNE, ensemble, **asked))
    inside = sum(int(setting.region.contains(cells).sum()) for cells in all_cells(setting.grid.sizes))
    assert found["n_points"] == 2 * inside


@pytest.mark.parametrize("ensemble", [RANDOM_FOREST, ADABOOST])
def test_refitting_leaves_fewer_trees_also_for_scikit_learn(ensemble: str) -> None:
    asked = {"n_learners": 20, "pricing": "cart", "generated_depth": None, "n_points": 500}
    found = measured("refit", PRUNE, ensemble, **asked)
    deeper, same, before = (int(found[f"{name}_size"] or 0) for name in ("deeper", "same", "final"))
    assert 1 <= deeper <= same <= before
    assert deeper < before
    assert found["certified"] == found["same_certified"] == found["deeper_certified"] == 1
    assert found["disagreements"] == 0
    setting = trial_setting(trial("refit", PRUNE, ensemble, **asked))
    assert found["n_points"] == 2 * sum(
        setting.region.contains(part).sum() for part in all_cells(setting.grid.sizes)
    )
