from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path

import numpy as np
import pytest

import compactml
from compactml.experiments import Profile, Trial, provenance
from compactml.experiments.fingerprint import DataIdentity
from compactml.experiments.provenance import Origin, Provenance, collect, git_state, peak_memory_mib

ORIGIN = Origin("run", "commit", True, DataIdentity("hash", "made up"), Profile.QUICK)


def test_says_who_what_where() -> None:
    trial = Trial("c", "k", "d", seed=7, time_limit=60.0)
    found = collect(trial, {"solver": "highs 1.14.0", "gap": 0, "bound": 2.5}, 1.25, ORIGIN)
    assert (found.run_id, found.commit, found.dirty, found.profile) == ("run", "commit", True, "quick")
    assert (found.data_sha256, found.data_source) == ("hash", "made up")
    assert (found.seed, found.time_limit, found.seconds) == (7, 60.0, 1.25)
    assert (found.solver, found.gap, found.bound) == ("highs 1.14.0", 0.0, 2.5)
    assert (found.python, found.numpy) == (platform.python_version(), np.__version__)
    assert found.cpu
    assert Provenance(**json.loads(json.dumps(found.as_dict()))) == found


def test_chapter_without_solver_has_none() -> None:
    found = collect(Trial("c", "k", "d"), {"accuracy": 1.0}, 0.0, ORIGIN)
    assert (found.solver, found.gap, found.bound) == (None, None, None)


def test_peak_memory_is_in_mib() -> None:
    before = peak_memory_mib()
    size = int(before) + 64
    block = np.ones(size * 2**20, dtype=np.uint8)
    assert size <= peak_memory_mib() <= size + before + 64
    del block


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh repository with one committed module, taken for the package's own."""
    (tmp_path / "module.py").write_text("x = 1\n", encoding="utf-8")
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    monkeypatch.setattr(compactml, "__file__", str(tmp_path / "__init__.py"))
    return tmp_path


def test_git_state_of_a_checkout(checkout: Path) -> None:
    commit, dirty = git_state()
    assert commit is not None
    assert len(commit) == 40
    assert dirty is False
    (checkout / "module.py").write_text("x = 2\n", encoding="utf-8")
    assert git_state() == (commit, True)


def test_no_git_state_outside_a_checkout(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = checkout / "site-packages" / "compactml"
    installed.mkdir(parents=True)
    monkeypatch.setattr(compactml, "__file__", str(installed / "__init__.py"))
    assert git_state() == (None, None)
    monkeypatch.setattr(compactml, "__file__", str(checkout / "__init__.py"))
    monkeypatch.setattr(provenance.subprocess, "run", _no_git)
    assert git_state() == (None, None)


def _no_git(*arguments: object, **options: object) -> None:
    raise FileNotFoundError("git")
