"""Grouped rows, distinguishing literals and the Hamming loss."""

import numpy as np
import pytest

from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.literals import Literals
from compactml.errors import InvalidDataError

ABC = Literals.binary(("a", "b", "c"))
POSITIVE, NEGATIVE = [[1, 1, 0], [0, 1, 1], [1, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]


def oracle_1(copies: int = 1) -> Instance:
    """P and Z of oracle O1, each row ``copies`` times."""
    codes = np.repeat(np.array(POSITIVE + NEGATIVE), copies, axis=0)
    return Instance.from_codes(codes, np.repeat(np.arange(7) < 3, copies), ABC)


def test_equal_rows_are_counted() -> None:
    instance = oracle_1(copies=3)
    assert len(instance.codes) == 7
    assert instance.n_positives == 9
    assert instance.negatives.sum() == 12


@pytest.mark.parametrize(("clauses", "loss"), [([(0,), (1,)], 2), ([(0,), (0, 1)], 2), ([], 3)])
def test_hamming_loss_of_oracle_4(clauses: list[tuple[int, ...]], loss: int) -> None:
    assert oracle_1().hamming_loss(clauses) == loss
    assert oracle_1(copies=2).hamming_loss(clauses) == 2 * loss


def test_a_row_may_have_both_labels() -> None:
    instance = Instance.from_codes(
        np.array([[1], [1], [1]]), np.array([True, True, False]), Literals.binary(("a",))
    )
    assert (instance.positives.tolist(), instance.negatives.tolist()) == ([2], [1])
    assert instance.hamming_loss([(0,)]) == 1


def test_literals_that_say_the_same_or_nothing_are_left_out() -> None:
    codes = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 0]])
    instance = Instance.from_codes(codes, np.array([True, False, True]), ABC)
    assert instance.kept.tolist() == [0]


@pytest.mark.parametrize(
    ("codes", "y", "name"),
    [
        (np.zeros((0, 3), dtype=int), np.zeros(0, dtype=bool), "codes"),
        (np.full((1, 3), 2), np.ones(1, dtype=bool), "codes"),
        (np.full((1, 3), -1), np.ones(1, dtype=bool), "codes"),
        (np.zeros((2, 2), dtype=int), np.ones(2, dtype=bool), "codes"),
        (np.zeros((2, 3), dtype=int), np.ones(1, dtype=bool), "y"),
        (np.zeros((2, 3), dtype=int), np.ones(2, dtype=int), "y"),
    ],
)
def test_bad_data_is_refused(codes: np.ndarray, y: np.ndarray, name: str) -> None:
    with pytest.raises(InvalidDataError, match=name):
        Instance.from_codes(codes, y, ABC)


def test_negated_literals_are_the_opposite_and_exclude_nobody() -> None:
    codes = np.array([[0, 1], [2, 0], [1, 3]])
    literals = Literals(
        np.array([0, 0, 0, 1, 1], dtype=np.int32),
        np.array([0, 1, 2, 0, 0], dtype=np.int32),
        np.array([1, 2, 3, 1, 2], dtype=np.int32),
        np.zeros(5, dtype=bool),
        np.array([0, 0, 0, 1, 1], dtype=np.int32),
        ("a == 0", "a == 1", "a == 2", "b <= 0", "b <= 1"),
        np.array([3, 4], dtype=np.int32),
    )
    opposite = literals.negated()
    assert (opposite.evaluate(codes) == ~literals.evaluate(codes)).all()
    assert len(set(opposite.group[:3].tolist())) == 3
    assert opposite.group[3] == opposite.group[4]


@pytest.mark.parametrize("n_bins", [255, 256, 257, 65535, 65536, 70000])
def test_the_last_of_many_bins_is_seen(n_bins: int) -> None:
    """The number of bins itself need not fit into the type of the codes."""
    last = np.array([n_bins - 1], dtype=np.int32)
    literals = Literals(
        np.array([0]), last, last + 1, np.array([False]), np.array([0]), ("last",), np.array([n_bins])
    )
    codes, y = np.array([[0], [n_bins - 1], [n_bins - 2]]), np.array([False, True, False])
    instance = Instance.from_codes(codes, y, literals)
    assert literals.evaluate(codes).ravel().tolist() == [False, True, False]
    assert instance.literals.evaluate(instance.codes).sum() == instance.truth(0).sum() == 1
    assert instance.hamming_loss([(0,)]) == 0
