"""`fetch`: download the files of a dataset from their registered sources, resumably, judged by SHA-256.

pooch downloads to a temporary file, checks its hash and moves it into place; what it lacks, continuing an
interrupted transfer, is the small downloader below. A partial file belongs to one source, so that the bytes
of two sources are never mixed.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pooch
import requests
from tqdm import tqdm

from compactml.datasets import storage
from compactml.datasets.errors import DownloadFailed
from compactml.datasets.registry import RegisteredFile, entry

ATTEMPTS = 3
"""How often one source is asked; every attempt continues where the one before broke off."""

CONNECT_SECONDS, SILENCE_SECONDS = 10.0, 30.0
"""A source is given up when it does not answer, or sends nothing, for this long."""

CHUNK = 1 << 14
"""Bytes written at a time; what arrived of a chunk that breaks off is asked for again."""


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
    for url in file.sources:
        failure = _from_source(file, url, destination, progress)
        if failure is None:
            return storage.verified(file)
        reasons.append((url, failure))
    raise DownloadFailed(file.key, file.name, str(destination), reasons)


def _from_source(file: RegisteredFile, url: str, destination: Path, progress: bool) -> str | None:
    """Download from one source; return None, or why it failed."""
    downloader = _ResumingDownloader(file, progress)
    pooch.get_logger().setLevel("WARNING")  # the progress bar says it already
    failure = ""
    for _ in range(ATTEMPTS):
        try:
            pooch.retrieve(
                url, f"sha256:{file.sha256}", fname=file.name, path=destination.parent, downloader=downloader
            )
        except (requests.RequestException, OSError, ValueError) as error:
            # pooch raises a ValueError when it finds another hash
            failure = f"{type(error).__name__}: {error}"
            if not downloader.worth_another_attempt(error):
                return failure
        else:
            return None
    return failure


def part_name(file: str, url: str) -> str:
    """Return the name of the partial download of ``file`` from ``url``, which lies beside the file."""
    return f"{file}.{hashlib.sha256(url.encode()).hexdigest()[:8]}.part"


class _ResumingDownloader:
    """A pooch downloader that keeps what arrived in a ``.part`` file and asks only for the rest."""

    def __init__(self, file: RegisteredFile, progress: bool) -> None:
        self.file, self.progress = file, progress
        self.resumed = False

    def worth_another_attempt(self, error: Exception) -> bool:
        """Return whether the source may do better: after a broken transfer, or wrong bytes behind an old part."""
        if isinstance(error, requests.HTTPError) and error.response is not None:
            return error.response.status_code in (416, 500, 502, 503, 504)
        return isinstance(error, (requests.ConnectionError, requests.Timeout, *_BROKEN)) or self.resumed

    def __call__(self, url: str, output_file: str, _: Any) -> None:
        part = Path(output_file).parent / part_name(self.file.name, url)
        start = part.stat().st_size if part.exists() else 0
        self.resumed = start > 0
        if start == 0 or start != self.file.bytes:  # a complete part was only not moved into place
            self._transfer(url, part, start)
        os.replace(part, output_file)

    def _transfer(self, url: str, part: Path, start: int) -> None:
        headers = {"Accept-Encoding": "identity"}  # a range of compressed bytes could not be continued
        if start:
            headers["Range"] = f"bytes={start}-"
        timeout = (CONNECT_SECONDS, SILENCE_SECONDS)
        with closing(requests.get(url, headers=headers, timeout=timeout, stream=True)) as response:
            if response.status_code == requests.codes.requested_range_not_satisfiable:
                part.unlink()  # the part is longer than the source's file: it is worthless
            response.raise_for_status()
            continued = response.headers.get("Content-Range", "").startswith(f"bytes {start}-")
            self.resumed = response.status_code == requests.codes.partial_content and continued
            self._write(response, part, start if self.resumed else 0)

    def _write(self, response: requests.Response, part: Path, start: int) -> None:
        size = self.file.bytes
        bar = tqdm(
            total=size, initial=start, unit="B", unit_scale=True, desc=self.file.name,
            disable=None if self.progress else True,
        )  # fmt: skip
        with bar, part.open("ab" if start else "wb") as stream:
            for chunk in response.iter_content(CHUNK):
                stream.write(chunk)
                bar.update(len(chunk))
                if size is not None and stream.tell() > size:
                    break  # longer than the registered file: the hash check refuses it, more need not come


_BROKEN = (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError)
"""Transfers that ended early."""
