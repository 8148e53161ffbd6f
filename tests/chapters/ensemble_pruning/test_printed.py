"""Claims on what Tables 3 to 6 print fall with the printed numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning.claims import errata, printed, printed_orders
from compactml.study.judging.evidence import Evidence


@pytest.mark.parametrize(
    ("check", "name", "method", "value", "rows", "counts"),
    [
        (printed.theta_first, "printed_ranks", "F1", 2.38, ("40", "80"), (3, 1)),  # θ: 2.37 and 2.39
        (printed.theta_first, "printed_ranks", "FE", 2.37, ("40",), (3, 1)),
        (printed.theta_best_mean, "printed_means", "FE", 0.8666, (("all cases", ""),), (0, 1)),
        (printed.both_ahead, "printed_ranks", "HC-CON", 2.9, ("60", "100"), (4, 1)),  # F1: 2.88 and 2.97
        (printed.both_ahead, "printed_means", "BFT", 0.8434, (("all cases", ""),), (4, 1)),
        (printed.theta_loses, "printed_means", "FE", 0.7467, (("DRD", "80"), ("DRD", "100")), (7, 0)),
        (printed.theta_loses, "printed_means", "HC-UWA", 0.7467, (("DRD", "80"),), (5, 0)),
        (printed.theta_loses, "printed_means", "F1_theta", 0.9, (("DRD", "80"),), (3, 4)),
    ],
)
def test_a_claim_falls_with_the_printed_numbers(
    check: Callable[[dict[str, pd.DataFrame]], Evidence],
    name: str,
    method: str,
    value: float,
    rows: tuple[object, ...],
    counts: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frame = printed.printed_ranks("table_6") if name == "printed_ranks" else printed.printed_means()
    assert frame.index.isin(list(rows)).sum() == len(rows)
    frame.loc[list(rows), method] = value
    monkeypatch.setattr(printed, name, lambda *table: frame)
    found = check({})
    assert (found.agreeing, found.differing) == counts


def test_on_drd_the_full_ensemble_alone_is_behind_the_program() -> None:
    found = printed.theta_loses({})
    assert (found.agreeing, found.differing, found.undecided) == (6, 0, 2)
    assert found.found == "K = 80: FE 0.7126, F1_theta 0.7468; K = 100: FE 0.7148, F1_theta 0.7466"


@pytest.mark.parametrize(
    ("check", "row", "method", "value", "counts"),
    [
        (printed_orders.hardest, "BMK", "F1", 6.7, (1, 1)),
        (printed_orders.hardest, "DRD", "F3", 7.0, (1, 1)),
        (printed_orders.diversity_gap, "SPA", "F3", 0.6, (0, 1)),
        (printed_orders.diversity_gap, "DRD", "F3", 4.8, (0, 1)),
        (printed_orders.diversity_gap, "SPA", "F3", 0.4, (1, 0)),
        (printed_orders.hill_climbing_ahead, "40", "HC-CON", 3.74, (3, 1)),  # F2: 3.74
        (printed_orders.hill_climbing_ahead, "100", "F3", 3.5, (3, 1)),
        (printed_orders.diversity_ranks, "80", "F2", 3.82, (3, 1)),  # F1: 3.82
        (partial(printed_orders.full_ensemble_last, table="table_4"), "60", "BFT", 5.4, (3, 1)),
    ],
)
def test_an_order_falls_with_the_printed_numbers(
    check: Callable[[dict[str, pd.DataFrame]], Evidence],
    row: str,
    method: str,
    value: float,
    counts: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, frame in (
        ("printed_gaps", printed_orders.printed_gaps()),
        ("printed_ranks", printed_orders.printed_ranks("table_4")),
    ):
        if row in frame.index:
            frame.loc[row, method] = value
        monkeypatch.setattr(printed_orders, name, lambda *table, frame=frame: frame)
    found = check({})
    assert (found.agreeing, found.differing) == counts


def test_the_program_deviates_least_on_bmk_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = errata.theta_dispersion_where_large({})
    assert (found.agreeing, found.differing) == (19, 11)
    assert found.found.startswith("least in 2 of 6 cases")
    assert found.reason == "on DEF and APS it is so in no printed case"
    assert "DEF at K = 80: HC-CON 0.0009, the program 0.0016" in found.found
    deviations = errata.printed_means("std")
    deviations.loc[("DEF", "100"), "F1_theta"] = 0.0006
    monkeypatch.setattr(errata, "printed_means", lambda column: deviations)
    found = errata.theta_dispersion_where_large({})
    assert found.found.startswith("least in 3 of 6 cases")
    assert (found.agreeing, found.reason) == (21, "on APS it is so in no printed case")


def test_two_climbers_have_the_best_mean_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    tie = "to the printed digits HC-CON and HC-UWA are equally good: 3.615, the mean of the rows above"
    assert errata.spread_of_printed_ranks({}).reason == tie
    ranks = errata.printed_ranks("table_4")
    ranks.loc["40", "HC-UWA"] = 3.67
    monkeypatch.setattr(errata, "printed_ranks", lambda table: ranks)
    assert errata.spread_of_printed_ranks({}).reason == ""
