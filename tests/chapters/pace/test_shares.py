"""Class shares of Table 2, with and without the first row."""

from __future__ import annotations

import pandas as pd
import pytest

from compactml.chapters.pace import NAME
from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.claims.datasets import class_shares_as_printed
from compactml.chapters.pace.claims.errata import counted_rows
from compactml.chapters.pace.class_shares import class_shares
from compactml.chapters.pace.datasets import KEYS
from compactml.datasets.loading import available
from compactml.study.trial import Trial
from tests.chapters.pace.toy_tables import datasets_as_stated


def test_shares_are_compared_with_three_decimals_falling() -> None:
    rows = datasets_as_stated()
    found = class_shares(rows).set_index("dataset")
    assert found.loc["Seeds"].to_list() == [
        "0.335 · 0.335 · 0.330",
        "0.335 · 0.335 · 0.330",
        "0.337 · 0.337 · 0.332",
    ]
    assert (found["all rows"] == found["print"]).all()
    assert class_shares(rows.assign(headless_share_1=float("nan"))).empty


def test_the_evidence_counts_both_readings() -> None:
    rows = datasets_as_stated()
    names = [f"share_{k}" for k in (1, 2, 3)]
    swap = {name: f"headless_{name}" for name in names} | {f"headless_{name}": name for name in names}
    swapped = rows.rename(columns=swap)
    evidence = class_shares_as_printed({"table_2": swapped})
    assert evidence.found.startswith(f"0 of {len(rows)} datasets (not Cancer,")
    assert evidence.reason.endswith(f"{len(rows)} of {len(rows)}")


def test_the_first_row_of_the_file_makes_the_difference() -> None:
    if not available("seeds"):
        pytest.skip("seeds is not at hand")
    found = CHAPTER.run(Trial(NAME, "dataset", KEYS["Seeds"]))
    assert [found[f"share_{k}"] for k in (1, 2, 3)] == [70 / 210] * 3
    assert [found[f"headless_share_{k}"] for k in (1, 2, 3)] == [70 / 209, 70 / 209, 69 / 209]
    rows = pd.DataFrame([{"dataset": "Seeds", **found}])
    (row,) = class_shares(rows).to_dict("records")
    assert row["print"] == row["without the first row"] != row["all rows"]


def test_printed_shares_are_possible_with_one_row_less() -> None:
    evidence = counted_rows({})
    assert evidence.found.endswith("Ionosphere, Seeds")
    assert evidence.reason.startswith("with one row less 11 of 11")
