"""Tables of the third notebook and of the lost settings: what is shown is what was given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.pace import beyond, figures, settings
from compactml.chapters.pace import separation as pace_engines
from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.class_shares import class_shares
from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.trials.paper import FIPE, FIPE_L1, PACE, PRUNE
from compactml.chapters.pace.whole_space import intervals
from tests.chapters.pace.toy_tables import row

PRICES = {
    "n_samples": 90,
    "lp_value_start": 4.0,
    "n_generated": 6,
    "seconds": 1.0,
    "proved": 0,
    "reduced_cost": -0.1,
}


def test_exact_pricing_is_compared_with_cart() -> None:
    rows = pd.DataFrame(
        [
            PRICES | {"dataset": "Seeds", "kind": "pricing", "method": "cart", "lp_value": 2.0},
            PRICES | {"dataset": "Seeds", "kind": "pricing", "method": "exact", "lp_value": 1.5, "proved": 1},
            row("Seeds", PACE, 4, pricing="cart", generated_depth=np.nan, total_leaves=16),
            row("Seeds", PACE, 3, pricing="exact", generated_depth=np.nan, total_leaves=12),
            row("Seeds", PACE, 2, pricing="exact", generated_depth=3.0, total_leaves=14, certified=0),
        ]
    )
    (price,) = beyond.pricing_table(rows).to_dict("records")
    assert (price["value, cart"], price["proved, exact"], price["lower by (%)"]) == (
        2.0,
        1,
        pytest.approx(25),
    )
    sizes = beyond.pricing_sizes(rows).set_index("depth of new trees")
    assert sizes.loc[2, ["size, cart", "size, exact", "leaves, exact"]].to_list() == [4, 3, 12]
    assert not sizes.loc[3, "certified, exact"]


def engines(form: str, seconds: float, answered: int = 1, dataset: str = "Seeds") -> dict[str, object]:
    places = ("first", "middle", "last")
    return row(dataset, form, 5) | {f"seconds_{place}": seconds for place in places} | {
        f"answered_{place}": answered for place in places
    }  # fmt: skip


def test_engines_are_compared_on_the_weights_that_the_constraint_answers() -> None:
    rows = pd.DataFrame(
        [
            engines("constraint", 2.0),
            engines("milp", 60.0, 0),
            engines("search", 0.5),
            engines("constraint", 60.0, 0, "Pol"),
            engines("search", 0.1, 1, "Pol"),
        ]
    )
    *_, whole = pace_engines.engine_ratios(rows).to_dict("records")
    ratios = [whole[figures.FORMS[form]] for form in ("milp", "search")]
    assert ratios == pytest.approx([30.0, 0.25])
    assert whole["cases"] == 3
    assert whole["ran out of time"] == 3
    slow = rows.assign(seconds_last=rows["seconds_last"].where(rows["method"] != "search", 4.0))
    assert [pace_engines.not_faster(one, "search") for one in (rows, slow)] == [0, 1]
    by_place = pace_engines.place_ratios(slow).set_index(["weights", "ensemble"])[figures.FORMS["search"]]
    assert [by_place[place, "random forest"] for place in ("first", "last")] == pytest.approx([0.25, 2.0])
    assert pace_engines.left_open(rows, "search") == (3, 3)
    assert pace_engines.left_open(rows, "milp") == (3, 0)
    seconds = pace_engines.engines_table(rows)
    assert list(seconds[figures.FORMS["milp"]].dropna()) == [">60"] * 3


def test_forms_that_contradict_each_other_are_counted() -> None:
    separated = [{f"separated_{place}": n for place in ("first", "middle", "last")} for n in (1, 1, 0)]
    forms = [engines("constraint", 1.0), engines("search", 1.0), engines("milp", 60.0, 0)]
    rows = pd.DataFrame([one | two for one, two in zip(forms, separated, strict=True)])
    assert pace_engines.engine_conflicts(rows) == 0  # the one that differs did not answer
    rows["answered_last"] = 1
    assert pace_engines.engine_conflicts(rows) == 1


def test_checks_say_what_was_visited() -> None:
    rows = pd.DataFrame([row("Compas", "", 3, n_points=4096, exhaustive=1, disagreements=0)])
    (found,) = beyond.checks_table(rows).to_dict("records")
    assert (found["all of the region"], found["certified"], found["setting"]) == ("yes", "yes", "25 × d2")


def test_leaves_are_those_of_certified_runs() -> None:
    leaves = {"initial_leaves": 100}
    rows = pd.DataFrame(
        [
            row("Pol", PRUNE, 4, total_leaves=16, **leaves),
            row("Pol", PACE, 2, total_leaves=14, **leaves),
            row("Seeds", PRUNE, 4, total_leaves=16, certified=0, **leaves),
            row("Seeds", PACE, 2, total_leaves=8, **leaves),
        ]
    )
    found = beyond.leaves_table(rows)
    assert found["dataset"].to_list() == ["Pol"]
    assert found.iloc[0][["leaves, initial", f"leaves, {PRUNE}", f"leaves, {PACE}"]].to_list() == [
        100,
        16,
        14,
    ]


def test_agreement_is_that_of_certified_runs_in_percent() -> None:
    measured = {
        "region_share": 0.5,
        "region_fidelity": 1.0,
        "fidelity": 0.9,
        "initial_accuracy": 0.8,
        "accuracy": 0.7,
    }
    rows = pd.DataFrame(
        [
            row("Pol", PACE, 4, **measured),
            row("Pol", PACE, 4, **(measured | {"fidelity": 0.8})),
            row("Seeds", PACE, 4, certified=0, **measured),
        ]
    )
    found, least = beyond.agreement_table(rows).to_dict("records")
    assert list(found.values()) == pytest.approx(["Pol", 50, 100, 85, 80, 70])
    assert least == {**found, "dataset": beyond.LEAST, "agree on all": 80}


def test_bounds_are_counted_by_size() -> None:
    rows = pd.DataFrame(
        [
            row("Pol", PRUNE, 4, lower_bound=4),
            row("Seeds", PRUNE, 3, lower_bound=2),
            row("Fico", PRUNE, 9, lower_bound=6),
            row("Htru2", PRUNE, 9, lower_bound=4),
            row("Fico", PACE, 2, lower_bound=2, certified=0),
        ]
    )
    found = beyond.bounds_table(rows).set_index(["method", "size"])
    assert found.loc[(PRUNE, "at most 4")].to_list() == [2, 1, 1, 1]
    assert found.loc[(PRUNE, "5 and more")].to_list() == [2, 0, 4, 5]
    assert len(found) == 2


def test_fipe_is_compared_where_both_are_certified() -> None:
    rows = pd.DataFrame(
        [
            row("Seeds", PRUNE, 9, seconds=0.5),
            row("Seeds", FIPE, 9, seconds=5.0),
            row("Seeds", FIPE_L1, 12, seconds=2.0),
            row("Pol", PRUNE, 9, seconds=0.5),
            row("Pol", FIPE, 9, seconds=60.0, certified=0),
        ]
    )
    found = beyond.fipe_table(rows).set_index("dataset")
    assert found.loc["Seeds", "times as fast"] == pytest.approx(10)
    assert np.isnan(found.loc["Pol", "times as fast"])


def test_merged_trees_stand_beside_pruned_ones_and_pace() -> None:
    sizes = {
        "total_leaves": 18, "thrifty_size": 5, "thrifty_leaves": 14, "merged_size": 3, "merged_leaves": 30,
    }  # fmt: skip
    rows = pd.DataFrame(
        [
            row("Seeds", PRUNE, 9, **sizes),
            row("Seeds", PRUNE, 11, seed=1, **(sizes | {"merged_size": 4})),
            row("Pol", PRUNE, 9, **sizes),
            row("Fico", PRUNE, 9, certified=0, **sizes),
        ]
    )
    whole_space = pd.DataFrame(
        [row("Seeds", PACE, 8, total_leaves=40), row("Pol", PACE, 8, total_leaves=40, certified=0)]
    )
    found = beyond.merging_table(rows, whole_space).set_index("dataset")
    assert set(found.index) == {"Seeds", "Pol"}
    assert found.loc["Seeds"].filter(like="trees").to_list() == [10, 5, 3.5, 8]
    assert found.loc["Seeds"].filter(like="leaves,").to_list() == [18, 14, 30, 40]
    assert np.isnan(found.loc["Pol", f"trees, {PACE}"])


def pruned(dataset: str, alpha: float, off: float, **columns: object) -> dict[str, object]:
    size = printed_sizes("table_1")[PRUNE].loc[(dataset, 25)] + off
    return row(dataset, PRUNE, size, alpha=alpha, **columns)


def test_a_bound_that_is_not_near_print_is_apart() -> None:
    sizes = [("Seeds", 1), ("Pol", 2), ("Fico", 2)]
    rows = pd.DataFrame([pruned(name, 0.1, off) for name, off in sizes])
    rows["lower_bound"] = rows["final_size"]
    rows.loc[2, "certified"] = 0
    (found,) = settings.proved_apart(rows).to_dict("records")
    assert (found["dataset"], found["N"], found["bound"] - found["printed"]) == ("Pol", 25, 2)
    assert settings.proved_apart(rows.assign(lower_bound=np.nan)).empty


def test_settings_are_ranked_by_their_distance_from_print() -> None:
    near = [pruned("Seeds", 0.1, 0), pruned("Pol", 0.1, 1), pruned("Fico", 0.1, 5, certified=0)]
    far = [pruned("Seeds", 0.2, 3), pruned("Pol", 0.2, 1), pruned("Fico", 0.2, np.nan)]
    found = settings.distances(pd.DataFrame(far + near)).set_index("alpha")
    assert found.index.to_list() == [0.1, 0.2]
    columns = ["datasets", "certified", "empty", "within 1", "mean distance"]
    assert found.loc[0.1, columns].to_list() == [3, 2, 0, 2, 0.5]
    assert found.loc[0.2, columns].to_list() == [3, 2, 1, 1, 2.0]


def test_runs_of_one_setting_count_as_their_rounded_mean() -> None:
    several = [pruned("Seeds", 0.1, off, seed=seed) for seed, off in enumerate((0, 1, 3))]
    stopped = [pruned("Pol", 0.1, 0), pruned("Pol", 0.1, 0, seed=1, certified=0)]
    (found,) = settings.distances(pd.DataFrame(several + stopped)).to_dict("records")
    assert [found[name] for name in ("runs", "datasets", "certified", "within 1")] == [2, 2, 1, 1]
    assert np.isclose(found["mean distance"], 4 / 3)


def test_the_best_fit_is_written_out_and_dashes_without_any() -> None:
    once = pruned("Seeds", 0.05, 0)  # fits better, but on one dataset only
    both = [pruned(name, alpha, off) for name in ("Seeds", "Pol") for alpha, off in ((0.1, 0), (0.2, 3))]
    found = settings.distances(pd.DataFrame([once, *both]))
    best = settings.best_fit(found)
    assert [best[name] for name in ("alpha", "N", "near", "distance")] == ["0.1", "25", "2", "0"]
    assert [best[f"next_{name}"] for name in ("alpha", "near", "distance")] == ["0.2", "0", "3"]
    assert set(settings.best_fit(found.iloc[:0]).values()) == {"–"}
    assert settings.distances(pd.DataFrame([pruned("Seeds", 0.0, 0, beta=0.0)])).empty  # Table 4's


def none(table: str) -> pd.DataFrame:
    """A table without rows."""
    return CHAPTER.table(table).rows([])


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        ("table_1", beyond.agreement_table),
        ("table_1", beyond.bounds_table),
        ("checks", beyond.checks_table),
        ("fipe", beyond.fipe_table),
        ("table_1", beyond.leaves_table),
        ("pricing", beyond.pricing_sizes),
        ("pricing", beyond.pricing_table),
        ("engines", pace_engines.engines_table),
        ("settings", settings.distances),
        ("table_2", class_shares),
        ("settings", intervals),
    ],
)
def test_every_table_of_no_rows_is_empty(table: str, shown: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    assert shown(none(table)).empty


def test_of_no_rows_nothing_is_merged_and_no_form_is_compared() -> None:
    assert beyond.merging_table(none("merging"), none("table_4")).empty
    assert pace_engines.engine_conflicts(none("engines")) == 0
    assert pace_engines.engine_ratios(none("engines"))["cases"].to_list() == [0]
