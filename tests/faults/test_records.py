"""A record that is interrupted at any step of its writing is the old one, the new one, or is refused with a way out."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from compactml import files
from compactml.study.recording.errors import DamagedRecord
from compactml.study.recording.recorded import recorded, update_recorded
from tests.study.toy_report import finished

TRIALS = [finished("iris", run_id="a", utc="2026-01-02T00:00:00+00:00")]
STEPS = {"mkstemp": tempfile, "fsync": os, "replace": files.Path}
KILLED, REFUSED = 9, 0
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


def table(value: int) -> pd.DataFrame:
    return pd.DataFrame({"dataset": ["iris"], "x": [value]})


def record_and_die(step: str, n: int) -> None:
    """Record another table, and end like a killed process at the n-th time that a step is come to."""
    real, left = getattr(STEPS[step], step), [n]

    def dies(*arguments: Any, **options: Any) -> Any:
        if left[0] == 0:
            os._exit(KILLED)
        left[0] -= 1
        return real(*arguments, **options)

    setattr(STEPS[step], step, dies)
    update_recorded("pace", "table_1", table(9), TRIALS, keys=["dataset"])
    os._exit(0)


def read() -> int:
    try:
        kept = recorded("pace", "table_1")
    except DamagedRecord as error:
        return REFUSED if "'git checkout' of the CSV and of its .provenance.json brings" in str(error) else -1
    return REFUSED if kept is None else int(kept["x"][0])


@pytest.mark.parametrize(
    ("step", "expected"),
    [("mkstemp", [1, 1, 9]), ("fsync", [1, 1, 9, 9]), ("replace", [1, REFUSED, 9])],
)
def test_a_killed_record_is_old_new_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, expected: list[int]
) -> None:
    """Two files are written, synced and renamed, the table first; then their folder is synced."""
    (tmp_path / "data" / "published").mkdir(parents=True)
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    seen = []
    for n in range(len(expected)):
        path = update_recorded("pace", "table_1", table(1), TRIALS, keys=["dataset"])
        assert sorted(one.name for one in path.parent.iterdir()) == [
            ".lock", "table_1.csv", "table_1.provenance.json",
        ]  # fmt: skip
        before = {one: one.read_bytes() for one in path.parent.iterdir()}
        process = multiprocessing.get_context("fork").Process(target=record_and_die, args=(step, n))
        process.start()
        process.join(60)
        assert process.exitcode == (0 if n == len(expected) - 1 else KILLED)
        seen.append(read())
        for one, content in before.items():
            one.write_bytes(content)
    assert seen == expected
