"""Continuing a record: which recorded trials count as done, and which of them are repeated to find out.

A recorded trial with the key of now is done. One that differs from it in code or library versions only, not in its
specification, data or solvers, may count: the trials of one kind with the same code and libraries are a *group*, and a
part of each group is repeated. If every column that no clock decides comes out again bit by bit, the rest of the group
counts as done; if not, or if too few trials are left that no clock ended, the group starts anew.

Groups are of one kind since another kind's results say little of it, even if both have the same code.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compactml.study.keys.fingerprint import KeyParts
from compactml.study.recording.clocked import differing, may_be_ended_by_clock
from compactml.study.recording.recorded_trials import key_of
from compactml.study.running.worker import Finished
from compactml.study.trial import Trial

__all__ = ["LEAST", "SHARE", "Candidates", "Group", "Judgement", "candidates"]

SHARE, LEAST = 0.02, 3
"""Of a group's trials that are repeated, and how many at least."""


@dataclass(frozen=True)
class Judgement:
    """What became of a group.

    Attributes
    ----------
    kind : str
    counts : bool
        Whether its trials count as done.
    repeated : int
        How many were compared.
    n : int
        How many it had.
    code, code_now : str
        Hash of the code of its trials, and of now.
    libraries : dict of str to list
        The versions that differ, then and now, by library.
    commit : tuple of str
        Commits at which its trials were run.
    reason : str
        Why it starts anew; empty if it counts.
    left : int
        How many have no result of now: they count as done besides the repeated ones.
    """

    kind: str
    counts: bool
    repeated: int
    n: int
    code: str
    code_now: str
    libraries: dict[str, list[str | None]]
    commit: tuple[str, ...]
    reason: str = ""
    left: int = 0

    def __str__(self) -> str:
        where = ", ".join(one[:9] for one in self.commit) or "no commit"
        what = f"{self.n} {self.kind} trials recorded at {where}"
        if self.counts and not self.left:
            return f"repeated all {what}: equal; none is left to count besides"
        if self.counts:
            return f"repeated {self.repeated} of {what}: equal; {self.left} count as done"
        if not self.repeated:
            return f"{what}: {self.reason}: they start anew"
        return f"repeated {self.repeated} of {what}: {self.reason}: they start anew"

    def as_dict(self) -> dict[str, Any]:
        """Return what the provenance of a record says of a group that counts."""
        return {
            "kind": self.kind,
            "code": self.code,
            "code_now": self.code_now,
            "libraries": self.libraries,
            "commit": list(self.commit),
            "repeated": self.repeated,
            "n": self.n,
        }


@dataclass(frozen=True)
class Group:
    """Recorded trials of one kind with the same code and libraries, which are not those of now.

    Attributes
    ----------
    recorded : dict of Trial to Finished
    now : KeyParts
        Of one of them; code and libraries are those of all.
    """

    recorded: Mapping[Trial, Finished]
    now: KeyParts

    @property
    def comparable(self) -> list[Trial]:
        """The trials that no clock ended."""
        return [trial for trial, item in self.recorded.items() if not may_be_ended_by_clock(item)]

    def drawn(self) -> list[Trial]:
        """Return the trials that are to be repeated: the same ones whenever this group is looked at.

        They are drawn over datasets and methods by turns; empty if too few can be compared.
        """
        comparable = self.comparable
        if len(comparable) < LEAST:
            return []
        draw = random.Random(int(hashlib.sha256(self._name().encode()).hexdigest(), 16))
        cells: dict[tuple[str, str], list[Trial]] = {}
        for trial in sorted(comparable, key=Trial.canonical):
            cells.setdefault((trial.dataset, trial.method), []).append(trial)
        piles = list(cells.values())
        for pile in (piles, *piles):
            draw.shuffle(pile)  # type: ignore[arg-type]
        by_turns = [pile[i] for i in range(max(map(len, piles))) for pile in piles if i < len(pile)]
        return by_turns[: max(LEAST, math.ceil(SHARE * len(self.recorded)))]

    def _name(self) -> str:
        return json.dumps(sorted(map(key_of, self.recorded.values())))

    def judge(self, again: Mapping[Trial, Finished]) -> Judgement:
        """Compare the trials that no clock ended, then or now, with what they give now.

        Parameters
        ----------
        again : mapping of Trial to Finished
            Results of now: those of the drawn trials, and of others that are there anyway.
        """
        drawn, comparable = self.drawn(), self.comparable
        if not drawn:
            few = f"only {len(comparable)} of them are beyond doubt that no clock ended them"
            return self._judgement(0, few)
        both = [trial for trial in comparable if trial in again and not may_be_ended_by_clock(again[trial])]
        for trial in both:
            columns = differing(trial.chapter, self.recorded[trial].result, again[trial].result)
            if columns:
                return self._judgement(len(both), f"{', '.join(columns)} of {trial.label()} differ")
        if len(both) < LEAST:
            return self._judgement(len(both), "a clock may have ended the others when they were repeated")
        return self._judgement(len(both), "", sum(trial not in again for trial in self.recorded))

    def _judgement(self, repeated: int, reason: str, left: int = 0) -> Judgement:
        first = next(iter(self.recorded.values()))
        then, now = first.provenance.libraries, self.now.libraries
        commits = {item.provenance.commit for item in self.recorded.values()}
        return Judgement(
            kind=first.trial.kind,
            counts=not reason,
            repeated=repeated,
            n=len(self.recorded),
            code=first.provenance.code_sha256,
            code_now=self.now.code,
            libraries={
                name: [then.get(name), now.get(name)]
                for name in sorted({*then, *now})
                if then.get(name) != now.get(name)
            },
            commit=tuple(sorted(commit for commit in commits if commit)),
            reason=reason,
            left=left,
        )


@dataclass(frozen=True)
class Candidates:
    """What a record has of the trials that are asked for.

    Attributes
    ----------
    done : dict of Trial to Finished
        Recorded under the key of now.
    groups : list of Group
        Those that differ in code or libraries; each trial is in one group at most.
    """

    done: Mapping[Trial, Finished]
    groups: Sequence[Group]


def candidates(parts: Mapping[Trial, KeyParts], recorded: Sequence[Finished]) -> Candidates:
    """Return which recorded trials count as done, and which may.

    Parameters
    ----------
    parts : mapping of Trial to KeyParts
        Trials that are asked for and whose data are at hand, with what their keys are made of now.
    recorded : sequence of Finished
        Raw trials, the oldest first: of several that may count the latest does. None that lasted as long as its limit
        and lacked a processor counts.

    Returns
    -------
    Candidates
    """
    done: dict[Trial, Finished] = {}
    latest: dict[Trial, Finished] = {}
    for item in recorded:
        now = parts.get(item.trial)
        if now is None or item.provenance.starved:
            continue
        then = item.provenance.parts()
        if then.key(item.trial) == now.key(item.trial):
            done[item.trial] = item
        elif _may_count(then, now):
            latest[item.trial] = item
    members: dict[str, dict[Trial, Finished]] = {}
    for trial, item in latest.items():
        if trial not in done:
            origin, now = item.provenance, parts[trial]
            same = [trial.kind, origin.code_sha256, origin.libraries, now.code, dict(now.libraries)]
            members.setdefault(json.dumps(same, sort_keys=True), {})[trial] = item
    return Candidates(done, [Group(own, parts[next(iter(own))]) for own in members.values()])


def _may_count(then: KeyParts, now: KeyParts) -> bool:
    """Whether formula, data and solvers are the same."""
    return (
        bool(then.data)
        and (then.formula, then.data) == (now.formula, now.data)
        and json.dumps(then.solvers, sort_keys=True) == json.dumps(now.solvers, sort_keys=True)
    )
