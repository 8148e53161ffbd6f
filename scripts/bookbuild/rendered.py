"""When are the pages up to date? When nothing that they are rendered from has changed, and all of them are there.

Pages left over from an earlier table of contents, or half-built by a failed run, must not survive: pages are made
afresh, all or none.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from bookbuild.keys import content_lines
from bookbuild.project import Project, write_text

SOURCES = ("src", "scripts", "requirements.lock")
"""Beside the staged book: the reference is rendered from the docstrings, and the scripts finish the pages."""


def source_key(project: Project) -> str:
    """Return the SHA-256 of all that the pages are rendered from."""
    return _hash(project, [project.stage.relative_to(project.root).as_posix(), *SOURCES])


def is_rendered(project: Project, sources: str) -> bool:
    """Return whether the last rendering that ended well was of these sources, and its pages are as it left them."""
    note = _note(project)
    return note.is_file() and note.read_text(encoding="utf-8") == _content(project, sources)


def note_rendered(project: Project, sources: str) -> None:
    """Keep what the pages are, and of which sources, as `source_key` said before they were read."""
    write_text(_note(project), _content(project, sources))


def remove_rendered(project: Project) -> None:
    """Remove the pages, and what Sphinx keeps of them."""
    _note(project).unlink(missing_ok=True)
    for folder in (project.html, project.html.with_name(".doctrees")):
        shutil.rmtree(folder, ignore_errors=True)


def _note(project: Project) -> Path:
    return project.html.with_name("rendered.txt")


def _content(project: Project, sources: str) -> str:
    pages = project.html.relative_to(project.root).as_posix()
    return f"sources {sources}\npages {_hash(project, [pages])}\n"


def _hash(project: Project, tops: list[str]) -> str:
    lines = content_lines(project.root, tops)
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
