"""Compare the text of two builds of the book page by page, with seconds, run ids, commits and dates masked.

``python scripts/compare_pages.py BEFORE AFTER`` takes two folders of HTML pages built from one store, prints how
each page differs, and says with its exit code whether one does. Pages of the API are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from bs4 import BeautifulSoup

LEFT_OUT = ("api.html", "genindex.html", "py-modindex.html", "search.html")
MASKS = (
    (r"\b[0-9a-f]{12}\b", "RUN"),
    (r"commit [0-9a-f, ]+( with changes)?", "commit COMMIT"),
    (r"\b\d{4}-\d\d-\d\d\b", "DATE"),
    (r"\b[\d,]+(\.\d+)?( |\xa0)(s|min|ms|µs|h)\b", "SECONDS"),
)
CONTROLS = ("Show code cell source", "Hide code cell source", "Show code cell content")
"""Texts of buttons: which cells have one is no text of the page."""


BLOCKS = ("p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "figcaption", "caption", "pre")


def texts(page: Path) -> list[str]:
    """Return the texts of a page's article, a block a line wherever its source breaks lines, without code cells."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    article = soup.find("article") or soup
    for node in article.select("div.cell_input, script, style, details.admonition > summary, a.headerlink"):
        node.decompose()
    blocks = [node for node in article.find_all(BLOCKS) if node.find(BLOCKS) is None]
    found = (" ".join(node.get_text().split()) for node in blocks)
    return [masked(text) for text in found if text and text not in CONTROLS]


def masked(text: str) -> str:
    """Return a text without what no second build has again."""
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    return text


def differences(before: Path, after: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the pages that differ, with the differing lines."""
    names = {path.relative_to(folder) for folder in (before, after) for path in folder.rglob("*.html")}
    for name in sorted(names):
        if str(name) in LEFT_OUT or name.parts[0] in ("_modules", "_static"):
            continue
        if not all((folder / name).is_file() for folder in (before, after)):
            yield str(name), ["only in one of both"]
            continue
        lines = unified_diff(texts(before / name), texts(after / name), lineterm="", n=0)
        changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        if changed:
            yield str(name), changed


def main(before: str, after: str) -> None:
    """Print what differs."""
    found = list(differences(Path(before), Path(after)))
    for name, lines in found:
        print(f"{name}: {len(lines)} lines differ", *lines[:40], sep="\n    ")
    print(f"{len(found)} pages differ")
    sys.exit(int(bool(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
