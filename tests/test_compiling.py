"""A word when compiling takes long: once, at the first use only, and not in trials."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from compactml import clock as clocks
from compactml.compiling import Announcer

PROGRAM = """
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from compactml.condition_sharing import share_conditions

X = np.arange(20.0).reshape(10, 2)
share_conditions(RandomForestClassifier(3, random_state=0).fit(X, X[:, 0] > 8), X)
"""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the module sees; entry 0 is now."""
    now = [0.0]
    monkeypatch.setattr(clocks.time, "perf_counter", lambda: now[0])
    return now


def test_it_is_said_once_when_the_sum_is_long(clock: list[float], caplog: pytest.LogCaptureFixture) -> None:
    announcer = Announcer()
    with caplog.at_level(logging.WARNING, logger="compactml.compiling"):
        for _ in range(3):  # 1.9 s, and seconds between that do not count
            announcer.on_start(None)  # type: ignore[arg-type]
            clock[0] += 1.9 / 3
            announcer.on_end(None)  # type: ignore[arg-type]
            clock[0] += 10.0
        assert caplog.messages == []
        announcer.on_start(None)  # type: ignore[arg-type]
        clock[0] += 0.2
        announcer.on_start(None)  # type: ignore[arg-type]
        assert len(caplog.messages) == 1  # within a long one, at the next function
        clock[0] += 5.0
        announcer.on_end(None)  # type: ignore[arg-type]
        announcer.on_end(None)  # type: ignore[arg-type]
    assert len(caplog.messages) == 1
    assert "python -m compactml.warm_up" in caplog.messages[0]


def test_first_use_says_so_and_the_second_has_nothing_to_say(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    said = []
    for _ in range(2):
        ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment)
        assert ran.returncode == 0, ran.stderr
        said.append(ran.stderr.count("compactml compiles its kernels"))
    assert said == [1, 0]
