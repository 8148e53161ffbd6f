"""The table of scale says what was measured, and that a case did not end where it did not."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.scale import CASES
from bookbuild.project import Project
from bookbuild.scale import FILE, METHODS, scale_table

ROOT = Path(__file__).resolve().parents[2]
HEAD = "method,first,second,seconds,memory_mb,proved,answer,limit\n"


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def test_a_case_is_a_row_and_one_that_did_not_end_says_so(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(
        f"{HEAD}rules,10000,10,1.234,412,True,loss 7,600\nPace,50,3,,,False,not ended,600\n", encoding="utf-8"
    )
    assert rows(scale_table(Project(tmp_path))) == [
        ["Rules of complexity 6", "10,000 rows × 10 columns", "1.2", "412", "yes", "loss 7"],
        ["Leaving trees out, certified", "50 trees × 3 depth", "more than 600", "–", "no", "not ended"],
    ]


def test_without_a_file_the_page_says_so(tmp_path: Path) -> None:
    assert scale_table(Project(tmp_path)) == "Nothing has been measured yet.\n"


def test_every_case_of_the_script_was_measured() -> None:
    measured = pd.read_csv(ROOT / FILE)
    found = list(zip(measured["method"], measured["first"], measured["second"], strict=True))
    assert found == [(method, *size) for method, (_, sizes) in CASES.items() for size in sizes]
    assert set(CASES) == set(METHODS)
    assert (measured["seconds"].dropna() >= 0).all()
