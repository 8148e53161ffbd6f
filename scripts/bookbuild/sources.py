"""What a claim links to beside its section: the data, the code of its check, and the command that runs it again."""

from __future__ import annotations

import inspect
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from bookbuild.project import Project, write_bytes
from compactml.study.judging.claims import Checked
from compactml.study.recording.published import folder_name

DATA = "_static/data"
"""Where the book keeps the recorded and published numbers, from its root."""


def copy_data(project: Project) -> None:
    """Copy the published and recorded tables into the book, so that every number can be downloaded."""
    for kind in ("published", "recorded"):
        source = project.root / "data" / kind
        if source.is_dir():
            goal = project.stage / "book" / "_static" / "data" / kind
            shutil.copytree(
                source, goal, dirs_exist_ok=True, ignore=shutil.ignore_patterns("trials", ".lock")
            )


def data_files(checked: Checked) -> dict[str, str]:
    """Return the files behind a claim, by what to call them: addresses from the root of the book."""
    folder = folder_name(checked.claim.chapter)
    found: dict[str, str] = {}
    kinds = (
        ("recorded", "our runs", checked.recorded),
        ("published", "the paper's numbers", checked.published),
    )
    for kind, whose, names in kinds:
        found |= {f"{name}: {whose}": f"{DATA}/{kind}/{folder}/{name}.csv" for name in names}
    return found


@cache
def function(code: str) -> Callable[..., Any]:
    """Return the function of a dotted name."""
    module, name = code.rsplit(".", 1)
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


ROOMS = frozenset({"compactml", "chapters", "claims"})
"""What the names of all checks have in common."""


def check_anchor(code: str) -> str:
    """Return the anchor of a check on the page of its chapter's checks; no two chapters have the same."""
    return "-".join(part for part in code.split(".") if part not in ROOMS).replace("_", "-")


def checks_page(title: str, codes: list[str]) -> str:
    """Return the page with the code of a chapter's checks.

    Parameters
    ----------
    title : str
        Of the paper.
    codes : list of str
        Dotted names of the functions, each once.
    """
    lines = [f"# {title}: the checks as code", ""]
    lines += ["Each claim of the {doc}`scorecard <scorecard>` is decided by one of these functions.", ""]
    for code in codes:
        found = function(code)
        statement, *how = (inspect.getdoc(found) or "").split("\n\n")
        several = (
            "{" in statement
        )  # the words of each claim stand there: how it is checked says what all have in common
        doc = (how[0] if several and how else "" if several else statement).replace("\n", " ")
        lines += [
            f"({check_anchor(code)})=",
            f"## {found.__name__.replace('_', ' ').capitalize()}",
            "",
            doc,
            "",
        ]
        lines += [f"`{code}`", "", "````python", inspect.getsource(found).rstrip(), "````", ""]
    return "\n".join(lines)


def archive(project: Project) -> str | None:
    """Write the source of this commit into the book; return its address, or None outside a git checkout."""
    answer = subprocess.run(
        ["git", "archive", "--format=tar.gz", "--prefix=compactml/", "HEAD"],
        cwd=project.root,
        capture_output=True,
    )
    if answer.returncode or not answer.stdout:
        return None
    write_bytes(project.stage / "book" / "_static" / "generated" / "compactml-source.tar.gz", answer.stdout)
    return "_static/generated/compactml-source.tar.gz"
