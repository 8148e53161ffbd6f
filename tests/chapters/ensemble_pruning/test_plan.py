"""Which trials stand behind each table in each profile, and that their results depend on the code named."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from compactml.chapters import chapter
from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.datasets import BY_KEY, DATASETS
from compactml.chapters.ensemble_pruning.protocol import PROTOCOLS
from compactml.chapters.ensemble_pruning.tables import BALANCED_ACCURACY
from compactml.chapters.ensemble_pruning.trials.baselines import BENCHMARKS, UNREPORTED
from compactml.chapters.ensemble_pruning.trials.beyond import CURVES
from compactml.chapters.ensemble_pruning.trials.paper import PROGRAMS
from compactml.chapters.ensemble_pruning.trials.plain import PLAIN
from compactml.datasets import keys
from compactml.study import Profile
from compactml.study.recording.published import published
from compactml.study.trial import Trial

PROFILES = tuple(Profile)


def size(trial: Trial) -> Any:
    return dict(trial.parameters)["K"]


def test_the_chapter_is_registered() -> None:
    assert chapter("ensemble-pruning") is CHAPTER


def test_the_datasets_are_those_of_table_2() -> None:
    printed = published(CHAPTER.name, "table_2")
    ours = [(one.name, one.full_name, *map(str, (one.features, one.n, one.n0, one.n1))) for one in DATASETS]
    columns = ["dataset", "name", "features", "N", "N0", "N1"]
    assert ours == list(printed[columns].itertuples(index=False, name=None))
    assert {one.key for one in DATASETS} <= set(keys())


@pytest.mark.parametrize(
    ("table", "label"), [("table_3", "config"), ("table_4", "method"), ("table_6", "method")]
)
def test_the_paper_profile_has_every_cell(table: str, label: str) -> None:
    printed = published(CHAPTER.name, table)
    trials = CHAPTER.trials(table, "paper")
    assert {one.method for one in trials} == set(printed[label])
    if "K" in printed:
        assert {str(size(one)) for one in trials} == set(printed["K"].astype(str)) - {"avg"}
    else:
        assert {size(one) for one in trials} == {100}  # Table 3
    runs = {
        (one.dataset, one.seed, one.fold) for one in trials if table != "table_3" or one.kind == PLAIN.name
    }
    assert runs == {
        (key, repetition, fold) for key in BY_KEY for repetition in range(10) for fold in range(10)
    }


def test_table_5_reads_the_trials_of_table_6() -> None:
    assert set(published(CHAPTER.name, "table_5")["method"]) == set(BALANCED_ACCURACY)
    for profile in PROFILES:
        assert CHAPTER.trials("table_5", profile) == CHAPTER.trials("table_6", profile)


def test_the_time_limits_of_the_paper() -> None:
    trials = CHAPTER.trials("table_4", "paper")
    assert {one.time_limit for one in trials} == {300.0}  # section 5.2


@pytest.mark.parametrize("profile", PROFILES)
def test_table_3_has_the_papers_program_beside_ours(profile: Profile) -> None:
    by_kind: dict[str, set[Trial]] = {"plain": set(), "program": set()}
    for one in CHAPTER.trials("table_3", profile):
        by_kind[one.kind].add(replace(one, kind="", time_limit=None))
    assert by_kind["plain"] == by_kind["program"] != set()


@pytest.mark.parametrize("profile", PROFILES)
def test_table_3_has_the_printed_size(profile: Profile) -> None:
    trials = CHAPTER.trials("table_3", profile)
    assert set(map(size, trials)) == {dict(one.parameters)["pool"] for one in trials} == {100}  # section 5.3


def test_the_papers_program_has_the_papers_limit_where_its_claims_are_judged() -> None:
    for profile in (Profile.STANDARD, Profile.PAPER):
        limits = {one.time_limit for one in CHAPTER.trials("table_3", profile) if one.kind == PLAIN.name}
        assert limits == {300.0}  # section 5.3


def test_a_whole_repetition_of_tables_4_to_6_is_standard() -> None:
    for table in ("table_4", "table_5", "table_6", "overfitting"):
        runs = {(one.seed, one.fold) for one in CHAPTER.trials(table, "standard")}
        assert runs == {(0, fold) for fold in range(10)}
        assert CHAPTER.table(table).whole_datasets


def test_gaps_and_overfitting_need_few_trials_of_their_own() -> None:
    for profile in (Profile.STANDARD, Profile.PAPER):
        accuracy = {one for table in ("table_4", "table_5") for one in CHAPTER.trials(table, profile)}
        gaps = {one for one in CHAPTER.trials("table_3", profile) if one.kind != PLAIN.name}
        assert gaps <= accuracy
    for profile in PROFILES:
        accuracy = {one for table in ("table_4", "table_5") for one in CHAPTER.trials(table, profile)}
        rest = set(CHAPTER.trials("overfitting", profile)) - accuracy
        assert {one.method for one in rest} == set(UNREPORTED)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("table", CHAPTER.table_ids)
def test_every_table_has_trials_of_the_chapter(table: str, profile: Profile) -> None:
    trials = CHAPTER.trials(table, profile)
    assert trials
    assert {json.loads(one.canonical())["chapter"] for one in trials} == {CHAPTER.name}


def test_one_pool_serves_all_sizes_of_a_profile() -> None:
    for profile in PROFILES:
        trials = [
            one
            for table in CHAPTER.table_ids
            if table not in ("table_2", "table_3")
            for one in CHAPTER.trials(table, profile)
        ]
        assert {dict(one.parameters)["pool"] for one in trials} == {max(map(size, trials))}


def test_curves_have_every_formulation_at_every_time() -> None:
    trials = CHAPTER.trials("curves", "standard")
    limits = PROTOCOLS[Profile.STANDARD].curve_limits
    by_dataset = {one.dataset for one in trials}
    assert {(one.dataset, one.method, one.time_limit) for one in trials} == {
        (key, method, limit) for key in by_dataset for method in CURVES for limit in limits
    }


def test_the_quick_profile_is_small() -> None:
    every = {one for table in CHAPTER.table_ids for one in CHAPTER.trials(table, "quick")}
    assert sum(map(CHAPTER.cost, every)) < 300  # on one core, and roughly


def test_our_methods_are_none_of_the_benchmarks() -> None:
    assert {one.kind for one in CHAPTER.trials("overfitting", "quick")} == {"program", "baseline"}
    assert not set(PROGRAMS) & {*BENCHMARKS, *UNREPORTED}


def test_a_trial_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(KeyError):
        CHAPTER.run(Trial(CHAPTER.name, "unknown", "wdbc"))
