"""Numbers of the prose by hand: cells beside print, separation, regions, lost settings, pricing, leaves, bounds."""

from __future__ import annotations

import pandas as pd
import pytest

from compactml.chapters.pace import counterexamples, examples
from compactml.chapters.pace.method import path_lengths
from compactml.chapters.pace.numbers import beyond, lost_settings, reproduction
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
    found = picked(lost_settings.protocol(results(table_1=rows)), "pace_limit")
    assert found == {"_least": "30", "_most": "120"}


def test_numbers_of_table_2_agree_in_every_digit() -> None:
    """The rows have shares that fall; those of Seeds are printed rising, so the first and the last differ."""
    found = reproduction.data(results(table_2=datasets_as_stated()))
    assert found == {"pace_data": 10 * 2 + 3, "pace_data_agree": 21}


def test_class_shares_are_counted_in_both_readings() -> None:
    rows = datasets_as_stated()
    assert lost_settings.shares(results(table_2=rows)) == {
        "pace_shares_datasets": 11, "pace_shares_all": 11, "pace_shares_headless": 0,
    }  # fmt: skip


def test_sizes_are_near_or_not_counted() -> None:
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
    ours = results(table_1=rows, settings=table(row("Seeds", PRUNE, size["Seeds"])))
    assert reproduction.pruned(ours) == {"pace_pruned": 3, "pace_pruned_near": 2}  # Seeds decided the setting
    assert lost_settings.lost_certificates(ours) == {
        "pace_table_1_lost": "Fico, N = 25; Elec2, N = 50", "pace_table_3_lost": "none",
    }  # fmt: skip
    found = picked(lost_settings.tested(ours), "pace_")
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
    found = lost_settings.table_4(results(table_4=rows))
    assert found["pace_table_4"] == 3
    assert [found[f"pace_table_4_{name}"] for name in ("both", "gains", "gains_leaves")] == [3, 2, 1]


def test_forms_are_compared_where_the_constraint_form_ended() -> None:
    rows = loops_as_stated()
    stopped = (rows["dataset"] == "Pol") & (rows["method"] == "constraint")
    rows = rows.assign(certified=(~stopped).astype(int))
    faster = rows["seconds"].where((rows["method"] != "objective") | (rows["dataset"] != "Seeds"), 0.01)
    found = reproduction.single_runs(results(fig_2=rows, fig_5=rows.assign(seconds=faster)))
    assert found == {
        "pace_loop_datasets": 11, "pace_objective_compared": 30 + 30, "pace_objective_faster": 3,
    }  # fmt: skip


def test_impossible_shares_are_counted_by_table() -> None:
    assert set(lost_settings.suspicious(results())) == {"pace_impossible_table_1", "pace_impossible_table_3"}
    assert lost_settings.suspicious(results())["pace_impossible_table_3"] > 0


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
    named = f"Seeds, N = 25: at least {size + 2:g}, published {size:g}"
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
    for module in (reproduction, lost_settings, beyond):
        for name in module.__all__:
            assert getattr(module, name)(nothing)


def test_the_small_examples_are_as_worked_out_by_hand() -> None:
    """What the first page says in its formulas."""
    assert of_examples.separations(results()) == {"pace_agree": 8, "pace_asked": 8}
    example = examples.new_learner()
    assert (example.before.value, example.after.value) == pytest.approx((3, 1))
    assert example.reduced_cost == pytest.approx(-2)
    assert (example.fewest_before, example.fewest_after) == (3, 1)
    column = counterexamples.new_column()
    assert (column.reduced_cost, column.before, column.after) == pytest.approx((-1, 2, 2))
    assert round(float(path_lengths([2])["first line of (21)"].iloc[0]), 3) == 0.154


def test_the_dual_of_the_counterexample_is_optimal() -> None:
    assert counterexamples.new_column().optimal
    assert counterexamples.least_total(counterexamples.BOUNDED) == pytest.approx(2)
