"""The paper's heuristics on raw values: against the rules written out, and against the program of the repository."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.feature_selection import datasets
from compactml.chapters.feature_selection.datasets import CONTINUOUS, INTEGER
from compactml.chapters.feature_selection.trials import costs, heuristics, scikit_feature
from compactml.chapters.feature_selection.trials.heuristics import BY_RULE, CUT, run_raw, selected_columns
from compactml.chapters.feature_selection.trials.scikit_feature import ENVIRONMENT, run_peer
from compactml.chapters.feature_selection.trials.scores import F1, set_scores
from compactml.study.trial import Trial, checked_result

KEYS = {"six": 6, "three": 3, "nine": 9}
"""Toy tables by their numbers of features: one of few runs out of them for CFS, which wants six at least."""


def toy(p: int) -> tuple[pd.DataFrame, pd.Series]:
    """Values with fractions that cutting them off would merge; the class depends on two of them."""
    rng = np.random.default_rng(p)
    X = pd.DataFrame(rng.integers(0, 5, (60, p)) / 4.0)
    X[0] = rng.random(60)  # every value is a level of its own
    return X, ((X[1] + X[2] > 1.0) ^ (rng.random(60) < 0.1)).astype("int64")


@pytest.fixture(autouse=True)
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for key, p in KEYS.items():
        monkeypatch.setitem(datasets.BY_KEY, key, datasets.PaperDataset(key, key, p, 60, CONTINUOUS, INTEGER))
    for module in (heuristics, costs):
        monkeypatch.setattr(module, "BY_KEY", datasets.BY_KEY)
    read = lambda key: type("D", (), dict(zip("Xy", toy(KEYS[key]), strict=True)))()  # noqa: E731
    monkeypatch.setattr(datasets, "prepared", read)
    datasets.table.cache_clear()
    yield
    datasets.table.cache_clear()


def trial(key: str, measure: str, cut: int | None = None) -> Trial:
    parameters = (("measure", measure), ("discretizer", "levels"), ("cut", cut))
    return Trial("feature-selection", "any", key, method="any", parameters=parameters, time_limit=20.0)


def entropy(*columns: Sequence[Any]) -> float:
    counts = Counter(zip(*columns, strict=True))
    return -sum(count / 60 * math.log(count / 60) for count in counts.values())


def information(first: Sequence[Any], second: Sequence[Any]) -> float:
    return entropy(first) + entropy(second) - entropy(first, second)


def mrmr_written_out(columns: list[list[float]], y: list[int]) -> list[int]:
    """Brown et al. (2012) as the repository stops it: after the first feature with a negative score."""
    order, score = [int(np.argmax([information(column, y) for column in columns]))], 1.0
    while score >= 0:
        left = [j for j in range(len(columns)) if j not in order]
        if not left:
            return [*order, order[-1]]
        scores = {
            j: information(columns[j], y) - np.mean([information(columns[j], columns[k]) for k in order])
            for j in left
        }
        order.append(max(scores, key=lambda j: scores[j]))
        score = float(scores[order[-1]])
    return order


def cfs_written_out(columns: list[list[float]], y: list[int]) -> list[int]:
    """Zhao et al. (2010): the best merit, until five of them in a row do not increase; -1 where no feature is left."""

    def su(first: Sequence[Any], second: Sequence[Any]) -> float:
        return 2 * information(first, second) / (entropy(first) + entropy(second))

    def merit(chosen: list[int]) -> float:
        pairs = sum(su(columns[j], columns[k]) for i, j in enumerate(chosen) for k in chosen[i + 1 :])
        return sum(su(columns[j], y) for j in chosen) / math.sqrt(len(chosen) + 2 * pairs)

    order: list[int] = []
    merits: list[float] = []
    while len(merits) < 6 or any(after > before + 1e-12 for before, after in pairwise(merits[-5:])):
        left = {j: merit([*order, j]) for j in range(len(columns)) if j not in order}
        order.append(max(left, key=lambda j: left[j]) if left else -1)
        merits.append(left[order[-1]] if left else -1e11)
    return order


RULES = {"mrmr": mrmr_written_out, "cfs": cfs_written_out}


def written_out(key: str, measure: str) -> list[int]:
    X, y = datasets.table(key)
    columns = [X[name].to_list() for name in X]
    return [j % len(columns) for j in RULES[measure](columns, y.tolist())]


@pytest.mark.parametrize("measure", RULES)
@pytest.mark.parametrize("key", KEYS)
def test_the_rule_is_that_of_the_repository_on_the_raw_values(key: str, measure: str) -> None:
    expected = written_out(key, measure)
    assert selected_columns(key, measure)[0].tolist() == expected
    found: dict[str, Any] = checked_result(run_raw(trial(key, measure)))
    assert (found["outcome"], found["n_selected"]) == (BY_RULE, len(expected))
    assert json.loads(found["support"]) == expected
    for name, score in set_scores(key, np.array(expected), CONTINUOUS).items():
        assert F1(found[f"f1_nb_{name}"], found[f"f1_rf_{name}"]) == score


def test_an_order_that_is_cut_is_the_start_of_the_whole_one() -> None:
    whole = selected_columns("nine", "cfs")[0].tolist()
    found: dict[str, Any] = checked_result(run_raw(trial("nine", "cfs", 4)))
    assert (found["outcome"], found["n_selected"], json.loads(found["support"])) == (CUT, 4, whole[:4])


def answering(monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any]) -> dict[str, Any]:
    monkeypatch.setattr(scikit_feature, "peer_columns", lambda _: answer)
    found: dict[str, Any] = checked_result(run_peer(trial("three", "cfs")))
    return found


def test_what_the_repository_selects_is_compared_with_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = selected_columns("three", "cfs")[0].tolist()
    answer = {"columns": [*columns[:3], *[-1] * (len(columns) - 3)], "seconds": 2.5, "program": "none"}
    found = answering(monkeypatch, answer)
    assert (found["outcome"], found["seconds"], found["n_selected"]) == ("selected", 2.5, len(columns))
    assert found["as_ours"] == 1
    assert answering(monkeypatch, answer | {"columns": columns[::-1]})["as_ours"] == 0


def test_a_limit_leaves_its_seconds_and_no_set(monkeypatch: pytest.MonkeyPatch) -> None:
    found = answering(monkeypatch, {})
    assert (found["outcome"], found["seconds"], found["n_selected"]) == ("time limit", 20.0, None)


@pytest.mark.skipif(not ENVIRONMENT.installed, reason="needs 'make environment NAME=scikit-feature'")
@pytest.mark.parametrize("measure", RULES)
@pytest.mark.parametrize("key", KEYS)
def test_the_repository_selects_what_ours_does(key: str, measure: str) -> None:
    found = run_peer(trial(key, measure))
    assert (found.outcome, found.as_ours) == ("selected", 1)
    assert found.n_selected == len(written_out(key, measure))
