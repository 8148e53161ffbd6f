"""The registry tables are complete and consistent, and unknown keys get near matches."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from compactml.datasets import UnknownDataset, keys
from compactml.datasets.loading import LOADERS
from compactml.datasets.registry import Entry, entries, entry

NOT_HELD = {
    "aps_scania", "gas_drift", "hepmass", "rna_seq_pancan", "usps_asu", "wec_adelaide", "wec_perth",
    "wec_sydney", "wec_tasmania", "year_prediction_msd",
}  # fmt: skip


def test_every_registered_key_has_a_loader_and_no_other():
    assert keys() == sorted(LOADERS)


def test_exactly_the_sets_that_were_never_held_are_unpinned():
    assert {key for key, own in entries().items() if not own.pinned} == NOT_HELD


@pytest.mark.parametrize("own", entries().values(), ids=keys())
def test_an_entry_is_consistent(own: Entry):
    assert own.task in ("classification", "regression")
    assert min(own.n_rows, own.n_features) > 0
    assert sum(own.class_counts.values()) in (0, own.n_rows)
    assert not (own.task == "regression" and own.class_counts)
    assert own.upstream
    assert own.licence == "see upstream"
    assert any(file.needed for file in own.files)


@pytest.mark.parametrize("own", entries().values(), ids=keys())
def test_files_have_hashes_and_absolute_sources(own: Entry):
    for file in own.files:
        assert file.sha256 is None or re.fullmatch("[0-9a-f]{64}", file.sha256)
        assert (file.bytes is None) == (file.sha256 is None)
        assert file.sources
        for url in file.sources:
            assert urlsplit(url).scheme == "https"
            assert "/master/" not in url  # a branch moves; a mirror must be pinned to a commit
            assert "/main/" not in url


def test_an_unknown_key_names_near_matches():
    with pytest.raises(UnknownDataset, match=r"got 'parkinson'\. Did you mean parkinsons") as caught:
        entry("parkinson")
    assert isinstance(caught.value, KeyError)
    assert caught.value.near[0] == "parkinsons"


def test_an_unknown_key_without_near_match_has_no_suggestion():
    with pytest.raises(UnknownDataset, match=r"got 'qqqqqqq'\.$"):
        entry("qqqqqqq")
