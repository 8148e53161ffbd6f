from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path

import numpy as np
import pytest

import compactml
from compactml.study import Profile, Result, Trial
from compactml.study.keys.fingerprint import FORMULA, KeyParts
from compactml.study.running import provenance
from compactml.study.running.provenance import Measured, Provenance, collect, git_state, peak_memory_mib

PARTS = KeyParts("code", {"python": "3.11", "highspy": "1.13.1"}, {"requested": "auto", "usable": []}, "hash")
BACKEND = {"solver": "highs", "version": "1.13.1", "licence": "open source", "answers": 1}
MEASURED = Measured(seconds=1.25, cpu_seconds=1.0, resident_mib=90.5, backends=(BACKEND,))


def described(trial: Trial, result: Result) -> Provenance:
    return collect(trial, result, MEASURED, PARTS, "made up", Profile.QUICK)


def test_says_who_what_where() -> None:
    trial = Trial("c", "k", "d", seed=7, time_limit=60.0)
    found = described(trial, {"solver": "highs 1.14.0", "gap": 0, "bound": 2.5})
    assert (found.run_id, found.profile) == (PARTS.key(trial)[:12], "quick")
    assert (found.commit, found.dirty) == git_state()
    assert (found.data_sha256, found.data_source) == ("hash", "made up")
    assert (found.seed, found.time_limit, found.seconds) == (7, 60.0, 1.25)
    assert (found.cpu_seconds, found.resident_mib, found.backends) == (1.0, 90.5, (BACKEND,))
    assert (found.solver, found.gap, found.bound) == ("highs 1.14.0", 0.0, 2.5)
    assert (found.python, found.numpy) == (platform.python_version(), np.__version__)
    assert (found.host, found.formula) == (platform.node(), FORMULA)
    assert len(found.lock_sha256) == 64
    assert found.cpu
    written = json.loads(json.dumps(found.as_dict()))
    assert Provenance.read(written) == found
    assert Provenance.read(written).parts().key(trial)[:12] == found.run_id


def test_a_row_of_another_release_is_read() -> None:
    written = described(Trial("c", "k", "d"), {}).as_dict()
    assert Provenance.read(written | {"moon": "full"}) == Provenance.read(written)
    new = ("formula", "code_sha256", "libraries", "solvers", "backends", "cpu_seconds", "resident_mib",
           "lock_sha256", "host", "repeats", "starved")  # fmt: skip
    first = Provenance.read({name: value for name, value in written.items() if name not in new})
    assert (first.formula, first.cpu_seconds, first.backends) == (1, None, ())
    blanks = {"seconds": 0.0, "utc": "", "cpu_count": None, "libraries": {}, "threads": 0}
    for name, blank in blanks.items():
        lacking = {same: value for same, value in written.items() if same != name}
        for stored in (lacking, lacking | {name: None}):
            assert Provenance.read(stored).as_dict() == written | {name: blank}


def test_chapter_without_solver_has_none() -> None:
    found = described(Trial("c", "k", "d"), {"accuracy": 1.0})
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
