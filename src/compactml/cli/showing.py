"""The commands that show what is there: datasets, solvers, verdicts, records, citations."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import click

from compactml import chapters, datasets
from compactml import solvers as solver_layer
from compactml.book.records import SOLVER_NOT_RECORDED, recorded_states
from compactml.cli.common import ERROR, OFFICIAL, RECORD, echo_frame, record_target
from compactml.datasets.registry import entry
from compactml.errors import CompactmlError
from compactml.study.judging.claims import TEXTS, scorecard
from compactml.study.judging.verdicts import Verdict
from compactml.study.page.citation import bibtex, own_bibtex
from compactml.study.recording.record_rules import recording
from compactml.study.recording.recorded import write_verdicts
from compactml.study.recording.tables import claim_tables

__all__ = ["cite", "claims", "data", "records", "solvers", "warm_up"]

VERDICT = max(map(len, Verdict))
"""Width of the column of verdicts."""


@click.group()
def data() -> None:
    """List, download and check the datasets."""


@data.command("list")
def data_list() -> None:
    """Print every registered dataset and whether it is at hand."""
    frame = datasets.describe()
    echo_frame(frame[["key", "task", "n_rows", "n_features", "n_classes", "state"]])


@data.command("fetch")
@click.argument("keys", nargs=-1)
def data_fetch(keys: tuple[str, ...]) -> None:
    """Download datasets (by default all whose hash is registered); files at hand are left alone."""
    registered = datasets.keys()
    failed = []
    for key in keys or [one for one in registered if entry(one).pinned]:
        try:
            paths = datasets.fetch(key)
        except CompactmlError as error:  # the others are fetched all the same
            click.echo(f"error: {error}", err=True)
            failed.append(key)
            continue
        click.echo(f"{key}: {', '.join(map(str, paths))}")
    if failed:
        click.echo(f"error: {len(failed)} datasets were not fetched: {', '.join(failed)}", err=True)
        sys.exit(ERROR)


@data.command("verify")
@click.argument("keys", nargs=-1)
def data_verify(keys: tuple[str, ...]) -> None:
    """Check the SHA-256 of every file at hand; a corrupt one is an error, a missing one is not."""
    frame = datasets.verify(keys or None)
    echo_frame(frame[["key", "file", "state"]])
    corrupt = frame[frame["state"] == "corrupt"]
    for _, row in corrupt.iterrows():
        click.echo(f"error: {row['path']} has SHA-256 {row['found']}, expected {row['expected']}", err=True)
    if len(corrupt):
        sys.exit(ERROR)


@click.command()
def solvers() -> None:
    """Print what the solvers of this machine may do, and test them; exit code 1 if one disagrees."""
    echo_frame(solver_layer.solver_table())
    tested = solver_layer.self_test()
    click.echo("")
    echo_frame(tested)
    if not tested["agrees"].all():
        click.echo("error: a solver does not give the optimum found by enumeration", err=True)
        sys.exit(1)


@click.command()
@click.argument("chapter", required=False)
@RECORD
@OFFICIAL
def claims(chapter: str | None, record: str | None, official: bool) -> None:
    """Check the papers' claims on the recorded numbers and print the verdicts.

    With --record DIR both are those of the folder.
    """
    place = record_target(record, official)
    with recording(place) if place is not None else nullcontext():
        check_and_print(chapter, place is not None)


def check_and_print(chapter: str | None, record: bool) -> None:
    """Print the verdicts of a chapter or of all, and write them if asked."""
    for found in [chapters.chapter(chapter)] if chapter else chapters.every_chapter():
        card = scorecard(found.claims, claim_tables(found))
        if record:
            write_verdicts(found.name, card)
        for _, row in card.iterrows():
            click.echo(f"{row['verdict']:<{VERDICT}} {row['id']} ({row['place']}): {row['statement']}")
            for column in TEXTS:
                if row[column]:
                    click.echo(f"{'':<{VERDICT}}   {column.replace('_', ' ')}: {row[column]}")
        for basis, own in card.groupby("basis", sort=False):
            counts = own["verdict"].value_counts()
            click.echo(f"{basis}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


@click.command()
def records() -> None:
    """List the recorded tables, who solved their programs, and whether today's code would record them so."""
    frame = recorded_states()
    echo_frame(frame)
    for state, number in frame["state"].value_counts().items():
        click.echo(f"{number} tables: {state}")
    silent = int((frame["solver"] == SOLVER_NOT_RECORDED).sum())
    click.echo(f"{silent} tables: {SOLVER_NOT_RECORDED}")


@click.command()
@click.argument("chapter", required=False)
def cite(chapter: str | None) -> None:
    """Print BibTeX of a chapter's paper (of all by default) and of this work."""
    for found in [chapters.chapter(chapter)] if chapter else chapters.every_chapter():
        click.echo(bibtex(found.citation) + "\n")
    click.echo(own_bibtex())


@click.command("warm-up")
def warm_up() -> None:
    """Compile the kernels of all methods, so that their first use does not wait."""
    from compactml.warm_up import main  # all methods: other commands need not load them

    main()
