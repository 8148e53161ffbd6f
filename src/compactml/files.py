"""Writing files so that nothing finished is lost, and one at a time."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["locked", "write_atomically", "write_together"]

LOCK_SECONDS = 60.0
"""How long one process waits for another that writes."""
POLL_SECONDS = 0.05


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part, after a power cut either."""
    write_together({path: content})


def write_together(contents: dict[Path, bytes]) -> None:
    """Write several files, each so that a reader sees the old content or the new.

    All are on the disk under other names before the first one takes its place, so that a full disk changes none of
    them. A process that is killed while they take their places, one after the other, leaves the first ones new.

    Raises
    ------
    OSError
        It names the file that cannot be written: a full disk names none, and others that under the other name.
    """
    waiting: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            waiting[path] = Path(name)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(0o644)  # mkstemp's files are for their owner only
        for path, written in waiting.items():
            written.replace(path)
    except BaseException as error:
        for written in waiting.values():
            written.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    for folder in dict.fromkeys(path.parent for path in contents):
        _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some network file systems cannot
        pass
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold an advisory lock on a file, which is made when missing and stays; it ends with its process.

    Parameters
    ----------
    path : Path
    seconds : float
        How long to wait for another process that holds it.

    Raises
    ------
    TimeoutError
        Another process held it for longer.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        end = time.monotonic() + seconds
        while not _taken(handle):
            if time.monotonic() >= end:
                raise TimeoutError(f"{path} is locked by another process")
            time.sleep(POLL_SECONDS)
        yield
    finally:
        os.close(handle)  # which gives the lock back


def _taken(handle: int) -> bool:
    """Take the lock, or return False where another process has it."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
