"""One name reaches registered datasets and variants, and nothing else of the variants' module."""

from __future__ import annotations

import pytest

from compactml.datasets import DatasetNotAvailable, UnknownDataset
from compactml.datasets.prepared import prepared


def test_a_registry_key_is_loaded():
    assert prepared("iris").name == "iris"


def test_a_variant_is_called(folders):
    with pytest.raises(DatasetNotAvailable) as caught:
        prepared("zoo_with_name")
    assert caught.value.key == "zoo"


@pytest.mark.parametrize("name", ["load", "_rows", "np", "no such set"])
def test_other_names_are_unknown(name: str):
    with pytest.raises(UnknownDataset):
        prepared(name)
