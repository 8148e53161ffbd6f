"""What of a page was run while it was made: noted in the notebook beside the tables, for the page on the build."""

from __future__ import annotations

import json
import os
from ast import literal_eval
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from compactml.study.chapter import Chapter
from compactml.study.profile import Profile
from compactml.study.recording.clocked import counts, ended_by_guard, is_timed, was_stopped
from compactml.study.recording.tables import comparison
from compactml.study.running.worker import Finished

__all__ = ["LIVE", "LiveTable", "live_tables", "note_live", "runs_trials"]

LIVE = "COMPACTML_LIVE"
"""Environment variable: "0" lets pages show recorded numbers only."""

PREFIX = "live:"
MIME = "application/papermill.record/text/plain"


def runs_trials() -> bool:
    """Return whether pages run trials."""
    return os.environ.get(LIVE, "1") != "0"


@dataclass(frozen=True)
class LiveTable:
    """What was run of a table.

    Attributes
    ----------
    chapter, table : str
    trials : int
        Of the profile.
    finished : int
        Shown: run by this build, or by one before it with the same code, data, libraries and solvers.
    datasets, missing : tuple of str
        Whose trials finished, and whose did not because their data are not at hand.
    stopped : int
        Trials that the clock ended.
    left_out : int
        Those of them that are neither shown nor counted: a machine with less to do would find other numbers.
    compared : int
        Printed cells beside which a value of this build stands.
    seconds : float
        Wall-clock time of the trials, added up.
    resident_mib : float
        Largest resident size of one of them.
    """

    chapter: str
    table: str
    trials: int
    finished: int
    datasets: tuple[str, ...]
    missing: tuple[str, ...]
    stopped: int
    left_out: int
    compared: int
    seconds: float
    resident_mib: float


def note_live(
    chapter: Chapter, table: str, profile: Profile | str, run: Sequence[Finished], glue: Callable[..., Any]
) -> None:
    """Leave in the notebook what was run of a table; nothing for a table without trials."""
    finished = [item for item in run if counts(item, profile)]
    trials = chapter.trials(table, profile)
    if not trials:
        return
    names = _distinct(item.trial.dataset for item in finished)
    note = LiveTable(
        chapter.name,
        table,
        len(trials),
        len(finished),
        names,
        tuple(name for name in _distinct(trial.dataset for trial in trials) if name not in names),
        sum(_was_ended(item, profile) for item in run),
        len(run) - len(finished),
        _compared(chapter, table, finished),
        round(sum(item.provenance.seconds for item in finished), 1),
        round(max((item.provenance.resident_mib or 0.0 for item in finished), default=0.0)),
    )
    glue(f"{PREFIX}{chapter.name}/{table}", json.dumps(asdict(note)), display=False)


def _was_ended(item: Finished, profile: Profile | str) -> bool:
    guarded = profile == Profile.QUICK and not is_timed(item.trial)
    return ended_by_guard(item) if guarded else was_stopped(item)


def _compared(chapter: Chapter, table: str, finished: Sequence[Finished]) -> int:
    if chapter.table(table).printed is None or not finished:
        return 0
    return int(comparison(chapter, table, finished)["this_build"].notna().sum())


def live_tables(notebook: Mapping[str, Any]) -> list[LiveTable]:
    """Return what an executed notebook notes of its tables."""
    notes = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name", "")
            if name.startswith(PREFIX):
                fields = json.loads(literal_eval(output["data"][MIME]))
                notes.append(
                    LiveTable(**{**fields, **{key: tuple(fields[key]) for key in ("datasets", "missing")}})
                )
    return notes


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
