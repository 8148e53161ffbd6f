"""The command line: ``compactml run | trials | records | data | solvers | claims | cite``."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, NoReturn

import click
import pandas as pd

import compactml
from compactml import chapters, datasets
from compactml import solvers as solver_layer
from compactml.book.records import SOLVER_NOT_RECORDED, recorded_states
from compactml.book.run_texts import estimate, progress_line
from compactml.datasets.registry import entry
from compactml.errors import CompactmlError
from compactml.study import Chapter, Finished, Profile, Store, Trial
from compactml.study.judging.claims import TEXTS, scorecard
from compactml.study.judging.evidence import Verdict
from compactml.study.page.citation import bibtex, own_bibtex
from compactml.study.recording.continuing import carry_on, check_before, foreseen, write_record
from compactml.study.recording.record_rules import Recording, recording, target
from compactml.study.recording.recorded import write_verdicts
from compactml.study.recording.repetitions import first_repetitions
from compactml.study.recording.tables import claim_tables
from compactml.study.running import engine
from compactml.study.running.listing import FIELDS, SERVED, listed

RECORD = click.option(
    "--record", metavar="[DIR]", is_flag=False, flag_value="",
    help="Write a record to DIR, or continue the one that is there; with --official the one in data/recorded.",
)  # fmt: skip
OFFICIAL = click.option(
    "--official", is_flag=True, help="With --record: to data/recorded, from a clean tree."
)
ERROR, INTERRUPTED = 2, 130  # as click and shells use them
VERDICT = max(map(len, Verdict))
"""Width of the column of verdicts."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(compactml.__version__)
def main_group() -> None:
    """Smaller machine-learning models by integer programming: five papers, reproduced."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process.

    An error of the project is one message on stderr and exit code 2; Ctrl-C is exit code 130.
    """
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    logging.getLogger("compactml").setLevel(logging.INFO)
    try:
        code = main_group.main(arguments, "compactml", standalone_mode=False) or 0
    except CompactmlError as error:
        click.echo(f"error: {error}", err=True)
        code = ERROR
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted: finished trials are kept; run the same command again to resume", err=True)
        code = INTERRUPTED
    sys.exit(code)


@main_group.command()
@click.argument("chapter")
@click.option("--table", default="all", show_default=True, help="2 (for table_2), fig_4, ... or all.")
@click.option(
    "--profile", type=click.Choice([str(one) for one in Profile]), default="quick", show_default=True,
    help="How much of the paper's protocol.",
)  # fmt: skip
@click.option("--jobs", default=1, show_default=True, help="Worker processes; -1 for all processors.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Dask scheduler (tcp://...) whose workers run the trials."
)
@click.option(
    "--store", metavar="FILE", help="SQLite file of the results [default: COMPACTML_STORE or the cache]."
)
@click.option("--skip-failed", is_flag=True, help="Leave out trials that failed when they were last tried.")
@click.option("--dry-run", is_flag=True, help="Count the trials and estimate the time; run nothing.")
@click.option(
    "--repetitions", type=click.IntRange(min=1), help="Only the first N repetitions [default: all]."
)
@RECORD
@OFFICIAL
@click.option(
    "--force",
    is_flag=True,
    help="Let recorded rows of another profile, or over more repetitions, be replaced.",
)
def run(
    chapter: str, table: str, profile: str, jobs: int, scheduler: str | None, store: str | None,
    skip_failed: bool, dry_run: bool, repetitions: int | None, record: str | None, official: bool, force: bool,
) -> None:  # fmt: skip
    """Run the trials behind a chapter's tables and figures; what is stored already is not run again."""
    own = chapters.chapter(chapter)
    tables = own.table_ids if table == "all" else (table_id(table),)
    whole = {name: own.trials(name, profile) for name in tables}
    trials = {name: first_repetitions(some, repetitions) for name, some in whole.items()}
    every = list(dict.fromkeys(trial for some in trials.values() for trial in some))
    place = record_target(record, official, Profile(profile), force)
    if place is not None:
        check_before(place, own.name, tables)
    with Store(store) as opened:
        if dry_run:
            click.echo(dry_run_text(own, whole, every, place, opened, jobs))
            return

        def run_trials(chosen: Sequence[Trial]) -> list[Finished]:
            return engine.run(
                own, chosen, store=opened, jobs=jobs, apart=True, scheduler=scheduler, profile=Profile(profile),
                skip_failed=skip_failed,
            )  # fmt: skip

        if place is None:
            continued = None
            done = run_trials(every)
        else:
            continued = carry_on(
                own, whole, place, opened, run_trials, repetitions=repetitions, say=to_stderr
            )
            done = continued.done
    finished = {item.trial: item for item in done}
    for name, some in (trials if continued is None else whole).items():
        own_part = [finished[trial] for trial in some if trial in finished]
        before = 0 if continued is None else sum(item.trial in continued.recorded for item in own_part)
        asked = [trial for trial in some if trial in finished or trial in every]
        click.echo(progress_line(name, asked, own_part, before))
    if place is not None and continued is not None:
        write_record(own, whole, place, continued, say=to_stderr)


def to_stderr(text: str) -> None:
    """Print a line on stderr."""
    click.echo(text, err=True)


def record_target(
    record: str | None, official: bool, profile: Profile | None = None, force: bool = False
) -> Recording | None:
    """Return where a command records, or None if it does not.

    Raises
    ------
    click.UsageError
        The options do not go together.
    """
    if record is None:
        if official or force:
            raise click.UsageError("--official and --force go with --record.")
        return None
    if official == bool(record):
        raise click.UsageError("--record needs a folder, --record DIR, or --official for data/recorded.")
    return target(record or None, official, profile, force)


def table_id(text: str) -> str:
    """Return the id of a table: its number alone means a table, not a figure."""
    return f"table_{text}" if text.isdecimal() else text


def dry_run_text(
    own: Chapter,
    whole: Mapping[str, Sequence[Trial]],
    asked: Sequence[Trial],
    place: Recording | None,
    store: Store,
    jobs: int,
) -> str:
    """Say what a run would do; with a record, what counts as done of it and what may."""
    plan = engine.plan(own, asked, store)
    if place is None:
        return estimate(own, plan, jobs)
    everything = engine.plan(own, [trial for some in whole.values() for trial in some], store)
    found = foreseen(own, everything, place)
    to_run = [trial for trial in everything.to_run if trial in found.repeated or trial in plan.keys]
    left = [trial for trial in to_run if trial not in found.done and trial not in found.may_count]
    return estimate(own, replace(plan, to_run=left), jobs, found.lines())


@main_group.command()
@click.argument("chapter", required=False)
@click.option(
    "--where", multiple=True, metavar="FIELD=VALUE",
    help=f"Only rows that have it, as in solver=highs; several must all hold. Fields: {', '.join(FIELDS)}.",
)  # fmt: skip
@click.option("--store", metavar="FILE", help="As for run.")
def trials(chapter: str | None, where: tuple[str, ...], store: str | None) -> None:
    """List the stored trials, who answered them, and whether they would be served here."""
    asked = [(field, value) for field, _, value in (one.partition("=") for one in where)]
    name = None if chapter is None else chapters.chapter(chapter).name
    with Store(store) as opened:
        frame = listed(opened, chapters.chapter, name, asked)
    if len(frame):
        echo_frame(frame)
    click.echo(f"{len(frame)} trials, {int((frame['state'] == SERVED).sum())} of them served here")


@main_group.group()
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


@main_group.command()
def solvers() -> None:
    """Print what the solvers of this machine may do, and test them; exit code 1 if one disagrees."""
    echo_frame(solver_layer.solver_table())
    tested = solver_layer.self_test()
    click.echo("")
    echo_frame(tested)
    if not tested["agrees"].all():
        click.echo("error: a solver does not give the optimum found by enumeration", err=True)
        sys.exit(1)


@main_group.command()
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


@main_group.command()
def records() -> None:
    """List the recorded tables, who solved their programs, and whether today's code would record them so."""
    frame = recorded_states()
    echo_frame(frame)
    for state, number in frame["state"].value_counts().items():
        click.echo(f"{number} tables: {state}")
    silent = int((frame["solver"] == SOLVER_NOT_RECORDED).sum())
    click.echo(f"{silent} tables: {SOLVER_NOT_RECORDED}")


@main_group.command()
@click.argument("chapter", required=False)
def cite(chapter: str | None) -> None:
    """Print BibTeX of a chapter's paper (of all by default) and of this work."""
    for found in [chapters.chapter(chapter)] if chapter else chapters.every_chapter():
        click.echo(bibtex(found.citation) + "\n")
    click.echo(own_bibtex())


def echo_frame(frame: pd.DataFrame) -> None:
    """Print a table whole, left-aligned where it is text."""
    columns: list[Any] = list(frame.columns)
    left = {
        name: f"{{:<{frame[name].str.len().max() or 1}}}".format
        for name in columns
        if frame[name].dtype == "str"
    }
    click.echo(frame.to_string(index=False, formatters=left))


if __name__ == "__main__":
    main()
