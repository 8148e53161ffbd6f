"""Which trials stand behind each table in each profile."""

from __future__ import annotations

import pytest

from compactml.chapters import chapter
from compactml.chapters.feature_selection.chapter import CHAPTER
from compactml.chapters.feature_selection.datasets import BY_KEY, DATASETS
from compactml.chapters.feature_selection.readings_tried import READINGS
from compactml.study import Profile
from compactml.study.recording.published import published
from compactml.study.trial import Trial

PROFILES = tuple(Profile)
OURS = {
    "milp1": "MILP1",
    "milp2": "MILP2",
    "milp3": "MILP3",
    "binary_search": "Algorithm1",
    "newton": "Algorithm2",
}
PAPER_TABLES = tuple(f"table_{number}" for number in range(2, 8))


def paper_name(trial: Trial) -> str:
    """The method as the published tables name it."""
    heuristic = {"mrmr": "Heuristic_Brown2012", "cfs": "Heuristic_Zhao2010"}[
        str(dict(trial.parameters)["measure"])
    ]
    return {**OURS, "full": "FullSet", "heuristic": heuristic}[trial.method]


def test_the_chapter_is_registered() -> None:
    assert chapter("feature-selection") is CHAPTER


@pytest.mark.parametrize("table", PAPER_TABLES)
def test_the_paper_profile_has_every_line_of_every_table(table: str) -> None:
    trials = CHAPTER.trials(table, "paper")
    lines = published("feature-selection", table)[["dataset", "method"]].itertuples(index=False, name=None)
    assert [(BY_KEY[one.dataset].name, paper_name(one)) for one in trials] == list(lines)
    assert {one.time_limit for one in trials} - {None} == {3600.0}  # section 5


def test_tables_5_to_7_need_only_the_full_sets_beside_tables_2_to_4() -> None:
    for profile in PROFILES:
        trials = {table: set(CHAPTER.trials(table, profile)) for table in PAPER_TABLES}
        gaps = trials["table_2"] | trials["table_3"] | trials["table_4"]
        sets = trials["table_5"] | trials["table_6"] | trials["table_7"]
        assert {one.kind for one in sets - gaps} == {"full"}


def test_the_quick_profile_is_small() -> None:
    every = {one for table in CHAPTER.table_ids for one in CHAPTER.trials(table, "quick")}
    assert sum(map(CHAPTER.cost, every)) < 600  # on one core, and roughly


def test_ours_takes_every_instance_twice() -> None:
    for table in ("beyond", "exact"):
        trials = CHAPTER.trials(table, "standard")
        assert [one.dataset for one in trials] == [dataset.key for dataset in DATASETS for _ in range(2)]
        assert {dict(one.parameters)["table"] for one in trials} == {table}


def test_every_dataset_has_readings_and_its_own_is_one_of_them() -> None:
    own = {(one.name, one.key, one.discretizer) for one in DATASETS}
    assert own <= {(one.name, one.key, one.discretizer) for one in READINGS}
    assert len(set(READINGS)) == len(READINGS)
    for dataset in DATASETS:
        assert 1 <= sum(one.name == dataset.name for one in READINGS) <= 8


def test_a_trial_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        CHAPTER.run(Trial("feature-selection", "unknown", "zoo"))
