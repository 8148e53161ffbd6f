"""Builds of the book side by side, and builds that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from bookbuild.building import LOCK, NOTE, PREFIX, one_build
from bookbuild.project import Project
from tests.book.test_driver import FIRST, HEAD, ROOT, SECOND, new_project

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
SLEEPING = HEAD + "```{code-cell} ipython3\nimport time\ntime.sleep(n)\n```\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two notebooks that sleep for n seconds."""
    made = new_project(tmp_path / "project")
    for name in (FIRST, SECOND):
        made.source(name).write_text(SLEEPING)
    return made


def build(project: Project, seconds: float) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        str(ROOT / "scripts" / "build_book.py"),
        f"n={seconds}",
        "--root",
        str(project.root),
    ]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def wait_for(condition: Callable[[], bool], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)


def kernels(project: Project) -> list[psutil.Process]:
    """Kernels run in the folder of their notebook, as the workers do that wait for them."""
    folder = str(project.source(FIRST).parent)
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() == psutil.STATUS_ZOMBIE or process.cwd() != folder:
                continue
            if "ipykernel_launcher" in process.cmdline():
                found.append(process)
        except psutil.Error:
            continue
    return found


def workers(session: int) -> list[psutil.Process]:
    """Processes of a build, without kernels, which have sessions of their own."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and os.getsid(process.pid) == session:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def test_the_second_build_waits_for_the_first_and_says_whose_it_is(project: Project) -> None:
    first = build(project, 3)
    wait_for(lambda: (project.root / "_build" / NOTE).exists())
    second = build(project, 3)
    said = [one.communicate(timeout=300) for one in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0], said
    assert "2 executed, 0 up to date" in said[0][0]
    assert f"process {first.pid}, since 20" in said[1][1]
    assert "this one waits for its end" in said[1][1]
    assert "0 executed, 2 up to date" in said[1][0]


def test_a_killed_build_takes_all_with_it_and_the_next_one_goes_on(project: Project) -> None:
    first = build(project, 600)
    wait_for(lambda: len(kernels(project)) == 2)
    made = Path((project.root / "_build" / NOTE).read_text())
    assert made.name.startswith(PREFIX)
    first.kill()
    first.communicate()
    wait_for(lambda: not workers(first.pid) and not kernels(project) and not made.exists())
    with one_build(project, seconds=0):  # nobody holds the lock
        assert f"process {os.getpid()}, " in (project.root / "_build" / LOCK).read_text()


def test_a_killed_worker_is_one_line(project: Project) -> None:
    ran = build(project, 600)
    wait_for(lambda: len(kernels(project)) == 2)
    made = Path((project.root / "_build" / NOTE).read_text())
    pool = [one for one in workers(ran.pid) if one.pid != ran.pid]
    pool[0].send_signal(signal.SIGKILL)
    _, said = ran.communicate(timeout=120)
    assert ran.returncode == 1
    assert [line for line in said.splitlines() if line.startswith("Error: ")] == [
        "Error: a process that executes notebooks was killed, for want of memory perhaps; executed notebooks are kept: "
        "run the same command again, with PROCESSES=1 where memory is short"
    ]
    assert "Traceback" not in said
    wait_for(
        lambda: not kernels(project) and not made.exists()
    )  # the last worker removes what its kernel had


def test_ctrl_c_is_one_line(project: Project) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    ran = build(project, 600)
    signal.signal(signal.SIGINT, before)
    wait_for(lambda: len(kernels(project)) == 2)
    made = Path((project.root / "_build" / NOTE).read_text())
    os.killpg(ran.pid, signal.SIGINT)
    _, said = ran.communicate(timeout=120)
    assert ran.returncode == 130
    assert said.splitlines()[-1] == (
        "interrupted: executed notebooks are kept; run the same command again to resume"
    )
    assert "Traceback" not in said
    assert not kernels(project)
    assert not made.exists()


def test_what_a_killed_build_left_is_removed(tmp_path: Path) -> None:
    """And nothing that a build has not made."""
    project, left = Project(tmp_path), tmp_path / f"{PREFIX}left"
    other = tmp_path / "other"
    for folder, still_there in ((left, False), (other, True)):
        folder.mkdir()
        (tmp_path / "_build").mkdir(exist_ok=True)
        (tmp_path / "_build" / NOTE).write_text(str(folder))
        before = os.environ.get("TMPDIR")
        with one_build(project):
            assert folder.exists() == still_there
            made = Path(os.environ["TMPDIR"])
            assert made.is_dir()
        assert not made.exists()
        assert os.environ.get("TMPDIR") == before


def test_a_build_that_goes_on_for_too_long_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(tmp_path)
    with (
        one_build(project),
        pytest.raises(Exception, match=rf"still under way here \(.*, process {os.getpid()}, since"),
    ):
        one_build(project, seconds=0).__enter__()
    assert "this one waits for its end" in capsys.readouterr().err
