"""Where raw files are looked for, and the SHA-256 check that stands before every use.

Looked at in this order: the folder named by ``COMPACTML_DATA`` (laid out ``<key>/<file>``), then the download
cache (``COMPACTML_CACHE``, or the operating system's cache folder for ``compactml``), laid out likewise, then
installed packages that ship the file, see `compactml.datasets.packaged`.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pooch

from compactml.datasets.errors import ChecksumMismatch, DatasetNotAvailable
from compactml.datasets.packaged import packaged
from compactml.datasets.registry import RegisteredFile

_digests: dict[tuple[str, int, int], str] = {}
"""SHA-256 by (path, size, modification time in ns): hashing a file once per process is enough."""


def cache_folder() -> Path:
    """Return the folder that downloads are written to."""
    return Path(os.environ.get("COMPACTML_CACHE") or pooch.os_cache("compactml"))


def folders() -> list[Path]:
    """Return the folders in which files are looked for, in order."""
    own = os.environ.get("COMPACTML_DATA")
    return [Path(own), cache_folder()] if own else [cache_folder()]


def locate(file: RegisteredFile) -> Path | None:
    """Return the first place where a file of that name lies, or None.

    The content of a file in a folder is unchecked; a package's file is taken only with the registered bytes.
    """
    candidates = (folder / file.key / file.name for folder in folders())
    in_folder = next((path for path in candidates if path.is_file()), None)
    if in_folder is not None or file.sha256 is None:
        return in_folder
    in_package = packaged(file.key, file.name)
    return in_package if in_package is not None and sha256(in_package) == file.sha256 else None


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, remembered while the file's size and time stay the same."""
    state = path.stat()
    stamp = (str(path.resolve()), state.st_size, state.st_mtime_ns)
    if stamp not in _digests:
        with path.open("rb") as stream:
            _digests[stamp] = hashlib.file_digest(stream, "sha256").hexdigest()
    return _digests[stamp]


def verified(file: RegisteredFile) -> Path:
    """Return the path of a file that is at hand and has the registered bytes.

    A file whose SHA-256 is not registered is returned as it stands.

    Raises
    ------
    DatasetNotAvailable
        The file lies in none of the folders.
    ChecksumMismatch
        The file found has other bytes. A later folder is not tried: a wrong file must not go unnoticed.
    """
    path = locate(file)
    if path is None:
        places = [str(folder / file.key) for folder in folders()]
        upstream = None if file.sha256 else " or ".join(file.sources)
        raise DatasetNotAvailable(file.key, file.name, places, upstream)
    if file.sha256 is not None and sha256(path) != file.sha256:
        raise ChecksumMismatch(file.key, str(path), file.sha256, sha256(path))
    return path
