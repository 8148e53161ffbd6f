"""Trials under choices that the paper leaves open, and sizes beside learners, on a small part of the iris data."""

from __future__ import annotations

import pytest

from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.datasets import KEYS
from compactml.chapters.pace.plans.readings import JUDGED, PAPERS
from compactml.chapters.pace.protocol import DEPTHS
from compactml.chapters.pace.rows import SETTING
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.chapters.pace.trials.readings import IN_LEAVES, MOST, NO_LIMIT, SINGLE, TIME
from compactml.pace._compress import GENERATE_FIRST, ORDERS, PRUNE_FIRST
from compactml.pace.generation import DUALS
from compactml.study.trial import Result, Trial

SCANS = ("scan_table_4", "scan_table_1", "scan_table_3", "scan_regions", "scan_order")


def measured(
    kind: str, method: str, ensemble: str = RANDOM_FOREST, limit: float = 60.0, **choices: str
) -> Result:
    parameters = {"n_learners": 6, "depth": 2, "alpha": 0.1, "beta": 0.0, "ensemble": ensemble} | choices
    return CHAPTER.run(Trial("pace", kind, "iris", method, None, 1, tuple(parameters.items()), limit))


@pytest.mark.usefixtures("iris_in_bins")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("depth_limit", ["initial", "1", NO_LIMIT])
def test_a_reading_is_certified_and_says_how_its_first_phase_ended(order: str, depth_limit: str) -> None:
    found = measured(
        "reading", PACE, separation="constraint", duals="interior", depth_limit=depth_limit, order=order
    )
    assert found["certified"] == 1
    assert found["ended"] not in ("", TIME)
    generated = int(found["pool"] or 0) - int(found["initial_size"] or 0)
    assert (generated == 6) == (found["ended"] == MOST)
    assert 0 <= int(found["n_generated"] or 0) <= min(generated, int(found["final_size"] or 0))
    if order == GENERATE_FIRST:
        assert 1 <= int(found["weighed_size"] or 0) <= int(found["pool"] or 0)
        assert int(found["final_size"] or 0) <= int(found["weighed_size"] or 0)  # (P0) on the same pool
    else:
        assert found["weighed_size"] is None
    if depth_limit == "1":
        assert int(found["deepest"] or 0) <= 2


@pytest.mark.usefixtures("iris_in_bins")
@pytest.mark.parametrize("ensemble", [RANDOM_FOREST, ADABOOST])
def test_sizes_are_counted_in_leaves_and_tests(ensemble: str) -> None:
    pruned, light, single = (
        measured("sized", method, ensemble, depth_limit="4") for method in (PRUNE, IN_LEAVES, SINGLE)
    )
    for found in (pruned, light, single):
        assert found["certified"] == 1
        leaves, size = int(found["total_leaves"] or 0), int(found["final_size"] or 0)
        assert 0 < float(found["path_length"] or 0) <= size * int(found["deepest"] or 0)
        assert float(found["path_length"] or 0) <= leaves - size  # no path has more tests than its tree
    assert int(light["total_leaves"] or 0) <= int(pruned["total_leaves"] or 0)
    assert single["final_size"] == 1


def test_the_scan_has_every_reading_of_every_ensemble_once() -> None:
    trials = [one for table in SCANS for one in CHAPTER.trials(table, "standard")]
    shared = set(CHAPTER.trials("scan_table_4", "standard")) & set(CHAPTER.trials("scan_regions", "standard"))
    assert len(set(trials)) == len(trials) - len(shared)  # stumps on the whole space are in both
    for table in SCANS[:-1]:
        asked = [dict(one.parameters) for one in CHAPTER.trials(table, "standard")]
        assert {one["order"] for one in asked} == {GENERATE_FIRST}
        assert {(one["duals"], one["depth_limit"]) for one in asked} == {
            (u, d) for u in DUALS for d in DEPTHS
        }
        judged = [one for one in asked if tuple(one[name] for name in JUDGED._fields) == JUDGED]
        cases = {tuple(one[name] for name in SETTING) for one in asked}
        by_program = [one for one in judged if one["separation"] == PAPERS]
        assert {tuple(one[name] for name in SETTING) for one in by_program} == cases
    ours = CHAPTER.trials("scan_order", "standard")
    assert {dict(one.parameters)["order"] for one in ours} == {PRUNE_FIRST}
    assert len(ours) == 44 * 9
    slow = [one for one in trials if one.time_limit == 300.0]
    assert {(one.dataset, dict(one.parameters)["depth_limit"]) for one in slow} == {
        (KEYS["Diabetes"], NO_LIMIT)
    }
    assert len(slow) == 4  # two kinds of duals, two forms of separation
