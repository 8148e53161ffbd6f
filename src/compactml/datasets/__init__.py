"""Datasets of the papers: registry, checked loading, download.

`load` gives a dataset from files at hand and never downloads; `fetch` downloads; `describe` and `verify` say
what is at hand.
"""

from compactml.datasets.download import fetch
from compactml.datasets.errors import (
    ChecksumMismatch,
    DatasetMismatch,
    DatasetNotAvailable,
    DownloadFailed,
    UnknownDataset,
    UnpinnedDataWarning,
)
from compactml.datasets.loading import Dataset, available, content_hash, load
from compactml.datasets.registry import keys
from compactml.datasets.status import describe, verify
from compactml.datasets.titles import title

__all__ = [
    "ChecksumMismatch",
    "Dataset",
    "DatasetMismatch",
    "DatasetNotAvailable",
    "DownloadFailed",
    "UnknownDataset",
    "UnpinnedDataWarning",
    "available",
    "content_hash",
    "describe",
    "fetch",
    "keys",
    "load",
    "title",
    "verify",
]
