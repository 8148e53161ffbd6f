"""What the comparison with AIX360 rests on: losses, labels, pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.boolean_rules import DecileBinarizer, Instance, Literals
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.trials import aix360
from compactml.chapters.boolean_rules.trials.aix360 import ENVIRONMENT, Problem, hamming_loss, label, peer_fit
from compactml.study import Profile

ROWS = ("110", "011", "101", "100", "010", "001", "000")
PAIRS = [[0, 1], [1, 2], [0, 2]]
"""The smallest example of the paper's specification: three positives, and the only rule set without loss."""


@pytest.fixture
def example() -> Problem:
    matrix = np.array([[int(digit) for digit in row] for row in ROWS], dtype=np.uint8)
    y = np.arange(len(ROWS)) < 3
    literals = Literals.binary(("a == 1", "b == 1", "c == 1"))
    return Problem(Instance.from_codes(matrix, y, literals), matrix, y)


@pytest.mark.parametrize(
    ("clauses", "loss"), [([], 3), (PAIRS, 0), ([[0], [1]], 2), ([[0], [0, 1]], 2), ([[]], 4)]
)
def test_hamming_loss_by_hand(example: Problem, clauses: list[list[int]], loss: int) -> None:
    assert hamming_loss(example.matrix, example.y, clauses) == loss


def test_hamming_loss_is_that_of_the_grouped_rows() -> None:
    rng = np.random.default_rng(0)
    matrix, y = rng.integers(0, 2, (60, 5), dtype=np.uint8), rng.random(60) < 0.4
    instance = Instance.from_codes(matrix, y, Literals.binary(tuple("abcde")))
    for _ in range(20):
        clauses = [tuple(np.flatnonzero(rng.random(5) < 0.4).tolist()) or (0,) for _ in range(3)]
        assert hamming_loss(matrix, y, clauses) == instance.hamming_loss(clauses)


def test_labels_say_when_a_literal_is_true() -> None:
    X = pd.DataFrame(
        {
            "some number": [1.0, 2.5, np.nan, 4.0, 2.5, 7.0],
            "two": ["no", "yes", "yes", "no", "no", "yes"],
            "many": ["x", "y", "z", "is x", "x", "y"],
        }
    )
    binarizer = DecileBinarizer(missing="above").fit(X)
    signs = set()
    for name, truth in zip(binarizer.get_feature_names_out(), binarizer.transform(X).T, strict=True):
        column, sign, value = label(name)
        signs.add(sign)
        np.testing.assert_array_equal(truth.astype(bool), meaning(X[column], sign, value), err_msg=name)
    assert signs == {"<=", ">", "==", "!="}


def meaning(column: pd.Series, sign: str, value: str) -> Any:
    """A label as AIX360 understands it."""
    if value == "NaN":
        return column.isna() == (sign == "==")
    if sign in ("<=", ">"):
        return column <= float(value) if sign == "<=" else column > float(value)
    return (column == value) == (sign == "==")


@pytest.mark.parametrize("clauses", [[[0], [1, 2]], [], [[]]])
def test_a_pair_is_learned_at_equal_complexity(
    example: Problem, clauses: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = {"clauses": clauses, "seconds": 10.0, "rounds": 1, "solver": "none"}
    monkeypatch.setattr(aix360, "binary_problem", lambda dataset: example)
    monkeypatch.setattr(aix360, "peer_fit", lambda given, price: theirs)
    result = CHAPTER.run(CHAPTER.trials("aix360", Profile.STANDARD)[0])
    assert result["complexity"] == sum(1 + len(clause) for clause in clauses)
    if not any(clauses):
        assert result["our_loss"] is None
        return
    assert (result["aix360_loss"], result["our_loss"], result["our_bound"]) == (1, 1, 1)
    assert result["our_loss_in_tenth"] == 1
    assert result["ratio"] == 10.0 / float(result["our_seconds"] or 0)


@pytest.mark.skipif(not ENVIRONMENT.installed, reason="needs 'make environment NAME=aix360'")
def test_aix360_solves_the_small_example(example: Problem) -> None:
    found = peer_fit(example, 0.001)
    assert sorted(found["clauses"]) == sorted(PAIRS)
    assert "AIX360 0.3.0" in found["solver"]
