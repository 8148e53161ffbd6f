"""Numbers of the prose of the third notebook by hand: pricing, forms, certificates, leaves, bounds, refitting, Fipe."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.pace.numbers import beyond, smaller_trees
from compactml.chapters.pace.trials.ensembles import ADABOOST
from compactml.chapters.pace.trials.paper import FIPE, PACE, PRUNE
from tests.chapters.pace.toy_beyond import answers_as_found, cases_as_found, visited
from tests.chapters.pace.toy_results import picked, printed, results, table
from tests.chapters.pace.toy_tables import row

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def priced(dataset: str, method: str, value: float, proved: int) -> dict[str, Any]:
    return row(
        dataset, method, np.nan, kind="pricing", n_samples=9, lp_value_start=10.0, lp_value=value, n_generated=4,
        reduced_cost=0.0, proved=proved, pricing=method,
    )  # fmt: skip


def test_exact_pricing_is_counted_as_lower_from_15_percent_on() -> None:
    rows = table(
        priced("Seeds", "cart", 10.0, 0),
        priced("Seeds", "exact", 8.0, 1),
        priced("Pol", "cart", 10.0, 0),
        priced("Pol", "exact", 9.0, 0),
        row("Seeds", PACE, 6, pricing="cart", generated_depth=2.0, total_leaves=20),
        row("Seeds", PACE, 5, pricing="exact", generated_depth=2.0, total_leaves=20),
        row("Pol", PACE, 4, pricing="cart", generated_depth=2.0, total_leaves=20),
        row("Pol", PACE, 5, pricing="exact", generated_depth=2.0, total_leaves=20),
        row("Fico", PACE, 4, pricing="cart", generated_depth=2.0, total_leaves=20),
        row("Fico", PACE, 3, pricing="exact", generated_depth=2.0, total_leaves=20, certified=0),
    )
    ours = results(pricing=rows)
    found = picked(beyond.pricing(ours), "pace_priced")
    assert (found[""], found["_15"], found["_proved"]) == (2, 1, 1)
    assert found["_mean"] == pytest.approx(15)
    assert beyond.pricing_sizes(ours) == {"pace_sizes": 2, "pace_sizes_smaller": 1, "pace_sizes_larger": 1}


def test_forms_are_compared_on_the_same_weights() -> None:
    rows = answers_as_found()
    slow = rows[rows["method"] == "constraint"].assign(
        method="objective", seconds_last=0.5, seconds_first=4.0
    )
    slow = slow.assign(separated_last=1)
    found = beyond.engines(results(engines=pd.concat([rows, slow], ignore_index=True)))
    assert found["pace_ratio_search"] == pytest.approx(4)
    assert found["pace_ratio_objective"] == pytest.approx((4 * 1 * 0.5) ** (1 / 3))
    assert (found["pace_place_least"], found["pace_place_most"]) == pytest.approx((1, 4))
    assert found["pace_place_forests"] == pytest.approx(0.5)
    assert (found["pace_engines_cases"], found["pace_search_slower"], found["pace_engines_left"]) == (6, 0, 0)
    assert found["pace_conflicts"] == 2  # the last weights of both datasets
    assert math.isnan(found["pace_ratio_milp"])


def test_checks_are_those_of_certified_ensembles() -> None:
    rows = pd.concat(
        [
            visited(2, exhaustive=1),
            visited(1, exhaustive=0),
            visited(1, exhaustive=0, certified=0, disagreements=7),
            visited(1, exhaustive=1, final_size=np.nan),
        ]
    )
    assert picked(beyond.checks(results(checks=rows)), "pace_checks") == {
        "": 3, "_all": 2, "_points": 3000, "_wrong": 0, "_not": 1, "_not_wrong": "7 of 1,000 (Seeds)",
    }  # fmt: skip


def test_leaves_and_agreement_are_those_of_table_1() -> None:
    more = {"initial_leaves": 90, "initial_accuracy": 0.9, "accuracy": 0.9, "region_fidelity": 1.0}
    rows = table(
        row("Seeds", PRUNE, 5, total_leaves=20, **more),
        row("Seeds", PACE, 4, total_leaves=16, fidelity=0.9, region_share=0.5, **more),
        row("Pol", PRUNE, 5, total_leaves=20, **more),
        row("Pol", PACE, 4, total_leaves=24, fidelity=0.8, region_share=0.75, **more),
    )
    ours = results(table_1=rows)
    assert beyond.leaves(ours) == {"pace_leaves": 2, "pace_leaves_smaller": 1}
    outside = beyond.outside(ours)
    assert (outside["pace_outside"], outside["pace_share_least"]) == pytest.approx((80, 50))


def test_bounds_are_proved_or_open() -> None:
    rows = table(
        row("Seeds", PRUNE, 3, lower_bound=3),
        row("Pol", PRUNE, 4, lower_bound=3),
        row("Fico", PACE, 9, lower_bound=4),
        row("Elec2", PACE, 9, lower_bound=8),
        row("Htru2", PACE, 9, lower_bound=1, certified=0),
    )
    found = picked(beyond.bounds(results(table_1=rows)), "pace_bounds")
    assert found == {
        "": 4, "_proved": 1, "_small": 2, "_small_proved": 1, "_open": 3, "_of_pace": 2, "_gap": 3, "_most": 5,
    }  # fmt: skip


def test_fipe_is_compared_where_both_are_certified() -> None:
    rows = table(
        *(
            row(name, method, size, seconds=seconds, ensemble=ADABOOST, certified=certified)
            for name, method, size, seconds, certified in (
                ("Seeds", PRUNE, 5, 1.0, 1),
                ("Seeds", FIPE, 5, 3.0, 1),
                ("Pol", PRUNE, 6, 2.0, 1),
                ("Pol", FIPE, 5, 2.0, 1),
                ("Fico", PRUNE, 6, 2.0, 1),
                ("Fico", FIPE, 9, 60.0, 0),
            )
        )
    )
    assert picked(beyond.fipe(results(fipe=rows)), "pace_peer") == {
        "": 2, "_same": 1, "_faster": 2, "_most": 3, "_slowest": "Seeds, AdaBoost", "_unproved": 1,
        "_unproved_where": "Fico",
    }  # fmt: skip


def test_fipepy_is_counted_by_norm() -> None:
    found = beyond.fipepy(results(fipepy=cases_as_found()))
    assert (
        found["pace_fipepy_l0_cases"],
        found["pace_fipepy_l0_certified"],
        found["pace_fipepy_l0_ours"],
    ) == (3, 2, 3)
    assert (found["pace_fipepy_l1_both"], found["pace_fipepy_l1_median"]) == (2, 10)
    assert (found["pace_fipepy_datasets"], found["pace_fipepy_refused"]) == (1, 0)


def test_merged_trees_and_leaves_are_shares_of_the_pruned_ones() -> None:
    merged = {"thrifty_size": 5, "thrifty_leaves": 20, "merged_size": 2, "merged_leaves": 30}
    rows = pd.concat([visited(1, **merged), visited(1, **merged).assign(dataset="Pol", thrifty_size=10)])
    pace = table(row("Seeds", PACE, 6, total_leaves=20), row("Pol", PACE, 2, total_leaves=20))
    found = picked(smaller_trees.merging(results(merging=rows, table_4=pace)), "pace_merge_")
    assert (found["trees"], found["leaves"], found["pace"], found["pace_trees"]) == (1, 0, 2, 1)
    assert (found["half"], found["share"], found["deep"], found["deep_share"]) == pytest.approx(
        (75, 100, 20, 150)
    )
    assert (found["pace_both"], found["points"], found["wrong"]) == (1, 2000, 0)


def test_refitted_trees_stand_beside_pruned_ones_pace_and_print() -> None:
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
    pace = table(row("Seeds", PACE, 6, total_leaves=20))
    found = picked(smaller_trees.refits(results(refitting=rows, table_1=pace)), "pace_refit_")
    assert (found["same"], found["same_trees"], found["same_leaves"], found["same_larger"]) == (1, 1, 0, 1)
    assert (found["same_share"], found["same_leaf_share"]) == pytest.approx((50, 110))
    assert (found["deeper_share"], found["deeper_leaf_share"], found["deeper_larger"]) == pytest.approx(
        (30, 90, 0)
    )
    assert (found["pace"], found["pace_trees"]) == (1, 1)
    assert (found["cases"], found["uncertified"], found["points"], found["wrong"]) == (2, 1, 2000, 0)
    in_print = printed("table_1", PACE, "Seeds", 25)
    assert (found["same_beside"], found["same_print"]) == (1, int(in_print >= 5))
    assert (found["same_seconds"], found["deeper_seconds"], found["limit"]) == (8, 9, "60")
