"""What is said about fipepy follows from the recorded cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.pace import peers


def case(dataset: str, norm: str = "l0", **changes: Any) -> dict[str, Any]:
    certified = {
        "dataset": dataset, "ensemble": "adaboost", "depth": 1, "n_learners": 10, "norm": norm, "samples": 30,
        "fipepy": "certified", "fipepy_size": 8, "our_size": 8, "our_bound": 8, "our_certified": 1, "ratio": 4.0,
        "fipepy_seconds": 4.0, "our_seconds": 1.0, "our_objective_seconds": 2.0, "fipepy_disagreements": 0,
        "our_disagreements": 0,
    }  # fmt: skip
    return certified | changes


@pytest.fixture
def rows() -> pd.DataFrame:
    refused = {
        "fipepy": "licence too small",
        "fipepy_size": np.nan,
        "ratio": np.nan,
        "fipepy_seconds": np.nan,
    }
    return pd.DataFrame(
        [
            case("Seeds", our_size=7, ratio=16.0),
            case("Pol", our_size=9, ratio=1.0, fipepy_disagreements=3),
            case("Cancer", ratio=32.0),
            case("Compas", **refused),
            case("Diabetes", our_certified=0, ratio=np.nan, our_disagreements=9),  # not claimed
            case("Seeds", "l1", our_size=1, ratio=100.0),
        ]
    )


def test_numbers_are_of_one_norm_and_of_what_both_certify(rows: pd.DataFrame) -> None:
    found = peers.peers_numbers(rows, "l0")
    assert [found[name] for name in ("cases", "certified", "ours", "both")] == [5, 4, 4, 3]
    assert [found[name] for name in ("smaller", "equal", "larger", "wrong")] == [1, 1, 1, 3]
    assert found["ours_wrong"] == 0  # nine are of an answer without a certificate
    assert [found[name] for name in ("median", "least")] == [16, 1]
    assert found["geometric"] == pytest.approx(8)


def test_cases_are_in_the_order_of_table_2(rows: pd.DataFrame) -> None:
    found = peers.peers_table(rows)
    assert found["dataset"].to_list() == ["Cancer", "Compas", "Diabetes", "Pol", "Seeds", "Seeds"]
    assert set(found["ensemble"]) == {"AdaBoost"}
    assert len(found.columns) == 14


def test_nothing_recorded_is_an_empty_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data" / "published").mkdir(parents=True)
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    none = peers.peers_cases()
    assert peers.peers_table(none).empty
    assert peers.peers_numbers(none, "l0")["cases"] == 0
