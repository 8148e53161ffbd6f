"""What printed gaps imply, against gaps that are made from known incumbents, bounds and searches."""

from __future__ import annotations

import math
from typing import Any

import pytest

from compactml.chapters.feature_selection.trials.evidence import (
    Interval,
    agreement,
    binary_search_trace,
    fits_optimum,
    fits_score,
    fits_search,
    fits_sizes,
    optimum_from_row,
    printed,
    size_of_incumbent,
)
from compactml.study.recording.published import published


def row(
    method: str, gap_abs: str, gap_rel: str, iterations: str = "", limited: bool = False
) -> dict[str, str]:
    return {
        "method": method,
        "gap_abs": gap_abs,
        "gap_rel": gap_rel,
        "iterations": iterations,
        "time_limit_reached": str(limited).lower(),
    }


def as_printed(incumbent: float, bound: float, method: str = "MILP1") -> dict[str, str]:
    gap = bound - incumbent
    return row(method, f"{gap:.3f}", f"{gap / abs(incumbent):.2f}")


@pytest.mark.parametrize(
    ("text", "low", "high"), [("0.34", 0.335, 0.345), ("2", 1.5, 2.5), ("0.000", 0.0, 0.0005)]
)
def test_a_printed_number_stands_for_all_that_round_to_it(text: str, low: float, high: float) -> None:
    found = printed(text)
    assert (found.low, found.high) == pytest.approx((low, high))


@pytest.mark.parametrize("incumbent", [0.19, -0.19, 0.002, -1.4, 0.5])
@pytest.mark.parametrize("gap", [0.0, 0.0004, 0.001, 0.064, 0.5, 3.0])
def test_the_true_incumbent_and_optimum_lie_in_what_their_gaps_imply(incumbent: float, gap: float) -> None:
    line = as_printed(incumbent, incumbent + gap)
    size = size_of_incumbent(line["gap_abs"], line["gap_rel"])
    assert size is None or size.meets(Interval(abs(incumbent), abs(incumbent)))
    for share in (0.0, 0.5, 1.0):
        optimum = incumbent + share * gap
        assert all(fits_optimum(optimum, optimum, [line]).values())


def test_the_example_of_two_rows_that_agree() -> None:
    # Optical_Recog, Table 2: 0.064 / 0.34 and 5.822 / 30.91
    for line in (row("MILP1", "0.064", "0.34"), row("MILP2", "5.822", "30.91")):
        assert fits_optimum(0.1883, 0.1884, [line])[line["method"]]
    assert not fits_optimum(0.17, 0.171, [row("MILP1", "0.064", "0.34")])["MILP1"]
    # the incumbent of MILP2 may have been negative, and its bound 5.6 above that
    assert fits_optimum(0.17, 0.171, [row("MILP2", "5.822", "30.91")])["MILP2"]


def test_a_plus_is_a_relative_gap_above_a_hundred_and_a_dash_says_nothing() -> None:
    assert size_of_incumbent("3.432", "inf") == Interval(0.0, pytest.approx(0.034325))  # type: ignore[arg-type]
    assert size_of_incumbent("", "") is None
    assert size_of_incumbent("inf", "inf") is None
    assert size_of_incumbent("0.000", "0.00") is None
    assert optimum_from_row(row("MILP1", "", "")) is None


def test_the_gap_of_algorithm_2_is_no_bound() -> None:
    line = row("Algorithm2", "0.010", "0.10", limited=True)
    assert fits_optimum(5.0, 5.0, [line]) == {"Algorithm2": True}
    assert fits_optimum(-0.2, -0.2, [line]) == {"Algorithm2": False}
    assert fits_optimum(5.0, 5.0, [row("Algorithm2", "0.001", "0.01")]) == {}  # it finished: the tolerance
    assert fits_optimum(5.0, 5.0, [row("Algorithm1", "0.010", "0.10")]) == {"Algorithm1": False}


@pytest.mark.parametrize("optimum", [0.34, -0.2, 0.0007, 1.5])
def test_the_search_ends_when_one_gap_is_met_and_not_before(optimum: float) -> None:
    found = binary_search_trace(optimum - 0.1, optimum)
    assert found.gap_rel <= 0.01 or found.gap_abs <= 0.001
    before = binary_search_trace(optimum - 0.1, optimum, found.iterations - 1)
    assert before.gap_rel > 0.01
    assert before.gap_abs > 0.001
    assert found.gap_abs == pytest.approx((3.0 - (optimum - 0.11)) / 2**found.iterations)


def test_a_search_is_told_from_its_own_printed_line() -> None:
    found = binary_search_trace(0.2, 0.34)
    line = row("Algorithm1", f"{found.gap_abs:.3f}", f"{found.gap_rel:.2f}", str(found.iterations))
    assert fits_search(0.2, 0.34, 0.34, line) is True
    assert fits_search(0.2, 0.9, 0.9, line) is False
    assert fits_search(0.2, 0.34, 0.34, row("MILP1", "0.001", "0.01")) is None


def test_an_optimum_known_to_an_interval_may_end_in_any_of_its_cells() -> None:
    found = binary_search_trace(0.2, 0.3448)
    line = row("Algorithm1", f"{found.gap_abs:.3f}", f"{found.gap_rel:.2f}", str(found.iterations))
    assert fits_search(0.2, 0.2, 0.5, line) is True
    assert fits_search(0.2, 0.2, 0.21, line) is False


def test_colons_width_after_five_iterations() -> None:
    # Table 3: 0.097 / 0.86 after 5 iterations; h(1) = -0.1031 is the its value on the data at hand
    line = row("Algorithm1", "0.097", "0.86", "5", limited=True)
    assert fits_search(-0.1031, 0.0222, 0.0222, line) is True
    assert fits_search(0.5, 0.6, 0.6, line) is False
    assert fits_search(-0.1031, 0.0222, math.inf, line) is True
    trace = binary_search_trace(-0.1031, -0.1031, 5)
    assert (round(trace.gap_abs, 3), round(trace.gap_rel, 2)) == (0.097, 0.86)


def test_sizes_and_scores() -> None:
    assert fits_sizes("3 4 5", ["4", "5", ""]) is True
    assert fits_sizes("3 4 5", ["6"]) is False
    assert fits_sizes("3 4 5", [""]) is None
    assert fits_score(0.84, 0.01, "0.84", "0.04")
    assert not fits_score(0.40, 0.01, "0.49", "0.01")
    assert math.isfinite(binary_search_trace(0.0, 0.0).gap_abs)


def test_agreement_with_lines_made_from_a_known_optimum_and_with_false_ones() -> None:
    trace = binary_search_trace(0.1, 0.3)
    gaps = [
        row("MILP1", "0.003", "0.01"),
        row("MILP2", "0.100", "0.33", limited=True),
        row("Algorithm1", f"{trace.gap_abs:.3f}", f"{trace.gap_rel:.2f}", str(trace.iterations)),
    ]
    score = {"f1_nb_mean": "0.80", "f1_nb_std": "0.02", "f1_rf_mean": "0.70", "f1_rf_std": "0.02"}
    sets = [
        {"method": method, "n_selected": size, **score}
        for method, size in (("FullSet", "9"), ("MILP1", "4"), ("MILP2", "8"), ("Algorithm1", "7"))
    ]
    result: dict[str, Any] = {"h_ones": 0.1, "value": 0.3, "bound": 0.3, "sizes": "3 4 5"}
    result |= {name: float(text) for name, text in score.items()}
    agreed = agreement(result, gaps, sets)
    assert agreed.pop("against") == ""
    assert agreed == dict.fromkeys(("optimum", "search", "sizes", "f1_nb", "f1_rf", "compatible"), True)
    assert agreement(result | {"value": 0.45, "bound": 0.45}, gaps, sets)["against"] == "MILP2"
    for change, criterion in (
        ({"value": 0.9, "bound": 0.9}, "optimum"),
        ({"h_ones": -0.9}, "search"),
        ({"sizes": "5"}, "sizes"),
        ({"f1_nb_mean": 0.5}, "f1_nb"),
    ):
        found = agreement(result | change, gaps, sets)
        assert found[criterion] is False
        assert found["compatible"] is (criterion in ("sizes", "f1_nb"))


def test_every_finished_run_of_algorithm_2_prints_the_tolerance() -> None:
    for table in ("table_3", "table_4"):
        rows = published("feature-selection", table)
        finished = rows[(rows["method"] == "Algorithm2") & (rows["time_limit_reached"] == "false")]
        assert set(zip(finished["gap_abs"], finished["gap_rel"], strict=True)) == {("0.001", "0.01")}
