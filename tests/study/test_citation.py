from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

from compactml import chapters
from compactml.study.page.citation import REPOSITORY, bibtex, own_bibtex
from compactml.study.page.reference import own_reference, paper_reference
from compactml.study.recording.errors import RepositoryNotFound
from compactml.study.recording.published import home

BIB = """@misc{other, title = {Other}}

@misc{nakamura2022simplification,
  title = {A {Title}},
  year  = {2022},
}

@misc{last, title = {Last}}
"""
CFF = """cff-version: 1.2.0
title: compactml
version: 0.1.0
date-released: 2026-01-02
repository-code: https://example.org/compactml
authors:
  - family-names: Doe
    given-names: Jane
  - name: The compactml authors
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data" / "published").mkdir(parents=True)
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "references.bib").write_text(BIB, encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text(CFF, encoding="utf-8")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("repository")
def test_the_papers_entry_is_cut_out_whole() -> None:
    entry = bibtex("nakamura2022simplification")
    assert entry == BIB.split("\n\n")[1]


@pytest.mark.usefixtures("repository")
def test_own_entry_has_the_fields_of_the_citation_file() -> None:
    entry = own_bibtex()
    for field in (
        "author = {Doe, Jane and {The compactml authors}}",
        "version = {0.1.0}",
        "year = {2026}",
        "url = {https://example.org/compactml}",
    ):
        assert field in entry
    assert "doi" not in entry
    assert entry.count("{") == entry.count("}")


@pytest.mark.usefixtures("repository")
def test_the_address_of_the_build_takes_the_place_of_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPOSITORY, "https://code.example/here/")
    assert "url = {https://code.example/here}" in own_bibtex()


def test_the_citation_file_refers_to_the_papers_of_the_chapters() -> None:
    """Titles, years, people and addresses as the bibliography of the book has them."""
    cff = yaml.safe_load((home() / "CITATION.cff").read_text(encoding="utf-8"))
    assert cff["version"] == version("compactml") == cff["preferred-citation"]["version"]
    assert own_reference().startswith(f"The compactml authors ({cff['preferred-citation']['year']}).")
    every = chapters.every_chapter()
    assert len(cff["references"]) == len(every)
    for chapter, reference in zip(every, cff["references"], strict=True):
        text = paper_reference(chapter.citation)
        assert reference["title"] in text
        assert str(reference["year"]) in text
        for author in reference["authors"]:
            assert f"{author['family-names']}, {author['given-names'][0]}." in text
        addresses = [one["value"] for one in reference.get("identifiers", [])]
        addresses += [reference["doi"]] if "doi" in reference else []
        assert all(address in text for address in addresses)


def test_missing_files_and_entries(repository: Path) -> None:
    with pytest.raises(RepositoryNotFound, match="nowhere"):
        bibtex("nowhere")
    (repository / "book" / "references.bib").write_text("", encoding="utf-8")
    with pytest.raises(RepositoryNotFound, match="nakamura2022simplification"):
        bibtex("nakamura2022simplification")
    (repository / "CITATION.cff").unlink()
    with pytest.raises(RepositoryNotFound, match=r"CITATION\.cff"):
        own_bibtex()
