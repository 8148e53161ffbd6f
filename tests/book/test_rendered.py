"""Pages are rendered again exactly when something has changed that they are made of, or a page itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from bookbuild.project import Project
from bookbuild.rendered import is_rendered, note_rendered, remove_rendered, source_key


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A book that was rendered."""
    for name in (
        "src/one.py",
        "scripts/two.py",
        "requirements.lock",
        "_build/executed/a.md",
        "_build/html/a.html",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    project = Project(tmp_path)
    note_rendered(project, source_key(project))
    return project


def test_an_unchanged_book_is_not_rendered_again(project: Project) -> None:
    assert is_rendered(project, source_key(project))
    (project.root / "tests").mkdir()
    (project.root / "src" / "__pycache__").mkdir()
    (project.root / "src" / "__pycache__" / "one.pyc").write_text("compiled")
    assert is_rendered(project, source_key(project))


@pytest.mark.parametrize(
    "name",
    ["src/one.py", "scripts/two.py", "requirements.lock", "_build/executed/a.md", "_build/html/a.html"],
)
def test_a_change_renders_it_again(project: Project, name: str) -> None:
    (project.root / name).write_text("changed")
    assert not is_rendered(project, source_key(project))


@pytest.mark.parametrize("name", ["src/one.py", "_build/executed/a.md", "_build/html/a.html"])
def test_a_lost_and_a_new_file_render_it_again(project: Project, name: str) -> None:
    path = project.root / name
    path.rename(path.with_name("moved"))
    assert not is_rendered(project, source_key(project))
    (path.with_name("moved")).rename(path)
    assert is_rendered(project, source_key(project))
    path.with_name("new").write_text("new")
    assert not is_rendered(project, source_key(project))


def test_a_change_while_it_is_rendered_counts(project: Project) -> None:
    before = source_key(project)
    (project.root / "src" / "one.py").write_text("changed while Sphinx read")
    note_rendered(project, before)
    assert not is_rendered(project, source_key(project))


def test_nothing_of_an_earlier_book_survives(project: Project) -> None:
    remove_rendered(project)
    assert not project.html.exists()
    assert not is_rendered(project, source_key(project))
    remove_rendered(project)  # the first build has none
