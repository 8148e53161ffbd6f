"""What the measurement of planning rests on: everything was found, and the code was read once."""

from __future__ import annotations

from pathlib import Path

from benchmarks import planning


def test_a_small_table_is_planned_and_its_code_read_at_most_once(tmp_path: Path) -> None:
    measured = {row["measured"]: row["value"] for row in planning.rows(30, tmp_path)}
    assert measured["times that a module is parsed at first"] <= 1
    assert measured["modules parsed again"] == 0
    assert measured["time, everything stored / 10 s"] > 0
