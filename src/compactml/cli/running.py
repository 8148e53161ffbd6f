"""The commands that run trials, and list those that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from compactml import chapters
from compactml.book.run_texts import estimate, progress_line
from compactml.cli.common import OFFICIAL, RECORD, echo_frame, given, record_target, table_id, to_stderr
from compactml.cli.tracing import echo_sides
from compactml.study import Chapter, Finished, Profile, Store, Trial
from compactml.study.recording.continuing import carry_on, check_before, foreseen
from compactml.study.recording.record_rules import Recording
from compactml.study.recording.repetitions import first_repetitions
from compactml.study.recording.writing import write_record
from compactml.study.running import engine
from compactml.study.running.choosing import Choice
from compactml.study.running.last_run import note_run
from compactml.study.running.limits import TrialLimits
from compactml.study.running.listing import FIELDS, SERVED, listed
from compactml.study.storing.rows import specified

__all__ = ["failed", "run", "trials"]


@click.command()
@click.argument("chapter_name", metavar="CHAPTER")
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
@click.option(
    "--dataset", multiple=True, metavar="NAME", help="Only this dataset, by its name or key; may be repeated."
)
@click.option("--method", multiple=True, metavar="NAME", help="Only this method; may be repeated.")
@click.option(
    "--seed", type=int, metavar="N", help="In place of the profile's seeds; such a run is not recorded."
)
@click.option(
    "--time-limit", type=float, metavar="SECONDS",
    help="In place of the profile's limits; such a run is not recorded.",
)  # fmt: skip
@click.option("--skip-failed", is_flag=True, help="Leave out trials that failed when they were last tried.")
@click.option(
    "--trial-seconds", type=float, metavar="SECONDS",
    help="End a trial that takes longer, and list it as failed; the others go on.",
)  # fmt: skip
@click.option(
    "--trial-mib", type=float, metavar="MIB",
    help="The same for the memory of its process and of the programs that it runs.",
)  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Count the trials and estimate the time; run nothing.")
@click.option(
    "--repetitions", type=click.IntRange(min=1), help="Only the first N repetitions [default: all]."
)
@RECORD
@OFFICIAL
@click.option(
    "--finished", is_flag=True,
    help="With --record: run nothing and record what is finished, a dataset once all its trials are there.",
)  # fmt: skip
@click.option(
    "--force",
    is_flag=True,
    help="Let recorded rows of another profile, or over more repetitions, be replaced.",
)
def run(
    chapter_name: str, table: str, profile: str, jobs: int, scheduler: str | None, store: str | None,
    skip_failed: bool, dry_run: bool, repetitions: int | None, record: str | None, official: bool,
    finished: bool, force: bool, dataset: tuple[str, ...], method: tuple[str, ...], seed: int | None,
    time_limit: float | None, trial_seconds: float | None, trial_mib: float | None,
) -> None:  # fmt: skip
    """Run the trials behind a chapter's tables and figures; what is stored already is not run again.

    What was run of a table that is asked for by its name is shown at the end; `compactml show` shows all of it.
    """
    chapter = chapters.chapter(chapter_name)
    tables = chapter.table_ids if table == "all" else (table_id(table),)
    choice = Choice(dataset, method, seed, time_limit)
    if record is not None and not choice.recordable:
        raise click.UsageError(
            "--method, --seed and --time-limit do not go with --record: a record has the profile's own trials."
        )
    whole = {name: choice.of(chapter, name, chapter.trials(name, profile)) for name in tables}
    trials = {name: first_repetitions(some, repetitions) for name, some in whole.items()}
    every = list(dict.fromkeys(trial for some in trials.values() for trial in some))
    place = record_target(record, official, Profile(profile), force)
    if finished and place is None:
        raise click.UsageError("--finished goes with --record.")
    if place is not None:
        check_before(place, chapter.name, tables)
    limited = trial_seconds is not None or trial_mib is not None
    limits = TrialLimits(trial_seconds, trial_mib) if limited else None
    with Store(store, read_only=dry_run) as opened:
        if dry_run:
            click.echo(dry_run_text(chapter, whole, every, place, opened, jobs))
            return

        def run_trials(chosen: Sequence[Trial]) -> list[Finished]:
            return engine.run(
                chapter, chosen, store=opened, jobs=jobs, apart=True, scheduler=scheduler,
                profile=Profile(profile), skip_failed=skip_failed, limits=limits,
            )  # fmt: skip

        if place is None:
            continued = None
            done = run_trials(every)
        else:
            continued = carry_on(
                chapter, whole, place, opened, run_trials,
                repetitions=repetitions, only_finished=finished, say=to_stderr,
            )  # fmt: skip
            done = continued.done
        by_trial = {item.trial: item for item in done}
        for name, some in (trials if continued is None else whole).items():
            items = [by_trial[trial] for trial in some if trial in by_trial]
            before = 0 if continued is None else sum(item.trial in continued.recorded for item in items)
            asked = [trial for trial in some if trial in by_trial or trial in every]
            click.echo(progress_line(name, asked, items, before))
            note_run(opened, chapter.name, name, items, given())
    if place is not None and continued is not None:
        write_record(chapter, whole, place, continued, say=to_stderr)
    if table != "all":
        click.echo("")
        echo_sides(chapter, tables[0], items, all_rows=False)


def dry_run_text(
    chapter: Chapter,
    whole: Mapping[str, Sequence[Trial]],
    asked: Sequence[Trial],
    place: Recording | None,
    store: Store,
    jobs: int,
) -> str:
    """Say what a run would do; with a record, what counts as done of it and what may."""
    plan = engine.plan(chapter, asked, store)
    if place is None:
        return estimate(chapter, plan, jobs)
    everything = engine.plan(chapter, [trial for some in whole.values() for trial in some], store)
    found = foreseen(chapter, everything, place)
    to_run = [trial for trial in everything.to_run if trial in found.repeated or trial in plan.keys]
    left = [trial for trial in to_run if trial not in found.done and trial not in found.may_count]
    return estimate(chapter, replace(plan, to_run=left), jobs, found.lines())


@click.command()
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
    with Store(store, read_only=True) as opened:
        frame = listed(opened, chapters.chapter, name, asked)
    if len(frame):
        echo_frame(frame)
    click.echo(f"{len(frame)} trials, {int((frame['state'] == SERVED).sum())} of them served here")


@click.command()
@click.argument("chapter", required=False)
@click.option("--store", metavar="FILE", help="As for run.")
def failed(chapter: str | None, store: str | None) -> None:
    """List the trials that failed when they were last tried: the error, the signal and memory, and where it was."""
    name = None if chapter is None else chapters.chapter(chapter).name
    with Store(store, read_only=True) as opened:
        rows = [row for row in opened.failures() if name in (None, row.chapter)]
    for row in rows:
        failure = row.failure
        click.echo(f"{specified(row.trial).label()} ({row.created}): {failure['error']}")
        known = {"signal": failure.get("signal"), "resident MiB": failure.get("resident_mib")}
        for what, value in known.items():
            if value:
                click.echo(f"  {what}: {value}")
        click.echo("".join(f"    {line}\n" for line in str(failure.get("stack") or "").splitlines()))
    again = "; 'compactml run' tries them again, and leaves them out with --skip-failed" if rows else ""
    click.echo(f"{len(rows)} trials failed{again}")
