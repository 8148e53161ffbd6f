"""Render the staged book to ``_build/html``, unless it is there already (called by ``make book``)."""

from __future__ import annotations

from compactml.cli.ends import ended_cleanly

KEPT = "executed notebooks are kept"
with ended_cleanly(KEPT):  # the imports take seconds
    import subprocess
    import sys
    from pathlib import Path

    import click

    from bookbuild.building import end_with_parent, one_build, workers_end_with_interrupt
    from bookbuild.downloads import write_downloads
    from bookbuild.project import Project
    from bookbuild.rendered import is_rendered, note_rendered, remove_rendered, source_key

ROOT = Path(__file__).resolve().parent.parent


@click.command()
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="The checkout.", hidden=True)
def main(root: Path) -> None:
    """Make all pages afresh when anything that they are made of has changed; end with Jupyter Book's exit code."""
    project = Project(root.resolve())
    with ended_cleanly(KEPT), one_build(project):
        render(project)


def render(project: Project) -> None:
    """The same for any checkout, while no other build goes on there."""
    sources = source_key(project)
    if is_rendered(project, sources):
        print("the pages are up to date: _build/html/index.html")
        return
    remove_rendered(project)
    program = str(Path(sys.executable).with_name("jupyter-book"))
    options = ["-W", "--keep-going", "--path-output", str(project.root)]
    try:
        code = ended([program, "build", *options, str(project.stage)])
        if code:
            sys.exit(code)
        write_downloads(project, project.html)
        note_rendered(project, sources)
    except KeyboardInterrupt:
        remove_rendered(project)  # some of the pages
        raise


def ended(command: list[str]) -> int:
    """Run a program to its end and return its exit code; Ctrl-C ends it and all that it started."""
    with subprocess.Popen(command, preexec_fn=end_with_parent) as process:
        try:
            with workers_end_with_interrupt():
                return process.wait()
        finally:
            process.wait()  # what was killed writes no page any more


if __name__ == "__main__":
    main()
