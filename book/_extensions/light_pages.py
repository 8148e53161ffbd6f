"""Sphinx extension: pages load only what they use.

The theme loads on every page its icons as a program of 1.5 MB, though its style sheet has them as a font, and the index
of the search, which only the search page reads. Sphinx loads MathJax on every page that lists one with an equation, and
the style of folds and cards on every page. The notebooks hold the tables and certificates that they offer inside
themselves, so that they are whole without the book; beside the book each is a file of its own.
"""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Callable
from os.path import relpath
from pathlib import Path

from sphinx.application import Sphinx

ICONS = re.compile(r"\s*<(?:script|link)\b[^>]*fontawesome\.js[^>]*>(?:</script>)?")
INDEX = re.compile(r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>')
MATHJAX = re.compile(
    r'\s*<script[^>]*src="[^"]*mathjax[^"]*"></script>|\s*<script>window\.MathJax = .*?</script>'
)
DESIGN = re.compile(r"\s*<(?:script|link)\b[^>]*(?:sphinx-design|design-tabs)[^>]*>(?:</script>)?")
NEEDED = {MATHJAX: re.compile(r'class="math[ "]'), DESIGN: re.compile(r'class="(?:[^"]* )?sd-')}
"""What pages load, and what is on a page that uses it."""
OFFERED = re.compile(r'<a\b[^>]*\bhref="(?P<data>data:[^,"]*;base64,(?P<code>[^"]+))"[^>]*>')
NAME = re.compile(r'\bdownload="([^"]+)"')
SEARCH = "search.html"
DOWNLOADS = "_static/offered"


def lighten(text: str, *, search: bool) -> str:
    """Return a page without the scripts that it does not use.

    Parameters
    ----------
    text : str
    search : bool
        Whether it is the search page.
    """
    text = ICONS.sub("", text)
    for loaded, used in NEEDED.items():
        if not used.search(text):
            text = loaded.sub("", text)
    return text if search else INDEX.sub("", text)


def apart(text: str, keep: Callable[[str, bytes], str]) -> str:
    """Return a page whose downloads are files beside it.

    Parameters
    ----------
    text : str
    keep : callable (str, bytes) -> str
        Writes a file, by its name, and returns its address from the page.
    """

    def linked(link: re.Match[str]) -> str:
        name = NAME.search(link[0])
        if name is None:  # shown, not offered
            return link[0]
        return link[0].replace(link["data"], keep(name[1], base64.b64decode(link["code"])))

    return OFFERED.sub(linked, text)


def lighten_all(app: Sphinx, error: Exception | None) -> None:
    """Rewrite the pages of a build that ended well."""
    if error is not None or app.builder.name != "html":
        return
    root = Path(app.outdir)
    for path in root.rglob("*.html"):
        place = path.relative_to(root)
        if "_static" in place.parts:
            continue
        folder = root / DOWNLOADS / place.with_suffix("")

        def keep(name: str, data: bytes, folder: Path = folder, page: Path = path) -> str:
            folder.mkdir(parents=True, exist_ok=True)
            file, number = folder / name, 2
            while file.exists() and file.read_bytes() != data:
                file, number = folder / f"{Path(name).stem}_{number}{Path(name).suffix}", number + 1
            file.write_bytes(data)
            return Path(relpath(file, page.parent)).as_posix()

        text = path.read_text(encoding="utf-8")
        if OFFERED.search(text):  # written anew: what an earlier build kept of it is old
            shutil.rmtree(folder, ignore_errors=True)
            text = apart(text, keep)
        path.write_text(lighten(text, search=path.name == SEARCH), encoding="utf-8")
    for path in (root / "_static" / "scripts").glob("fontawesome.js*"):
        path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to the end of the build."""
    app.connect("build-finished", lighten_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
