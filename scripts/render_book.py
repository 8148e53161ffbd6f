"""Render the staged book to ``_build/html``, unless it is there already (called by ``make book``)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bookbuild.building import end_with_parent, one_build
from bookbuild.downloads import write_downloads
from bookbuild.project import Project
from bookbuild.rendered import is_rendered, note_rendered, remove_rendered, source_key
from build_book import ROOT


def main() -> None:
    """Make all pages afresh when anything that they are made of has changed; end with Jupyter Book's exit code."""
    project = Project(ROOT)
    with one_build(project):
        render(project)


def render(project: Project) -> None:
    """The same for any checkout, while no other build goes on there."""
    sources = source_key(project)
    if is_rendered(project, sources):
        print("the pages are up to date: _build/html/index.html")
        return
    remove_rendered(project)
    program = str(Path(sys.executable).with_name("jupyter-book"))
    options = ["-W", "--keep-going", "--path-output", str(project.root)]
    done = subprocess.run([program, "build", *options, str(project.stage)], preexec_fn=end_with_parent)
    if done.returncode:
        sys.exit(done.returncode)
    write_downloads(project, project.html)
    note_rendered(project, sources)


if __name__ == "__main__":
    main()
