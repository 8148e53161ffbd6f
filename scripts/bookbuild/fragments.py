"""Pieces of pages that are made anew with each build: what was found, every claim, and the status of the build.

They are written to ``book/_generated`` in the staging folder, where the hand-written pages include them.
"""

from __future__ import annotations

from bookbuild import citing, front, scorecard, sections, sources, status
from bookbuild.api import chapters_api
from bookbuild.costs import cost_table
from bookbuild.data_page import data_table
from bookbuild.peers import peers_tables
from bookbuild.project import Project, write_text
from bookbuild.repository import clone_lines, report_lines
from bookbuild.scale import scale_table
from compactml.book.findings import findings
from compactml.book.ledger import ledger
from compactml.study.judging.claims import Checked
from compactml.study.recording.published import folder_name


def write_fragments(project: Project) -> None:
    """Write the generated pieces of the pages into the staging folder."""
    target = project.stage / "book" / "_generated"
    notes = status.live_notes(project)
    write_text(target / "notebooks.md", status.run_table(project))
    write_text(target / "live.md", status.live_table(notes))
    write_text(target / "solvers.md", status.solvers())
    write_text(target / "costs.md", cost_table(project, notes))
    write_text(target / "versions.md", status.version_table())
    write_text(target / "chapters_api.md", chapters_api(project))
    write_text(target / "clone.md", clone_lines())
    write_text(target / "report.md", report_lines())
    write_text(target / "data.md", data_table())
    write_text(target / "scale.md", scale_table(project))
    for name, text in peers_tables(project).items():
        write_text(target / f"peers_{name}.md", text)
    if (project.root / "book" / "findings").is_dir():
        write_claims(project)


def write_claims(project: Project) -> None:
    """Write what follows from the claims: the front page, the findings, the scorecard, and the code of the checks."""
    book = project.stage / "book"
    every = ledger()
    reproduced = {folder_name(one.claim.chapter) for one in every.checked.values()}
    parts = {part.chapter: part for part in project.parts() if part.chapter in reproduced}
    papers = [
        (findings(chapter), parts[folder_name(chapter)].notebooks[0])
        for chapter in dict.fromkeys(one.claim.chapter for one in every.checked.values())
    ]
    own = {name: sections.chapter_sections(project, part) for name, part in parts.items()}

    def section(checked: Checked) -> str:
        names = (checked.claim.id, *checked.recorded, *checked.published)
        return sections.find(own[folder_name(checked.claim.chapter)], names).address

    titles = {found.chapter: found.title for found, _ in papers}
    archive, commit = sources.archive(project), front.commit_of(project)
    sources.copy_data(project)
    generated = book / "_generated"
    write_text(generated / "bibtex.md", citing.bibtex_lines())
    write_text(generated / "front.md", front.front_page(papers, every, archive, commit))
    write_text(generated / "findings.md", front.findings_page(papers, every))
    write_text(generated / "scorecard.md", scorecard.scorecard_page(every, titles, section))
    write_text(book / "_static" / "claims.json", scorecard.as_json(every, section))
    for chapter, title in titles.items():
        codes = scorecard.codes(every.of(chapter, counted=False))
        write_text(book / f"checks_{folder_name(chapter)}.md", sources.checks_page(title, codes))
