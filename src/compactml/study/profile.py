"""How much of a paper's protocol is run."""

from __future__ import annotations

from enum import StrEnum

GUARD = 600.0
"""Seconds of a trial of the quick profile: a guard that none comes near. Each ends by itself or by a limit on its work,
so that a loaded machine gives the same numbers. It is ten times what a trial may be expected to take, and a twentieth
of it, which is the smallest share that a method gives a phase, is longer than the whole trial."""
EXPECTED = 1.0
"""Seconds that stand for the guard in the rough cost of a trial, where that is a matter of its limit."""


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
