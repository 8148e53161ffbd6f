"""What a process does with a trial: it proves that it is the same one here, runs and measures it."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from compactml.solvers import MixedIntegerProgram, solve
from compactml.study import Profile, Result, Trial
from compactml.study.keys.fingerprint import key_parts, recipe_identity
from compactml.study.running import worker
from compactml.study.running.provenance import Measured
from compactml.study.running.worker import Failure, Finished, Order, Refusal, carry_out, is_starved
from tests.study.toy_trials import NO_DATA


def solving(trial: Trial) -> Result:
    """Solve a tiny program, and hold some memory for a while."""
    held = np.ones(64 * 2**17)
    time.sleep(0.3)
    problem = MixedIntegerProgram([1.0, 2.0], [[1.0, 1.0]], row_lower=1.0)
    return {"value": solve(problem, "highs").objective, "held": float(held[0])}


def sleeping(trial: Trial) -> Result:
    """Lack a processor for as long as the limit."""
    folder = dict(trial.parameters)["folder"]
    (Path(str(folder)) / str(time.monotonic_ns())).touch()
    time.sleep(trial.time_limit or 0.0)
    return {}


def busy(trial: Trial) -> Result:
    """Use one until the limit."""
    end = time.perf_counter() + (trial.time_limit or 0.0)
    while time.perf_counter() < end:
        pass
    return {}


def starting(trial: Trial) -> dict[str, object]:
    """Start a program that holds 300 MiB for a while."""
    program = "import time; held = b'x' * (300 << 20); time.sleep(1)"
    subprocess.run([sys.executable, "-c", program], check=True)
    return {}


def order(function: worker.Callable[[Trial], Result], trial: Trial, **changes: object) -> Order:
    parts = key_parts(function, recipe_identity(NO_DATA))
    return replace(Order(function, trial, NO_DATA, parts), **changes)  # type: ignore[arg-type]


def test_back_ends_and_memory_are_in_the_provenance(tmp_path: Path) -> None:
    found = carry_out(order(solving, Trial("toy", "k", "none"), folder=str(tmp_path)))
    assert isinstance(found, Finished)
    (backend,) = found.provenance.backends
    assert (backend["solver"], backend["rows"], backend["columns"]) == ("highs", 1, 2)
    assert backend["statuses"] == {"optimal": 1}
    assert found.provenance.resident_mib is not None
    assert found.provenance.resident_mib > 64
    assert found.provenance.cpu_seconds is not None
    assert found.provenance.cpu_seconds < found.provenance.seconds
    assert {path.suffix or path.name for path in tmp_path.iterdir()} == {".resident", worker.STARTED}


def test_memory_counts_what_a_trial_starts_and_not_what_was_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(worker, "SAMPLE_SECONDS", 0.05)
    monkeypatch.setattr(worker, "RARELY", 2)
    program = [sys.executable, "-c", "held = b'x' * (300 << 20); print(flush=True); input()"]
    alone = carry_out(order(busy, Trial("toy", "k", "none", time_limit=0.5)))
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as before:
        assert before.stdout is not None
        before.stdout.readline()
        time.sleep(worker.CLOCKS_SECONDS + 0.1)
        beside = carry_out(order(busy, Trial("toy", "k", "none", time_limit=0.5)))
        before.communicate(b"\n")
    started = carry_out(order(starting, Trial("toy", "k", "none")))
    sizes = [
        found.provenance.resident_mib for found in (alone, beside, started) if isinstance(found, Finished)
    ]
    assert len(sizes) == 3
    assert sizes[1] < sizes[0] + 100
    assert sizes[2] > sizes[0] + 200


@pytest.mark.parametrize(
    ("part", "value"), [("code", "other"), ("data", "other"), ("solvers", {}), ("formula", 3)]
)
def test_a_trial_with_another_key_here_is_refused(part: str, value: object) -> None:
    asked = order(busy, Trial("toy", "k", "none"))
    asked = replace(asked, parts=replace(asked.parts, **{part: value}))  # type: ignore[arg-type]
    if part == "solvers":
        asked = replace(asked, parts=replace(asked.parts, solvers={"requested": "cplex", "usable": []}))
    found = carry_out(asked)
    assert isinstance(found, Refusal)
    assert len(found.differences) == 1
    assert part in found.differences[0]


def test_data_that_cannot_be_read_here_fail_the_trial() -> None:
    asked = order(busy, Trial("toy", "k", "no such dataset"))
    found = carry_out(replace(asked, recipe=None))
    assert isinstance(found, Failure)
    assert found.error.startswith("before it started: UnknownDataset")


@pytest.mark.parametrize(("profile", "runs"), [(Profile.STANDARD, 3), (Profile.QUICK, 1), (None, 3)])
def test_a_limited_trial_without_a_processor_is_repeated_and_marked(
    profile: Profile | None, runs: int, tmp_path: Path
) -> None:
    trial = Trial("toy", "k", "none", parameters=(("folder", str(tmp_path)),), time_limit=0.2)
    found = carry_out(order(sleeping, trial, profile=profile))
    assert isinstance(found, Finished)
    assert found.provenance.starved
    assert found.provenance.repeats == runs - 1
    assert len(list(tmp_path.iterdir())) == runs


def test_a_busy_trial_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.95, 0.0, 0.0])  # CPU seconds before and after, whatever else runs on this machine
    monkeypatch.setattr(worker, "cpu_seconds", lambda: next(clock))
    found = carry_out(order(busy, Trial("toy", "k", "none", time_limit=0.1), profile=Profile.STANDARD))
    assert isinstance(found, Finished)
    assert (found.provenance.repeats, found.provenance.starved) == (0, False)


@pytest.mark.parametrize(
    ("limit", "seconds", "cpu", "starved"),
    [
        (10.0, 10.0, 8.9, True),
        (10.0, 10.0, 9.0, False),
        (10.0, 9.9, 1.0, False),
        (None, 10.0, 1.0, False),
    ],
)
def test_starved(limit: float | None, seconds: float, cpu: float, starved: bool) -> None:
    assert is_starved(Trial("c", "k", "d", time_limit=limit), Measured(seconds, cpu)) == starved
