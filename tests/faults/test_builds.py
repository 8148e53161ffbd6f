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
from tests.interrupts import interrupted_at

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
SLEEPING = HEAD + "```{code-cell} ipython3\nimport time\ntime.sleep(n)\n```\n"
SLEEPS = """\
import pathlib, subprocess, sys, time

def stay(*_):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pathlib.Path({flag!r}).touch()
    time.sleep(600)

def setup(app):
    app.connect("html-page-context", stay)
"""
"""An extension of Sphinx that stays at the first page, with a program of its own."""
BLOWS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
STOPPED = [
    ("build_book.py", ["n=600"], 2),
    ("run_notebook.py", [FIRST, "n=600"], 1),
]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two notebooks that sleep for n seconds."""
    made = new_project(tmp_path / "project")
    for name in (FIRST, SECOND):
        made.source(name).write_text(SLEEPING)
    return made


def build(project: Project, seconds: float) -> subprocess.Popen[str]:
    return script(project, "build_book.py", f"n={seconds}")


def script(project: Project, name: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "scripts" / name), *arguments, "--root", str(project.root)]
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


def ended(ran: subprocess.Popen[str], project: Project, blow: signal.Signals, everyone: bool) -> None:
    """End a program from outside: one line, a shell's exit code, nobody left at work and nothing temporary."""
    made = Path((project.root / "_build" / NOTE).read_text())
    (os.killpg if everyone else os.kill)(ran.pid, blow)
    _, said = ran.communicate(timeout=120)
    code, word = BLOWS[blow]
    assert ran.returncode == code, said
    lines = [line for line in said.splitlines() if line.startswith(("interrupted", "terminated"))]
    assert (
        lines
        == [said.splitlines()[-1]]
        == [f"{word}: executed notebooks are kept; run the same command again to resume"]
    )
    assert "Traceback" not in said
    wait_for(lambda: not workers(ran.pid) and not kernels(project), 30)
    assert not made.exists()
    with one_build(project, seconds=0):  # nobody holds the lock
        pass


@pytest.mark.parametrize("blow", BLOWS)
@pytest.mark.parametrize(("name", "arguments", "count"), STOPPED)
def test_stopped_notebooks_are_one_line(
    name: str, arguments: list[str], count: int, blow: signal.Signals, project: Project
) -> None:
    ran = script(project, name, *arguments)
    wait_for(lambda: len(kernels(project)) == count or ran.poll() is not None)
    ended(ran, project, blow, everyone=True)


@pytest.mark.parametrize(
    ("blow", "everyone"), [(signal.SIGINT, True), (signal.SIGTERM, True), (signal.SIGTERM, False)]
)
def test_stopped_rendering_is_one_line(blow: signal.Signals, everyone: bool, tmp_path: Path) -> None:
    """And no half of the pages is left."""
    project = new_project(tmp_path / "project")
    flag = tmp_path / "flag"
    for path, text in {
        "_config.yml": "sphinx: {local_extensions: {sleeps: .}}\n",
        "_toc.yml": "format: jb-book\nroot: intro\n",
        "intro.md": "# Intro\n",
        "sleeps.py": SLEEPS.format(flag=str(flag)),
    }.items():
        project.stage.mkdir(parents=True, exist_ok=True)
        (project.stage / path).write_text(text)
    ran = script(project, "render_book.py")
    wait_for(lambda: flag.exists() or ran.poll() is not None)
    assert project.html.exists(), ran.communicate()
    ended(ran, project, blow, everyone)
    assert not project.html.exists()


@pytest.mark.parametrize("name", ["build_book.py", "render_book.py", "run_notebook.py"])
@pytest.mark.parametrize("module", ["click", "bookbuild.project"])
def test_ctrl_c_at_an_import_is_one_line(name: str, module: str) -> None:
    program = "import runpy; runpy.run_path(sys.argv[2], run_name='__main__')"
    program = f"sys.path.insert(0, {str(ROOT / 'scripts')!r}); {program}"
    ran = interrupted_at(module, program, str(ROOT / "scripts" / name))
    said = "interrupted: executed notebooks are kept; run the same command again to resume\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", said)


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
