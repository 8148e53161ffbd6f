"""What axe-core finds wrong in the article of an opened page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

FADING = 300
"""Milliseconds in which colours fade in."""


def violations(page: Page, *rules: str) -> list[str]:
    """Return what breaks the rules, with the elements."""
    page.wait_for_timeout(FADING)
    # Only these are wanted; what is as it should be would come with every element of the page.
    options = {"runOnly": list(rules), "resultTypes": ["violations"]}
    answer = Axe().run(page, context="article.bd-article", options=options)
    return [
        f"{violation['id']}: {node['target']}: {node['failureSummary']}"
        for violation in answer.response["violations"]
        for node in violation["nodes"]
    ]
