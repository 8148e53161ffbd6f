"""Continuing a record: take from it what counts as done, and run the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from compactml.study import Chapter, Finished, Store, Trial
from compactml.study.recording.continuation import candidates
from compactml.study.recording.record_rules import (
    Recording,
    check_files,
    check_origins,
    check_profiles,
    check_repetitions,
    recording,
)
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.recording.recorded_trials import read_trials
from compactml.study.recording.repetitions import first_repetitions
from compactml.study.recording.writing import Continued, by_dataset, runs_behind, runs_of_means
from compactml.study.running import engine
from compactml.study.running.opinions import check_not_refuted, with_opinions
from compactml.study.running.provenance import Provenance

__all__ = ["Foreseen", "carry_on", "check_before", "foreseen"]

Run = Callable[[Sequence[Trial]], list[Finished]]
Say = Callable[[str], None]


def check_before(place: Recording, chapter: str, tables: Iterable[str]) -> None:
    """Refuse a run whose rows could not be recorded: of a lower profile than those that are there.

    Raises
    ------
    OtherProfile, DamagedRecord
    """
    with recording(place):
        for table in tables:
            check_profiles(place, table, [], runs_behind(recorded_provenance(chapter, table)))


@dataclass(frozen=True)
class Foreseen:
    """What a record would spare a run, as far as that is known before the run.

    Attributes
    ----------
    done : frozenset of Trial
        Recorded under the key of now, and not in the store.
    may_count : frozenset of Trial
        Recorded with other code or libraries; they count as done if the repeated ones are equal.
    repeated : frozenset of Trial
        Those that are repeated to find out, unless the store has them.
    """

    done: frozenset[Trial]
    may_count: frozenset[Trial]
    repeated: frozenset[Trial]

    def lines(self) -> list[str]:
        """Say what the record has that the store has not, among all repetitions of the profile."""
        lines = [f"  in the record, done: {len(self.done)}"]
        if self.may_count or self.repeated:
            lines.append(
                f"  in the record, of other code or libraries: {len(self.may_count)}, done if "
                f"{len(self.repeated)} that are repeated come out equal"
            )
        return lines


def foreseen(chapter: Chapter, planned: engine.Plan, place: Recording) -> Foreseen:
    """Return what a record has of a plan's trials; reads only.

    Parameters
    ----------
    chapter : Chapter
    planned : Plan
        Of all trials of the profile's tables.
    place : Recording
    """
    matches = candidates(planned.parts, read_trials(place.root / chapter.folder))
    drawn = [(group, group.drawn()) for group in matches.groups]
    repeated = {trial for _, some in drawn for trial in some} - set(planned.stored)
    may_count = {trial for group, some in drawn if some for trial in group.recorded}
    return Foreseen(
        frozenset(matches.done) - set(planned.stored),
        frozenset(may_count - repeated - set(planned.stored)),
        frozenset(repeated),
    )


def carry_on(
    chapter: Chapter,
    tables: Mapping[str, Sequence[Trial]],
    place: Recording,
    store: Store,
    run: Run,
    *,
    repetitions: int | None = None,
    only_finished: bool = False,
    say: Say = print,
) -> Continued:
    """Return the results behind some tables, from the record where they count as done, and run the rest.

    Values that a table calls optimal get a second opinion, outside the seconds of their trials.

    Parameters
    ----------
    chapter : Chapter
    tables : mapping of str to sequence of Trial
        All trials of the profile, by table.
    place : Recording
    store : Store
    run : callable
        Returns the results of trials, from the store or by running them.
    repetitions : int, optional
        How many of each table are run; those that the record has count besides.
    only_finished : bool
        Run none of the tables' trials: take what the record and the store have.
    say : callable
        Told what became of the recorded trials of other code.

    Returns
    -------
    Continued

    Raises
    ------
    Refuted
        Another solver has shown a value not to be optimal.
    FewerRepetitions
        Before the rest is run.
    UnpinnedFiles
        Before anything is run.
    """
    every = list(dict.fromkeys(trial for some in tables.values() for trial in some))
    planned = engine.plan(chapter, every, store)
    if place.official:
        check_files(chapter, planned.keys)
        check_origins(
            Finished(trial, row.result, Provenance.read(row.provenance), cached=True)
            for trial, row in planned.stored.items()
        )

    def run_some(trials: Sequence[Trial]) -> list[Finished]:
        return run([trial for trial in trials if not only_finished or trial in planned.stored])

    matches = candidates(planned.parts, read_trials(place.root / chapter.folder))
    done, judgements = dict(matches.done), []
    for group in matches.groups:
        stored = [trial for trial in group.recorded if trial in planned.stored]
        drawn = group.drawn()
        again = {item.trial: item for item in run_some([*drawn, *stored])} if drawn else {}
        judgement = group.judge(again)
        say(str(judgement))
        judgements.append(judgement)
        if judgement.counts:
            done |= {**group.recorded, **again}
    recorded = frozenset(trial for trial, item in done.items() if item.cached and trial not in planned.stored)
    asked = {trial for some in tables.values() for trial in first_repetitions(some, repetitions)}
    expected = {trial for trial in planned.keys if trial in done or trial in asked}
    with recording(place):
        for table, some in tables.items():
            means = runs_of_means(chapter.name, table)
            check_repetitions(place, table, means, by_dataset(some, expected, planned.keys))
    rest = run_some([trial for trial in every if trial in asked and trial not in done])
    done |= {item.trial: item for item in rest}
    if place.official:
        check_origins(done.values())
    heard = with_opinions(chapter, [done[trial] for trial in every if trial in done], run)
    check_not_refuted(heard)
    return Continued(
        heard,
        recorded,
        tuple(judgements),
        frozenset(planned.keys),
        only_finished,
    )
