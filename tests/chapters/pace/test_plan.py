"""Which trials stand behind each table in each profile."""

from __future__ import annotations

from typing import Any

import pytest

from compactml.chapters import chapter
from compactml.chapters.pace import NAME
from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.datasets import BY_KEY, DATASETS
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.datasets import keys
from compactml.study import Profile
from compactml.study.recording.published import published
from compactml.study.trial import Trial

PROFILES = tuple(Profile)
LOOPS, REGIONS = ("fig_2", "fig_5", "fig_8", "fig_9"), ("fig_3", "fig_4", "fig_6", "fig_7")
HISTORIES = ("fig_10", "fig_11")


def asked(trial: Trial) -> dict[str, Any]:
    return dict(trial.parameters)


def test_the_chapter_is_registered() -> None:
    assert chapter(NAME) is CHAPTER


def test_the_datasets_are_those_of_table_2() -> None:
    assert [one.name for one in DATASETS] == list(published(NAME, "table_2")["dataset"])
    assert set(BY_KEY) <= set(keys())


@pytest.mark.parametrize("table", ["table_1", "table_3"])
def test_the_paper_profile_has_every_cell_of_the_ablations_in_five_runs(table: str) -> None:
    trials = CHAPTER.trials(table, "paper")
    printed = published(NAME, table)
    assert {asked(one)["ensemble"] for one in trials} == set(printed["ensemble_type"])
    assert set(printed["method"]) == {GENERATE, PRUNE, PACE}
    ours = {(BY_KEY[one.dataset].name, one.method, asked(one)["n_learners"], one.seed) for one in trials}
    assert ours == {
        (name, method, n, seed)
        for name, method in set(printed[["dataset", "method"]].itertuples(index=False, name=None))
        for n in (25, 50, 75, 100)
        for seed in range(5)
    }
    assert {one.time_limit for one in trials} == {20 * 3600.0}  # section 5


@pytest.mark.parametrize("profile", [Profile.STANDARD, Profile.PAPER])
def test_table_4_is_the_whole_space(profile: Profile) -> None:
    trials = CHAPTER.trials("table_4", profile)
    printed = published(NAME, "table_4")[["dataset", "method", "ensemble_type"]]
    ours = {(BY_KEY[one.dataset].name, one.method, asked(one)["ensemble"]) for one in trials}
    assert ours == set(printed.itertuples(index=False, name=None))
    assert {(asked(one)["alpha"], asked(one)["beta"], asked(one)["depth"]) for one in trials} == {
        (0.0, 0.0, 1)
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_figures_differ_in_the_ensemble_and_share_their_runs(profile: Profile) -> None:
    for figures in (LOOPS, REGIONS, HISTORIES):
        kinds = {asked(one)["ensemble"] for figure in figures for one in CHAPTER.trials(figure, profile)}
        assert kinds == {"random_forest", "adaboost"}
    for first, second in (("fig_2", "fig_8"), ("fig_5", "fig_9")):
        shared = set(CHAPTER.trials(first, profile)) & set(CHAPTER.trials(second, profile))
        assert {one.method for one in shared} == {"constraint", "objective"}
    table_4, fipe = (set(CHAPTER.trials(table, profile)) for table in ("table_4", "fipe"))
    assert {one.method for one in table_4 & fipe} == {FIPE}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_ensembles_of_table_4_are_merged(profile: Profile) -> None:
    def cases(table: str) -> set[tuple[Any, ...]]:
        names = ("ensemble", "n_learners", "depth", "alpha", "beta")
        trials = CHAPTER.trials(table, profile)
        return {(one.dataset, one.seed, *(asked(one)[name] for name in names)) for one in trials}

    assert cases("merging") == cases("table_4")


@pytest.mark.parametrize("profile", [Profile.QUICK, Profile.STANDARD])
def test_pruned_ensembles_of_tables_1_and_3_are_refitted(profile: Profile) -> None:
    def cases(*tables: str) -> set[tuple[Any, ...]]:
        trials = [one for table in tables for one in CHAPTER.trials(table, profile)]
        names = ("ensemble", "n_learners", "depth", "alpha", "beta")
        return {(one.dataset, one.seed, *(asked(one)[name] for name in names)) for one in trials}

    assert cases("refitting") <= cases("table_1", "table_3")


def test_the_regions_grow_from_the_whole_space() -> None:
    for profile in PROFILES:
        for figure in REGIONS:
            shares = {(asked(one)["alpha"], asked(one)["beta"]) for one in CHAPTER.trials(figure, profile)}
            assert (0.0, 0.0) in shares
            assert len(shares) > 3


def test_the_quick_profile_is_small() -> None:
    every = {one for table in CHAPTER.table_ids for one in CHAPTER.trials(table, "quick")}
    here = [trial for trial in every if CHAPTER.kind(trial).environment is None]
    assert sum(map(CHAPTER.cost, here)) < 300  # on one core, and roughly


def test_a_trial_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        CHAPTER.run(Trial(NAME, "unknown", "seeds"))
