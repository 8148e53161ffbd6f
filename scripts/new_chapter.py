"""Begin a chapter: copy the template under a name of its own, with its places in the contents and the bibliography.

``python scripts/new_chapter.py seventh-paper`` writes the folders of the chapter and changes two files that all
chapters share, ``_toc.yml`` and ``book/references.bib``. CONTRIBUTING says what comes next.
"""

from __future__ import annotations

import re
from pathlib import Path

import click
import jupytext

ROOT = Path(__file__).resolve().parents[1]
NAME, FOLDER, KEY = "sixth-paper", "sixth_paper", "author2026sixth"
"""What the chapter is called in the template."""
PLACE = re.compile(r"^    place=6,$", re.MULTILINE)
MANUAL = "  - caption: Manual\n"
"""The part of the contents that follows the chapters."""
CHECKS = re.compile(r"(?:          - file: book/checks_\w+\n)+")


@click.command()
@click.argument("name")
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, hidden=True)
def main(name: str, root: Path) -> None:
    """Write a chapter called NAME ("seventh-paper") from the template."""
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise click.UsageError(f"a name has small letters and hyphens ('seventh-paper'), got {name!r}.")
    folder = name.replace("-", "_")
    goal = root / "src" / "compactml" / "chapters" / folder
    if goal.exists():
        raise click.UsageError(f"{goal} is there already.")
    place = 1 + len(list(goal.parent.glob("*/chapter.py")))
    template = root / "template"
    folders = {
        template / "chapter": goal,
        template / "notebooks": root / "notebooks" / folder,
        template / "published": root / "data" / "published" / folder,
        template / "tests": root / "tests" / "chapters" / folder,
    }
    for source, target in folders.items():
        for path in sorted(source.rglob("*.*")):
            if "__pycache__" not in path.parts:
                write(target / path.relative_to(source), renamed(path, name, place))
    for path in (root / "notebooks" / folder).glob("*.md"):
        jupytext.write(jupytext.read(path), path.with_suffix(".ipynb"), fmt="ipynb")
    write(root / "book" / "findings" / f"{folder}.yml", renamed(template / "findings.yml", name, place))
    contents = (root / "_toc.yml").read_text(encoding="utf-8")
    contents = contents.replace(MANUAL, renamed(template / "toc.yml", name, place) + MANUAL)
    contents = CHECKS.sub(lambda found: f"{found[0]}          - file: book/checks_{folder}\n", contents)
    write(root / "_toc.yml", contents)
    bibliography = root / "book" / "references.bib"
    entry = renamed(template / "references.bib", name, place)
    write(bibliography, bibliography.read_text(encoding="utf-8") + entry)
    click.echo(f"{name}: {goal}")


def renamed(path: Path, name: str, place: int) -> str:
    """Return a file of the template under the chapter's own name."""
    text = path.read_text(encoding="utf-8").replace(NAME, name).replace(FOLDER, name.replace("-", "_"))
    text = text.replace("A sixth paper", name.replace("-", " ").capitalize())
    return PLACE.sub(f"    place={place},", text).replace(KEY, f"author2026{name.replace('-', '')}")


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
