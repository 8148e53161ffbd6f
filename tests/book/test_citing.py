"""What a reader takes away: tidy downloads, references, licences, and links where the repository is known."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest
import yaml

from bookbuild import citing, front, repository
from compactml import chapters
from compactml.study.page.beside_print import beside_print
from compactml.study.page.citation import REPOSITORY
from compactml.study.page.reference import paper_reference
from compactml.study.recording.recorded import recorded_provenance

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://code.example/owner/name"
PRINTED = [
    (chapter.name, table.id)
    for chapter in chapters.every_chapter()
    for table in chapter.tables
    if table.printed is not None
]


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPOSITORY, f"{ADDRESS}/")


@pytest.fixture
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REPOSITORY, raising=False)


@pytest.mark.parametrize(("name", "id"), PRINTED)
def test_every_printed_table_is_downloaded_one_number_a_column(name: str, id: str) -> None:
    """Below a line that names the recorded run; nothing is packed into one cell."""
    chapter = chapters.chapter(name)
    shown = beside_print(chapter, id, [])
    first, rest = shown.csv().split("\n", 1)
    origin = recorded_provenance(name, id)
    assert first.startswith(f"# {chapter.folder}_{id}, compactml ")
    if origin is not None and origin["n_trials"]:
        assert f"run {origin['run_id']}" in first
        assert all(commit[:9] in first for commit in origin["commit"])
    data = pd.read_csv(StringIO(rest), keep_default_na=False, na_values=[""])
    assert len(data)
    packed = data.select_dtypes("str").apply(lambda column: column.str.contains(" · ", regex=False).any())
    assert not packed.any(), list(packed[packed].index)
    assert paper_reference(chapter.citation) in shown._repr_html_().replace("&#x27;", "'")


@pytest.mark.usefixtures("unknown")
def test_without_an_address_there_is_no_link() -> None:
    text = (ROOT / "_config.yml").read_text(encoding="utf-8")
    assert repository.configuration(text, "") == text
    assert "this repository's address" in repository.clone_lines()
    assert "http" not in repository.clone_lines() + repository.report_lines()
    assert "commit abcdef0 " in front.about(None, ("abcdef0", "2026-01-01")) + " "
    config = yaml.safe_load(text)
    assert not config["html"]["use_repository_button"]
    assert "binderhub_url" not in config["launch_buttons"]


@pytest.mark.usefixtures("known")
def test_from_an_address_links_to_launch_edit_source_and_commit_follow() -> None:
    text = (ROOT / "_config.yml").read_text(encoding="utf-8")
    config = yaml.safe_load(repository.configuration(text, ADDRESS))
    before = yaml.safe_load(text)
    assert config["repository"]["url"] == ADDRESS
    assert all(config["html"][f"use_{what}_button"] for what in ("repository", "edit_page", "issues"))
    assert {"binderhub_url", "colab_url"} <= set(config["launch_buttons"])
    assert config["sphinx"]["config"].pop("compactml_repository") == ADDRESS
    assert config["sphinx"] == before["sphinx"]
    assert config["parse"] == before["parse"]
    assert f"git clone {ADDRESS} compactml" in repository.clone_lines()
    assert f"{ADDRESS}/issues/new" in repository.report_lines()
    assert f'href="{ADDRESS}/commit/abcdef0"' in front.about(None, ("abcdef0", "2026-01-01"))


def test_commits_of_a_line_become_links(sphinx_extension: Callable[[str], ModuleType]) -> None:
    pages = sphinx_extension("compactml_pages")
    line = '<p class="cm-note">run 0123456789ab · commit abcdef012, 123456789 with changes · 5 trials</p>'
    linked = pages.with_links(line, ADDRESS)
    assert linked.count("<a href") == 2
    assert f'<a href="{ADDRESS}/commit/123456789">123456789</a> with changes' in linked
    assert "0123456789ab ·" in linked


def test_the_page_has_the_entries_of_every_paper_and_of_this_work() -> None:
    text = citing.bibtex_lines()
    for chapter in chapters.every_chapter():
        assert f"{{{chapter.citation}," in text
    assert "@software{compactml," in text


def test_the_page_on_licences_leads_to_those_of_the_data() -> None:
    """Each dataset's stands on the page of the data: `tests.book.test_names`."""
    assert "{doc}`data`" in (ROOT / "book" / "licence.md").read_text(encoding="utf-8")
