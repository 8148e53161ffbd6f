"""Pieces of pages that follow from the executed notebooks: a card for each chapter, and the status of the build.

They are written to ``book/_generated`` in the staging folder, where the hand-written pages include them; the
pictures of the cards go to ``book/_static/generated``.
"""

from __future__ import annotations

import base64
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version

import nbformat
from nbformat import NotebookNode

from bookbuild.execute import run_record
from bookbuild.project import Part, Project, write_bytes, write_text

CARD = "card"
"""Tag of the code cell that draws a chapter's picture."""

PACKAGES = (
    "compactml", "numpy", "pandas", "scipy", "scikit-learn", "numba", "joblib", "matplotlib", "jupyter-book", "sphinx",
)  # fmt: skip


def write_fragments(project: Project) -> None:
    """Write the generated pieces of the pages into the staging folder."""
    target = project.stage / "book" / "_generated"
    write_text(target / "chapters.md", chapter_grid(project))
    write_text(target / "notebooks.md", run_table(project))
    write_text(target / "versions.md", version_table())


def chapter_grid(project: Project) -> str:
    """Return one card for each chapter of the table of contents; a chapter's picture is written beside."""
    cards = [_card(project, part) for part in project.parts() if part.chapter]
    if not cards:
        return "No chapter is in the table of contents yet.\n"
    return "\n".join(["::::{grid} 1", ":gutter: 3", "", *cards, "::::", ""])


def _card(project: Project, part: Part) -> str:
    cells = [cell for name in part.notebooks for cell in _cells(project, name)]
    lines = [f":::{{grid-item-card}} {part.caption}", f":link: /{part.notebooks[0]}", ":link-type: doc"]
    picture = card_picture(cells)
    if picture:
        write_bytes(project.stage / "book" / "_static" / "generated" / f"{part.chapter}.png", picture)
        lines += [
            f":img-top: /book/_static/generated/{part.chapter}.png",
            f":img-alt: A figure of the chapter {part.caption}",
        ]
    return "\n".join([*lines, "", card_text(cells), ":::", ""])


def _cells(project: Project, name: str) -> list[NotebookNode]:
    cells: list[NotebookNode] = nbformat.read(project.executed(name), as_version=4).cells
    return cells


def card_text(cells: Iterable[NotebookNode]) -> str:
    """Return the first paragraph under the title: what the chapter is about."""
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    paragraphs = (paragraph.strip() for paragraph in text.split("\n\n"))
    return next((paragraph for paragraph in paragraphs if paragraph and not paragraph.startswith("#")), "")


def card_picture(cells: Iterable[NotebookNode]) -> bytes | None:
    """Return the first PNG that a code cell tagged `CARD` shows."""
    tagged = (cell for cell in cells if CARD in cell.metadata.get("tags", []))
    for output in (output for cell in tagged for output in cell.get("outputs", [])):
        if "image/png" in output.get("data", {}):
            return base64.b64decode(output.data["image/png"])
    return None


def run_table(project: Project) -> str:
    """Return the table of the notebooks of this build: when, how long, with which profile, from which commit."""
    rows = []
    for name in project.notebooks():
        record = run_record(project.executed(name))
        rows.append(
            {
                "Notebook": f"{{doc}}`/{name}`",
                "Executed (UTC)": record["executed"][:16].replace("T", " "),
                "Seconds": f"{record['seconds']:.1f}",
                "Profile": record["parameters"].get("profile", "none"),
                "Commit": f"`{record['commit']}`",
            }
        )
    return _markdown_table(rows) if rows else "No notebook is in the table of contents yet.\n"


def version_table() -> str:
    """Return the table of the versions that executed and built the book."""
    rows = [{"Package": "Python", "Version": platform.python_version()}]
    rows += [{"Package": name, "Version": version(name)} for name in PACKAGES]
    rows += [{"Package": "platform", "Version": f"{platform.system()} on {platform.machine()}"}]
    return _markdown_table(rows)


def _markdown_table(rows: list[Mapping[str, str]] | list[dict[str, str]]) -> str:
    heads = list(rows[0])
    lines = [
        "| " + " | ".join(cells) + " |"
        for cells in (heads, ["---"] * len(heads), *(r.values() for r in rows))
    ]
    return "\n".join(lines) + "\n"
