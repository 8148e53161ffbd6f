"""What every chapter must be, checked on all that are found: trials, kinds, results, rows, printed tables, claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path

import pandas as pd
import pytest

from compactml import chapters
from compactml.study import Profile, Store, Table
from compactml.study.judging.claims import check_claims, scorecard
from compactml.study.judging.comparison import Agreement
from compactml.study.keys import fingerprint
from compactml.study.page.citation import bibtex
from compactml.study.recording import tables
from compactml.study.recording.recorded import CLAIMS, recorded
from compactml.study.results import columns, not_stored
from compactml.study.running import engine

CHAPTERS = {chapter.name: chapter for chapter in chapters.every_chapter()}
TABLES = [(name, id) for name, chapter in CHAPTERS.items() for id in chapter.table_ids]
KINDS = [(name, kind.name) for name, chapter in CHAPTERS.items() for kind in chapter.kinds]
PRINTED = [(name, id) for name, id in TABLES if CHAPTERS[name].table(id).printed is not None]
OPINION = "opinion"
SHIPPED = {"iris", "wdbc", "digits", "tic_tac_toe_endgames"}
"""Datasets that come with scikit-learn, or that the registry makes."""


def table(chapter: str, id: str) -> Table:
    return CHAPTERS[chapter].table(id)


def test_chapters_stand_in_the_order_of_the_book() -> None:
    places = [chapter.place for chapter in CHAPTERS.values()]
    assert places == list(range(1, len(places) + 1))


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_paper_can_be_cited(name: str) -> None:
    assert CHAPTERS[name].citation in bibtex(CHAPTERS[name].citation)


@pytest.mark.parametrize(("name", "id"), TABLES)
def test_trials_nest_over_the_profiles_and_can_be_run(name: str, id: str) -> None:
    chapter = CHAPTERS[name]
    by_profile = [chapter.trials(id, profile) for profile in Profile]
    for trials in by_profile:
        assert len(set(trials)) == len(trials)
        assert bool(trials) != table(name, id).without_trials
        for trial in trials:
            assert trial.chapter == name
            assert chapter.find_kind(trial.kind) is not None
            assert chapter.cost(trial) > 0


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_kind_is_asked_for_by_a_table_or_by_an_opinion(name: str) -> None:
    chapter = CHAPTERS[name]
    asked = {trial.kind for id in chapter.table_ids for trial in chapter.trials(id, Profile.STANDARD)}
    opinions = set() if chapter.opinion is None else {OPINION}
    assert {kind.name for kind in chapter.kinds} == asked | opinions


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_a_kind_returns_a_dataclass_of_plain_values(name: str, kind: str) -> None:
    found = CHAPTERS[name].find_kind(kind)
    assert found is not None
    assert is_dataclass(found.result)
    assert not_stored([found.result]) == []
    assert len(set(columns(found.result))) == len(columns(found.result))


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_a_kind_is_run_by_a_function_that_another_process_finds(name: str, kind: str) -> None:
    found = CHAPTERS[name].find_kind(kind)
    assert found is not None
    assert "." not in found.run.__qualname__
    assert found.run.__module__.startswith(f"compactml.chapters.{CHAPTERS[name].folder}.trials")


@pytest.mark.parametrize(("name", "id"), TABLES)
def test_rows_without_trials_have_all_columns_that_tell_them_apart(name: str, id: str) -> None:
    own = table(name, id)
    if own.recorded and not own.without_trials:
        empty = own.rows([])
        assert empty.empty
        assert set(own.key) <= set(empty.columns)


@pytest.mark.parametrize(("name", "id"), TABLES)
def test_what_is_recorded_has_the_columns_of_now_and_no_row_twice(name: str, id: str) -> None:
    kept = tables.recorded_rows(CHAPTERS[name], id)
    assert kept is None or table(name, id).recorded
    if kept is not None:
        assert set(table(name, id).rows([]).columns) <= set(kept.columns)
        assert not kept.duplicated().any()


@pytest.mark.parametrize(("name", "id"), PRINTED)
def test_a_printed_table_is_judged_cell_by_cell(name: str, id: str) -> None:
    chapter, printed = CHAPTERS[name], tables.printed(CHAPTERS[name], id)
    cells = tables.comparison(chapter, id, [])
    cell = [*printed.rows, printed.columns]
    assert {*cell, "published", "recorded", "this_build", "verdict"} <= set(cells.columns)
    assert not cells.duplicated(cell).any()
    assert set(cells["verdict"]) <= {"", *map(str, Agreement)}
    assert cells["this_build"].isna().all()
    assert not cells.loc[cells["recorded"].isna(), "verdict"].isin(["", Agreement.EVERY_DIGIT]).any()


@pytest.mark.parametrize("name", CHAPTERS)
def test_claims_name_the_chapter_and_read_tables_that_are_there(name: str) -> None:
    chapter = CHAPTERS[name]
    assert chapter.claims
    for checked in check_claims(chapter.claims, tables.claim_tables(chapter)):
        assert checked.claim.id.startswith(f"{name}/")
        assert all(recorded(name, id) is not None for id in checked.recorded)


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_is_recorded_of_the_claims_is_what_their_checks_find_now(name: str) -> None:
    now = scorecard(CHAPTERS[name].claims, tables.claim_tables(CHAPTERS[name])).astype(str)
    kept = recorded(name, CLAIMS)
    assert kept is not None
    pd.testing.assert_frame_equal(kept.fillna("").astype(str), now, check_dtype=False)


@pytest.fixture
def no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file of any dataset at hand, and no memory of those that were."""
    monkeypatch.setenv("COMPACTML_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COMPACTML_CACHE", str(tmp_path / "cache"))
    fingerprint.data_identity.cache_clear()
    yield
    fingerprint.data_identity.cache_clear()


@pytest.mark.usefixtures("no_files")
@pytest.mark.parametrize("name", CHAPTERS)
def test_the_whole_protocol_can_be_planned_without_a_file(name: str, tmp_path: Path) -> None:
    chapter = CHAPTERS[name]
    trials = [trial for id in chapter.table_ids for trial in chapter.trials(id, Profile.STANDARD)]
    with Store(tmp_path / "results.sqlite") as store:
        planned = engine.plan(chapter, trials, store)
    of_files = {trial.dataset for trial in planned.keys if chapter.generated(trial) is None}
    assert of_files <= SHIPPED
    assert set(planned.to_run) | set(planned.not_at_hand) == set(trials)
    costs = [chapter.cost(trial) for trial in planned.to_run]
    assert costs == sorted(costs, reverse=True)
