"""Texts that claims and runs leave behind, in the words of their chapter's pages."""

from __future__ import annotations

from functools import cache

from compactml import chapters
from compactml.study.page.words import Words, dataset_names, words_of

__all__ = ["dataset_name", "in_words"]


@cache
def _words(chapter: str) -> Words:
    return words_of(chapters.chapter(chapter))


def in_words(chapter: str, text: str) -> str:
    """Return a text in which datasets, methods and measures have the names of a chapter's pages.

    Parameters
    ----------
    chapter : str
        "boolean-rules".
    text : str
    """
    return _words(chapter).sentence(text)


@cache
def _names(chapter: str) -> dict[str, str]:
    return dataset_names(chapters.chapter(chapter))


def dataset_name(chapter: str, key: str) -> str:
    """Return what a chapter's pages call a dataset; generated data have no key and stay as they are."""
    return _names(chapter).get(key, key)
