"""Files are written whole or not at all."""

import os
from pathlib import Path

import pytest

from compactml import files as module
from compactml.files import write_atomically


def test_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def full(*arguments: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(module.Path, "replace", full)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]
