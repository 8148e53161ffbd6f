"""Part of a table's trials, or the same with another seed or limit: each option acts or is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compactml import chapters
from compactml.errors import InvalidParameterError
from compactml.study import Trial
from compactml.study.running.choosing import Choice, reads_seed
from tests import toy_chapter

CHAPTER = toy_chapter.CHAPTER
TRIALS = [
    Trial("toy", "kind", dataset, method, seed=seed, time_limit=limit)
    for dataset in ("a", "b")
    for method, limit in (("fast", None), ("slow", 60.0))
    for seed in (0, 1)
]


def chosen(choice: Choice) -> list[Trial]:
    return choice.of(CHAPTER, "table_1", TRIALS)


def test_nothing_asked_is_everything() -> None:
    assert chosen(Choice()) == TRIALS
    assert Choice(datasets=("a",)).recordable


def test_datasets_and_methods_leave_out_the_others() -> None:
    some = chosen(Choice(datasets=("b",), methods=("slow",)))
    assert some == [trial for trial in TRIALS if (trial.dataset, trial.method) == ("b", "slow")]


def test_another_seed_makes_one_of_several_repetitions() -> None:
    some = chosen(Choice(seed=7))
    assert {trial.seed for trial in some} == {7}
    assert len(some) == len(TRIALS) / 2


def test_another_limit_is_given_to_trials_that_have_one() -> None:
    some = chosen(Choice(time_limit=5))
    assert [trial.time_limit for trial in some] == [None if t.time_limit is None else 5.0 for t in TRIALS]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice(datasets=("c",)), r"--dataset: must be one of table_1: \['a', 'b'\], got 'c'"),
        (Choice(methods=("odd",)), r"--method: must be one of table_1: \['fast', 'slow'\], got 'odd'"),
        (Choice(seed=-1), "--seed: must be an integer of at least 0"),
        (Choice(time_limit=0), "--time-limit: must be a positive number"),
        (Choice(methods=("fast",), time_limit=5), "--time-limit: must be left out for table_1"),
    ],
)
def test_what_cannot_act_is_refused(choice: Choice, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        chosen(choice)


@pytest.mark.parametrize("choice", [Choice(methods=("slow",)), Choice(seed=1), Choice(time_limit=1.0)])
def test_other_trials_than_the_profiles_are_not_recorded(choice: Choice) -> None:
    assert not choice.recordable


def test_kinds_that_draw_nothing_refuse_a_seed() -> None:
    """Sizes of a file are counted; forests are drawn."""
    pace, sharing = chapters.chapter("pace"), chapters.chapter("condition-sharing")
    counted, drawn = pace.trials("table_2", "standard"), sharing.trials("table_2", "standard")
    assert reads_seed(sharing, drawn[0])
    if not reads_seed(pace, counted[0]):
        with pytest.raises(InvalidParameterError, match="--seed: must be left out for table_2"):
            Choice(seed=1).of(pace, "table_2", counted)
    assert replace(drawn[0], seed=1) in Choice(seed=1).of(sharing, "table_2", drawn)
