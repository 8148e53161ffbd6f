"""From a claim down to what its verdict rests on, and from a run id to the tables and trials that it names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from compactml import chapters
from compactml.book.ledger import chapter_ledger
from compactml.errors import check_choice
from compactml.study import Chapter, Finished, Store
from compactml.study.judging.claims import Checked
from compactml.study.recording.at_commit import Answer, ask_commit
from compactml.study.recording.errors import CommitNotRun, UnknownRun
from compactml.study.recording.origins import data_hashes
from compactml.study.recording.record_rules import RECORDED, current
from compactml.study.recording.recorded import recorded, recorded_provenance, recorded_tables
from compactml.study.recording.recorded_trials import read_trials
from compactml.study.recording.verifying import Check, check_run, check_table, check_trials
from compactml.study.recording.writing import runs_behind
from compactml.study.running.listing import finished_of

__all__ = ["Named", "commands", "named", "trace", "verify"]


def commands(checked: Checked) -> list[str]:
    """Return the commands that run a claim's trials again and check it."""
    chapter = checked.claim.chapter
    table_ids = chapters.chapter(chapter).table_ids
    runs = [
        f"compactml run {chapter} --table {name} --profile {_profile(chapter, name)}"
        for name in checked.recorded
        if name in table_ids
    ]
    return [*runs, f"compactml claims {chapter}"]


def _profile(chapter: str, table: str) -> str:
    profiles = (recorded_provenance(chapter, table) or {}).get("profile", [])
    return next((name for name in ("paper", "standard", "quick") if name in profiles), "standard")


def trace(claim: str) -> list[str]:
    """Return, line by line, what a claim's verdict rests on.

    Parameters
    ----------
    claim : str
        Its id, "pace/single-trees".

    Raises
    ------
    UnknownChapter, InvalidParameterError
    """
    chapter = chapters.chapter(claim.partition("/")[0])
    ledger = chapter_ledger(chapter.name)
    check_choice("claim", claim, ledger.checked)
    checked = ledger.checked[claim]
    evidence = checked.evidence
    return [
        f"claim      {claim} ({checked.claim.place}), {checked.claim.basis}",
        f"           {checked.claim.statement}",
        f"verdict    {evidence.verdict}: {evidence.found}",
        f"cells      {evidence.stated} stated, {evidence.agreeing} agree, {evidence.differing} differ, "
        f"{evidence.undecided} undecided",
        f"check      {_place(checked.claim.code)}",
        *(f"printed    data/published/{chapter.folder}/{name}.csv" for name in checked.published),
        *(line for name in checked.recorded for line in _table(chapter, name)),
        *(f"repeat     {command}" for command in commands(checked)),
    ]


def _place(code: str) -> str:
    """Return a function's dotted name with file and line."""
    module, name = code.rsplit(".", 1)
    found = inspect.unwrap(getattr(import_module(module), name))
    path, (_, line) = Path(inspect.getsourcefile(found) or ""), inspect.getsourcelines(found)
    package = Path(inspect.getsourcefile(chapters) or "").parents[2]
    shown = path.relative_to(package.parent).as_posix() if path.is_relative_to(package) else path.name
    return f"{code} ({shown}:{line})"


def _table(chapter: Chapter, name: str) -> Iterator[str]:
    rows, origin = recorded(chapter.name, name), recorded_provenance(chapter.name, name)
    if rows is None or origin is None:
        return
    yield f"rows       {RECORDED.as_posix()}/{chapter.folder}/{name}.csv, {len(rows)} rows"
    profile = ", ".join(origin["profile"]) or "not recorded"
    yield f"  run      {origin['run_id']}, {origin['n_trials']} trials, profile {profile}"
    for run in runs_behind(origin):
        dirty = " with changes" if run["dirty"] else ""
        commits = ", ".join(commit[:9] for commit in run["commit"]) or "none"
        part = f"    part   {run['run_id']}, {run['n_trials']} trials, " if "runs" in origin else "  "
        yield f"{part}commit {commits}{dirty}, {run['last_utc'][:10]}"
    for dataset, hashes in _hashes(chapter, origin).items():
        yield f"  data     {dataset} {', '.join(value[:12] for value in hashes)}"
    yield f"  verify   compactml verify {origin['run_id']}"


def _hashes(chapter: Chapter, origin: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the SHA-256 of a table's data: as its provenance or its raw trials have them, else none."""
    if origin.get("data"):
        return dict(origin["data"])
    datasets, commits = set(origin["dataset_seconds"]), set(origin["commit"])
    return data_hashes(
        (item.trial.dataset, [item.provenance.data_sha256])
        for item in read_trials(current().root / chapter.folder)
        if item.trial.dataset in datasets and item.provenance.commit in commits
    )


@dataclass(frozen=True)
class Named:
    """What a run id names: a recorded table, or a run of it, or trials.

    Attributes
    ----------
    chapter : Chapter
    table : str
        Empty for trials.
    origin : mapping
        What the provenance says of the table or run; empty for trials.
    trials : tuple of Finished
    """

    chapter: Chapter
    table: str = ""
    origin: Mapping[str, Any] | None = None
    trials: tuple[Finished, ...] = ()

    def __str__(self) -> str:
        if self.origin is None:
            return f"{self.chapter.name}, trial {self.trials[0].trial.label()}"
        part = "" if "runs" not in self.origin else f", recorded in {len(self.origin['runs'])} parts"
        return f"{self.chapter.name}, {self.table}, {self.origin['n_trials']} trials{part}"


def named(run: str, store: Store) -> list[Named]:
    """Return what a run id names in the record and in a store.

    Raises
    ------
    UnknownRun
    """
    runs = []
    for chapter in chapters.every_chapter():
        for table in recorded_tables(chapter.name):
            origin = recorded_provenance(chapter.name, table) or {}
            runs += [
                Named(chapter, table, one)
                for one in _distinct([origin, *origin.get("runs", ())])
                if one["run_id"] == run
            ]
        items = [*read_trials(current().root / chapter.folder), *map(finished_of, store.rows(chapter.name))]
        same = {item.trial: item for item in items if item.provenance.run_id == run}
        runs += [Named(chapter, trials=tuple(same.values()))] if same else []
    if not runs:
        raise UnknownRun(run)
    return runs


def _distinct(origins: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return list({one["run_id"]: one for one in reversed(origins)}.values())


def verify(named: Named) -> Iterator[Check]:
    """Compute what a run id names once more."""
    if named.origin is None:
        yield from check_trials(named.chapter, named.trials, _answers(named.chapter, named.trials))
        return
    trials = read_trials(current().root / named.chapter.folder)
    yield from check_table(named.origin)
    for run in runs_behind(named.origin):
        yield from check_run(named.chapter, named.table, run, trials)


def _answers(chapter: Chapter, trials: Sequence[Finished]) -> dict[str, Answer]:
    """Ask the commit of each trial for a table that has trials of its kind; one that cannot be asked is left out."""
    answers: dict[str, Answer] = {}
    for item in trials:
        commit = item.provenance.commit
        for table in _tables_with(chapter, item) if commit and commit not in answers else []:
            with suppress(CommitNotRun):
                answers[str(commit)] = ask_commit(str(commit), chapter.name, table, ("quick", "standard"), {})
                break
    return answers


def _tables_with(chapter: Chapter, item: Finished) -> list[str]:
    """Return the tables that have trials of a trial's kind."""
    profile = item.provenance.profile or "standard"
    return [
        table.id
        for table in chapter.tables
        if any(trial.kind == item.trial.kind for trial in chapter.trials(table.id, profile))
    ]
