"""Who may write which rows of a record: from which tree, in which profile."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compactml.datasets.prepared import WITHOUT_FILE
from compactml.datasets.registry import entry
from compactml.datasets.titles import reading
from compactml.errors import InvalidParameterError
from compactml.study import Chapter, Finished, Profile, Trial
from compactml.study.recording.errors import FewerRepetitions, OtherProfile, UncleanTree, UnpinnedFiles
from compactml.study.recording.published import home
from compactml.study.recording.repetitions import Counted
from compactml.study.running.provenance import git_state_once

__all__ = [
    "RECORDED",
    "Recording",
    "check_files",
    "check_origins",
    "check_profiles",
    "check_repetitions",
    "check_tree",
    "current",
    "recording",
    "target",
]

RECORDED = Path("data") / "recorded"
ORDER = {str(profile): place for place, profile in enumerate(Profile)}
UNKNOWN = ORDER[str(Profile.STANDARD)]
"""Rows of a run without a known profile are kept from the quick one."""


@dataclass(frozen=True)
class Recording:
    """Where rows are written, and in which profile.

    Attributes
    ----------
    root : Path
        Folder with one folder a chapter.
    profile : Profile or None
        Of the run that records; None for the scripts that record a whole table of their own.
    force : bool
        Whether rows of another profile may be replaced.
    official : bool
        Whether ``root`` is ``data/recorded``.
    facts : dict of str to dict
        What else the provenance of a table says, by table.
    """

    root: Path
    profile: Profile | None = None
    force: bool = False
    official: bool = False
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)


_CURRENT: ContextVar[Recording | None] = ContextVar("where rows are recorded", default=None)


def current() -> Recording:
    """Return where records are read and written; ``data/recorded`` unless `recording` says otherwise."""
    return _CURRENT.get() or Recording(home() / RECORDED)


@contextmanager
def recording(place: Recording) -> Any:
    """Read and write records at a place for a while."""
    token = _CURRENT.set(place)
    try:
        yield place
    finally:
        _CURRENT.reset(token)


def target(folder: str | None, official: bool, profile: Profile | None, force: bool) -> Recording:
    """Return where a command writes its record, once it may.

    Parameters
    ----------
    folder : str or None
        None for ``data/recorded``.
    official : bool
    profile : Profile or None
    force : bool

    Raises
    ------
    InvalidParameterError
        The folder is part of ``data/recorded``.
    UncleanTree
        ``data/recorded`` is meant and the tree is not clean.
    """
    if official:
        check_tree()
        return Recording(home() / RECORDED, profile, force, official=True)
    path = Path(folder or "").resolve()
    if path.is_relative_to((home() / RECORDED).resolve()):
        raise InvalidParameterError("--record", "a folder outside data/recorded, or --official", folder)
    return Recording(path, profile, force)


def check_tree() -> None:
    """Check that the checkout is at a commit, without changes but in ``data/recorded``.

    Raises
    ------
    UncleanTree
    """
    command = ["git", "--no-optional-locks", "-C", str(home()), "status", "--porcelain", "--branch"]
    command += ["--", ".", f":(exclude){RECORDED.as_posix()}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        raise UncleanTree("it is no checkout of git") from None
    branch, *changed = done.stdout.splitlines()
    if "No commits yet" in branch:
        raise UncleanTree("it has no commit")
    if changed:
        more = f" and {len(changed) - 5} more" if len(changed) > 5 else ""
        raise UncleanTree("changed are " + ", ".join(one[3:] for one in changed[:5]) + more)
    commit, dirty = git_state_once()
    if commit is None or dirty:
        raise UncleanTree("the package that runs is not that of a commit")


def check_origins(finished: Iterable[Finished]) -> None:
    """Check that results come from code that is a commit's.

    Raises
    ------
    UncleanTree
    """
    changed = [item for item in finished if item.provenance.dirty or item.provenance.commit is None]
    if changed:
        raise UncleanTree(
            f"{len(changed)} results of the store come from no commit, {changed[0].trial.label()} first"
            " (another store, --store FILE, has none of them)"
        )


def check_files(chapter: Chapter, trials: Iterable[Trial]) -> None:
    """Check that the SHA-256 of every file behind some trials is registered.

    Parameters
    ----------
    chapter : Chapter
    trials : iterable of Trial
        Those whose data are at hand: what was recorded or stored under their keys has the same values.

    Raises
    ------
    UnpinnedFiles
    """
    names = {trial.dataset for trial in trials if chapter.generated(trial) is None}
    unpinned = sorted(name for name in names - WITHOUT_FILE.keys() if not entry(reading(name).key).pinned)
    if unpinned:
        raise UnpinnedFiles(unpinned)


def check_profiles(
    place: Recording, table: str, replaced: Sequence[Mapping[str, Any]], joined: Sequence[Mapping[str, Any]]
) -> None:
    """Check that rows replace only rows of their profile, and join none of a higher one.

    Parameters
    ----------
    place : Recording
    table : str
    replaced, joined : sequence of mapping
        The run of each recorded row that the new ones replace, and of each that stays.

    Raises
    ------
    OtherProfile
    """
    if place.profile is None or place.force:
        return
    rank, name = ORDER[str(place.profile)], str(place.profile)
    wrong = [run for run in replaced if (rank < UNKNOWN if not run["profile"] else rank != _rank(run))]
    wrong += [run for run in joined if rank < _rank(run)]
    if wrong:
        theirs = sorted({highest(run) for run in wrong})
        raise OtherProfile(table, len(wrong), ", ".join(theirs), name)


def check_repetitions(
    place: Recording, table: str, before: Iterable[Mapping[str, Any]], now: Mapping[str, Counted]
) -> None:
    """Check that rows over fewer repetitions of a dataset do not replace rows of the same profile over more.

    Parameters
    ----------
    place : Recording
    table : str
    before : iterable of mapping
        The runs of the recorded rows. One that does not say how many repetitions it had is of a time when every run
        had all of its profile.
    now : mapping of str to Counted
        Repetitions of the new rows, by dataset.

    Raises
    ------
    FewerRepetitions
    """
    if place.profile is None or place.force:
        return
    for run in before:
        if str(place.profile) not in run["profile"]:
            continue
        repeated = {name: count for name, count in now.items() if count.asked > 1}
        whole = {name: repeated[name].asked for name in run["dataset_seconds"] if name in repeated}
        for name, count in run.get("repetitions", {}).get("datasets", whole).items():
            if name in repeated and count > now[name].there:
                raise FewerRepetitions(table, name, count, now[name].there)


def _rank(run: Mapping[str, Any]) -> int:
    return max((ORDER[name] for name in run["profile"]), default=UNKNOWN)


def highest(run: Mapping[str, Any]) -> str:
    """Return the profile of a run: one that reused trials of a smaller profile names both."""
    return max(run["profile"], key=lambda name: ORDER[name], default="unknown")
