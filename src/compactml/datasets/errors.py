"""What can go wrong between a dataset's key and its parsed values."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from compactml.errors import CompactmlError


class UnknownDataset(CompactmlError, KeyError):  # noqa: N818
    """No dataset of this key is registered."""

    def __init__(self, key: str, keys: Iterable[str]) -> None:
        keys = tuple(keys)
        near = get_close_matches(str(key), keys, n=3)
        hint = f" Did you mean {', '.join(near)}?" if near else ""
        self.message = f"key: must be one of the {len(keys)} registered datasets, got {key!r}.{hint}"
        super().__init__(self.message)
        self.key, self.near = key, tuple(near)

    def __str__(self) -> str:  # KeyError would show the repr of the message
        return self.message


class DatasetNotAvailable(CompactmlError, FileNotFoundError, LookupError):  # noqa: N818
    """A registered dataset lacks a file on this machine; `load` never downloads by itself.

    ``upstream`` is given where no SHA-256 is registered: `fetch` could not judge such a download and refuses
    it.
    """

    def __init__(self, key: str, file: str, folders: Iterable[str], upstream: str | None = None) -> None:
        folders = tuple(folders)
        place = " or ".join(folders)
        if upstream is None:
            remedy = f"Run `compactml data fetch {key}`, or place the file by hand in {place}."
        else:
            remedy = f"Get it from {upstream} and place it by hand in {place}."
        super().__init__(f"dataset {key!r}: file {file!r} is not at hand. {remedy}")
        self.key, self.file, self.folders, self.upstream = key, file, folders, upstream


class ChecksumMismatch(CompactmlError, ValueError):  # noqa: N818
    """A file is not the registered one (corrupted, truncated or substituted) and is not used."""

    def __init__(self, key: str, path: str, expected: str, actual: str) -> None:
        super().__init__(
            f"dataset {key!r}: {path} must have SHA-256 {expected}, got {actual}. "
            f"The file is not used; delete it and run `compactml data fetch {key}`."
        )
        self.key, self.path, self.expected, self.found = key, path, expected, actual


class DatasetMismatch(CompactmlError, ValueError):  # noqa: N818
    """The parsed values do not have the registered shape, class counts or target range."""

    def __init__(self, key: str, what: str, expected: Any, found: Any) -> None:
        super().__init__(f"dataset {key!r}: {what} must be {expected}, got {found}.")
        self.key, self.what, self.expected, self.found = key, what, expected, found


class DownloadFailed(CompactmlError, OSError):  # noqa: N818
    """No source of a file gave the registered bytes."""

    def __init__(self, key: str, file: str, destination: str, reasons: Iterable[tuple[str, str]]) -> None:
        reasons = tuple(reasons)
        tried = "".join(f"\n  {url}: {reason}" for url, reason in reasons)
        super().__init__(
            f"dataset {key!r}: {file!r} could not be downloaded; place it by hand as {destination}. "
            f"Sources tried:{tried}"
        )
        self.key, self.file, self.destination, self.reasons = key, file, destination, reasons


class UnpinnedDataWarning(UserWarning):
    """Files whose SHA-256 is not registered were read: their shape is right, and nobody has checked their values."""
