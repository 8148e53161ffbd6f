"""`describe` and `verify` tell what is at hand."""

from __future__ import annotations

import hashlib

import pytest

from compactml.datasets import UnknownDataset, describe, keys, verify
from tests.datasets.toy_data import CONTENT, place


def test_describe_has_a_row_per_dataset_and_knows_what_is_built_in(folders):
    table = describe().set_index("key")
    assert list(table.index) == keys()
    built_in = set(table.index[table["state"] == "built in"])
    assert built_in == {"iris", "wdbc"}
    assert set(table["state"].drop(list(built_in))) == {"missing"}
    assert table.loc["letter", "n_classes"] == 26
    assert table.loc["airfoil", "n_classes"] == 0


@pytest.mark.parametrize(
    ("content", "pinned", "file_state", "dataset_state"),
    [
        (CONTENT, True, "ok", "at hand"),
        (CONTENT[:-1], True, "corrupt", "corrupt"),
        (None, True, "missing", "missing"),
        (CONTENT, False, "not pinned", "not pinned"),
    ],
)
def test_the_states_of_a_file(folders, toy_registry, content, pinned, file_state, dataset_state):
    toy_registry("https://a.example/toy.csv", pinned=pinned)
    if content is not None:
        place(folders[0], content)
    (row,) = verify("toy").to_dict("records")
    assert row == {
        "key": "toy",
        "file": "toy.csv",
        "path": str(folders[0] / "toy" / "toy.csv"),
        "state": file_state,
        "expected": hashlib.sha256(CONTENT).hexdigest() if pinned else "",
        "found": "" if content is None else hashlib.sha256(content).hexdigest(),
    }
    assert describe_toy_state() == dataset_state


def describe_toy_state() -> str:
    (state,) = describe()["state"]
    return state


def test_verify_takes_one_key_some_or_all(folders):
    assert set(verify()["key"]) == set(keys())
    assert set(verify(["iris", "adult"])["key"]) == {"iris", "adult"}
    assert verify([]).empty
    with pytest.raises(UnknownDataset):
        verify("no such set")
