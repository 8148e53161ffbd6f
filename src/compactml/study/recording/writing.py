"""Writing a record: the raw trials of a run and its tables, together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compactml.study import Chapter, Finished, Trial
from compactml.study.recording.continuation import Judgement
from compactml.study.recording.origins import summary
from compactml.study.recording.record_rules import Recording, check_repetitions, recording
from compactml.study.recording.recorded import recorded, recorded_provenance, transaction
from compactml.study.recording.recorded_trials import append_trials
from compactml.study.recording.repetitions import Counted, counted, whole_datasets
from compactml.study.recording.tables import record

__all__ = ["Continued", "by_dataset", "runs_behind", "runs_of_means", "write_record"]

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
    only_finished : bool
        Whether nothing was run.
    """

    done: list[Finished]
    recorded: frozenset[Trial]
    judgements: tuple[Judgement, ...]
    at_hand: frozenset[Trial]
    only_finished: bool = False


def write_record(
    chapter: Chapter,
    tables: Mapping[str, Sequence[Trial]],
    place: Recording,
    run: Continued,
    *,
    say: Say = print,
) -> None:
    """Write the raw trials and all tables of a run, or nothing; says how many repetitions are there.

    The trials come first: what a table is made of is there before the table is. Of a table of whole datasets, and
    where nothing was run, the rows of a dataset come when all its trials are there; until then its old rows stand.

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
            if run.only_finished or chapter.table(table).whole_datasets:
                whole, waiting = whole_datasets(trials, finished, run.at_hand)
                if waiting:
                    say(f"{table}: the rows of {', '.join(waiting)} wait for the rest of their trials")
                # a table that names no datasets is made of all of them
                trials = whole if "dataset" in chapter.table(table).key or len(whole) == len(trials) else []
                if waiting and not trials:
                    continue
            items = [finished[trial] for trial in dict.fromkeys(trials) if trial in finished]
            before, now = recorded_provenance(chapter.name, table), by_dataset(trials, finished, run.at_hand)
            check_repetitions(place, table, runs_of_means(chapter.name, table), now)
            entering = counted(trials, finished, run.at_hand)
            facts = _facts(before or {}, items, run.judgements, entering, now)
            with recording(replace(place, facts={table: facts})):
                record(chapter, table, items)
    for table, there in counts.items():
        if there.asked > 1:
            say(f"{table}: {there}")


def runs_behind(before: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    """The runs that a table's rows come from."""
    return [] if before is None else before.get("runs", [before])


def runs_of_means(chapter: str, table: str) -> Sequence[Mapping[str, Any]]:
    """The runs of a recorded table whose rows are over several repetitions; one with a row for each loses none."""
    kept = recorded(chapter, table)
    if kept is None or REPETITION & set(kept):
        return []
    return runs_behind(recorded_provenance(chapter, table))


def by_dataset(
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
