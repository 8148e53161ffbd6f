"""What the key of a trial leaves out of the code: one list, each entry with its reason.

An import of such a module counts as a constant: its code may change without a new key, a change of the import may not.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

__all__ = ["LEFT_OUT", "LeftOut", "left_out"]


@dataclass(frozen=True)
class LeftOut:
    """Modules whose code is not part of a key.

    Attributes
    ----------
    what : str
        The constant that stands for them.
    modules : tuple of str
        Patterns of dotted names.
    reason : str
        Why no result can change with them, or what in the key changes instead.
    """

    what: str
    modules: tuple[str, ...]
    reason: str


def _whole(*packages: str) -> tuple[str, ...]:
    """Return patterns of packages and all that is in them."""
    return tuple(pattern for package in packages for pattern in (package, f"{package}.*"))


LEFT_OUT = (
    LeftOut(
        "datasets",
        ("compactml.datasets", "compactml.datasets.*"),
        "the values that they give are hashed, generated ones too, whatever code reads or makes them",
    ),
    LeftOut(
        "errors",
        ("compactml.errors", "compactml.*errors"),
        "an error ends a trial, and a trial that ended so has no result; checks only pass values on or raise",
    ),
    LeftOut(
        "profiles",
        ("compactml.study.profile", "compactml.chapters.*.protocol"),
        "they say which trials run; all that a trial is told stands in its specification",
    ),
    LeftOut(
        "specification",
        ("compactml.study.trial",),
        "the trial itself is part of the key, and the version of the key's formula stands for its form",
    ),
    LeftOut(
        "engine",
        (
            "compactml.chapters",
            "compactml.study",
            "compactml.study.chapter",
            "compactml.study.kinds",
            *_whole("compactml.study.keys", "compactml.study.running"),
        ),
        "it keys, runs and keeps trials; what it passes on to them stands in their specification",
    ),
    LeftOut(
        "report",
        _whole(
            "compactml.book", "compactml.study.judging", "compactml.study.page", "compactml.study.recording"
        ),
        "it shows and records numbers that are there already",
    ),
)


def left_out(module: str) -> str | None:
    """Return the constant that stands for a module that is left out, or None for one that counts."""
    for one in LEFT_OUT:
        if any(fnmatchcase(module, pattern) for pattern in one.modules):
            return one.what
    return None
