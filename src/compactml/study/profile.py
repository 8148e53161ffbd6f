"""How much of a paper's protocol is run."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """Size of a run; a chapter's module says which trials each profile takes.

    ``quick`` fits in the build of the book and needs no download, ``standard`` takes all datasets with reduced
    repetitions (hours on two cores), ``paper`` is the full protocol (a cluster).
    """

    QUICK = "quick"
    STANDARD = "standard"
    PAPER = "paper"
