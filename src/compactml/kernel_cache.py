"""What numba keeps of compiled kernels: a damaged file is named, removed and made again.

Numba does not sync what it writes and reads it as a pickle, so that after a power cut a package may not even be
imported any more. The files of our kernels end with a digest here, which other programs that read them overlook.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import caching

__all__ = ["heal"]

Files: Any = caching.IndexDataCacheFile  # numba has no types
FunctionCache: Any = caching.FunctionCache

MARK = b"compactml sha256"
LOGGER = logging.getLogger("compactml.kernel_cache")


class HealingFiles(Files):
    """The index of one kernel and a file for each of its signatures."""

    def _load_index(self) -> dict[Any, str]:
        path = Path(self._index_path)
        try:
            content = path.read_bytes()
        except OSError:
            return {}
        try:
            check(content)
            overloads: dict[Any, str] = super()._load_index()
            if not isinstance(overloads, dict):
                raise TypeError("no index")
        except Exception as error:  # a pickle of garbage may raise anything
            remove(path, error)
            return {}
        return overloads

    def _load_data(self, name: str) -> Any:
        path = Path(self._data_path(name))
        content = path.read_bytes()
        try:
            check(content)
            return pickle.loads(content)  # the digest behind it is not read
        except Exception as error:
            remove(path, error)
            raise FileNotFoundError(path) from error  # as numba takes a file that is not there

    def _save_index(self, overloads: dict[Any, str]) -> None:
        pair = self._dump((self._source_stamp, overloads))
        self._write(self._index_path, pickle.dumps(self._version, protocol=-1) + pair)

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), self._dump(data))

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as stream:
            stream.write(content + MARK + hashlib.sha256(content).digest())
            stream.flush()
            os.fsync(stream.fileno())  # before numba gives it the name of the old file


def check(content: bytes) -> None:
    """Compare a file with the digest at its end; one that numba wrote by itself has none.

    Raises
    ------
    ValueError
    """
    body, mark, digest = content.rpartition(MARK)
    if mark and hashlib.sha256(body).digest() != digest:
        raise ValueError("its digest is that of another content")


def remove(path: Path, error: Exception) -> None:
    """Name a damaged file and remove it."""
    LOGGER.warning("%s is damaged (%s): it is removed and made again", path, type(error).__name__)
    with suppress(OSError):
        path.unlink()


@cache
def heal() -> None:
    """Have the kernels of this package, which are defined from now on, kept in files that heal."""
    as_numba_does = FunctionCache.__init__

    def initialise(self: Any, py_func: Any) -> None:
        as_numba_does(self, py_func)
        if py_func.__module__.partition(".")[0] == "compactml":
            plain = self._cache_file
            base = plain._index_name.removesuffix(".nbi")
            self._cache_file = HealingFiles(plain._cache_path, base, plain._source_stamp)

    FunctionCache.__init__ = initialise
