"""Sphinx extension: pages load only what they use.

The theme loads on every page its icons as a program of 1.5 MB, though its style sheet has them as a font, and the
index of the search, which only the search page reads.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

ICONS = re.compile(r"\s*<(?:script|link)\b[^>]*fontawesome\.js[^>]*>(?:</script>)?")
INDEX = re.compile(r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>')
SEARCH = "search.html"


def lighten(text: str, *, search: bool) -> str:
    """Return a page without the scripts that it does not use.

    Parameters
    ----------
    text : str
    search : bool
        Whether it is the search page.
    """
    text = ICONS.sub("", text)
    return text if search else INDEX.sub("", text)


def lighten_all(app: Sphinx, error: Exception | None) -> None:
    """Rewrite the pages of a build that ended well."""
    if error is not None or app.builder.name != "html":
        return
    root = Path(app.outdir)
    for path in root.rglob("*.html"):
        if "_static" not in path.relative_to(root).parts:
            text = path.read_text(encoding="utf-8")
            path.write_text(lighten(text, search=path.name == SEARCH), encoding="utf-8")
    for path in (root / "_static" / "scripts").glob("fontawesome.js*"):
        path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to the end of the build."""
    app.connect("build-finished", lighten_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
