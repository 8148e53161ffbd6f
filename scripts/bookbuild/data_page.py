"""The page of the data: every dataset, what each paper calls it, its size, source and licence."""

from __future__ import annotations

from collections.abc import Iterator

from bookbuild.tables import markdown_table
from compactml import chapters
from compactml.datasets.prepared import prepared
from compactml.datasets.registry import entries
from compactml.datasets.titles import AT_SOURCE, reading, readings, title
from compactml.study.chapter import Chapter

__all__ = ["data_table"]

NOTHING = "–"


def data_table() -> str:
    """Return a table with a row for every dataset, registered ones first, then those that come with a package."""
    called = {_short(chapter.title): _called(chapter) for chapter in chapters.every_chapter()}
    return markdown_table(
        [
            {
                "Dataset and key": f"{_cell(title(key))} `{key}`",
                **{paper: _cell("; ".join(names.get(key, ())) or NOTHING) for paper, names in called.items()},
                **{head: _cell(text) for head, text in about.items()},
            }
            for key, about in (*_registered(), *_packaged())
        ]
    )


def _registered() -> Iterator[tuple[str, dict[str, str]]]:
    for key, entry in entries().items():
        yield key, _about(entry.n_rows, entry.n_features, entry.upstream, entry.licence)


def _packaged() -> Iterator[tuple[str, dict[str, str]]]:
    """Data that are no reading of a registered dataset."""
    for name, read in readings().items():
        if not read.key:
            data = prepared(name)
            yield name, _about(*data.X.shape, data.source, "that of the package")


def _about(rows: int, features: int, source: str, licence: str) -> dict[str, str]:
    return {"Rows × features": f"{rows:,} × {features:,}", "Source": source, "Licence": licence}


def _called(chapter: Chapter) -> dict[str, list[str]]:
    """What a paper calls a dataset, with the reading that its chapter takes, by key."""
    called: dict[str, list[str]] = {}
    for name, key in _named(chapter).items():
        read = reading(key)
        words = "" if read.words == AT_SOURCE or not read.key else f" ({read.words})"
        called.setdefault(read.key or key, []).append(f"{name}{words}")
    return called


def _named(chapter: Chapter) -> dict[str, str]:
    return {name: key for table in chapter.tables for name, key in table.datasets.items()}


def _short(title: str) -> str:
    """The title of a chapter without its authors."""
    return title.partition(" (")[0].partition(":")[0]


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("_", "\\_")
