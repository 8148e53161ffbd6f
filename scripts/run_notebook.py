"""Execute one notebook into ``_build/executed``, where ``make book`` finds it (called by ``make notebook``)."""

from __future__ import annotations

from compactml.cli.ends import ended_cleanly

KEPT = "executed notebooks are kept"
with ended_cleanly(KEPT):  # the imports take seconds
    import sys
    from pathlib import Path

    import click

    from bookbuild.building import one_build
    from bookbuild.execute import execute_all
    from bookbuild.project import Project
    from build_book import ROOT, parse, prepare_environment


@click.command()
@click.argument("name", metavar="CHAPTER/NN")
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="The checkout.", hidden=True)
def main(name: str, parameters: tuple[str, ...], root: Path) -> None:
    """Execute the notebook whose name begins so ("pace/02"), unless nothing changed since it was."""
    prepare_environment()
    project = Project(root.resolve())
    notebook = find(project, name)
    with ended_cleanly(KEPT), one_build(project):
        if execute_all(project, dict(map(parse, parameters)), processes=1, only=[notebook]):
            sys.exit(1)
    click.echo(project.executed(notebook))


def find(project: Project, name: str) -> str:
    """Return the one notebook of the table of contents whose name begins so, "pace/02" or "notebooks/pace/02"."""
    start = name.replace("-", "_").removeprefix("notebooks/").removesuffix(".md").removesuffix(".ipynb")
    matches = [
        notebook for notebook in project.notebooks() if notebook.removeprefix("notebooks/").startswith(start)
    ]
    if not start or len(matches) != 1:
        several = ", ".join(item.removeprefix("notebooks/") for item in matches or project.notebooks())
        raise click.ClickException(
            f"NB must name one notebook, as in NB=pace/02, got {name!r}; there are: {several}"
        )
    return matches[0]


if __name__ == "__main__":
    main()
