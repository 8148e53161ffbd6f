"""What refutes nothing: less time than the paper's, errors of few folds, and settings that we had to infer."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.methods import JRIP, PAPER_CG
from compactml.study.judging.claims import scorecard
from tests.chapters.boolean_rules.toy_tables import as_stated, card, moved

NOT, OPEN = "not reproduced", "inconclusive"


def test_whatever_comes_out_worse_for_column_generation_refutes_nothing() -> None:
    for name in (
        "table_1-CG",
        "table_2-CG",
        "never-below-ripper",
        "ripper-worse",
        "simpler-than-ripper",
        "cart-behind",
    ):
        tables = as_stated()
        moved("programs", "accuracy", -30, method=PAPER_CG)(tables)
        moved("programs", "complexity", 500, method=PAPER_CG)(tables)
        assert card(tables, name)["verdict"] in (OPEN, "not testable"), name


def test_what_comes_out_worse_for_weka_does_refute() -> None:
    tables = as_stated()
    moved("programs", "complexity", 500, method=JRIP)(tables)
    found = card(tables, "table_2-RIPPER")
    assert (found["differing"], found["inferred"], found["verdict"]) == (16, "", NOT)


def test_settings_that_we_inferred_are_named() -> None:
    inferred = scorecard(CHAPTER.claims, as_stated()).set_index("id")["inferred"]
    for name in ("table_1-RIPPER", "table_2-RIPPER", "never-below-ripper", "ripper-worse", "head-to-head"):
        assert inferred[f"{NAME}/{name}"] == ""
    for name in ("table_1-CART", "table_1-RF", "cart-behind"):
        assert "leaf sizes" in inferred[f"{NAME}/{name}"]
    for name in ("table_1-BRS", "table_2-BRS", "brs-cluster", "kappa-fixed"):
        assert "supplement" in inferred[f"{NAME}/{name}"]
    for name in ("table_1-CG", "table_2-CG"):
        assert "HiGHS" in inferred[f"{NAME}/{name}"]


def test_cells_that_a_setting_was_inferred_from_never_count() -> None:
    found = card(as_stated(), "table_2-CART")
    assert (found["agreeing"], found["differing"], found["inconclusive"]) == (0, 0, 0)
    assert "decide nothing" in found["reason"]


def test_coverage_is_read_from_what_was_run() -> None:
    tables = as_stated()
    rows = tables["programs"]
    tables["programs"] = rows[(rows["dataset"] != "gas") & ((rows["dataset"] != "musk") | (rows["fold"] < 3))]
    found = card(tables, "table_1-CG")
    assert found["data"] == "15 of 16 datasets"
    assert found["repetitions"] == "10 of 10 folds, 3 at least"
    assert found["time"] == "120 of 120 s a fit"
    assert card(tables, "table_1-BRS")["time"] == ""  # ends by itself
    assert card(tables, "heart-best")["time"] == "60 of 120 s a fit"


def test_within_the_errors_of_the_runs_nothing_is_decided_whichever_way_it_lies() -> None:
    for name, method, column in (
        ("ripper-worse", JRIP, "accuracy"),
        ("simpler-than-ripper", JRIP, "complexity"),
    ):
        tables = as_stated()
        frame = tables["programs"]
        noisy = frame["method"] == method
        frame.loc[noisy, column] += 400 * (-1.0) ** frame.loc[noisy, "fold"]
        found = card(tables, name)
        assert (found["agreeing"], found["differing"], found["inconclusive"]) == (0, 0, 3)
        assert "two standard errors" in found["doubt"]


def test_one_fold_decides_no_order() -> None:
    tables = as_stated()
    tables["programs"] = tables["programs"].query("fold == 0")
    assert card(tables, "ripper-worse")["verdict"] == OPEN


def test_a_fast_and_a_late_run_of_a_tenth_are_told_apart() -> None:
    tables = as_stated()
    moved("aix360", "our_seconds_in_tenth", 0.05, dataset="liver")(tables)
    found = card(tables, "toolkit-tenth")
    assert (found["agreeing"], found["inconclusive"], found["differing"]) == (1, 1, 0)


def test_a_problem_that_two_prices_lead_to_counts_once() -> None:
    tables = as_stated()
    tables["aix360"] = pd.concat([tables["aix360"], tables["aix360"].tail(1)], ignore_index=True)
    assert card(tables, "toolkit-no-better")["stated"] == card(as_stated(), "toolkit-no-better")["stated"]
    assert card(tables, "toolkit-tenth")["stated"] == 1 + card(as_stated(), "toolkit-tenth")["stated"]
