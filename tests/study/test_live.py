"""What a page notes of the trials that it ran."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from compactml import chapters
from compactml.study import Chapter, Finished
from compactml.study.page import page as pages
from compactml.study.page.live import LIVE, LiveTable, live_tables, runs_trials
from compactml.study.page.page import Page
from compactml.study.profile import GUARD, Profile
from compactml.study.recording.results import Results, Settings
from compactml.study.running.tables import run_table
from tests.toy_chapter import add_chapter


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A page of the toy chapter with a store of its own."""
    (tmp_path / "calls").mkdir()
    monkeypatch.setenv("TOY_FOLDER", str(tmp_path / "calls"))
    monkeypatch.setenv("COMPACTML_STORE", str(tmp_path / "results.sqlite"))
    monkeypatch.delenv(LIVE, raising=False)
    add_chapter(monkeypatch, tmp_path / "chapters", "tests.study.toy_trials")
    glued: dict[str, object] = {}
    monkeypatch.setattr(pages, "glue", lambda name, value, display: glued.update({name: value}))
    made = Page(chapters.chapter("toy"))
    made.glued = glued  # type: ignore[attr-defined]
    return made


def notes(page: Page) -> list[LiveTable]:
    """Return the notes as a notebook would keep what the page glued."""
    glued: dict[str, object] = page.glued  # type: ignore[attr-defined]
    outputs = [
        {
            "metadata": {"scrapbook": {"name": name}},
            "data": {"application/papermill.record/text/plain": repr(value)},
        }
        for name, value in glued.items()
    ]
    return live_tables({"cells": [{}, {"outputs": outputs}]})


def test_a_page_notes_what_it_ran(page: Page) -> None:
    page.results.finished("table_1")
    (note,) = notes(page)
    assert (note.chapter, note.table, note.trials, note.finished) == ("toy", "table_1", 3, 3)
    assert (note.datasets, note.missing) == (("synthetic:none",), ())


@pytest.mark.parametrize(("profile", "kept"), [(Profile.QUICK, [2]), (Profile.STANDARD, [1, 2])])
def test_what_its_limit_ended_is_not_shown_in_the_quick_profile_and_else_if_it_lacked_a_processor(
    page: Page, monkeypatch: pytest.MonkeyPatch, profile: Profile, kept: list[int]
) -> None:
    finished = run_table(page.results.chapter, "table_1")
    first, second, third = (replace(one, trial=replace(one.trial, time_limit=1.0)) for one in finished)
    run = [
        replace(first, provenance=replace(first.provenance, seconds=1.1, starved=True)),
        replace(second, provenance=replace(second.provenance, seconds=1.1)),
        third,
    ]
    results = Results(page.results.chapter, lambda id: run, Settings(profile))
    assert [item.trial.seed for item in results.finished("table_1")] == kept


def test_a_quick_trial_that_its_guard_ended_is_named_and_not_counted(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(chapter: Chapter, id: str, **_: object) -> list[Finished]:
        finished = run_table(chapter, id)
        first, *others = (replace(one, trial=replace(one.trial, time_limit=GUARD)) for one in finished)
        return [replace(first, provenance=replace(first.provenance, seconds=GUARD)), *others]

    monkeypatch.setattr(pages, "run_table", run)
    assert len(page.results.finished("table_1")) == 2
    assert page.results.both_sources("table_1").endswith(
        f"ended by the clock and not counted: {page.results.left_out('table_1')[0].trial.label()}"
    )
    (note,) = notes(page)
    assert (note.finished, note.stopped, note.left_out) == (2, 1, 1)


def test_recorded_numbers_only(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    assert runs_trials()
    monkeypatch.setenv(LIVE, "0")
    assert not runs_trials()
    assert page.results.finished("table_1") == []
    (note,) = notes(page)
    assert (note.finished, note.datasets, note.missing) == (0, (), ("synthetic:none",))
    Page(chapters.chapter("toy"))
    assert page.glued["profile"] == pages.RECORDED_ONLY  # type: ignore[attr-defined]


def test_a_quote_in_a_note_is_kept() -> None:
    said = {
        "chapter": "it's",
        "table": "t",
        "trials": 1,
        "finished": 1,
        "datasets": ["a"],
        "missing": [],
        "stopped": 0,
        "left_out": 0,
        "compared": 0,
        "seconds": 0.5,
        "resident_mib": 1.0,
    }
    output = {
        "metadata": {"scrapbook": {"name": "live:x"}},
        "data": {"application/papermill.record/text/plain": repr(json.dumps(said))},
    }
    (note,) = live_tables({"cells": [{"outputs": [output]}]})
    assert note.chapter == "it's"
