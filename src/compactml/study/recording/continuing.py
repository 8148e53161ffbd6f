"""Recording a run: take from the record what counts as done, run the rest, write trials and tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compactml.study import Chapter, Finished, Store, Trial
from compactml.study.recording.continuation import Judgement, candidates
from compactml.study.recording.origins import summary
from compactml.study.recording.record_rules import (
    Recording,
    check_origins,
    check_profiles,
    check_repetitions,
    recording,
)
from compactml.study.recording.recorded import recorded, recorded_provenance, transaction
from compactml.study.recording.recorded_trials import append_trials, read_trials
from compactml.study.recording.repetitions import Counted, counted, first_repetitions, whole_datasets
from compactml.study.recording.tables import record
from compactml.study.running import engine
from compactml.study.running.opinions import check_not_refuted, with_opinions
from compactml.study.running.provenance import Provenance

__all__ = ["Continued", "Foreseen", "carry_on", "check_before", "foreseen", "write_record"]

Run = Callable[[Sequence[Trial]], list[Finished]]
Say = Callable[[str], None]
REPETITION = frozenset({"seed", "fold"})
"""Columns of tables that have a row for each repetition."""


@dataclass(frozen=True)
class Continued:
    """Results of a run that continued a record.

    Attributes
    ----------
    done : list of Finished
        In the order of the tables' trials.
    recorded : frozenset of Trial
        Those that the record had.
    judgements : tuple of Judgement
    at_hand : frozenset of Trial
        Those whose data are there.
    """

    done: list[Finished]
    recorded: frozenset[Trial]
    judgements: tuple[Judgement, ...]
    at_hand: frozenset[Trial]


def check_before(place: Recording, chapter: str, tables: Iterable[str]) -> None:
    """Refuse a run whose rows could not be recorded: of a lower profile than those that are there.

    Raises
    ------
    OtherProfile, DamagedRecord
    """
    with recording(place):
        for table in tables:
            check_profiles(place, table, [], _runs(recorded_provenance(chapter, table)))


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
    """
    every = list(dict.fromkeys(trial for some in tables.values() for trial in some))
    planned = engine.plan(chapter, every, store)
    if place.official:
        check_origins(
            Finished(trial, row.result, Provenance.read(row.provenance), cached=True)
            for trial, row in planned.stored.items()
        )
    matches = candidates(planned.parts, read_trials(place.root / chapter.folder))
    done, judgements = dict(matches.done), []
    for group in matches.groups:
        stored = [trial for trial in group.recorded if trial in planned.stored]
        drawn = group.drawn()
        again = {item.trial: item for item in run([*drawn, *stored])} if drawn else {}
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
            means = _runs_of_means(chapter.name, table)
            check_repetitions(place, table, means, _by_dataset(some, expected, planned.keys))
    rest = run([trial for trial in every if trial in asked and trial not in done])
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
    )


def write_record(
    chapter: Chapter,
    tables: Mapping[str, Sequence[Trial]],
    place: Recording,
    run: Continued,
    *,
    say: Say = print,
) -> None:
    """Write the raw trials and all tables of a run, or nothing; says how many repetitions are there.

    The trials come first: what a table is made of is there before the table is. Of a table of whole datasets the
    rows of a dataset come when all its trials are there.

    Raises
    ------
    OtherProfile, FewerRepetitions, DamagedRecord, RecordBusy
    """
    finished = {item.trial: item for item in run.done}
    counts = {table: counted(trials, finished, run.at_hand) for table, trials in tables.items()}
    with recording(place), transaction(chapter.name) as staged:
        if finished:
            origin = summary(run.done)
            name = f"{origin['last_utc'].replace(':', '').replace('+0000', 'Z')}-{origin['run_id']}"
            append_trials(place.root / chapter.folder, name, run.done, staged.stage)
        for table, trials in tables.items():
            if chapter.table(table).whole_datasets:
                trials, waiting = whole_datasets(trials, finished, run.at_hand)
                if waiting:
                    say(f"{table}: the rows of {', '.join(waiting)} wait for the rest of their trials")
            items = [finished[trial] for trial in dict.fromkeys(trials) if trial in finished]
            before, now = recorded_provenance(chapter.name, table), _by_dataset(trials, finished, run.at_hand)
            check_repetitions(place, table, _runs_of_means(chapter.name, table), now)
            entering = counted(trials, finished, run.at_hand)
            facts = _facts(before or {}, items, run.judgements, entering, now)
            with recording(replace(place, facts={table: facts})):
                record(chapter, table, items)
    for table, there in counts.items():
        if there.asked > 1:
            say(f"{table}: {there}")


def _runs(before: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    """The runs that a table's rows come from."""
    return [] if before is None else before.get("runs", [before])


def _runs_of_means(chapter: str, table: str) -> Sequence[Mapping[str, Any]]:
    """The runs of a recorded table whose rows are over several repetitions; one with a row for each loses none."""
    kept = recorded(chapter, table)
    if kept is None or REPETITION & set(kept):
        return []
    return _runs(recorded_provenance(chapter, table))


def _by_dataset(
    trials: Sequence[Trial], there: Collection[Trial], at_hand: Collection[Trial]
) -> dict[str, Counted]:
    """Count the repetitions of each dataset of which some trial is there."""
    per_dataset: dict[str, list[Trial]] = {}
    for trial in trials:
        per_dataset.setdefault(trial.dataset, []).append(trial)
    return {
        name: counted(some, there, at_hand)
        for name, some in per_dataset.items()
        if any(trial in there for trial in some)
    }


def _facts(
    before: Mapping[str, Any],
    items: Sequence[Finished],
    judgements: Sequence[Judgement],
    there: Counted,
    by_dataset: Mapping[str, Counted],
) -> dict[str, Any]:
    """What the provenance says of the continuation: those of earlier runs too, while their trials are there."""
    codes, kinds = {item.provenance.code_sha256 for item in items}, {item.trial.kind for item in items}
    now = [judgement.as_dict() for judgement in judgements if judgement.counts and judgement.kind in kinds]
    earlier = [entry for entry in before.get("continued", []) if entry["code"] in codes and entry not in now]
    return {
        "continued": [*earlier, *now],
        "repetitions": {
            "there": there.there,
            "asked_by_profile": there.asked,
            "datasets": {name: count.there for name, count in by_dataset.items()},
        },
    }
