"""Files are written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from compactml import files as module
from compactml.files import locked, write_atomically, write_together


def test_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(module.Path, "replace", full)
    with pytest.raises(OSError, match="disk full") as error:
        write_atomically(path, b"new")
    assert error.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_lock_keeps_others_out(tmp_path: Path) -> None:
    with locked(tmp_path / "lock"), pytest.raises(TimeoutError), locked(tmp_path / "lock", seconds=0):
        pass
    with locked(tmp_path / "lock", seconds=0):
        pass


def test_files_that_are_written_together_wait_for_the_last_one(tmp_path: Path) -> None:
    first = tmp_path / "first"
    write_atomically(first, b"old")
    with pytest.raises(FileNotFoundError):
        write_together({first: b"new", tmp_path / "nowhere" / "second": b"new"})
    assert first.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["first"]
