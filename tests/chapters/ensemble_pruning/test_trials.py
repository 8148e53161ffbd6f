"""Trials on toy data: the split, the votes on disk, and results against what they stand for."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning import datasets
from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.trials import paper as programs
from compactml.chapters.ensemble_pruning.trials import votes as module
from compactml.chapters.ensemble_pruning.trials.votes import PARTS, Run, split, votes
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.solvers import Outcome
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.trial import Trial
from compactml.watch import recorded

KEY = "toy"
RUN = Run(KEY, 2, 1, 20)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """200 rows of numbers, a missing one among them, and a text; a quarter is positive."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    X["town"] = rng.choice(["Ulm", "Bonn"], 200)
    score = X["a"] - X["b"] + (X["town"] == "Ulm") + 0.7 * rng.normal(size=200)
    y = pd.Series(np.where(score > score.quantile(0.75), "yes", "no"))
    X.loc[0, "c"] = np.nan
    own = datasets.PaperDataset("TOY", "Toy", KEY, "yes", 4, 200, 150, 50)
    monkeypatch.setitem(datasets.BY_KEY, KEY, own)
    for one in (datasets, programs):
        monkeypatch.setattr(one, "prepared", lambda key: type("D", (), {"X": X, "y": y})())
    monkeypatch.setattr(module, "data_identity", lambda key: DataIdentity("hash of the toy", ""))
    monkeypatch.setenv("COMPACTML_CACHE", str(tmp_path))
    clear()
    yield
    clear()


def clear() -> None:
    """Forget what this process read."""
    datasets.problem.cache_clear()
    module._all_votes.cache_clear()


def result(kind: str, method: str, limit: float | None = 10.0, K: int = 20) -> dict[str, Any]:
    parameters = (("K", K), ("pool", 20))
    trial = Trial(CHAPTER.name, kind, KEY, method, RUN.fold, RUN.repetition, parameters, limit)
    with recorded():  # as the engine runs it
        return CHAPTER.run(trial)


def files(folder: Path) -> list[Path]:
    return sorted((folder / module.FOLDER).glob("*"))


def test_text_becomes_columns_and_a_missing_number_the_median() -> None:
    X, y = datasets.problem(KEY)
    assert X.shape == (200, 5)
    assert set(np.unique(X[:, 3:])) == {0.0, 1.0}
    assert X[0, 2] == np.median(X[1:, 2])
    assert y.sum() == 50
    found = result("dataset", "")
    assert found == {"columns": 4, "features": 5, "n": 200, "n0": 150, "n1": 50, "theta": 0.25}


def test_parts_are_63_27_and_10_per_cent_stratified() -> None:
    y = datasets.problem(KEY)[1]
    for fold in (0, 7):
        rows = split(Run(KEY, 1, fold, 20))
        assert {part: len(one) for part, one in rows.items()} == {"train": 126, "validation": 54, "test": 20}
        assert sorted(np.concatenate(list(rows.values()))) == list(range(200))
        for one in rows.values():
            assert abs(y[one].mean() - 0.25) < 0.02


def test_each_row_is_tested_once_in_a_repetition_and_repetitions_differ() -> None:
    tested = [split(Run(KEY, 0, fold, 20))["test"] for fold in range(10)]
    assert sorted(np.concatenate(tested)) == list(range(200))
    assert set(split(Run(KEY, 1, 0, 20))["test"]) != set(tested[0])


def test_votes_are_those_of_the_pool_and_are_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = datasets.problem(KEY)
    rows = split(RUN)
    pool = module.ClassifierPool(20, random_state=RUN.repetition).fit(X[rows["train"]], y[rows["train"]])
    for part, one in votes(RUN, 20).items():
        assert (one.votes == pool.votes(X[rows[part]])).all()
        assert (one.y == y[rows[part]]).all()
    assert len(files(tmp_path)) == 1
    clear()
    monkeypatch.setattr(module, "_fitted", lambda run: pytest.fail("fitted again"))
    smaller = votes(RUN, 10)
    assert all((smaller[part].votes == pool.votes(X[rows[part]])[:, :10]).all() for part in PARTS)


def test_other_data_code_or_runs_have_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {RUN.key(), Run(KEY, 1, 1, 20).key(), Run(KEY, 2, 0, 20).key(), Run(KEY, 2, 1, 30).key()}
    monkeypatch.setattr(module, "data_identity", lambda key: DataIdentity("other values", ""))
    seen.add(RUN.key())
    monkeypatch.setattr(module, "code_key", lambda module: "other code")
    assert len(seen | {RUN.key()}) == 6


@pytest.mark.parametrize("method", ["F1", "F2", "F3", "F1_theta"])
def test_a_program_is_measured_on_all_parts(method: str) -> None:
    found = result("program", method)
    parts = votes(RUN, 20)
    selected = np.array(json.loads(found["selected"]), dtype=int)
    assert found["n_selected"] == len(selected)
    for part in PARTS:
        y = parts[part].y
        called = parts[part].votes[:, selected].sum(axis=1) > found["threshold"]
        true_positive, true_negative = (called & y).sum(), (~called & ~y).sum()
        assert found[f"n_{part}"] == len(y)
        assert found[f"{part}_accuracy"] == pytest.approx((true_positive + true_negative) / len(y))
        balanced = (true_positive / y.sum() + true_negative / (~y).sum()) / 2
        assert found[f"{part}_balanced_accuracy"] == pytest.approx(balanced)
    n1, n = parts["validation"].y.sum(), found["n_validation"]
    if method == "F1_theta":  # Theorem 1
        assert found["validation_balanced_accuracy"] == pytest.approx(
            n * found["value"] / (2 * n1 * (n - n1))
        )
    else:
        assert found["validation_accuracy"] == found["value"] / n
    assert found["bound"] >= found["value"]
    assert found["gap"] == pytest.approx((found["bound"] - found["value"]) / found["value"])
    assert found["proved"] == (found["gap"] == 0)
    if found["n_selected"] > 1:
        assert found["pfc_min"] >= found["tau"] - 1e-9
        assert found["pfc_avg"] >= found["gamma"] - 1e-9
    assert (found["gamma"] > 0, found["tau"] > 0) == (method in ("F2", "F3"), method == "F3")
    steps = json.loads(found["history"])
    assert steps[-1][2:] == [found["value"], found["bound"]]


@pytest.mark.parametrize("method", ["F1", "F3"])
def test_the_papers_program_proves_what_ours_proves(method: str) -> None:
    found, ours = result("plain", method), result("program", method)
    assert found["proved"]
    assert ours["proved"]
    assert found["value"] == ours["value"] == found["bound"]
    assert (found["tau"], found["gamma"]) == (ours["tau"], ours["gamma"])
    assert found["found_by"] == "program"
    assert found["solver_gap"] == pytest.approx(0, abs=1e-6)
    assert found["solver"]
    alike = {name for name in ours if name not in ("seconds", "history", "solver")} & set(found)
    assert {"pfc_min", "test_accuracy", "test_balanced_accuracy"} < alike


def test_the_solvers_own_gap_is_kept_beside_that_of_the_rounded_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bound that is less than a point above the best ensemble proves it; the solver does not know that."""
    solve = PruningProgram.solve

    def stopped(model: PruningProgram, *args: Any, **options: Any) -> Any:
        found = solve(model, *args, **options)
        return replace(found, bound=found.objective + 0.75)

    monkeypatch.setattr(PruningProgram, "solve", stopped)
    found = result("plain", "F1")
    assert (found["bound"], found["gap"]) == (found["value"], 0.0)
    assert found["solver_gap"] == pytest.approx(0.75 / found["value"])


def test_a_program_that_finds_nothing_says_so() -> None:
    found = result("plain", "F1", limit=0.0)
    y = votes(RUN, 20)["validation"].y
    assert (found["found_by"], found["value"]) == ("start", (~y).sum())


@pytest.mark.parametrize(("bound", "rounded"), [(None, None), (53.4, 53.0)])
def test_what_the_papers_program_proves_is_the_solvers_alone(
    bound: float | None, rounded: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal votes allow fewer right points than there are; the record knows that of our method alone."""
    solve = PruningProgram.solve

    def stopped(model: PruningProgram, *args: Any, **options: Any) -> Any:
        return replace(solve(model, *args, **options), outcome=Outcome.FEASIBLE, bound=bound)

    monkeypatch.setattr(PruningProgram, "solve", stopped)
    validation = votes(RUN, 20)["validation"]
    assert PruningInstance.from_votes(validation.votes, validation.y).ideal < 53
    found = result("plain", "F1")
    value = found["value"]
    assert found["bound"] == rounded
    assert found["gap"] == (None if rounded is None else pytest.approx((rounded - value) / value))
    assert found["solver_gap"] == (None if bound is None else pytest.approx((bound - value) / value))
    assert not found["proved"]
    curve = result("curve", "plain")
    assert (curve["bound"], curve["errors_bound"]) == (rounded, None if rounded is None else 54 - rounded)


def test_a_curve_has_no_gap_until_a_formulation_has_an_ensemble() -> None:
    found = result("curve", "plain", limit=0.0)
    assert (found["found_by"], found["gap"]) == ("start", None)
    found = result("curve", "plain")
    assert (found["found_by"], found["gap"]) == ("program", 0.0)


def test_a_program_is_no_worse_than_any_benchmark_on_its_own_points() -> None:
    best = result("program", "F1")
    assert best["proved"]
    for method in ("BFT", "HC-CON", "HC-UWA", "FE", "KAPPA", "HC-ACC", "HC-COM"):
        found = result("baseline", method)
        assert found["value"] <= best["value"]
        assert found["validation_accuracy"] == found["value"] / found["n_validation"]
        assert found["threshold"] == found["n_selected"] // 2
        assert "bound" not in found
    assert result("baseline", "FE")["n_selected"] == 20


def test_smaller_pools_are_beginnings() -> None:
    small = result("program", "F1", K=10)
    assert max(json.loads(small["selected"])) < 10
    assert small["value"] <= result("program", "F1")["value"]


def test_bounds_enclose_the_optimum() -> None:
    found, best = result("bounds", "F1"), result("program", "F1")
    errors = best["n_validation"] - best["value"]
    assert best["proved"]
    assert found["errors_isotonic"] <= found["errors_asummability"] <= errors <= found["errors_found"]
    value = found["n_validation"] - found["errors_found"]
    assert found["gap_isotonic"] * value == pytest.approx(found["errors_found"] - found["errors_isotonic"])


def test_every_formulation_of_the_curves_encloses_the_optimum() -> None:
    best = result("program", "F1")["value"]
    for method in ("plain", "aggregated", "isotonic", "asummability", "local_search"):
        found = result("curve", method, limit=5.0)
        assert found["value"] <= best <= found["bound"]
        assert found["errors_found"] == found["n_validation"] - found["value"]
        assert found["errors_bound"] == found["n_validation"] - found["bound"]
        assert found["solver"] is None or found["solver"].startswith("highs")
    assert result("curve", "plain", 1.0)["n_rows"] > result("curve", "aggregated", 1.0)["n_rows"]


@pytest.mark.parametrize("damage", ["empty", "truncated", "garbage", "other votes", "no digest"])
def test_a_damaged_file_of_votes_is_named_and_made_again(
    damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The file is found by what decides the votes, so that it would fail its trials for ever."""
    sound = votes(RUN, 5)
    (path,) = tmp_path.rglob("*.npz")
    content = path.read_bytes()
    with np.load(path) as stored:
        words = {name: stored[name] for name in stored.files}
    if damage == "other votes":
        words["test"] = words["test"] ^ np.uint64(1)
    if damage == "no digest":
        words.pop(module.DIGEST)
    other = io.BytesIO()
    np.savez_compressed(other, **words)
    damaged = {"empty": b"", "truncated": content[:99], "garbage": b"garbage" * 99}
    path.write_bytes(damaged.get(damage, other.getvalue()))
    clear()
    again = votes(RUN, 5)
    assert f"{path} is damaged" in caplog.text
    assert "removed and made again" in caplog.text
    for part, one in sound.items():
        np.testing.assert_array_equal(again[part].votes, one.votes)
    caplog.clear()
    clear()
    votes(RUN, 5)
    assert caplog.text == ""
