"""The file: a zip archive that is not compressed, with ``model.json`` and an array in each ``arrays/K.npy``.

Nothing is compressed, so nothing that is read is larger than the file. The JSON says what each array is, and both that
and the size of its member must agree with the array's own head before any of it is read. No pickle is looked at.
"""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError
from compactml.files import write_atomically

__all__ = ["FORMAT", "VERSION", "read", "write"]

FORMAT = "compactml model"
VERSION = 1
HEAD = "model.json"
DATE = (1980, 1, 1, 0, 0, 0)
"""Of all members, so that equal models are equal files."""
LONGEST_HEADER = 4096
BROKEN = (zipfile.BadZipFile, zipfile.LargeZipFile, struct.error, EOFError, NotImplementedError, RuntimeError)
UNREADABLE = (*BROKEN, OSError, ValueError, OverflowError, KeyError)


def write(path: Path, head: dict[str, Any], arrays: list[NDArray[Any]]) -> None:
    """Write a file, all of it or nothing.

    Parameters
    ----------
    path : Path
    head : dict
        Goes into the JSON, beside format, version and the list of arrays.
    arrays : list of ndarray
        Of numbers, booleans or texts.
    """
    listed = [{"dtype": array.dtype.str, "shape": list(array.shape)} for array in arrays]
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, **head, "arrays": listed}, allow_nan=False, indent=1
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(HEAD, DATE), text)
        for k, array in enumerate(arrays):
            member = io.BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(_member(k), DATE), member.getvalue())
    write_atomically(path, stream.getvalue())


def read(path: Path) -> tuple[dict[str, Any], list[NDArray[Any]]]:
    """Return the JSON and the arrays.

    Raises
    ------
    InvalidDataError
        No such file, a newer version, or anything that is not as `write` writes it.
    """
    if not path.is_file():
        raise InvalidDataError("path", "a file", f"{str(path)!r}, which is none")
    try:
        size = path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, size)
            head = _head(archive.read(members[HEAD]))
            listed = head.pop("arrays", None)
            if not isinstance(listed, list) or set(members) != {HEAD, *map(_member, range(len(listed)))}:
                raise _wrong("an array for each entry of its list", "others")
            arrays = [_array(archive, members[_member(k)], one) for k, one in enumerate(listed)]
    except InvalidDataError:
        raise
    except UNREADABLE as error:
        raise _wrong(
            "a whole file of a model, as compactml.model_files.save writes it", f"{error}"
        ) from error
    return head, arrays


def _member(k: int) -> str:
    return f"arrays/{k}.npy"


def _wrong(allowed: str, got: str) -> InvalidDataError:
    return InvalidDataError("path", allowed, got or "a broken one")


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name: not compressed, not encrypted, together not larger than the file."""
    infos = archive.infolist()
    members = {info.filename: info for info in infos}
    stored = all(
        info.compress_type == zipfile.ZIP_STORED
        and info.file_size == info.compress_size
        and not info.flag_bits & 0x1
        for info in infos
    )
    if len(members) != len(infos) or HEAD not in members or not stored:
        raise _wrong(f"an archive with {HEAD} and nothing compressed", "another one")
    if sum(info.file_size for info in infos) > size:
        raise _wrong("an archive whose parts fit into it", "larger parts")
    return members


def _head(content: bytes) -> dict[str, Any]:
    try:
        head = json.loads(content.decode("utf-8"))
    except RecursionError as error:
        raise _wrong("JSON of a model", "one that is nested too deeply") from error
    if not isinstance(head, dict) or head.pop("format", None) != FORMAT:
        raise _wrong(f"of the format {FORMAT!r}", "another one")
    version = head.pop("version", None)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise _wrong("of a version from 1 on", f"version {version!r}")
    if version > VERSION:
        raise _wrong(f"of version {VERSION} at most: a newer compactml has written it", f"version {version}")
    return head


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, listed: Any) -> NDArray[Any]:
    """An array whose member, head and entry in the list say the same."""
    if not isinstance(listed, dict) or set(listed) != {"dtype", "shape"}:
        raise _wrong("a list of arrays with dtype and shape", "another one")
    shape, text = listed["shape"], listed["dtype"]
    sizes = isinstance(shape, list) and len(shape) <= 32
    if not sizes or not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in shape):
        raise _wrong("an array with a shape", f"{shape!r}"[:60])
    if not isinstance(text, str) or text[1:2] not in tuple("biufU") or text[:1] not in tuple("<>|"):
        raise _wrong("an array of numbers, booleans or texts", f"{text!r}"[:60])
    dtype = np.dtype(text)
    count = math.prod(shape)
    if count * max(dtype.itemsize, 1) > info.file_size:
        raise _wrong(f"of {info.file_size} bytes for {info.filename}", f"an array of shape {shape}")
    content = io.BytesIO(archive.read(info))
    if np.lib.format.read_magic(content) not in {(1, 0), (2, 0)}:
        raise _wrong("an array of format 1.0 or 2.0", "another one")
    content.seek(6)
    major = content.read(2)[0]
    reader = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
    there, fortran, kind = reader(content, max_header_size=LONGEST_HEADER)
    rest = content.read()
    if list(there) != shape or kind != dtype or len(rest) != count * dtype.itemsize:
        raise _wrong(
            f"an array {dtype} of shape {shape} in {info.filename}", f"{kind} of shape {list(there)}"
        )
    if not rest:  # without entries, or of empty texts
        return np.zeros(shape, dtype=dtype)
    array = np.frombuffer(rest, dtype=dtype, count=count).copy()
    array = array.reshape(shape, order="F" if fortran else "C")
    if dtype.kind == "U":
        array.tolist()  # a ValueError where they are no texts
    elif dtype.kind == "b" and (np.frombuffer(rest, dtype=np.uint8) > 1).any():
        raise _wrong("an array of 0 and 1 for booleans", "other bytes")
    return array
