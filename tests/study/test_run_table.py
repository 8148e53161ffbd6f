from __future__ import annotations

import sys
from pathlib import Path

import pytest

from compactml import chapters
from compactml.study import UnknownChapter, UnknownTable
from compactml.study.running.tables import run_table
from tests.study import toy_trials
from tests.study.toy_trials import squares
from tests.toy_chapter import add_chapter


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy chapter registered, and the path of an empty store."""
    (tmp_path / "calls").mkdir()
    monkeypatch.setenv("TOY_FOLDER", str(tmp_path / "calls"))
    add_chapter(monkeypatch, tmp_path / "chapters", "tests.study.toy_trials")
    return tmp_path / "results.sqlite"


def test_profile_decides_which_trials_run(store: Path) -> None:
    assert squares(run_table(chapters.chapter("toy"), "table_1", store=store)) == [0, 1, 4]
    whole = run_table(chapters.chapter("toy"), "table_1", profile="paper", store=store)
    assert [item.cached for item in whole] == [True] * 3 + [False] * 2
    assert {item.provenance.profile for item in whole} == {"quick", "paper"}


def test_unknown_names_are_refused_with_the_known_ones(store: Path) -> None:
    with pytest.raises(UnknownTable, match="toy has table_1, got 'table_9'"):
        run_table(chapters.chapter("toy"), "table_9", store=store)
    with pytest.raises(UnknownChapter, match=r"condition-sharing.*got 'toys'"):
        chapters.chapter("toys")
    with pytest.raises(ValueError, match="slow"):
        run_table(chapters.chapter("toy"), "table_1", profile="slow", store=store)


def test_chapters_are_imported_only_when_asked_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tests.study.toy_trials")
    chapters.chapter("toy")
    assert sys.modules["tests.study.toy_trials"] is not toy_trials


def test_a_chapter_is_found_by_its_folder_in_either_spelling(store: Path) -> None:
    assert chapters.names()[-1] == "toy"
    for name in chapters.names():
        found = chapters.chapter(name)
        assert found.name == name
        assert chapters.chapter(found.folder) is found
