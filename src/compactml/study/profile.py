"""How much of a paper's protocol is run."""

from __future__ import annotations

from enum import StrEnum


class Profile(StrEnum):
    """Size of a run; a chapter's module says which trials each profile takes.

    ``quick`` fits in the build of the book and needs no download, ``standard`` takes all datasets with reduced
    repetitions (hours on two cores), ``paper`` is the full protocol (a cluster).

    Examples
    --------
    >>> from compactml import chapters
    >>> pace = chapters.chapter("pace")
    >>> from compactml.study import Profile
    >>> len(pace.trials("table_1", Profile.QUICK)) < len(pace.trials("table_1", Profile.STANDARD))
    True
    """

    QUICK = "quick"
    STANDARD = "standard"
    PAPER = "paper"
