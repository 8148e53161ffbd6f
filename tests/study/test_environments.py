"""Environments of their own: when they count as installed, what of them is in a key, and how their programs end."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from compactml.study import Result, Store, Trial
from compactml.study.errors import EnvironmentNotInstalled, ProgramFailed
from compactml.study.keys.environments import Environment
from compactml.study.keys.fingerprint import DataIdentity, key_parts, recipe_identity
from compactml.study.recording.origins import source_line, summary
from compactml.study.running import engine
from compactml.study.running.worker import Finished, Order, carry_out
from tests.study import toy_trials
from tests.study.toy_trials import CHAPTER, NO_DATA, squares

PEER = Environment("peer", files=("jar",))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the lock of an environment that is not installed."""
    for folder in ("data/published", "environments", ".environments/peer/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "environments" / "peer.txt").write_text("library==1\n")
    (tmp_path / "jar").write_bytes(b"a program")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    return tmp_path


def install(repository: Path) -> None:
    """Make this Python the environment's."""
    PEER.python.symlink_to(sys.executable)
    lock = (repository / "environments" / "peer.txt").read_text()
    (repository / ".environments" / "peer" / "lock.txt").write_text(lock)


def test_installed_is_what_was_made_of_the_lock_of_now(repository: Path) -> None:
    assert not PEER.installed
    install(repository)
    assert PEER.installed
    (repository / "environments" / "peer.txt").write_text("library==2\n")
    assert not PEER.installed
    with pytest.raises(EnvironmentNotInstalled, match="make environment NAME=peer"):
        PEER.run("anything.py")


def test_a_program_runs_on_one_thread_and_its_error_is_told(repository: Path) -> None:
    install(repository)
    script = repository / "script.py"
    script.write_text(
        "import os, sys\nprint(sys.argv[1], os.environ['OMP_NUM_THREADS'], os.environ['MORE'])\n"
    )
    assert PEER.run(str(script), "said", variables={"MORE": "yes"}) == "said 1 yes\n"
    script.write_text("print(*{f'condition {i}' for i in range(100)})")
    assert PEER.run(str(script)) == PEER.run(str(script)), "sets of strings come in another order each time"
    script.write_text("raise ValueError('too old')\n")
    with pytest.raises(ProgramFailed, match="peer ended with code 1: ValueError: too old"):
        PEER.run(str(script))
    script.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGXCPU)\n")
    with pytest.raises(ProgramFailed) as ended:
        PEER.run(str(script))
    assert ended.value.code < 0


def held(trial: Trial) -> Result:
    """Run a program that needs memory."""
    return {"said": PEER.run(str(dict(trial.parameters)["script"]))}


def test_memory_of_its_programs_counts(repository: Path) -> None:
    install(repository)
    script = repository / "script.py"
    script.write_text("import time\nneeded = b'1' * 2**28\ntime.sleep(1)\n")
    trial = Trial("toy", "k", "none", parameters=(("script", str(script)),))
    parts = key_parts(held, recipe_identity(NO_DATA), PEER)
    here = psutil.Process().memory_info().rss / 2**20
    found = carry_out(Order(held, trial, NO_DATA, parts, environment=PEER))
    assert isinstance(found, Finished)
    assert found.provenance.resident_mib is not None
    assert found.provenance.resident_mib > here + 200


@pytest.mark.parametrize("name", ["environments/peer.txt", "jar"])
def test_every_file_of_it_is_in_the_key(repository: Path, name: str) -> None:
    data = DataIdentity("hash", "made up")
    before = key_parts(toy_trials.run, data, PEER)
    assert set(before.libraries) - set(key_parts(toy_trials.run, data).libraries) == {"environment peer"}
    (repository / name).write_text("other")
    assert before.differences(key_parts(toy_trials.run, data, PEER))[0].startswith("library environment peer")


def test_trials_without_their_environment_are_left_out(
    repository: Path, folder: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    kinds = (replace(CHAPTER.kinds[0], environment=PEER), *CHAPTER.kinds[1:])
    chapter, trials = replace(CHAPTER, kinds=kinds), toy_trials.trials(folder, 2)
    assert engine.run(chapter, trials, store=store) == []
    assert "environment peer is not at hand: its trials are left out" in caplog.text
    install(repository)
    done = engine.run(chapter, trials, store=store)
    assert squares(done) == [0, 1]
    assert "environment peer" in source_line(summary(done))
    (repository / "jar").write_bytes(b"another program")
    assert not any(item.cached for item in engine.run(chapter, trials, store=store))
