"""Execute the notebooks that changed and stage the book in ``_build/executed`` (called by ``make book``)."""

from __future__ import annotations

from compactml.cli.ends import ended_cleanly

KEPT = "executed notebooks are kept"
with ended_cleanly(KEPT):  # the imports take seconds
    import os
    import sys
    from pathlib import Path
    from typing import Any

    import click
    import yaml

    from bookbuild.building import one_build
    from bookbuild.execute import execute_all
    from bookbuild.fetching import fetch_quick
    from bookbuild.project import Project
    from bookbuild.sentences import problems
    from bookbuild.stage import stage
    from compactml.book.ledger import ledger
    from compactml.study.page.live import LIVE

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("COMPACTML_DATA", "COMPACTML_CACHE", "COMPACTML_STORE")


@click.command()
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--processes", default=2, show_default=True, help="Notebooks executed at a time.")
@click.option("--fetch", is_flag=True, help="Download small datasets of the quick profile first.")
@click.option("--recorded-only", is_flag=True, help="Run no trial: show the recorded numbers.")
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="The checkout.", hidden=True)
def main(parameters: tuple[str, ...], processes: int, fetch: bool, recorded_only: bool, root: Path) -> None:
    """Execute the notebooks of _toc.yml with these parameters, and stage the book."""
    prepare_environment()
    if recorded_only:
        os.environ[LIVE] = "0"
    project = Project(root.resolve())
    with ended_cleanly(KEPT), one_build(project):
        if (project.root / "book" / "findings").is_dir():
            refuse_stale_sentences(project)
        if fetch and not recorded_only:
            fetch_quick()
        if execute_all(project, dict(map(parse, parameters)), processes=processes):
            sys.exit(1)
        stage(project)


def refuse_stale_sentences(project: Project) -> None:
    """End the build, naming them, when sentences or verdicts are no longer so."""
    wrong = problems(project.root, ledger())
    if wrong:
        raise click.ClickException("the book says what is not so:\n  " + "\n  ".join(wrong))


def parse(text: str) -> tuple[str, Any]:
    """Split ``name=value``; the value is read as YAML reads it (2 a number, quick a word)."""
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and equals):
        raise click.ClickException(f"a parameter must be written name=value, got {text!r}")
    return name, yaml.safe_load(value)


def prepare_environment() -> None:
    """Make the kernels' environment the same everywhere."""
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ.pop("MPLBACKEND", None)  # a backend chosen outside would swallow every figure
    for name in FOLDERS:
        if os.environ.get(name):  # kernels run in their notebook's folder
            os.environ[name] = str(Path(os.environ[name]).resolve())


if __name__ == "__main__":
    main()
