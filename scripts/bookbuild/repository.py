"""What follows from the address of the public repository: links to launch, edit, source, commit and issues.

The variable ``COMPACTML_REPOSITORY`` names it. Without it the book has no such link.
"""

from __future__ import annotations

from typing import Any

import yaml

from compactml.study.page.citation import repository

BRANCH = "main"


def configuration(text: str, address: str) -> str:
    """Return the configuration of the book with the links that follow from an address; unchanged without one.

    Parameters
    ----------
    text : str
        Of ``_config.yml``.
    address : str
        Of the repository, "https://github.com/owner/name"; may be empty.
    """
    if not address:
        return text
    config: dict[str, Any] = yaml.safe_load(text)
    config["repository"] = {"url": address, "branch": BRANCH, "path_to_book": ""}
    config["html"] |= {
        "use_repository_button": True,
        "use_issues_button": True,
        "use_edit_page_button": True,
    }
    config["launch_buttons"] = {
        "notebook_interface": "jupyterlab",
        "binderhub_url": "https://mybinder.org",
        "colab_url": "https://colab.research.google.com",
    }
    config["sphinx"]["config"]["compactml_repository"] = address
    return str(yaml.safe_dump(config, sort_keys=False, allow_unicode=True))


def clone_lines() -> str:
    """Return the commands that fetch the source, for a page."""
    address = repository()
    said = address or "ADDRESS"
    where = (
        ""
        if address
        else "\n*ADDRESS* is this repository's address: this copy of the book does not know it.\n"
    )
    return f"```bash\ngit clone {said} compactml\ncd compactml\n```\n{where}"


def report_lines() -> str:
    """Return where an error is reported, for a page."""
    address = repository()
    if address:
        return f"Open an issue at <{address}/issues/new>.\n"
    return (
        "This copy of the book does not know the address of its repository. "
        "Write to whoever gave it to you, or open an issue where the source came from.\n"
    )


def commit_address(commit: str) -> str:
    """Return the address of a commit; empty where there is no repository."""
    address = repository()
    return f"{address}/commit/{commit}" if address else ""
