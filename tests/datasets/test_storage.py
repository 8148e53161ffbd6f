"""Where files are looked for, and that wrong bytes are never used."""

from __future__ import annotations

import hashlib
import os

import pytest

from compactml.datasets import ChecksumMismatch, DatasetNotAvailable, packaged
from compactml.datasets.registry import entry
from compactml.datasets.storage import cache_folder, sha256, verified
from compactml.datasets.storage import folders as search_folders
from tests.datasets.toy_data import CONTENT, place


def test_the_named_folder_comes_before_the_cache(folders, toy_registry):
    data, cache = folders
    (file,) = toy_registry().files
    in_cache = place(cache, CONTENT)
    assert verified(file) == in_cache
    in_data = place(data, CONTENT)
    assert verified(file) == in_data


def test_without_a_named_folder_only_the_cache_is_searched(folders, monkeypatch):
    monkeypatch.delenv("COMPACTML_DATA")
    assert search_folders() == [folders[1]]


def test_the_cache_defaults_to_the_folder_of_the_operating_system(monkeypatch):
    monkeypatch.delenv("COMPACTML_CACHE", raising=False)
    assert cache_folder().name == "compactml"


def test_a_missing_file_names_the_places_and_the_command(folders, toy_registry):
    (file,) = toy_registry().files
    with pytest.raises(DatasetNotAvailable, match="compactml data fetch toy") as caught:
        verified(file)
    assert caught.value.folders == tuple(str(folder / "toy") for folder in folders)


@pytest.mark.parametrize("wrong", [CONTENT[:-1], CONTENT + b"\n", b"", CONTENT.replace(b"3", b"4")])
def test_wrong_bytes_are_refused_with_both_hashes_even_if_the_cache_is_right(folders, toy_registry, wrong):
    data, cache = folders
    (file,) = toy_registry().files
    place(data, wrong)
    place(cache, CONTENT)
    with pytest.raises(ChecksumMismatch) as caught:
        verified(file)
    assert caught.value.expected == hashlib.sha256(CONTENT).hexdigest()
    assert caught.value.found == hashlib.sha256(wrong).hexdigest()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package ``toy-data`` that ships the toy file, installed on a path of its own; gives that file."""
    site = tmp_path / "site"
    (site / "toy_data-1.0.dist-info").mkdir(parents=True)
    (site / "toy_data-1.0.dist-info" / "METADATA").write_text("Name: toy-data\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setattr(packaged, "PACKAGED", {("toy", "toy.csv"): ("toy-data", "toy_data/raw.dat")})
    (site / "toy_data").mkdir()
    return site / "toy_data" / "raw.dat"


def test_a_file_of_an_installed_package_is_taken_after_all_folders(folders, toy_registry, package):
    (file,) = toy_registry().files
    package.write_bytes(CONTENT)
    assert verified(file) == package
    in_cache = place(folders[1], CONTENT)
    assert verified(file) == in_cache


def test_other_bytes_of_a_package_are_as_none(folders, toy_registry, package):
    (file,) = toy_registry().files
    package.write_bytes(CONTENT.replace(b"3", b"4"))
    with pytest.raises(DatasetNotAvailable):
        verified(file)


def test_packaged_files_are_registered_with_their_hash():
    for key, name in packaged.PACKAGED:
        assert next(file for file in entry(key).files if file.name == name).sha256


def test_a_file_changed_after_its_check_is_checked_again(folders, toy_registry):
    (file,) = toy_registry().files
    path = place(folders[0], CONTENT)
    assert verified(file) == path
    before = path.stat()
    path.write_bytes(CONTENT[:-2] + b"z\n")  # same size
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    with pytest.raises(ChecksumMismatch):
        verified(file)


def test_a_hash_is_computed_once_for_an_unchanged_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(CONTENT)
    first = sha256(path)
    monkeypatch.setattr(hashlib, "file_digest", lambda *_: pytest.fail("hashed again"))
    assert sha256(path) == first
