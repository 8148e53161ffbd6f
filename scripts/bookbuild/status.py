"""The page on the build: what ran, when, how long, live or not, with which versions and solvers."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version

import nbformat

from bookbuild.execute import run_record
from bookbuild.project import Project
from bookbuild.tables import markdown_table
from compactml.book.wording import dataset_name
from compactml.solvers import solver_table
from compactml.study.page.live import LiveTable, live_tables, runs_trials

PACKAGES = (
    "compactml", "numpy", "pandas", "scipy", "scikit-learn", "numba", "joblib", "matplotlib", "jupyter-book", "sphinx",
)  # fmt: skip

SOLVING_LIBRARIES = {"ortools": "CP-SAT", "pystreed": "STreeD"}
"""Packages that solve programs of some methods by themselves; both are open source."""


def run_table(project: Project) -> str:
    """Return the table of the notebooks of this build: when, how long, with which profile, from which commit."""
    rows = []
    for name in project.notebooks():
        record = run_record(project.executed(name))
        rows.append(
            {
                "Notebook": f"{{doc}}`/{name}`",
                "Executed (UTC)": record["executed"][:16].replace("T", " "),
                "Seconds": f"{record['seconds']:.1f}",
                "Profile": record["parameters"].get("profile", "none") if record["live"] else "none",
                "Commit": f"`{record['commit']}`",
            }
        )
    return markdown_table(rows) if rows else "No notebook is in the table of contents yet.\n"


def live_table(notes: Sequence[LiveTable]) -> str:
    """Return the table of what was run of each table while the pages were made."""
    if not runs_trials():
        return "No trial was run: this build shows recorded numbers only (`make book LIVE=0`).\n"
    return markdown_table(list(map(_live_row, notes))) if notes else "No table has trials.\n"


def live_notes(project: Project) -> list[LiveTable]:
    """Return what the pages note of the tables that they ran, each table once."""
    notes: dict[tuple[str, str], LiveTable] = {}
    for name in project.notebooks():
        for note in live_tables(nbformat.read(project.executed(name), as_version=4)):
            notes.setdefault((note.chapter, note.table), note)
    return list(notes.values())


def _live_row(note: LiveTable) -> dict[str, str]:
    return {
        "Chapter": note.chapter,
        "Table": f"`{note.table}`",
        "Trials run": f"{note.finished} of {note.trials}",
        "Stopped by the clock": str(note.stopped or "–")
        + (f", {note.left_out} not counted" if note.left_out else ""),
        "Cells beside print": str(note.compared or "–"),
        "Seconds": f"{note.seconds:.1f}",
        "Data": _names(note.chapter, note.datasets),
        "Not at hand": _names(note.chapter, note.missing),
    }


def _names(chapter: str, keys: Sequence[str]) -> str:
    """Datasets as the chapter's pages call them; the words of a reading have commas of their own."""
    return "; ".join(dataset_name(chapter, key).replace("_", "\\_") for key in keys) or "–"


def version_table() -> str:
    """Return the table of the versions that executed and built the book."""
    rows = [{"Package": "Python", "Version": platform.python_version()}]
    rows += [{"Package": name, "Version": version(name)} for name in PACKAGES]
    rows += [{"Package": "platform", "Version": f"{platform.system()} on {platform.machine()}"}]
    return markdown_table(rows)


def solvers() -> str:
    """Return the table of the solvers that this build could use, with the level of their licences."""
    rows = [
        {
            "Solver": str(row["solver"]),
            "Version": str(row["version"]) or "–",
            "Licence": str(row["licence"]),
            "Used for": str(row["used_for"]) or "–",
        }
        for row in solver_table().to_dict(orient="records")
    ]
    rows += [
        {
            "Solver": title,
            "Version": version(package),
            "Licence": "open source",
            "Used for": f"what `{package}` is asked",
        }
        for package, title in SOLVING_LIBRARIES.items()
    ]
    return markdown_table(rows)
