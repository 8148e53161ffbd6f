"""When are the pages up to date? When nothing that they are rendered from has changed, and all of them are there.

Pages left over from an earlier table of contents, or half-built by a failed run, must not survive: pages are made
afresh, all or none.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from bookbuild.keys import files_below
from bookbuild.project import Project, write_text

SOURCES = ("src", "scripts", "requirements.lock")
"""Beside the staged book: the reference is rendered from the docstrings, and the scripts finish the pages."""


def is_rendered(project: Project) -> bool:
    """Return whether the last rendering that ended well was of the same sources, and its pages are as it left them."""
    note = _note(project)
    return note.is_file() and note.read_text(encoding="utf-8") == _content(project, source_key(project))


def source_key(project: Project) -> str:
    """Return the SHA-256 of all that the pages are rendered from."""
    return _hash(project.root, [project.stage, *(project.root / name for name in SOURCES)])


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
    return f"sources {sources}\npages {_hash(project.root, [project.html])}\n"


def _hash(root: Path, tops: list[Path]) -> str:
    whole = hashlib.sha256()
    for top in tops:
        for path in files_below(top):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            whole.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return whole.hexdigest()
