"""What is installed has a hash for every package, and an audit never says more than it knows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import audit

ROOT = Path(__file__).resolve().parents[1]
LOCKS = [*ROOT.glob("requirements*.lock"), *ROOT.glob("environments/*.txt")]
SOUND = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
FAULT = {"id": "PYSEC-1", "fix_versions": ["2"]}
FAULTY = {"dependencies": [{"name": "a", "version": "1", "vulns": [FAULT]}]}
SKIPPED = {"dependencies": [{"name": "a", "skip_reason": "not found"}, *SOUND["dependencies"]]}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_has_a_hash(lock: Path) -> None:
    text = re.sub(r"#.*", "", lock.read_text(encoding="utf-8")).replace("\\\n", " ")
    packages = [line for line in text.splitlines() if line.strip()]
    assert packages
    for package in packages:
        assert re.match(r"\S+==\S+ .*--hash=sha256:[0-9a-f]{64}", package), package


def test_environments_are_installed_by_their_hashes() -> None:
    command = ["make", "-n", "-B", "environment", "NAME=weka"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    installs = [line for line in done.stdout.splitlines() if "-r environments/" in line]
    assert len(installs) == 2
    assert all("--require-hashes" in line for line in installs)


@pytest.mark.parametrize(
    ("answers", "code", "said"),
    [
        ({"x": SOUND, "y": SOUND}, 0, "no fault is known of the packages in 2 locks"),
        ({"x": SOUND, "y": FAULTY}, 1, "y: a 1 has PYSEC-1, mended in 2"),
        ({"x": SKIPPED, "y": SOUND}, 3, "x: not audited: 1 of 2 packages (not found)"),
        ({"x": "ConnectionError"}, 3, "x: not audited (ConnectionError)"),
        ({"x": {"dependencies": []}}, 3, "x: not audited: 0 of 0 packages"),
        (
            {"x": SKIPPED, "y": FAULTY},
            1,
            "y: a 1 has PYSEC-1, mended in 2\nx: not audited: 1 of 2 packages (not found)",
        ),
    ],
)
def test_an_audit(answers: dict[str, dict[str, object] | str], code: int, said: str) -> None:
    found, lines = audit.judged(answers)
    assert (found, "\n".join(lines)) == (code, said)


def test_a_program_that_cannot_say_anything_is_no_good_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "python"
    for script, said in (("exit 1", "nothing on stderr"), ("echo out of reach >&2; exit 1", "out of reach")):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(audit, "PYTHON", program)
        assert audit.asked(tmp_path / "lock") == said
    monkeypatch.setattr(audit, "PYTHON", tmp_path / "nowhere")
    assert "nowhere" in str(audit.asked(tmp_path / "lock"))


def test_an_audit_that_cannot_be_installed_says_so(tmp_path: Path) -> None:
    """As offline: make ends with its own code, and the script with 3."""
    for name in ("Makefile", "pyproject.toml", "scripts/audit.py", "environments/pip-audit.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ "$1" != -m ] && exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    command = ["make", "audit", f"PYTHON={python}"]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=outside)
    assert done.stdout.splitlines()[-1].startswith("not audited: pip-audit is not installed")
    assert "Error 3" in done.stderr
    assert done.returncode == 2
    assert subprocess.run([python, "scripts/audit.py"], cwd=tmp_path, capture_output=True).returncode == 3
