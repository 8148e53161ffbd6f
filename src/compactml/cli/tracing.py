"""The commands that lead to a number: a table with its sides, what a claim rests on, a run id computed again."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from compactml import chapters
from compactml.book import tracing
from compactml.book.side_by_side import side_by_side
from compactml.cli.common import echo_frame, table_id
from compactml.study import Chapter, Finished, Store
from compactml.study.recording.verifying import Outcome
from compactml.study.running.last_run import last_run

__all__ = ["echo_sides", "show", "trace", "verify"]

STORE = click.option("--store", metavar="FILE", help="As for run.")


@click.command()
@click.argument("chapter_name", metavar="CHAPTER")
@click.argument("table")
@STORE
def show(chapter_name: str, table: str, store: str | None) -> None:
    """Print a table: published, recorded, and yours from your last run of it.

    TABLE is 2 (for table_2), fig_4, ...
    """
    chapter, id = chapters.chapter(chapter_name), table_id(table)
    chapter.table(id)  # an unknown one is refused before the store is opened
    with Store(store, read_only=True) as opened:
        last = last_run(opened, chapter.name, id)
    echo_sides(chapter, id, [] if last is None else last.finished)
    if last is None:
        click.echo(f"nothing of yours: compactml run {chapter.name} --table {id}")
    else:
        click.echo(f"yours: {last.utc[:16].replace('T', ' ')} UTC, {last.command}")


def echo_sides(chapter: Chapter, table: str, finished: Sequence[Finished], *, all_rows: bool = True) -> None:
    """Print a table, or its rows with a number of yours: published, recorded, and yours."""
    frame, sources = side_by_side(chapter, table, finished, all_rows=all_rows)
    if len(frame):
        echo_frame(frame)
        click.echo("")
    click.echo("\n".join(sources))


@click.command()
@click.argument("claim")
def trace(claim: str) -> None:
    """Print what the verdict on a claim rests on: its check, rows, runs, commits, data, and how to repeat it.

    CLAIM is an id as the scorecard and `compactml claims` show it, pace/single-trees for instance.
    """
    for line in tracing.trace(claim):
        click.echo(line)


@click.command()
@click.argument("run")
@STORE
def verify(run: str, store: str | None) -> None:
    """Compute a run id once more, from the commit, its code, the data and the formula of its time.

    RUN is the id of a recorded table, of one of its runs, or of a trial. The code of a commit is run in a folder of its
    own; nothing is computed but keys. Exit code 0: all is equal; 1: something differs or cannot be computed here.
    """
    outcomes = []
    with Store(store, read_only=True) as opened:
        for one in tracing.named(run, opened):
            click.echo(f"run {run}: {one}")
            for check in tracing.verify(one):
                click.echo(f"  {check.outcome:<{max(map(len, Outcome))}} {check.what}: {check.says}")
                outcomes.append(check.outcome)
    if any(outcome is not Outcome.EQUAL for outcome in outcomes):
        sys.exit(1)
