"""Recording a run: take from the record what counts as done, run the rest, write trials and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from compactml.experiments import Experiment, Finished, Store, Trial, engine
from compactml.experiments.continuation import Judgement, candidates
from compactml.experiments.opinions import check_not_refuted, with_opinions
from compactml.experiments.provenance import Provenance
from compactml.experiments.recorded_trials import append_trials, read_trials
from compactml.experiments.repetitions import Counted, counted, first_repetitions
from compactml.report.origins import summary
from compactml.report.published import folder_name
from compactml.report.record_rules import Recording, check_origins, check_profiles, recording
from compactml.report.recorded import recorded_provenance

__all__ = ["Continued", "carry_on", "check_before", "write_record"]

Run = Callable[[Sequence[Trial]], list[Finished]]
Say = Callable[[str], None]


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


def check_before(one: Recording, chapter: str, tables: Iterable[str]) -> None:
    """Refuse a run whose rows could not be recorded: of a lower profile than those that are there.

    Raises
    ------
    OtherProfile, DamagedRecord
    """
    with recording(one):
        for table in tables:
            before = recorded_provenance(chapter, table)
            if before is not None:
                check_profiles(one, table, [], before.get("runs", [before]))


def carry_on(
    own: Experiment,
    tables: Mapping[str, Sequence[Trial]],
    one: Recording,
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
    own : Experiment
    tables : mapping of str to sequence of Trial
        All trials of the profile, by table.
    one : Recording
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
    """
    every = list(dict.fromkeys(trial for some in tables.values() for trial in some))
    planned = engine.plan(own, every, store)
    if one.official:
        check_origins(
            Finished(trial, row.result, Provenance.read(row.provenance), cached=True)
            for trial, row in planned.stored.items()
        )
    found = candidates(planned.parts, read_trials(one.root / folder_name(own.chapter)))
    done, judgements = dict(found.done), []
    for group in found.groups:
        stored = [trial for trial in group.recorded if trial in planned.stored]
        drawn = group.drawn()
        again = {item.trial: item for item in run([*drawn, *stored])} if drawn else {}
        judged = group.judged(again)
        say(str(judged))
        judgements.append(judged)
        if judged.counts:
            done |= {**group.recorded, **again}
    recorded = frozenset(trial for trial, item in done.items() if item.cached and trial not in planned.stored)
    asked = {trial for some in tables.values() for trial in first_repetitions(some, repetitions)}
    rest = run([trial for trial in every if trial in asked and trial not in done])
    done |= {item.trial: item for item in rest}
    if one.official:
        check_origins(done.values())
    heard = with_opinions(own, [done[trial] for trial in every if trial in done], run)
    check_not_refuted(heard)
    return Continued(
        heard,
        recorded,
        tuple(judgements),
        frozenset(planned.keys),
    )


def write_record(
    module: ModuleType,
    chapter: str,
    tables: Mapping[str, Sequence[Trial]],
    one: Recording,
    run: Continued,
    *,
    say: Say = print,
) -> None:
    """Write the raw trials and the tables of a run; says how many repetitions are there.

    The trials come first: what a table is made of is there before the table is.

    Raises
    ------
    OtherProfile, DamagedRecord, RecordBusy
    """
    finished = {item.trial: item for item in run.done}
    if finished:
        origin = summary(run.done)
        name = f"{origin['last_utc'].replace(':', '').replace('+0000', 'Z')}-{origin['run_id']}"
        append_trials(one.root / folder_name(chapter), name, run.done)
    for table, trials in tables.items():
        there = counted(trials, finished, run.at_hand)
        own = [finished[trial] for trial in dict.fromkeys(trials) if trial in finished]
        with recording(one):
            before = recorded_provenance(chapter, table) or {}
        with recording(replace(one, facts={table: _facts(before, own, run.judgements, there)})):
            module.record(table, own)
        if there.asked > 1:
            say(f"{table}: {there}")


def _facts(
    before: Mapping[str, Any], own: Sequence[Finished], judgements: Sequence[Judgement], there: Counted
) -> dict[str, Any]:
    """What the provenance says of the continuation: those of earlier runs too, while their trials are there."""
    codes, kinds = {item.provenance.code_sha256 for item in own}, {item.trial.kind for item in own}
    now = [one.as_dict() for one in judgements if one.counts and one.kind in kinds]
    earlier = [one for one in before.get("continued", []) if one["code"] in codes and one not in now]
    return {
        "continued": [*earlier, *now],
        "repetitions": {"there": there.there, "asked_by_profile": there.asked},
    }
