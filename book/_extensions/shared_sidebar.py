"""Sphinx extension: pages of source code share their sidebar.

Sphinx makes the list of all pages anew on every page. The pages of source code, three times as many as the others, are
not in it themselves, so that theirs differ only in how many folders up the links lead.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


class SharedSidebar:
    """Makes the list once for all pages in folders of one depth that are not in it."""

    def __init__(self) -> None:
        self.made: dict[tuple[Any, ...], str] = {}

    def share(self, app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
        """Let a page that is no document take the list of another."""
        if page in app.env.all_docs:
            return
        make, depth = context["toctree"], page.count("/")

        def toctree(**options: Any) -> str:
            asked = depth, *sorted(options.items())
            if asked not in self.made:
                self.made[asked] = make(**options)
            return self.made[asked]

        context["toctree"] = toctree


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect; the theme asks for the list when it writes a page."""
    app.connect("html-page-context", SharedSidebar().share)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
