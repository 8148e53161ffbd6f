"""What the profiles cost: of this build and of the records as measured, of the papers' whole protocols as estimated."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bookbuild.execute import run_record
from bookbuild.project import Project
from bookbuild.tables import markdown_table
from compactml.chapters import every_chapter
from compactml.datasets.registry import entries
from compactml.study import Chapter, Profile
from compactml.study.page.live import LiveTable
from compactml.study.recording.origins import wall_seconds
from compactml.study.recording.record_rules import current
from compactml.study.recording.recorded import recorded_provenance, recorded_tables
from compactml.study.recording.recorded_trials import read_trials


def cost_table(project: Project, notes: Sequence[LiveTable]) -> str:
    """Return the table of time, memory and disk by profile."""
    return markdown_table(
        [_of_this_build(project, notes), *map(_of_record, every_chapter()), _of_the_papers()]
    )


def _of_this_build(project: Project, notes: Sequence[LiveTable]) -> dict[str, str]:
    records = [run_record(project.executed(name)) for name in project.notebooks()]
    profiles = {str(one["parameters"]["profile"]) for one in records if "profile" in one["parameters"]}
    return {
        "Profile": f"{', '.join(sorted(profiles))}, this build" if profiles else "this build",
        "Time": f"{_minutes(sum(one['seconds'] for one in records))} in notebooks",
        "Memory of a trial": _memory(note.resident_mib for note in notes),
        "Disk": f"{_bytes(_size(Path(sys.prefix)))} of packages",
        "How known": "measured",
    }


def _of_record(chapter: Chapter) -> dict[str, str]:
    trials = read_trials(current().root / chapter.folder)
    return {
        "Profile": f"standard, {chapter.name}, as far as recorded",
        "Time": f"{recorded_seconds(_origins(chapter)) / 3600:.1f} h on one core",
        "Memory of a trial": _memory(trial.provenance.resident_mib or 0.0 for trial in trials),
        "Disk": f"{_bytes(sum(file.bytes or 0 for one in entries().values() for file in one.files))} of data",
        "How known": "measured",
    }


def _of_the_papers() -> dict[str, str]:
    seconds = sum(
        chapter.cost(trial)
        for chapter in every_chapter()
        for trial in {one for table in chapter.table_ids for one in chapter.trials(table, Profile.PAPER)}
    )
    return {
        "Profile": "paper, all chapters",
        "Time": f"{seconds / 86400:,.0f} days on one core".replace(",", " "),
        "Memory of a trial": "–",
        "Disk": "–",
        "How known": "estimated; never run as a whole",
    }


def _origins(chapter: Chapter) -> list[Mapping[str, Any]]:
    origins = (recorded_provenance(chapter.name, table) for table in recorded_tables(chapter.name))
    return [origin for origin in origins if origin is not None]


def recorded_seconds(origins: Sequence[Mapping[str, Any]]) -> float:
    """Return the wall-clock time of some recorded tables; a run that several of them share counts once."""
    runs = {run["run_id"]: wall_seconds(run) for origin in origins for run in origin.get("runs") or [origin]}
    return sum(runs.values())


def _memory(mib: Iterable[float]) -> str:
    most = max(mib, default=0.0)
    return f"{most / 1024:.1f} GiB at most" if most else "–"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"


def _bytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _size(folder: Path) -> int:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)
