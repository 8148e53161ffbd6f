from __future__ import annotations

import hashlib
import importlib
from pathlib import Path

import pandas as pd
import pytest

from compactml.datasets import ChecksumMismatch, Dataset, DatasetNotAvailable, content_hash
from compactml.exceptions import InvalidParameterError
from compactml.experiments import Trial, fingerprint
from compactml.experiments.fingerprint import code_hash, data_identity, trial_key

PLAIN = "LIMIT = 3\ndef f(x):\n    return x < LIMIT\n"
COMMENTED = '''"""A module."""
LIMIT = 3
"""Smallest value that is refused."""

def f(x):  # not <=
    """Say whether x is small."""
    return x \\
        < LIMIT
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An importable package ``toy_code`` with one module, and caches that forget it afterwards."""
    folder = tmp_path / "toy_code"
    (folder / "deeper").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "deeper" / "module.py").write_text(PLAIN, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return folder


def fresh_hash(*modules: str) -> str:
    fingerprint._code_hash.cache_clear()
    return code_hash(modules)


def test_comments_docstrings_and_formatting_do_not_count(package: Path) -> None:
    before = fresh_hash("toy_code")
    (package / "deeper" / "module.py").write_text(COMMENTED, encoding="utf-8")
    assert fresh_hash("toy_code") == before


@pytest.mark.parametrize("change", [("<", "<="), ("3", "4"), ("LIMIT", "BOUND"), ("return ", "yield ")])
def test_changed_code_counts(package: Path, change: tuple[str, str]) -> None:
    before = fresh_hash("toy_code")
    (package / "deeper" / "module.py").write_text(PLAIN.replace(*change), encoding="utf-8")
    assert fresh_hash("toy_code") != before


def test_new_module_and_other_library_count(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fresh_hash("toy_code")
    (package / "other.py").touch()
    with_module = fresh_hash("toy_code")
    monkeypatch.setattr(fingerprint, "version", lambda library: "0")
    assert len({before, with_module, fresh_hash("toy_code")}) == 3


def test_order_and_repetition_of_names_do_not_count() -> None:
    names = ("compactml.forests", "compactml.exceptions")
    assert fresh_hash(*names) == fresh_hash(*reversed(names), names[0])


@pytest.mark.parametrize("name", ["compactml.no_such_module", "no_such_package.module"])
def test_unknown_module_is_refused(name: str) -> None:
    with pytest.raises(InvalidParameterError, match=name):
        fresh_hash(name)


@pytest.fixture
def no_memory() -> None:
    data_identity.cache_clear()


@pytest.mark.usefixtures("no_memory")
def test_data_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"a": [1.0]})
    dataset = Dataset(frame, pd.Series([0]), "classification", "toy", "made up", "")
    monkeypatch.setattr(fingerprint, "prepared", lambda key: dataset)
    assert data_identity("toy").sha256 == content_hash(dataset)
    assert data_identity("toy").source == "made up"


@pytest.mark.usefixtures("no_memory")
def test_generated_missing_and_wrong_data(monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_identity("synthetic:made up").sha256 == ""
    assert data_identity("synthetic:made up").at_hand

    def missing(key: str) -> Dataset:
        raise DatasetNotAvailable(key, "file", ["folder"])

    monkeypatch.setattr(fingerprint, "prepared", missing)
    assert not data_identity("iris").at_hand

    def wrong(key: str) -> Dataset:
        raise ChecksumMismatch(key, "file", "a", "b")

    monkeypatch.setattr(fingerprint, "prepared", wrong)
    with pytest.raises(ChecksumMismatch):
        data_identity("wdbc")


def test_key_depends_on_all_three() -> None:
    trial, other = Trial("c", "k", "d"), Trial("c", "k", "d", seed=1)
    keys = {trial_key(trial, "x", "y"), trial_key(other, "x", "y"), trial_key(trial, "z", "y")}
    assert len(keys | {trial_key(trial, "x", "z"), trial_key(trial, "xy", "")}) == 5
    assert all(len(key) == hashlib.sha256().digest_size * 2 for key in keys)
