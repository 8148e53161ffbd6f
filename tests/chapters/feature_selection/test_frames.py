"""Rows from made-up trials, printed tables as numbers and texts, and readings put on trial."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.feature_selection import cells, cfs_optima, printed
from compactml.chapters.feature_selection.claims import errata
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.readings import (
    better,
    discretizers,
    fitting,
    overview,
    taken,
    with_evidence,
)
from compactml.chapters.feature_selection.rows import reading_rows, trial_rows
from compactml.chapters.feature_selection.trials.beyond import CERTIFIED
from compactml.chapters.feature_selection.trials.paper import PARAMETRIC
from compactml.datasets.titles import AT_SOURCE
from compactml.study.judging.verdicts import Verdict
from tests.chapters.feature_selection.toy_tables import PAPER_TABLES, SOLVED, done


def test_rows_have_the_names_of_the_tables() -> None:
    (first,) = trial_rows(
        [done("colon", "binary_search", SOLVED, "cfs", discretizer="levels")], [PARAMETRIC]
    ).to_dict("records")
    (second,) = reading_rows([done("Zoo", "certified", SOLVED, name="Breast_cancer", su="usual")]).to_dict(
        "records"
    )
    assert (first["dataset"], first["method"], first["measure"]) == ("colon", "Algorithm 1", "cfs")
    assert (second["dataset"], second["key"], second["method"]) == ("Breast_cancer", "zoo_with_name", "ours")
    assert "support" not in first
    assert "support" not in second
    assert np.isnan(second["h_ones"])


@pytest.mark.parametrize("table", PAPER_TABLES)
def test_printed_tables_have_all_datasets_and_known_methods(table: str) -> None:
    of_gaps = table in ("table_2", "table_3", "table_4")
    texts = (printed.printed_gap_cells if of_gaps else printed.printed_score_cells)(table)
    runs = printed.printed_runs(table)
    assert list(runs["dataset"].unique()) == [one.name for one in DATASETS]
    assert runs["method"].notna().all()
    assert not texts.duplicated(printed.CELL).any()
    assert (texts["value"] != "").all()


def test_printed_signs() -> None:
    texts = printed.printed_gap_cells("table_2").set_index(printed.CELL)["value"]
    gap = "gap, absolute"
    assert texts["PCMAC", gap, "MILP1"] == "–"
    assert texts["PCMAC", gap, "MILP2"] == "+"
    assert texts["PCMAC", "seconds", "MILP2"] == "T"
    assert texts["Zoo", gap, "MILP1"] == "0.003"
    runs = printed.printed_runs("table_2").set_index(printed.RUN)
    assert runs.loc[("PCMAC", "MILP1"), "outcome"] == "no set"
    assert runs.loc[("PCMAC", "MILP2"), ["outcome", "gap_abs"]].to_list() == ["time limit", np.inf]


@pytest.mark.parametrize(("gap", "text"), [(None, "+"), (100.1, "+"), (100.0, "100.00"), (0.126, "0.13")])
def test_gaps_as_texts(gap: float | None, text: str) -> None:
    assert cells.gap_text(gap, 2) == text


def test_without_runs_there_are_no_cells() -> None:
    nothing = trial_rows([], [PARAMETRIC])
    assert cells.gap_texts(nothing).empty
    assert cells.score_cells(nothing).empty
    assert trial_rows([], [CERTIFIED]).empty
    assert reading_rows([]).empty


def test_what_the_gaps_of_table_4_say_is_possible_but_for_two_rows() -> None:
    found = {one.name: cfs_optima.impossible(one.name) for one in DATASETS}
    assert {name: methods for name, methods in found.items() if methods} == {
        "ISOLET": ("Algorithm 1",),
        "Parkinson": ("Algorithm 1",),
    }
    assert errata.consistent({}, "SCADI").verdict is Verdict.REPRODUCED


def test_an_interval_follows_from_two_rounded_gaps() -> None:
    # MILP2 on ISOLET prints 1.154 and 16.87: its set has a value of 1.154 / 16.87, and no set has 1.154 more.
    row = cfs_optima.cfs_intervals("ISOLET").set_index("method").loc["MILP2"]
    corners = [a / r for a, r in itertools.product((1.1535, 1.1545), (16.865, 16.875))]
    assert row["at_least"] == pytest.approx(min(corners))
    assert row["at_most"] == pytest.approx(max(corners) + 1.1545)


OPTICAL: dict[str, Any] = {
    "name": "Optical_Recog", "discretizer": "levels", "su": "geometric", "drop_constant": False,
}  # fmt: skip


def optical(**changed: Any) -> pd.DataFrame:
    """Optical_Recog for mRMR: the optimum 0.18833 with 32 features is known to fit print."""
    result = SOLVED | {
        "h_ones": 0.05, "value": 0.18833, "bound": 0.18900, "n_selected": 32, "sizes": "31 32 33",
        "f1_nb_mean": 0.92, "f1_nb_std": 0.01, "f1_rf_mean": 0.82, "f1_rf_std": 0.01,
    }  # fmt: skip
    trial = done("Optical_Recog", "certified", result | changed, **OPTICAL)
    return reading_rows([trial])


def reading(**changed: Any) -> pd.Series:
    """What print says to `optical`."""
    return with_evidence(optical(**changed)).iloc[0]


def test_a_reading_is_judged_by_every_kind_of_evidence() -> None:
    fits = reading()
    assert fits["reading"] == "without the constant pixels, levels"
    kinds = ["optimum", "search", "sizes", "f1_nb", "f1_rf", "compatible"]
    assert fits[kinds].to_list() == ["yes"] * 6


def test_the_datasets_whose_reading_fits_print() -> None:
    assert fitting(optical(), "mrmr") == {"Optical_Recog"}
    assert fitting(optical(), "cfs") == set()
    assert fitting(optical(value=0.30, bound=0.301), "mrmr") == set()
    assert fitting(reading_rows([]), "mrmr") == set()


@pytest.mark.parametrize(
    ("kind", "changed", "compatible"),
    [
        ("optimum", {"value": 0.30, "bound": 0.301}, "no"),
        ("search", {"value": 0.40, "bound": 0.401}, "no"),
        ("sizes", {"sizes": 10.0}, "yes"),
        ("f1_nb", {"f1_nb_mean": 0.5}, "yes"),
        ("optimum", {"value": 0.30, "bound": None}, "no"),
    ],
)
def test_evidence_against_a_reading_is_named(kind: str, changed: dict[str, Any], compatible: str) -> None:
    found = reading(**changed)
    assert found[kind] == "no"
    assert found["compatible"] == compatible


def test_discretisers_are_counted_on_continuous_data_by_instance() -> None:
    asked = {"su": "geometric", "drop_constant": False}
    trials = [
        done(name, "certified", SOLVED, name=name, discretizer=rule, key=key, **asked)
        for name, rule, key in (
            ("Zoo", "levels", "zoo"), ("USPS", "levels", "usps"),
            ("USPS", "equal_width", "usps"), ("USPS", "equal_width", "usps_asu"),
        )
    ]  # fmt: skip
    readings = reading_rows(trials).assign(h_ones=0.1, sizes="8")
    found = with_evidence(readings).assign(compatible=["yes", "no", "no", "yes"])
    assert discretizers(readings, found).to_numpy().tolist() == [["equal_width", 1, 1], ["levels", 0, 1]]


def test_readings_that_explain_more_than_the_one_taken() -> None:
    asked = {"name": "USPS", "su": "geometric", "drop_constant": False}
    rules = ("equal_width", "equal_frequency", "levels")  # the first is taken
    trials = [
        done("USPS", "certified", SOLVED, measure, discretizer=rule, key="usps", **asked)
        for rule in rules
        for measure in ("mrmr", "cfs")
    ]
    readings = reading_rows(trials).assign(h_ones=0.1, sizes="8")
    evidence = dict.fromkeys(("optimum", "search", "sizes", "f1_nb", "f1_rf"), "no")
    found = with_evidence(readings).assign(**evidence)
    found["optimum"] = ["yes", "no", "yes", "yes", "no", "no"]
    found["compatible"] = ["no", "no", "yes", "no", "no", "no"]
    assert taken(readings, found).index.to_list() == [0, 1]
    expected = ["USPS", f"{AT_SOURCE}, equal_width", 1, f"{AT_SOURCE}, equal_frequency", 2, 1]
    assert better(readings, found).to_numpy().tolist() == [expected]
    constant = readings.assign(drop_constant=True)
    assert taken(constant, found).empty


def test_the_overview_names_the_readings_that_are_compatible() -> None:
    trials = [
        done("Zoo", "certified", SOLVED, name="Zoo", discretizer=text, su="usual", drop_constant=True)
        for text in ("levels", "integer")
    ]
    rows = with_evidence(reading_rows(trials).assign(h_ones=0.1, sizes="8"))
    found = rows.assign(compatible=["no", "yes"], sizes="no")
    (row,) = overview(found).to_dict("records")
    assert row["readings"] == 2
    assert row["compatible"] == "name of the animal kept, integer, SU usual, without constants"
    assert "sizes" in row["all of them against"]
