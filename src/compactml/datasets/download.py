"""`fetch`: download the files of a dataset from their registered sources, resumably, judged by SHA-256.

A partial file belongs to one source, so that the bytes of two sources are never mixed, and takes its place only with
the registered bytes. ``COMPACTML_MIRROR`` names a place that is asked first.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from urllib.parse import quote

from compactml.datasets import storage
from compactml.datasets.errors import DownloadFailed
from compactml.datasets.registry import RegisteredFile, entry
from compactml.datasets.transfer import FAILURES, Transfer, retry_after
from compactml.errors import InvalidParameterError

ATTEMPTS = 3
"""How often one source is asked; every attempt continues where the one before broke off."""
PAUSE_SECONDS, LONGEST_PAUSE = 1.0, 60.0
"""Between two attempts; it doubles. A source that asks for a longer pause than the longest is passed over."""
MIRROR = "COMPACTML_MIRROR"


def fetch(key: str, *, progress: bool = True) -> list[Path]:
    """Download every file of ``key`` that is not at hand and return the paths of all of them.

    Parameters
    ----------
    key : str
        One of `keys()`.
    progress : bool
        Show a progress bar on stderr; it stays off where stderr is no terminal.

    Returns
    -------
    list of Path
        Files with the registered SHA-256, in the registry's order.

    Raises
    ------
    UnknownDataset
        No such key.
    ChecksumMismatch
        The folder ``COMPACTML_DATA`` holds a file of that name with other bytes; it is yours and is left
        alone.
    InvalidParameterError
        ``COMPACTML_MIRROR`` is no address.
    DownloadFailed
        No source gave the registered bytes, or none can be judged because no SHA-256 is registered.
    """
    return [_fetch_file(file, progress) for file in entry(key).files]


def _fetch_file(file: RegisteredFile, progress: bool) -> Path:
    destination = storage.cache_folder() / file.key / file.name
    found = storage.locate(file)
    if found is not None and (found != destination or file.sha256 in (None, storage.sha256(found))):
        return storage.verified(file)
    if file.sha256 is None:
        reason = "no SHA-256 is registered, so a download could not be judged"
        raise DownloadFailed(file.key, file.name, str(destination), [(url, reason) for url in file.sources])
    reasons = []
    for url in sources(file):
        failure = _from_source(file, url, destination, progress)
        if failure is None:
            return storage.verified(file)
        reasons.append((url, failure))
    raise DownloadFailed(file.key, file.name, str(destination), reasons)


def sources(file: RegisteredFile) -> list[str]:
    """Return the addresses of a file: ``KEY/FILE`` below ``COMPACTML_MIRROR``, if that is set, and the registered ones.

    Raises
    ------
    InvalidParameterError
        The variable holds no address.
    """
    mirror = os.environ.get(MIRROR, "")
    if not mirror:
        return list(file.sources)
    if not mirror.startswith(("http://", "https://")):
        raise InvalidParameterError(MIRROR, "an address that begins with http:// or https://", mirror)
    return [f"{mirror.rstrip('/')}/{quote(file.key)}/{quote(file.name)}", *file.sources]


def _from_source(file: RegisteredFile, url: str, destination: Path, progress: bool) -> str | None:
    """Download from one source; return None, or why it failed."""
    pause = PAUSE_SECONDS
    part = destination.parent / part_name(file.name, url)
    transfer = Transfer(url, part, file.bytes, progress)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            destination.parent.mkdir(parents=True, exist_ok=True)
            transfer.run()
            _accept(part, file, destination)
        except FAILURES as error:
            failure = f"{type(error).__name__}: {error}"
            asked = retry_after(error)
            if attempt == ATTEMPTS or asked > LONGEST_PAUSE or not transfer.may_do_better(error):
                wait = f" (asks to wait {asked:.0f} s)" if asked else ""
                return f"{failure}{wait}{f', {attempt} attempts' if attempt > 1 else ''}"
            if part.exists() or not transfer.continued:
                time.sleep(
                    max(pause, asked)
                )  # else a worthless part is gone, and the source has done nothing wrong
                pause *= 2
        else:
            return None
    raise AssertionError("the last attempt returns")


def _accept(part: Path, file: RegisteredFile, destination: Path) -> None:
    """Move a complete file to its place, on the disk before it has its name.

    Raises
    ------
    ValueError
        Its bytes are not the registered ones; it is removed.
    """
    with part.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        os.fsync(stream.fileno())
    if digest != file.sha256:
        part.unlink()
        registered = "" if file.bytes is None else f" of {file.bytes} bytes"
        raise ValueError(
            f"its {size} bytes have SHA-256 {digest}, not the registered {file.sha256}{registered}"
        )
    part.replace(destination)


def part_name(file: str, url: str) -> str:
    """Return the name of the partial download of ``file`` from ``url``, which lies beside the file."""
    return f"{file}.{hashlib.sha256(url.encode()).hexdigest()[:8]}.part"
