"""Datasets by one name, whether registered or a preparation of one that a paper needs."""

from __future__ import annotations

from compactml.datasets import variants
from compactml.datasets.loading import Dataset, load


def prepared(name: str) -> Dataset:
    """Load a registered dataset, or one of the preparations in `compactml.datasets.variants`, by name.

    Parameters
    ----------
    name : str
        A registry key ("iris") or the name of a function of `variants` ("real_estate_with_row_number").

    Raises
    ------
    UnknownDataset, DatasetNotAvailable, ChecksumMismatch, DatasetMismatch
    """
    function = vars(variants).get(name)
    if callable(function) and function.__module__ == variants.__name__ and not name.startswith("_"):
        dataset: Dataset = function()
        return dataset
    return load(name)
