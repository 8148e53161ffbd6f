"""Which trials stand behind each table in each profile."""

from __future__ import annotations

import pytest

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.datasets import DATASETS, GENERATED, PRINTED
from compactml.chapters.boolean_rules.trials.folds import N_FOLDS
from compactml.chapters.boolean_rules.trials.paper import METHODS, RULE_METHODS
from compactml.study import Profile
from compactml.study.recording.published import published
from compactml.study.trial import Trial


def test_datasets_are_those_of_the_tables_in_their_order() -> None:
    assert [one.name for one in PRINTED] == published(NAME, "table_1")["dataset"].unique().tolist()


def test_the_paper_profile_is_the_whole_protocol() -> None:
    nested = CHAPTER.trials("table_1", "paper")
    assert len(nested) == len(DATASETS) * len(METHODS) * N_FOLDS
    assert {dict(one.parameters)["inner"] for one in nested} == {10}
    assert {one.time_limit for one in nested if one.method == "CG"} == {120.0}  # section 4
    panels = CHAPTER.trials("fig_1", "paper")
    assert {one.dataset for one in panels} == {one.key for one in PRINTED}
    assert {one.time_limit for one in panels if one.method == "CG"} == {300.0}  # section 4
    kappas = [dict(one.parameters)["value"] for one in panels if one.method == "BRS"]
    assert (min(kappas), max(kappas)) == (1e-3, 1e3)  # type: ignore[type-var]  # section 4


def test_the_standard_profile_has_every_dataset_and_method() -> None:
    pairs = {(one.dataset, one.method) for one in CHAPTER.trials("table_2", "standard")}
    assert pairs == {(one.key, method) for one in DATASETS for method in METHODS}
    panels = {(one.dataset, one.method) for one in CHAPTER.trials("fig_1", "standard")}
    printed_panels = {"heart_cleveland_complete_rows", "heloc_special_values_missing", "magic", "musk_v2"}
    assert panels >= {(key, method) for key in printed_panels for method in RULE_METHODS}


def test_the_quick_profile_is_small() -> None:
    every = {trial for id in CHAPTER.table_ids for trial in CHAPTER.trials(id, "quick")}
    here = [trial for trial in every if CHAPTER.kind(trial).environment is None]
    assert sum(map(CHAPTER.cost, here)) < 300  # on one core, and roughly
    assert GENERATED in {one.dataset for one in every}


@pytest.mark.parametrize("profile", Profile)
def test_every_table_has_trials_of_the_chapter(profile: Profile) -> None:
    for id in CHAPTER.table_ids:
        assert {trial.chapter for trial in CHAPTER.trials(id, profile)} == {NAME}


@pytest.mark.parametrize("profile", Profile)
def test_the_quick_profile_runs_one_printed_cell_whole(profile: Profile) -> None:
    """With the folds and the grid of the recorded table; other profiles have the table of programs for it."""
    scikit = {one for one in CHAPTER.trials("table_1", profile) if one.kind == "scikit"}
    assert scikit <= set(CHAPTER.trials("programs", "standard"))
    assert sorted(one.fold for one in scikit if one.fold is not None) == (
        list(range(N_FOLDS)) if profile is Profile.QUICK else []
    )
    assert len({(one.dataset, one.method) for one in scikit}) == (profile is Profile.QUICK)


@pytest.mark.parametrize("profile", Profile)
def test_tables_1_and_2_share_their_trials(profile: Profile) -> None:
    assert CHAPTER.trials("table_1", profile) == CHAPTER.trials("table_2", profile)


def test_a_trial_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        CHAPTER.run(Trial(NAME, "unknown", GENERATED))
