"""Numbers of the prose of the third notebook by hand: pricing, forms, certificates, leaves, bounds, refitting, Fipe."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.pace.numbers import beyond
from compactml.chapters.pace.peers import peers_numbers
from compactml.chapters.pace.trials.paper import PACE
from tests.chapters.pace.toy_beyond import answers_as_found, cases_as_found, visited
from tests.chapters.pace.toy_results import picked, results, table
from tests.chapters.pace.toy_tables import row

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def test_our_search_is_compared_with_the_constraint_form() -> None:
    found = beyond.engines(results(engines=answers_as_found()))
    assert found["pace_ratio_search"] == pytest.approx(4)
    assert (found["pace_engines_cases"], found["pace_search_slower"]) == (6, 0)


def test_checks_are_those_of_certified_ensembles() -> None:
    rows = pd.concat(
        [
            visited(2, exhaustive=1),
            visited(1, exhaustive=0),
            visited(1, exhaustive=0, certified=0, disagreements=7),
            visited(1, exhaustive=1, final_size=np.nan),
        ]
    )
    many = rows.assign(n_points=2_000_000)
    assert picked(beyond.checks(results(checks=many)), "pace_checks") == {"": 3, "_points": "6", "_not": 1}


def test_agreement_is_the_least_of_table_1() -> None:
    more = {"initial_leaves": 90, "initial_accuracy": 0.9, "accuracy": 0.9, "region_fidelity": 1.0}
    rows = table(
        row("Seeds", PACE, 4, total_leaves=16, fidelity=0.9, region_share=0.5, **more),
        row("Pol", PACE, 4, total_leaves=24, fidelity=0.8, region_share=0.75, **more),
    )
    assert beyond.outside(results(table_1=rows)) == {"pace_outside": pytest.approx(80)}


def test_fipepy_is_compared_where_both_look_for_the_fewest() -> None:
    counts = peers_numbers(cases_as_found(), "l0")
    assert beyond.fipepy(results(fipepy=cases_as_found())) == {
        "pace_fipepy_both": counts["both"], "pace_fipepy_median": counts["median"],
    }  # fmt: skip
    assert counts["both"] == 2


def test_merged_trees_and_leaves_are_shares_of_the_pruned_ones() -> None:
    merged = {"thrifty_size": 5, "thrifty_leaves": 20, "merged_size": 2, "merged_leaves": 30}
    rows = pd.concat([visited(1, **merged), visited(1, **merged).assign(dataset="Pol", thrifty_size=10)])
    found = beyond.merging(results(merging=rows))
    assert (found["pace_merge_half"], found["pace_merge_share"]) == pytest.approx((75, 100))


def test_refitted_trees_stand_beside_pruned_ones() -> None:
    sides = {
        "same_certified": 1, "same_size": 5, "same_leaves": 22, "same_seconds": 8.0,
        "deeper_certified": 1, "deeper_size": 3, "deeper_leaves": 18, "deeper_seconds": 9.0,
    }  # fmt: skip
    rows = pd.concat(
        [
            visited(1, **sides, timed_out=1),
            visited(1, **sides).assign(dataset="Pol", certified=0, same_certified=0, deeper_certified=0),
        ]
    )
    found = picked(beyond.refits(results(refitting=rows)), "pace_refit_")
    assert (found["same"], found["same_trees"]) == (1, 1)
    assert found["deeper_share"] == pytest.approx(30)
