"""What a clock decides is declared: a cheap quick trial of each kind differs in no other column on a loaded machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactml import chapters
from compactml.clock import Clock, now
from compactml.study import Finished, Profile, Trial
from compactml.study.keys.fingerprint import trial_data
from compactml.study.profile import GUARD
from compactml.study.recording.clocked import SHARED, TIMED, counts, differing, ended_by_guard, shares_limit
from tests.clocks import loaded
from tests.study.toy_report import BASE

LOAD = 8.0
"""How many times longer everything takes on the loaded machine; its guard is ten times what is expected."""
LEFT_OUT = {
    ("condition-sharing", "speed"): "its cheapest trial takes 7 s, twice; all it finds are times",
    ("condition-sharing", "tradeoff"): "one trial only, 1.2 s twice",
    ("condition-sharing", "baseline"): "one trial only, 8 s twice",
    ("boolean-rules", "growth"): "its cheapest trial takes 6 s, twice",
    ("boolean-rules", "paper_cg"): "its trial takes 7 s, twice",
    ("pace", "refit"): "the trial that is estimated to be the fastest takes 5 s, twice",
    ("ensemble-pruning", "curve"): "its trials are there to be ended by the clock",
    **{
        (chapter.name, kind.name): "needs an environment of its own, and its program compares it there"
        for chapter in chapters.every_chapter()
        for kind in chapter.kinds
        if kind.environment is not None
    },
}
"""Kinds that take long, or that the clock ends in every profile, with the reason."""
DATASET = {("condition-sharing", "evaluator"): "wdbc"}
"""Of kinds whose estimates do not tell datasets apart: the smallest."""
OPINION = "opinion"
"""No table asks for such a trial: it is about another one, and its result is kept with that one's."""
KINDS = [
    (chapter.name, kind.name)
    for chapter in chapters.every_chapter()
    for kind in chapter.kinds
    if kind.name != OPINION and (chapter.name, kind.name) not in LEFT_OUT
]


def cheapest(chapter: str, kind: str) -> Trial:
    """Return the quick trial of a kind that is estimated to be the fastest."""
    found = chapters.chapter(chapter)
    chosen = DATASET.get((chapter, kind))
    every = {trial for id in found.table_ids for trial in found.trials(id, Profile.QUICK)}
    return min(
        (trial for trial in every if trial.kind == kind and chosen in (None, trial.dataset)),
        key=lambda trial: (found.cost(trial), trial.canonical()),
    )


@pytest.mark.parametrize(("chapter", "kind"), KINDS)
def test_two_runs_differ_in_declared_columns_only(chapter: str, kind: str) -> None:
    found, trial = chapters.chapter(chapter), cheapest(chapter, kind)
    if not trial_data(trial, found.generated(trial)).at_hand:
        pytest.skip(f"{trial.dataset} is not at hand")
    first = found.run(trial)
    with loaded(LOAD):
        second = found.run(trial)
    assert first
    assert differing(chapter, first, second) == []


def test_a_loaded_machine_has_other_clocks() -> None:
    clock = Clock(60.0, start=now() - 10.0)
    assert not clock.stopped()
    with loaded(LOAD):
        assert clock.stopped()


QUICK = [
    pytest.param(chapter, trial, id=f"{chapter.name} {trial.label()}")
    for chapter in chapters.every_chapter()
    for trial in dict.fromkeys(
        trial for table in chapter.tables for trial in table.trials(Profile.QUICK) if trial.time_limit
    )
    if trial.kind not in TIMED.get(chapter.name, ())
]


def test_the_clock_of_a_quick_trial_is_a_guard() -> None:
    """Ten times what a trial is expected to take; no phase that has a share of it is as long as the whole trial."""
    assert QUICK
    for chapter, trial in (param.values for param in QUICK):
        cost = chapter.cost(trial)
        assert trial.time_limit >= 10 * cost, trial.label()
        assert not shares_limit(trial) or SHARED * trial.time_limit >= cost, trial.label()


def finished(kind: str, seconds: float, **result: str | int) -> Finished:
    """A trial of Pace with a guard."""
    trial = Trial("pace", kind, "seeds", time_limit=GUARD)
    return Finished(trial, dict(result), replace(BASE, seconds=seconds), cached=False)


@pytest.mark.parametrize(
    ("item", "ended"),
    [
        (finished("fipe", 0.9 * GUARD), False),
        (finished("fipe", GUARD), True),
        (finished("compress", 0.9 * SHARED * GUARD), False),
        (finished("compress", SHARED * GUARD), True),
        (finished("fipe", 1.0, outcome="work limit"), False),
        (finished("fipe", 1.0, outcome="time limit"), True),
        (finished("fipe", 1.0, timed_out=1), True),
    ],
)
def test_a_quick_trial_counts_unless_the_clock_may_have_decided_it(item: Finished, ended: bool) -> None:
    assert ended_by_guard(item) == ended
    assert counts(item, Profile.QUICK) != ended
    assert counts(item, Profile.STANDARD)


def test_what_measures_a_time_is_shown() -> None:
    own = Trial("ensemble-pruning", "curve", "d", time_limit=1.0)
    item = Finished(own, {}, replace(BASE, seconds=2.0), cached=False)
    assert counts(item, Profile.QUICK)


def test_what_is_left_out_exists() -> None:
    for chapter, kind in LEFT_OUT:
        assert chapters.chapter(chapter).find_kind(kind)
