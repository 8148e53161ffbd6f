"""The chapters: one folder a paper, with its trials, tables, figures and claims; none imports another.

A chapter is found by its folder: a package here with a module ``chapter`` that holds a `compactml.study.Chapter`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from compactml.errors import check_instance
from compactml.study.chapter import Chapter
from compactml.study.errors import UnknownChapter
from compactml.study.recording.published import folder_name

__all__ = ["chapter", "every_chapter", "names"]


def chapter(name: str) -> Chapter:
    """Return a chapter by its name, with hyphens ("condition-sharing") or as its folder spells it.

    Raises
    ------
    UnknownChapter
    InvalidDataError
        The name is not text.
    """
    check_instance("name", name, str)
    folder = folder_name(name)
    if folder not in _folders():
        raise UnknownChapter(name, [found.replace("_", "-") for found in _folders()])
    found: Chapter = import_module(f"{__name__}.{folder}.chapter").CHAPTER
    return found


def every_chapter() -> list[Chapter]:
    """Return all chapters in the order of the book."""
    return sorted(map(chapter, _folders()), key=lambda found: found.place)


def names() -> list[str]:
    """Return the names of all chapters in the order of the book."""
    return [found.name for found in every_chapter()]


def _folders() -> list[str]:
    return [found.name for found in iter_modules(__path__) if found.ispkg]
