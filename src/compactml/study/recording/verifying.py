"""A run id computed once more: from the commit, its code, the data, and the formula of its time.

A run id names results: that of a trial is the beginning of its key, that of a run is made of those of its trials, and
that of a table recorded in parts of those of its runs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any

from compactml.study import Chapter, Finished, Profile
from compactml.study.keys.fingerprint import trial_data
from compactml.study.recording.at_commit import Answer, ask_commit, lock_at
from compactml.study.recording.errors import CommitNotRun
from compactml.study.recording.origins import identity
from compactml.study.recording.recorded_trials import key_of

__all__ = ["Check", "Outcome", "check_run", "check_table", "check_trials"]


class Outcome(StrEnum):
    """What became of one comparison."""

    EQUAL = "equal"
    DIFFERS = "differs"
    OPEN = "not recomputed"


@dataclass(frozen=True)
class Check:
    """One comparison: what was computed again, what became of it, and what is to be said of it."""

    what: str
    outcome: Outcome
    says: str


def check_table(origin: Mapping[str, Any]) -> Iterator[Check]:
    """Compute the id of a table that was recorded in parts from those of its runs."""
    runs = [run["run_id"] for run in origin.get("runs", ())]
    if runs:
        computed = identity(runs)
        yield Check(
            "id of the table", _same(computed, origin["run_id"]), f"of {len(runs)} runs: {', '.join(runs)}"
        )


def check_run(
    chapter: Chapter, table: str, run: Mapping[str, Any], trials: Sequence[Finished]
) -> Iterator[Check]:
    """Compute the id of a run.

    Parameters
    ----------
    chapter : Chapter
    table : str
    run : mapping
        What the provenance says of it.
    trials : sequence of Finished
        The raw trials of the chapter's record.
    """
    versions = {name: found[0] for name, found in run["versions"].items() if len(found) == 1}
    profiles = list(run["profile"]) or [str(profile) for profile in Profile]
    answers: dict[str, Answer] = {}
    for commit in run["commit"]:
        try:
            answers[commit] = ask_commit(commit, chapter.name, table, profiles, versions)
        except CommitNotRun as error:
            yield Check(f"code of {commit[:9]}", Outcome.OPEN, error.reason)
    if run["dirty"]:
        yield Check(
            "commit", Outcome.DIFFERS, "the code had changes that are in no commit: keys may differ from its"
        )
    mine = _trials_of(run, answers.values(), trials)
    if mine is not None:
        yield Check("id of the run", Outcome.EQUAL, f"of its {len(mine)} raw trials")
        yield from check_trials(chapter, mine, answers)
    elif 2 in run.get("formula", ()):
        yield Check("id of the run", Outcome.OPEN, "no set of the raw trials of the record is this run's")
    elif answers:
        yield _from_commits(run, answers)


def check_trials(
    chapter: Chapter, trials: Sequence[Finished], answers: Mapping[str, Answer]
) -> Iterator[Check]:
    """Compute the keys of raw trials, and compare their parts with commit, lock and data.

    Parameters
    ----------
    chapter : Chapter
    trials : sequence of Finished
    answers : mapping of str to Answer
        What the code of each commit says.
    """
    wrong = [item for item in trials if not key_of(item).startswith(item.provenance.run_id)]
    yield Check(
        "keys of the trials",
        Outcome.DIFFERS if wrong else Outcome.EQUAL,
        f"specification, code, libraries, solvers and data give {len(trials) - len(wrong)} of {len(trials)}",
    )
    yield from _codes(trials, answers)
    for commit in sorted({item.provenance.commit or "" for item in trials} - {""}):
        locks = {item.provenance.lock_sha256 for item in trials if item.provenance.commit == commit}
        if "" not in locks:
            yield Check(f"lock of {commit[:9]}", _same({lock_at(commit)}, locks), "requirements.lock")
    yield from _data(chapter, trials)


def _codes(trials: Sequence[Finished], answers: Mapping[str, Answer]) -> Iterator[Check]:
    groups: dict[tuple[str, str], set[str]] = {}
    for item in trials:
        of = item.provenance.commit or "", item.trial.kind
        groups.setdefault(of, set()).add(item.provenance.code_sha256)
    for (commit, kind), codes in groups.items():
        answer = answers.get(commit)
        what = f"code of {commit[:9] or 'no commit'}, {kind}"
        if answer is None or kind not in answer.codes:
            yield Check(
                what, Outcome.OPEN, "its data or environment are not at hand, or it was not asked for"
            )
        else:
            shown = ", ".join(sorted(code[:12] for code in codes))
            yield Check(what, _same({answer.codes[kind]}, codes), f"{answer.codes[kind][:12]}, run {shown}")


def _data(chapter: Chapter, trials: Sequence[Finished]) -> Iterator[Check]:
    hashes: dict[str, set[tuple[str, str, bool]]] = {}
    for item in trials:
        if chapter.find_kind(item.trial.kind) is not None:
            here = trial_data(item.trial, chapter.generated(item.trial))
            then = item.provenance.data_sha256
            hashes.setdefault(item.trial.dataset, set()).add((then, here.sha256, here.at_hand))
    for name, pairs in sorted(hashes.items()):
        if not all(at_hand for _, _, at_hand in pairs):
            yield Check(f"data {name}", Outcome.OPEN, f"not at hand (compactml data fetch {name})")
        else:
            shown = ", ".join(sorted({then[:12] for then, _, _ in pairs}))
            same = all(then == here for then, here, _ in pairs)
            yield Check(
                f"data {name}", Outcome.EQUAL if same else Outcome.DIFFERS, f"SHA-256 of the values {shown}"
            )


def _trials_of(
    run: Mapping[str, Any], answers: Iterable[Answer], trials: Sequence[Finished]
) -> list[Finished] | None:
    """Return the raw trials whose ids make that of the run, or None."""
    for answer in answers:
        asked = {spec for some in answer.specifications.values() for spec in some}
        mine = {
            item.trial.canonical(): item
            for item in trials
            if item.trial.canonical() in asked
            and item.provenance.commit in run["commit"]
            and item.provenance.utc <= run["last_utc"]
        }
        if mine and identity(item.provenance.run_id for item in mine.values()) == run["run_id"]:
            return list(mine.values())
    return None


def _from_commits(run: Mapping[str, Any], answers: Mapping[str, Answer]) -> Check:
    """Compute the id of a run without raw trials: of what its commits ask for of its datasets."""
    what = "id of the run"
    datasets = set(run["dataset_seconds"])
    missing = sorted(datasets & {name for answer in answers.values() for name in answer.not_at_hand})
    if missing:
        return Check(what, Outcome.OPEN, f"not at hand: {', '.join(missing)}")
    most = 0
    for keys in _candidates(answers, datasets):
        if identity(key[:12] for key in keys) == run["run_id"]:
            return Check(what, Outcome.EQUAL, f"of {len(keys)} keys that its code gives its trials and data")
        most = max(most, len(keys))
        differing = len(keys) == run["n_trials"] and len(answers) == 1
        if differing:
            return Check(what, Outcome.DIFFERS, f"{identity(key[:12] for key in keys)} of {len(keys)} keys")
    if len(answers) > 1:
        says = f"its trials come from {len(answers)} commits, and which from which was not kept"
    else:
        says = (
            f"it had {run['n_trials']} of the {most} trials that its commit asks for, and which was not kept"
        )
    return Check(what, Outcome.OPEN, says)


def _candidates(answers: Mapping[str, Answer], datasets: Collection[str]) -> Iterator[list[str]]:
    """Yield the keys that a run may have had: of each profile and of all, by each commit and by several together."""
    names = dict.fromkeys(name for answer in answers.values() for name in answer.specifications)
    for asked in dict.fromkeys([*((name,) for name in names), tuple(names)]):
        maps = [
            {
                spec: answer.keys[spec]
                for name in asked
                for spec in answer.specifications[name]
                if spec in answer.keys and _dataset(spec) in datasets
            }
            for answer in answers.values()
        ]
        for n in range(1, len(maps) + 1):
            for some in combinations(maps, n):
                yield list({spec: key for one in some for spec, key in one.items()}.values())


def _dataset(specification: str) -> str:
    return str(json.loads(specification)["dataset"])


def _same(one: object, other: object) -> Outcome:
    return Outcome.EQUAL if one == other else Outcome.DIFFERS
