"""Numbers of the prose, by hand from made-up trials."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning import beyond, numbers
from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.method import bounds, examples
from compactml.study import Finished
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.recording import tables
from compactml.study.recording.published import home
from compactml.study.recording.results import Results, Settings
from tests.chapters.ensemble_pruning.toy_tables import PROGRAM, done


@pytest.fixture(autouse=True)
def _nothing_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(tables, "data_identity", lambda key: DataIdentity("", "made up", at_hand=True))


QUICK = Settings()


def results(*finished: Finished, settings: Settings = QUICK) -> Results:
    """Results of which every table has the same trials."""
    return Results(CHAPTER, lambda id: finished, settings)


def scored(scores: Mapping[str, float], dataset: str, K: int = 80) -> list[Finished]:
    """A trial of each method with this test accuracy, plain and balanced."""
    return [
        done(dataset, method, K=K, **PROGRAM | {"test_accuracy": score, "test_balanced_accuracy": score})
        for method, score in scores.items()
    ]


def plain(dataset: str, solver: str) -> Finished:
    """A run of the paper's program."""
    return done(dataset, kind="plain", **PROGRAM | {"solver": solver, "found_by": "program"})


def test_the_protocol_is_the_standard_one_and_what_is_recorded_of_it() -> None:
    tables.record(
        CHAPTER,
        "table_4",
        [done("DRD", limit=60.0), done("DRD", fold=1, limit=60.0), done("MSK", limit=20.0)],
    )
    tables.record(
        CHAPTER,
        "table_3",
        [
            plain("PRK", "highs 1.16.0, open source"),
            done("MSK", **PROGRAM | {"solver": "scip 10, open source"}),
        ],
    )
    assert numbers.protocol(results()) == {
        "ep_runs_standard": 10, "ep_limit_standard": "60", "ep_sets_recorded": 2, "ep_least_recorded": 1,
        "ep_plain_limit": "300", "ep_plain_solvers": "highs 1.16.0",
    }  # fmt: skip


def test_cells_of_table_2_agree_where_every_digit_does() -> None:
    data = {"features": 99, "columns": 22, "n": 195, "n0": 48, "n1": 147, "theta": 147 / 195}
    counts = numbers.table_2(results(done("PRK", "", kind="dataset", **data)))
    assert counts == {
        "ep_table_2_all": 3,
        "ep_table_2_agree": 3,
    }  # neither features nor theta decide anything


def test_a_number_of_points_that_says_which_file_is_meant_decides_nothing() -> None:
    data = {"features": 99, "columns": 30, "n": 569, "n0": 357, "n1": 212, "theta": 0.37}
    counts = numbers.table_2(results(done("BCW", "", kind="dataset", **data)))
    assert counts == {"ep_table_2_all": 1, "ep_table_2_agree": 1}  # the smaller class


@pytest.mark.parametrize(
    ("scores", "verdict"), [((0.7457, 0.7457), "agree"), ((0.7, 0.7), "differ"), ((0.7, 0.8), "noisy")]
)
def test_the_average_of_table_5_is_not_counted(scores: tuple[float, float], verdict: str) -> None:
    two = [
        replace(one, trial=replace(one.trial, fold=fold))
        for fold, score in enumerate(scores)
        for one in scored({"F1": score}, "DRD")
    ]
    counts = numbers.table_5(results(*two))
    expected = dict.fromkeys(("all", "agree", "differ", "noisy"), 0) | {"all": 1, verdict: 1}
    assert counts == {f"ep_table_5_{name}": n for name, n in expected.items()}


ACCURACIES = {"F1": 0.9, "F2": 0.8, "F3": 0.7, "BFT": 0.6, "HC-CON": 0.5, "HC-UWA": 0.4, "FE": 0.3}


def test_ranks_that_are_the_same_on_three_datasets() -> None:
    runs = [trial for name in ("PRK", "MSK", "DRD") for trial in scored(ACCURACIES, name)]
    # Friedman's statistic is n (k - 1): P(chi2_6 > 18) = exp(-9) (1 + 9 + 81 / 2) and P(chi2_5 > 15);
    # Nemenyi's difference is 2.949 sqrt(7 * 8 / 18) = 5.2
    assert numbers.ranks_by_accuracy(results(*runs)) == {
        "ep_table_4_p": "0.0062",
        "ep_table_4_p_pruned": "0.01",
    }
    assert numbers.groups(results(*runs)) == {
        "ep_table_4_blocks": 3,
        "ep_table_4_groups": "F1 to HC-UWA; F2 to FE",
    }


def test_balanced_accuracy_is_ranked_with_theta_weights_and_without_the_other_programs() -> None:
    scores = ACCURACIES | {"F1_theta": 0.95}
    runs = [trial for name in ("PRK", "MSK", "DRD") for trial in scored(scores, name)]
    # P(chi2_5 > 15), and P(chi2_4 > 12) = exp(-6) (1 + 6) without the full ensemble
    assert numbers.ranks_by_balanced_accuracy(results(*runs)) == {
        "ep_table_6_p": "0.01",
        "ep_table_6_p_pruned": "0.017",
    }


def test_a_single_dataset_is_not_tested() -> None:
    alone = results(*scored(ACCURACIES, "DRD"))
    assert numbers.ranks_by_accuracy(alone)["ep_table_4_p"] == "no"
    assert numbers.groups(alone) == {"ep_table_4_blocks": 1, "ep_table_4_groups": "none"}


def bounds_on(
    dataset: str, asummability: float, branching: float, value: float, bound: float, **more: str
) -> list[Finished]:
    """The bounds on 100 points of a dataset, and the whole method on them."""
    alone = {
        "n_validation": 100, "n_patterns": 40, "errors_isotonic": 1.0, "errors_asummability": asummability,
        "errors_branching": branching, "seconds_isotonic": asummability / 100, "seconds_asummability": 2.0,
        "seconds_branching": 3.0, "gap_isotonic": 0.0, "gap_asummability": 0.0, "gap_branching": 0.0,
    }  # fmt: skip
    whole = (
        PROGRAM | {"n_validation": 100, "value": value, "bound": bound, "gap": (bound - value) / value} | more
    )
    return [done(dataset, kind="bounds", **alone), done(dataset, **whole)]


def test_what_the_bounds_prove() -> None:
    trials = [
        *bounds_on("DRD", asummability=6.0, branching=6.5, value=91.0, bound=93.0),  # closes 0.5 of 3 errors
        *bounds_on(
            "SPA", asummability=4.0, branching=4.0, value=96.0, bound=96.0, solver="scip 10, open source"
        ),
        *bounds_on("MSK", asummability=3.0, branching=4.0, value=95.0, bound=97.0),  # closes 1 of 2 errors
    ]
    assert numbers.bounds(results(*trials)) == {
        "ep_bound_sets": 3,
        "ep_bound_solved": 1,
        "ep_bound_by_solver": "on SPA by scip on our strengthened program",
        "ep_bound_smaller": 1,  # print: 4.3 % on DRD
        "ep_bound_equal": 1,  # 0.0 % on SPA
        "ep_bound_larger": "MSK",  # print: 0.0 %
        "ep_isotonic_seconds": 0.06,
        "ep_closed_least": pytest.approx(100 / 6),
        "ep_closed_most": 50.0,
    }


def test_in_how_many_runs_diverse_ensembles_are_as_good() -> None:
    values = {
        "QSR": {"F1": [250.0, 250.0], "F2": [250.0, 249.0], "F3": [247.0, 250.0]},
        "DRD": {"F1": [10.0], "F2": [10.0], "F3": [10.0]},
    }
    credits = {"DRD": 0.3}  # gamma is 0.4
    trials = [
        done(dataset, method, fold=fold, **PROGRAM | {"value": value, "pfc_avg": credits.get(dataset, 0.5)})
        for dataset, by_method in values.items()
        for method, by_fold in by_method.items()
        for fold, value in enumerate(by_fold)
    ]
    assert numbers.diversity(results(*trials)) == {
        "ep_f3_runs": 3, "ep_f2_reaches": 2, "ep_f3_reaches": 2, "ep_f3_most": 3, "ep_f3_worst": "QSR",
        "ep_f1_diverse": 2,
    }  # fmt: skip


def test_losses_and_the_lead_of_the_best() -> None:
    test = dict.fromkeys(beyond.OVERFITTING, (0.8, 0.8))
    test |= {"F1": (0.80, 0.82), "HC-CON": (0.85, 0.83), "FE": (0.7, 0.7)}
    trials = [
        trial
        for place, dataset in enumerate(("QSR", "DRD"))
        for trial in scored({method: scores[place] for method, scores in test.items()}, dataset)
    ]
    assert numbers.overfitting(results(*trials)) == {
        "ep_loss_F1": pytest.approx(9),
        "ep_loss_FE": pytest.approx(20),
        "ep_best_test": "HC-CON",
        "ep_best_lead": pytest.approx(3),  # 5 and 1 points
        "ep_best_lead_error": pytest.approx(2),
    }


@pytest.mark.parametrize("name", numbers.__all__)
def test_without_any_run_nothing_is_raised(name: str) -> None:
    assert getattr(numbers, name)(results())


def test_numbers_of_the_examples_by_hand() -> None:
    # 0011011101 and 0110001110 differ at places 2, 4, 6, 9 and 10, and have 4 and 5 zeros
    assert examples.credit_numbers(results()) == {"ep_distance": 5, "ep_failures": 9, "ep_fc": "5/9"}
    assert examples.listed_numbers(results()) == {"ep_all": 81, "ep_best": 9}
    # 11001 + 00110 - 10100 - 01010 = 00001
    assert bounds.excess_numbers(results()) == {"ep_E": 1}
    assert bounds.conflict_numbers(results()) == {
        "ep_certain": 1, "ep_cover": 2, "ep_isotonic": 7, "ep_rare_best": 7,
    }  # fmt: skip


def test_a_bound_below_the_optimum_is_counted_once_an_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame([(9.0, 9.0, 9.5, 9.0), (9.0, 8.0, 8.0, 9.0)], columns=["optimum", *bounds.BOUNDS])
    monkeypatch.setattr(bounds, "random_bounds", lambda seed: frame)
    assert bounds.random_numbers(results()) == {"ep_unsafe": 1}
    shown = bounds.random_instances(results()).frame
    assert shown["is the optimum"].to_list() == [1, 0, 2]
    assert shown["mean excess (points)"].to_list() == [-0.5, -0.25, 0.0]


def test_numbers_of_the_pool_are_counted_from_its_votes(monkeypatch: pytest.MonkeyPatch) -> None:
    votes, y = examples.votes_of("1100 1100", "0011 0011 1111")
    test_votes, test_y = np.zeros((4, 40), dtype=bool), np.array([1, 0, 0, 0])
    test_votes[0, 0] = test_votes[1] = (
        True  # the selected one is right on the first, all are wrong on the second
    )
    history = [SimpleNamespace(step="pair", bound=6.0), SimpleNamespace(step="cover", bound=5.0)]
    best = SimpleNamespace(selected=[0], threshold=0, value=4.0, bound=5.0, history=history)
    pool = bounds.PrunedPool(votes, y.astype(int), test_votes, test_y, best)  # type: ignore[arg-type]
    monkeypatch.setattr(bounds, "pruned_pool", lambda settings: pool)
    found = bounds.pool_numbers(results())
    assert (found["ep_points"], found["ep_size"]) == (5, 1)
    assert (found["ep_test"], found["ep_test_full"]) == (75.0, 50.0)
    assert (found["ep_value"], found["ep_bound"], found["ep_proof"]) == (4, 5, "the cover bound")
    history.pop()
    assert bounds.pool_numbers(results())["ep_proof"] == "the program"
