"""One build at a time, which leaves nothing behind: a lock with its holder's name, a folder for temporary files."""

from __future__ import annotations

import ctypes
import getpass
import os
import platform
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
import psutil

from bookbuild.project import Project
from compactml.files import locked
from compactml.study.running.processes import WATCH_SECONDS, end_with, kill, started_here

__all__ = ["end_with_build", "end_with_parent", "one_build", "workers_end_with_interrupt"]

LOCK, NOTE = "build.lock", "temporary.txt"
PREFIX = "compactml-book-"
WAIT_SECONDS = 7200.0
PR_SET_PDEATHSIG = 1


@contextmanager
def one_build(project: Project, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Keep other builds of this checkout waiting; a build that is killed lets go.

    Parameters
    ----------
    project : Project
    seconds : float
        How long to wait for another build.

    Raises
    ------
    click.ClickException
        Another build goes on for longer; it is named.
    """
    folder = project.stage.parent
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / LOCK
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(lock, 0.0))
        except TimeoutError:
            click.echo(
                f"another build is under way here ({_holder(lock)}): this one waits for its end", err=True
            )
            try:
                stack.enter_context(locked(lock, seconds))
            except TimeoutError:
                raise click.ClickException(
                    f"another build is still under way here ({_holder(lock)}); end it, or wait and run again"
                ) from None
        lock.write_text(_name(), encoding="utf-8")
        stack.enter_context(_temporary(folder))
        yield


def _holder(lock: Path) -> str:
    return lock.read_text(encoding="utf-8") or "it has just begun"


def _name() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # no name belongs to the number
        user = str(os.getuid())
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return f"{user} on {platform.node()}, process {os.getpid()}, since {now}"


@contextmanager
def _temporary(folder: Path) -> Iterator[None]:
    """Let all temporary files, those of kernels too, lie in one folder; that of a build that was killed is removed."""
    note = folder / NOTE
    if note.is_file():
        _remove(note.read_text(encoding="utf-8"))
    before = tempfile.tempdir, os.environ.get("TMPDIR")
    made = tempfile.mkdtemp(prefix=PREFIX)  # in a short path: kernels have sockets there
    note.write_text(made, encoding="utf-8")
    tempfile.tempdir = os.environ["TMPDIR"] = made
    try:
        yield
    finally:
        tempfile.tempdir = before[0]
        if before[1] is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before[1]
        _remove(made)
        note.unlink(missing_ok=True)


def _remove(folder: str) -> None:
    """Remove a folder of ours, once the kernels are ended whose files lie there: they would make it anew."""
    if not Path(folder).name.startswith(PREFIX):
        return
    kernels = [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(word.startswith(folder) for word in process.info["cmdline"] or ())
    ]
    kill(kernels)
    psutil.wait_procs(kernels, WATCH_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def workers_end_with_interrupt() -> Iterator[None]:
    """Let Ctrl-C end what was started here, with all that it started: it would go on to its own end."""
    signal.siginterrupt(signal.SIGINT, True)  # a library of a solver may have left it so that waiting goes on
    try:
        yield
    except KeyboardInterrupt:
        kill(started_here())
        raise


def end_with_build(build: int) -> None:
    """In a worker: end with the process that builds, with all kernels and what is temporary; Ctrl-C is for that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with(build, lambda: _remove(tempfile.gettempdir()))


def end_with_parent() -> None:
    """In a program that is about to be started: Ctrl-C is for its parent, and the system ends it with that (Linux)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # else it would tell of it too, in its own way
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
