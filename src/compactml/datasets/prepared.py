"""Datasets by one name, whether registered, generated, or a preparation of one that a paper needs."""

from __future__ import annotations

from compactml.datasets import variants
from compactml.datasets.generators import digits, tic_tac_toe_endgames
from compactml.datasets.loading import Dataset, load

WITHOUT_FILE = {made.__name__: made for made in (tic_tac_toe_endgames, digits)}


def prepared(name: str) -> Dataset:
    """Load a registered dataset, one of the preparations in `compactml.datasets.variants`, or a generated one, by name.

    Parameters
    ----------
    name : str
        A registry key ("iris"), the name of a function of `variants` ("real_estate_with_row_number"), or
        "tic_tac_toe_endgames" or "digits".

    Raises
    ------
    UnknownDataset, DatasetNotAvailable, ChecksumMismatch, DatasetMismatch
    """
    if name in WITHOUT_FILE:
        return WITHOUT_FILE[name]()
    function = vars(variants).get(name)
    if callable(function) and function.__module__ == variants.__name__ and not name.startswith("_"):
        dataset: Dataset = function()
        return dataset
    return load(name)
