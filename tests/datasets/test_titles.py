"""Every dataset has one title, every reading words that tell it apart."""

from __future__ import annotations

import pytest

from compactml.datasets import UnknownDataset, describe, keys, title
from compactml.datasets.prepared import WITHOUT_FILE
from compactml.datasets.titles import AT_SOURCE, reading, readings
from tests.datasets.test_variants import SHAPES


def test_every_dataset_and_every_reading_has_a_title_of_its_own():
    names = [*keys(), *readings()]
    titles = [title(name) for name in names]
    assert len(set(titles)) == len(names)
    assert not [words for words in titles if "_" in words or words != words.strip() or not words]


def test_every_variant_and_every_dataset_without_a_file_is_a_reading():
    assert set(readings()) == {*SHAPES, *WITHOUT_FILE}
    assert not set(readings()) & set(keys())


@pytest.mark.parametrize("name", readings())
def test_a_reading_is_one_of_a_registered_dataset_or_has_a_whole_title(name: str):
    read = reading(name)
    assert read.key in ("", *keys())
    assert title(name) == (f"{title(read.key)}, {read.words}" if read.key else read.words)


def test_a_registered_dataset_is_a_reading_of_itself():
    assert [(reading(key).key, reading(key).words) for key in keys()] == [(key, AT_SOURCE) for key in keys()]


def test_the_description_has_the_titles():
    assert dict(describe()[["key", "title"]].itertuples(index=False)) == {key: title(key) for key in keys()}


def test_an_unknown_name_is_an_error():
    with pytest.raises(UnknownDataset, match="nothing"):
        title("nothing")
