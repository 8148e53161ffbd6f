"""Claims on what Tables 5 and 6 print fall with the printed numbers."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning.claims import printed
from compactml.study.judging.evidence import Evidence


@pytest.mark.parametrize(
    ("check", "name", "method", "value", "rows", "counts"),
    [
        (printed.theta_first, "printed_ranks", "F1", 2.38, ("40", "80"), (3, 1)),  # θ: 2.37 and 2.39
        (printed.theta_first, "printed_ranks", "FE", 2.37, ("40",), (3, 1)),
        (printed.theta_best_mean, "printed_means", "FE", 0.8666, (("all cases", ""),), (0, 1)),
        (printed.both_ahead, "printed_ranks", "HC-CON", 2.9, ("60", "100"), (4, 1)),  # F1: 2.88 and 2.97
        (printed.both_ahead, "printed_means", "BFT", 0.8434, (("all cases", ""),), (4, 1)),
        (printed.theta_loses, "printed_means", "FE", 0.7467, (("DRD", "80"), ("DRD", "100")), (7, 1)),
        (printed.theta_loses, "printed_means", "HC-UWA", 0.7467, (("DRD", "80"),), (5, 3)),
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
    assert (found.agreeing, found.differing) == (6, 2)
    assert found.found == "K = 80: FE 0.7126, F1_theta 0.7468; K = 100: FE 0.7148, F1_theta 0.7466"
