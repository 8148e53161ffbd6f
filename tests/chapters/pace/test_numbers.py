"""Numbers of the prose by hand: cells beside print, separation, regions, lost settings, pricing, leaves, bounds."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from compactml.chapters.pace import counterexamples
from compactml.chapters.pace.numbers import beyond, lost_settings, reproduction, smaller_trees
from compactml.chapters.pace.numbers import method as of_examples
from compactml.chapters.pace.trials.ensembles import RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from tests.chapters.pace.toy_results import picked, printed, results, table
from tests.chapters.pace.toy_tables import datasets_as_stated, loops_as_stated, row, whole_space_runs

pytestmark = pytest.mark.usefixtures("nothing_recorded")


def test_limits_are_those_that_ended_a_recorded_run() -> None:
    rows = table(
        row("Seeds", PRUNE, 5, timed_out=1, time_limit=30.0),
        row("Pol", PRUNE, 5, timed_out=1, time_limit=120.0),
        row("Fico", PRUNE, 5, timed_out=0, time_limit=999.0),
    )
    found = picked(reproduction.protocol(results(table_1=rows)), "pace_limit")
    assert found == {"": "–", "_standard": "120", "_least": "30", "_most": "120"}


def test_numbers_of_table_2_agree_in_every_digit() -> None:
    """The rows have shares that fall; those of Seeds are printed rising, so the first and the last differ."""
    found = reproduction.table_2(results(table_2=datasets_as_stated()))
    assert found == {"pace_table_2_all": 10 * 2 + 3, "pace_table_2_agree": 21}


def test_class_shares_are_counted_in_both_readings() -> None:
    rows = datasets_as_stated()
    assert reproduction.shares(results(table_2=rows)) == {
        "pace_shares_datasets": 11, "pace_shares_all": 11, "pace_shares_headless": 0,
    }  # fmt: skip


def test_sizes_agree_are_near_or_not_counted() -> None:
    """Seeds agrees, Pol is one off, Fico ten; Diabetes has no certificate; Elec2 with N = 50 took no part."""
    size = {name: printed("table_1", PRUNE, name, 25) for name in ("Seeds", "Pol", "Fico", "Diabetes")}
    rows = table(
        row("Seeds", PRUNE, size["Seeds"]),
        row("Pol", PRUNE, size["Pol"] + 1),
        row("Fico", PRUNE, size["Fico"] + 10),
        row("Diabetes", PRUNE, size["Diabetes"], certified=0),
        row("Elec2", PRUNE, printed("table_1", PRUNE, "Elec2", 50), n_learners=50),
        row("Seeds", PACE, 1),
        row("Pol", PACE, size["Pol"] + 1),
        row("Fico", PACE, 1, certified=0),
        row("Seeds", GENERATE, printed("table_1", GENERATE, "Seeds", 25)),
    )
    found = picked(reproduction.table_1(results(table_1=rows)), "pace_table_1_")
    pace_near = sum(
        abs(mine - printed("table_1", PACE, name, 25)) <= 1
        for name, mine in (("Seeds", 1), ("Pol", size["Pol"] + 1))
    )
    assert (found["pruned"], found["pruned_near"], found["pruned_open"]) == (4, 3, 1)
    assert (found["all"], found["near"]) == (6, 3 + pace_near)
    assert (found["both"], found["gains"]) == (2, 1)
    assert found["lost"] == "Fico, N = 25; Elec2, N = 50"
    assert (found["larger"], found["larger_near"]) == (1, 1)
    assert (found["unfitted"], found["unfitted_near"], found["unfitted_open"]) == (1, 1, 0)  # Pol


def test_the_whole_space_is_counted_in_trees_and_in_leaves() -> None:
    rows = table(
        *(
            row(name, method, size, ensemble=RANDOM_FOREST, n_learners=50, total_leaves=leaves)
            for name, sizes in (("Seeds", (3, 6, 20, 12)), ("Pol", (4, 8, 10, 16)), ("Fico", (5, 5, 9, 10)))
            for method, size, leaves in ((PACE, sizes[0], sizes[2]), (FIPE, sizes[1], sizes[3]))
        )
    )
    found = picked(reproduction.table_4(results(table_4=rows)), "pace_table_4_")
    assert (found["both"], found["gains"], found["gains_leaves"]) == (3, 2, 1)
    assert found["pruned"] == 3


def test_forms_are_compared_where_the_constraint_form_ended() -> None:
    rows = loops_as_stated()
    stopped = (rows["dataset"] == "Pol") & (rows["method"] == "constraint")
    rows = rows.assign(certified=(~stopped).astype(int))
    found = reproduction.separation(results(fig_2=rows))
    of_forests = picked(found, "pace_fig_2_")
    assert (of_forests["runs"], of_forests["left"], of_forests["compared"]) == (33, 3, 30)
    assert (of_forests["datasets"], of_forests["objective_faster"]) == (11, 0)
    assert (of_forests["objective"], of_forests["milp"]) == pytest.approx((3, 20))
    assert found["pace_fig_5_runs"] == 0
    assert math.isnan(found["pace_fig_5_milp"])


def test_regions_are_smaller_larger_or_the_same() -> None:
    rows = table(
        *(
            row("Compas", method, size, alpha=alpha)
            for alpha, sizes in ((0.0, (9, 9)), (0.1, (7, 8)), (0.2, (6, 5)), (0.3, (2, 5)))
            for method, size in zip((PACE, PRUNE), sizes, strict=True)
        )
    )
    found = picked(reproduction.regions(results(fig_3=rows)), "pace_fig_3_")
    assert found == {"regions": 4, "smaller": 2, "larger": 1}


def test_impossible_shares_are_counted_by_table() -> None:
    assert set(reproduction.suspicious(results())) == {"pace_impossible_table_1", "pace_impossible_table_3"}
    assert reproduction.suspicious(results())["pace_impossible_table_3"] > 0


def test_the_best_setting_is_told_with_the_deepest() -> None:
    """Depth 2 is as printed, depth 3 two learners off; the smaller alpha is nearer."""
    size = printed("table_1", PRUNE, "Seeds", 25)
    rows = table(
        row("Seeds", PRUNE, size, depth=2, alpha=0.1),
        row("Seeds", PRUNE, size + 2, depth=3, alpha=0.05),
        row("Seeds", PRUNE, size + 3, depth=3, alpha=0.2, beta=0.0),
    )
    bound = table(row("Seeds", PRUNE, size + 3, lower_bound=size + 2))
    found = lost_settings.fits(results(settings=rows, table_1=bound))
    fit = picked(found, "pace_fit_")
    assert (fit["depth"], fit["alpha"], fit["near"], fit["distance"], fit["datasets"]) == (
        "2",
        "0.1",
        "1",
        "0",
        "1",
    )
    assert (fit["next_depth"], fit["next_alpha"]) == ("3", "0.05")
    assert (fit["deepest_depth"], fit["deepest_alpha"], fit["deepest_distance"]) == ("3", "0.05", "2")
    assert (fit["most_alpha"], fit["betas"], fit["adaboost_alpha"]) == ("0.2", "0, 0.1", "–")
    assert found["pace_proved_apart"] == 1
    named = f"Seeds, N = 25: at least {size + 2:g}, print {size:g}"
    assert found["pace_proved_apart_names"] == named


def test_printed_sizes_lie_inside_or_outside_of_our_runs() -> None:
    rows = pd.concat(
        [
            whole_space_runs(0, 1, 0),
            whole_space_runs(20, 20, 20, dataset="Pol"),
            whole_space_runs(0, 0, dataset="Fico", n_learners=75),
        ]
    )
    found = lost_settings.whole_space_sizes(results(settings=rows))
    forests = picked(found, "pace_whole_random_forest_")
    assert (forests["inside"], forests["datasets"], forests["near"], forests["outside"]) == (1, 2, 1, "Pol")
    assert picked(found, "pace_whole_first_") == {"N": 50, "near": 1, "certified": 2}
    assert found["pace_whole_runs"] == 3
    adaboost = picked(found, "pace_whole_adaboost_")
    assert adaboost == {"inside": 0, "near": 0, "datasets": 0, "expected": "–", "outside": "none"}


def test_a_size_moves_inside_by_the_other_reading_of_the_bins() -> None:
    rows = pd.concat([whole_space_runs(0, 0), whole_space_runs(20, 20, dataset="Pol")])
    rebinned = pd.concat(
        [whole_space_runs(0, 0, n_learners=75), whole_space_runs(0, 1, dataset="Pol", n_learners=75)]
    )
    found = lost_settings.bins(results(settings=rows, bins=rebinned.assign(deciles_of="distinct values")))
    forests = picked(found, "pace_bins_random_forest_")
    assert (forests["N"], forests["inside"], forests["near"], forests["datasets"]) == (75, 2, 2, 2)
    assert (forests["first_inside"], forests["first_near"]) == (1, 1)
    assert (forests["moved"], forests["outside"], forests["most"]) == ("Pol", "none", 2)
    assert picked(found, "pace_bins_adaboost_")["N"] == 0
    assert found["pace_bins_runs"] == 5


def test_nothing_run_and_nothing_recorded_is_no_error() -> None:
    nothing = results()
    for module in (reproduction, lost_settings, beyond, smaller_trees):
        for name in module.__all__:
            assert getattr(module, name)(nothing)


def test_the_small_examples_are_as_worked_out_by_hand() -> None:
    nothing = results()
    found = of_examples.separations(nothing)
    assert (found["pace_agree"], found["pace_asked"]) == (8, 8)
    assert found["pace_separations"] == 16  # two ordered pairs of labels in each row
    assert of_examples.master(nothing) == pytest.approx(
        {"pace_v1": 3, "pace_v1_after": 1, "pace_r": -2, "pace_l0": 3, "pace_l0_after": 1}
    )
    assert of_examples.unchanged(nothing) == {"pace_o3_r": -1, "pace_o3_before": 2, "pace_o3_after": 2}
    path = of_examples.path(nothing)
    gamma = 0.5772156649
    assert path["pace_p"] == pytest.approx(3 + 2 * (math.log(4) + gamma) - 8 / 5)
    assert path["pace_c2"] == pytest.approx(2 * gamma - 1)
    assert smaller_trees.merged_example(nothing) == {"pace_merged_before": 6, "pace_merged_after": 4}


def test_the_dual_of_the_counterexample_is_optimal() -> None:
    assert counterexamples.new_column().optimal
    assert counterexamples.least_total(counterexamples.BOUNDED) == pytest.approx(2)
