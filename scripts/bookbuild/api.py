"""The part of the API's page that follows from the chapters: their modules, and those that pages refer to."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

from bookbuild.project import Project
from compactml import chapters

REFERRED = re.compile(r"\{py:\w+\}`~?(compactml\.chapters(?:\.\w+)+)`")


def chapters_api(project: Project) -> str:
    """Return the documentation of the chapters' own modules and of every one that a notebook refers to."""
    texts = [project.source(name).read_text(encoding="utf-8") for name in project.notebooks()]
    functions = [target for text in texts for target in REFERRED.findall(text)]
    modules = [*own_modules(), *(function.rpartition(".")[0] for function in functions)]
    blocks = [f".. automodule:: {module}\n   :members:\n" for module in dict.fromkeys(modules)]
    return "\n".join(["```{eval-rst}", *blocks, "```", ""])


def own_modules() -> list[str]:
    """Return the modules that stand directly in the chapters' folders, chapter by chapter."""
    names = []
    for chapter in chapters.every_chapter():
        package = import_module(f"{chapters.__name__}.{chapter.folder}")
        modules = iter_modules(package.__path__)
        names += [f"{package.__name__}.{module.name}" for module in modules if not module.ispkg]
    return names
