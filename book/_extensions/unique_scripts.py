"""Sphinx extension: each inline script once per page.

Sphinx 7.4, which Jupyter Book 1 pins, writes an inline script twice when an extension adds it late: the first time its
file name is None, the second time "". A script that declares a ``const`` then fails in the browser. Sphinx mended
it in https://github.com/sphinx-doc/sphinx/pull/13402.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def drop_twins(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Remove from a page the scripts named None that stand there under the name "" too."""
    scripts = context["script_files"]
    named = [script.attributes for script in scripts if script.filename == ""]
    scripts[:] = [
        script for script in scripts if script.filename is not None or script.attributes not in named
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect behind the handlers of all other extensions."""
    app.connect("html-page-context", drop_twins, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
