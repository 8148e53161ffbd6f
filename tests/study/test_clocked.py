"""What a clock decides is declared: a cheap trial of each kind, run twice, differs in no other column."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactml import chapters
from compactml.study import Profile, Trial
from compactml.study.keys.fingerprint import trial_data
from compactml.study.recording.clocked import differing

LIMIT = 3600.0
"""Seconds; the trials below need less than two each, so that no clock ends a phase of them, whatever its share."""
LEFT_OUT = {
    ("condition-sharing", "speed"): "its cheapest trial takes 7 s, twice; all it finds are times",
    ("condition-sharing", "tradeoff"): "one trial only, 1.2 s twice",
    ("condition-sharing", "baseline"): "one trial only, 8 s twice",
    ("boolean-rules", "growth"): "its cheapest trial takes 6 s, twice",
    ("boolean-rules", "paper_cg"): "its integer programs use up any limit, as the paper's did",
    ("ensemble-pruning", "curve"): "its trials are there to be ended by the clock",
    ("pace", "recheck"): "its cheapest trial takes 4 s, twice",
    **{
        (chapter.name, kind.name): "needs an environment of its own, and its program compares it there"
        for chapter in chapters.every_chapter()
        for kind in chapter.kinds
        if kind.environment is not None
    },
    ("pace", "refit"): "every trial uses up its limit: two runs differ, and none is beyond doubt",
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
    if trial.time_limit is not None:
        trial = replace(trial, time_limit=LIMIT)
    first, second = (found.run(trial) for _ in range(2))
    assert first
    assert differing(chapter, first, second) == []


def test_what_is_left_out_exists() -> None:
    for chapter, kind in LEFT_OUT:
        assert chapters.chapter(chapter).find_kind(kind)
