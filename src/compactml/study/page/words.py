"""What a page calls things: columns of tables in words with their units, and each dataset by one name.

Results, records and downloads keep the names that programs read. A page says "limit (s)" for ``time_limit``, and calls
a dataset what the chapter's paper calls it, else by its title.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from compactml import datasets
from compactml.datasets.titles import reading, readings, title
from compactml.solvers.errors import ModelTooLargeError, SolverNotAvailableError
from compactml.study.chapter import Chapter

__all__ = ["COMMON", "Words", "dataset_names", "named", "words_of"]

HEADS = {
    "this_build": "this build",
    "time_limit": "limit (s)",
    "seconds": "time (s)",
    "std_error": "standard error",
    "used_for": "used for",
    "quadratic_columns": "quadratic columns",
    "n_selected": "features selected",
    "gap_rel": "relative gap",
}
"""Columns that tables of several chapters have."""
OUTCOMES = {
    ModelTooLargeError.__name__: "too large for the licence",
    SolverNotAvailableError.__name__: "solver not at hand",
}
"""How a run ended that recorded the name of its error."""
WORD = re.compile(r"[A-Za-z]\w*(?:_\w*|Error\b)")
"""A name with an underscore, or of an error, in a sentence."""


@dataclass(frozen=True)
class Words:
    """Words for names.

    Attributes
    ----------
    heads : mapping of str to str
        For columns of tables.
    names : mapping of str to str
        For values: datasets, methods, outcomes.

    Examples
    --------
    >>> from compactml.study.page.words import COMMON
    >>> COMMON.head("time_limit"), COMMON.value("ModelTooLargeError"), COMMON.value(3)
    ('limit (s)', 'too large for the licence', 3)
    """

    heads: Mapping[str, str]
    names: Mapping[str, str]

    def head(self, name: str) -> str:
        """Return the words for a column; a name without any stays as it is."""
        return self.heads.get(name, self.names.get(name, name))

    def value(self, value: object) -> object:
        """Return the words for a value, or for the names in it; one without any stays as it is."""
        return self.names.get(value) or self.sentence(value) if isinstance(value, str) else value

    def sentence(self, text: str) -> str:
        """Return a text in which names that have words are replaced by them."""
        return WORD.sub(lambda match: self.names.get(match[0], match[0]), text)


COMMON = Words(HEADS, OUTCOMES)
"""Words that need no chapter."""


def dataset_names(chapter: Chapter) -> dict[str, str]:
    """Return the one name of every dataset and reading on a chapter's pages.

    Parameters
    ----------
    chapter : Chapter

    Returns
    -------
    dict of str to str
        By registered key or name of a reading: the paper's name of it; else the paper's name of another reading of the
        same data with the words that tell both apart ("adult, training file"); else the title.
    """
    printed = {key: name for table in chapter.tables for name, key in table.datasets.items()}
    called = {reading(key).key: name for key, name in printed.items() if reading(key).key}
    return {key: printed.get(key) or _beside(key, called) for key in (*datasets.keys(), *readings())}


def _beside(name: str, called: Mapping[str, str]) -> str:
    read = reading(name)
    return f"{called[read.key]}, {read.words}" if read.key in called else title(name)


def named(rows: pd.DataFrame, chapter: Chapter) -> pd.DataFrame:
    """Return rows whose column ``dataset`` has the names of a chapter's pages, for a figure."""
    return rows.assign(dataset=rows["dataset"].map(words_of(chapter).value))


def words_of(chapter: Chapter) -> Words:
    """Return the words of a chapter's pages; its own count before those that all chapters have.

    A key that is also a name of the paper's stands for what the paper calls so: rows have either.
    """
    names = dataset_names(chapter)
    printed = {name for table in chapter.tables for name in table.datasets}
    keys = {key: name for key, name in names.items() if key not in printed}
    return Words({**HEADS, **chapter.heads}, {**OUTCOMES, **keys, **chapter.words})
