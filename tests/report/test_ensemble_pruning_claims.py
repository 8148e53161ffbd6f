"""Every claim holds on what the paper states, and no longer once the numbers say otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from toy_ensemble_pruning import as_stated

from compactml.experiments.ensemble_pruning import CHAPTER
from compactml.report.claims import changed_verdicts, scorecard
from compactml.report.ensemble_pruning import CLAIMS, claim_data
from compactml.report.recorded import recorded

Tables = dict[str, pd.DataFrame]
ON_PRINT = {
    "theta": "holds in part",
    "validation": "holds in part",
    "rank-sums-table_4": "holds",
    "rank-sums-table_6": "holds",
    "rank-averages-table_4": "holds",
    "rank-averages-table_6": "holds",
    "rank-level": "does not hold",
    "most-balanced": "holds",
    "theta-dispersion-print": "holds in part",
    "deviations": "does not hold",
    "constant": "does not hold",
}
"""What print itself decides, as found by hand."""
ACCURACY, BALANCED = "test_accuracy", "test_balanced_accuracy"


def verdicts(tables: Tables, *names: str) -> dict[str, str]:
    """Verdicts of the named claims, of all without names."""
    card = scorecard([one for one in CLAIMS if not names or one.id.endswith(names)], tables)
    return dict(zip(card["id"].str.removeprefix(f"{CHAPTER}/"), card["verdict"], strict=True))


def adding(
    table: str, column: str, difference: float, method: str, *datasets: str
) -> Callable[[Tables], None]:
    """Add to a column of a method, on the named datasets or all."""

    def apply(tables: Tables) -> None:
        frame = tables[table]
        chosen = (frame["method"] == method) & (frame["dataset"].isin(datasets) | (not datasets))
        assert chosen.any()
        frame.loc[chosen, column] += difference

    return apply


def spreading(table: str, column: str, factor: float, *methods: str) -> Callable[[Tables], None]:
    """Stretch the deviations of some methods from their mean of each case."""

    def apply(tables: Tables) -> None:
        frame = tables[table]
        mean = frame.groupby(["dataset", "K", "method"])[column].transform("mean")
        chosen = frame["method"].isin(methods)
        assert chosen.any()
        frame.loc[chosen, column] = (mean + factor * (frame[column] - mean))[chosen]

    return apply


AGAINST: dict[str, tuple[Callable[[Tables], None], str]] = {
    "solved-F1": (adding("table_3", "gap", 0.01, "F1", "PRK", "MSK", "BCW"), "does not hold"),
    "solved-F3": (adding("table_3", "gap", 0.01, "F3", "PRK"), "holds in part"),
    "small-gaps-F1": (adding("table_3", "gap", 0.07, "F1", "PRK"), "does not hold"),
    "small-gaps-F3": (adding("table_3", "gap", 0.01, "F3", "DEF"), "does not hold"),
    "hardest": (adding("table_3", "gap", 0.02, "F1", "BMK"), "does not hold"),
    "diversity-gap": (adding("table_3", "gap", -0.018, "F3", "DRD"), "not testable here"),
    "spread-accuracy": (adding("table_4", ACCURACY, -0.01, "BFT"), "does not hold"),
    "spread-rank": (adding("table_4", ACCURACY, -0.01, "BFT"), "does not hold"),
    "best-and-worst": (adding("table_4", ACCURACY, 0.01, "F1"), "holds in part"),
    "hill-climbing-ahead": (adding("table_4", ACCURACY, 0.01, "F3"), "does not hold"),
    "full-last-accuracy": (adding("table_4", ACCURACY, 0.2, "FE"), "does not hold"),
    "diversity-helps": (adding("table_4", ACCURACY, 0.01, "F1"), "does not hold"),
    "f2-wins": (adding("table_4", ACCURACY, -0.01, "F2"), "does not hold"),
    "hill-climbing-dispersion": (
        spreading("table_4", ACCURACY, 9, "F1", "F2", "F3"), "does not hold"
    ),
    "diversity-dispersion": (spreading("table_4", ACCURACY, 9, "F3"), "does not hold"),
    "theta-first": (adding("table_6", BALANCED, 0.01, "F1"), "does not hold"),
    "theta-best-mean": (adding("table_5", BALANCED, 0.01, "BFT"), "does not hold"),
    "both-ahead": (adding("table_6", BALANCED, 0.01, "HC-CON"), "does not hold"),
    "theta-wins": (adding("table_5", BALANCED, -0.01, "F1_theta"), "does not hold"),
    "theta-loses-MSK": (adding("table_5", BALANCED, 0.01, "F1_theta", "MSK"), "does not hold"),
    "theta-loses-DRD": (adding("table_5", BALANCED, 0.01, "F1_theta", "DRD"), "does not hold"),
    "theta-imbalanced": (adding("table_5", BALANCED, 0.01, "BFT", "DEF"), "holds in part"),
    "theta-dispersion": (spreading("table_5", BALANCED, 99, "F1_theta"), "does not hold"),
    "full-last-balanced": (adding("table_6", BALANCED, 0.2, "FE"), "does not hold"),
}  # fmt: skip


def test_every_claim_holds_on_what_is_stated() -> None:
    found = verdicts(as_stated())
    assert {name: found.pop(name) for name in ON_PRINT} == ON_PRINT
    # ranks of so few folds come no nearer than 0.47 for 0.45, and a lead of 0.08 points is within their errors
    in_part = ("spread-rank", "hill-climbing-ahead")
    assert {name: one for name, one in found.items() if one != "holds"} == dict.fromkeys(
        in_part, "holds in part"
    )
    assert set(found) == set(AGAINST)


@pytest.mark.parametrize("name", AGAINST)
def test_claim_falls_with_its_numbers(name: str) -> None:
    tables = as_stated()
    change, verdict = AGAINST[name]
    change(tables)
    assert verdicts(tables, f"/{name}") == {name: verdict}


def test_counts_of_fewer_cases_or_more_wins_hold_in_part() -> None:
    fewer = {name: frame[frame["dataset"] != "APS"] for name, frame in as_stated().items()}
    counts = ("f2-wins", "/theta-wins")
    assert list(verdicts(fewer, *counts).values()) == ["holds in part"] * 2
    more = as_stated()
    adding("table_5", BALANCED, 0.01, "F1_theta")(more)
    assert verdicts(more, "/theta-wins") == {"theta-wins": "holds in part"}


def test_a_lead_above_its_errors_holds() -> None:
    tables = as_stated()
    for method in ("HC-CON", "HC-UWA"):
        adding("table_4", ACCURACY, 0.01, method)(tables)
    assert verdicts(tables, "hill-climbing-ahead") == {"hill-climbing-ahead": "holds"}


def test_gaps_that_rise_elsewhere_too_hold_in_part() -> None:
    tables = as_stated()
    adding("table_3", "gap", 0.02, "F3", "BMK")(tables)
    assert verdicts(tables, "diversity-gap") == {"diversity-gap": "holds in part"}


def test_a_few_folds_neither_show_nor_refute_a_dispersion() -> None:
    few = {name: frame[frame["fold"].isin([13, 14])] for name, frame in as_stated().items()}
    assert verdicts(few, "/diversity-dispersion") == {"diversity-dispersion": "holds in part"}
    spreading("table_4", ACCURACY, 9, "F3")(few)
    spreading("table_4", ACCURACY, 9, "F2")(few)
    (row,) = scorecard([one for one in CLAIMS if one.id.endswith("/diversity-dispersion")], few).to_dict(
        "records"
    )
    assert row["verdict"] == "not testable here"
    assert row["reason"].endswith("2 runs a case say little of a deviation")


def test_ties_with_a_benchmark_are_counted_beside_the_wins() -> None:
    tables = as_stated()
    frame = tables["table_5"]
    names = ["dataset", "K", "fold"]
    best = frame[frame["method"] == "HC-CON"].set_index(names)[BALANCED]
    tied = (frame["method"] == "F1_theta") & (frame["dataset"] == "MSK")
    frame.loc[tied, BALANCED] = best.reindex(frame.loc[tied].set_index(names).index).to_numpy()
    (row,) = scorecard([one for one in CLAIMS if one.id.endswith("/theta-wins")], tables).to_dict("records")
    assert row["found"] == "22 of 36 cases, print 22 of 36; ties: 4"


def test_the_best_mean_names_the_datasets_where_a_benchmark_is_ahead() -> None:
    (row,) = scorecard([one for one in CLAIMS if one.id.endswith("/theta-best-mean")], as_stated()).to_dict(
        "records"
    )
    assert "a benchmark is ahead on PRK, MSK, DRD;" in row["reason"]


def test_single_folds_say_nothing_of_dispersion() -> None:
    tables = {name: frame[frame["fold"] == 0] for name, frame in as_stated().items()}
    found = verdicts(tables, "hill-climbing-dispersion", "diversity-dispersion", "theta-dispersion")
    assert set(found.values()) == {"not testable here"}


def test_nothing_recorded_is_not_testable() -> None:
    found = verdicts({})
    assert {found[name] for name in found.keys() - ON_PRINT.keys()} == {"not testable here"}


def test_no_verdict_of_the_ensemble_pruning_differs_from_the_recorded_one() -> None:
    kept = recorded(CHAPTER, "claims")
    if kept is None:
        pytest.skip("no verdicts are recorded yet (compactml claims --record)")
    changed = changed_verdicts(scorecard(CLAIMS, claim_data()), kept)
    assert changed.empty, changed.to_string()
