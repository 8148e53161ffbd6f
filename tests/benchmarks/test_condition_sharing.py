"""The benchmark of the public call reads the tables that it names, and measures a call on one of them."""

from __future__ import annotations

from benchmarks import condition_sharing, tables


def test_each_forest_has_a_table_that_is_known() -> None:
    names = {name for _, name in condition_sharing.FORESTS}
    assert names <= {*tables.FOREIGN, *tables.REGISTERED}
    assert all(tables.at_hand(name) for name in names & set(tables.FOREIGN))
    assert all(isinstance(tables.at_hand(name), bool) for name in names)


def test_the_public_call_is_measured() -> None:
    (row,) = condition_sharing.public("RF", "penguins")
    assert float(row["ratio"]) > 0
    assert row["on"] == "penguins, RF, 100 trees"
