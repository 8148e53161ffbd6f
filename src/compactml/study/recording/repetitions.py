"""Repetitions of a table: its trials that differ in nothing but seed and fold.

So a paper's protocol can be run in parts, the first repetitions of everything first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from compactml.study.trial import Trial

__all__ = ["Counted", "counted", "first_repetitions", "whole_datasets"]

Repetition = tuple[int, int | None]
"""Seed and fold."""


@dataclass(frozen=True)
class Counted:
    """How many repetitions of a table are recorded, of how many that its profile has."""

    there: int
    asked: int

    def __str__(self) -> str:
        return f"{self.there} of {self.asked} repetitions are recorded, {self.asked - self.there} missing"


def _grouped(trials: Iterable[Trial]) -> dict[Trial, list[Trial]]:
    """Return trials by what they have in common but for seed and fold, each once."""
    groups: dict[Trial, list[Trial]] = {}
    for trial in dict.fromkeys(trials):
        groups.setdefault(replace(trial, seed=0, fold=None), []).append(trial)
    return groups


def first_repetitions(trials: Sequence[Trial], n: int | None) -> list[Trial]:
    """Return the first repetitions of everything; what is not repeated stays.

    Parameters
    ----------
    trials : sequence of Trial
    n : int or None
        How many; None for all.
    """
    if n is None:
        return list(trials)
    kept = {trial for group in _grouped(trials).values() for trial in group[:n]}
    return [trial for trial in trials if trial in kept]


def counted(trials: Sequence[Trial], there: Collection[Trial], at_hand: Collection[Trial]) -> Counted:
    """Count the repetitions of which every trial is there.

    Parameters
    ----------
    trials : sequence of Trial
        All that the profile has of a table.
    there : collection of Trial
        Those with a result.
    at_hand : collection of Trial
        Those whose data are at hand; the others do not count, unless no data are.

    Returns
    -------
    Counted
        A table without repetitions counts as one.
    """
    groups = list(_grouped(trials).values())
    repeated = [trial for group in groups if len(group) > 1 for trial in group]
    if not repeated:
        whole = all(trial in there for trial in trials if trial in at_hand)
        return Counted(int(whole and bool(trials)), int(bool(trials)))
    every: dict[Repetition, list[bool]] = {(trial.seed, trial.fold): [] for trial in repeated}
    for trial in repeated:
        if trial in at_hand:
            every[trial.seed, trial.fold].append(trial in there)
    return Counted(sum(bool(found) and all(found) for found in every.values()), len(every))


def whole_datasets(
    trials: Sequence[Trial], there: Collection[Trial], at_hand: Collection[Trial]
) -> tuple[list[Trial], list[str]]:
    """Return the trials of the datasets of which every trial is there, and the datasets of which only some are.

    Parameters
    ----------
    trials, there, at_hand
        As for `counted`.
    """
    lacking = {trial.dataset for trial in trials if trial in at_hand and trial not in there}
    begun = dict.fromkeys(trial.dataset for trial in trials if trial in there)
    return [trial for trial in trials if trial.dataset not in lacking], [
        name for name in begun if name in lacking
    ]
