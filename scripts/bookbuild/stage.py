"""Stage the book: pages, configuration and MathJax beside the executed notebooks, ready for Jupyter Book."""

from __future__ import annotations

import shutil
from importlib.metadata import files
from pathlib import Path

from bookbuild.fragments import write_fragments
from bookbuild.project import Project, write_text
from bookbuild.repository import configuration
from compactml.study.page.citation import repository

MATHJAX = ("tex-mml-chtml.js", "output/chtml/fonts/woff-v2")
"""What the pages load of MathJax: one script and its fonts, 1.5 of the package's 24 MB."""


def stage(project: Project) -> None:
    """Copy the pages and write the generated pieces; executed notebooks that left the contents are removed."""
    shutil.rmtree(project.stage / "book", ignore_errors=True)
    shutil.copytree(project.root / "book", project.stage / "book")
    shutil.copy2(project.root / "_toc.yml", project.stage / "_toc.yml")
    config = (project.root / "_config.yml").read_text(encoding="utf-8")
    write_text(project.stage / "_config.yml", configuration(config, repository()))
    copy_mathjax(project.stage / "book" / "_static" / "mathjax")
    remove_strays(project)
    write_fragments(project)


def copy_mathjax(target: Path) -> None:
    """Copy MathJax from the installed package sphinx-mathjax-offline: the pages ask no other host for it."""
    scripts = [path for path in files("sphinx-mathjax-offline") or [] if path.name == MATHJAX[0]]
    source = Path(str(scripts[0].locate())).parent
    for part in MATHJAX:
        if (source / part).is_dir():
            shutil.copytree(source / part, target / part)
        else:
            (target / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / part, target / part)


def remove_strays(project: Project) -> None:
    """Remove executed notebooks that the table of contents no longer names."""
    wanted = {project.executed(name) for name in project.notebooks()}
    for path in (project.stage / "notebooks").rglob("*.ipynb"):
        if path not in wanted:
            path.unlink()
