"""The small instances of the first notebook: all ensembles listed, their credits, conflicts, the exercises."""

from __future__ import annotations

import numpy as np
import pytest

from compactml.chapters.ensemble_pruning.method import small
from compactml.ensemble_pruning import isotonic_bound
from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit, failure_patterns
from compactml.ensemble_pruning.instance import PruningInstance

FIRST = ("11100 11100 11111 10011", "10110 10011 10101 01010 01101 11000")
SECOND = ("11001 11101 10101 11111", "11010 10100 10001 00100 00101 01001")
THIRD = ("01010 00010 00110 01000", "00010 01011 11101 00010 10101 00101")


def instance(rows: tuple[str, str], objective: str = "accuracy") -> PruningInstance:
    return PruningInstance.from_votes(*small.votes_of(*rows), objective)


@pytest.mark.parametrize(
    ("rows", "objective", "value", "best"),
    [
        (FIRST, "accuracy", 9, ("11100", 2)),
        (FIRST, "balanced_accuracy", 21 / 5, ("11100", 2)),
        (SECOND, "accuracy", 10, ("11101", 2)),
        (THIRD, "accuracy", 7, ("00110", 1)),
        (THIRD, "balanced_accuracy", 16 / 5, ("01010", 0)),
    ],
)
def test_the_known_optima_are_first_and_alone(
    rows: tuple[str, str], objective: str, value: float, best: tuple[str, int]
) -> None:
    own = instance(rows, objective)
    listed = small.ensembles(own)
    assert len(listed) == 1 + sum(size * count for size, count in ((1, 5), (2, 10), (3, 10), (4, 5), (5, 1)))
    first = listed.iloc[0]
    assert (first["x"], first["L"]) == best
    assert first["value"] == pytest.approx(value)
    assert (listed["value"] == first["value"]).sum() == 1
    for row in listed.sample(20, random_state=0).to_dict("records"):
        selected = np.flatnonzero([letter == "1" for letter in row["x"]])
        assert row["value"] == pytest.approx(own.value(selected, row["L"]))


def test_diversity_leaves_the_known_sets() -> None:
    votes, y = small.votes_of(*FIRST)
    credit = failure_credit(failure_patterns(votes, y))
    left = small.diverse(small.ensembles(instance(FIRST)), Diversity(credit, 103 / 180, 2137 / 3600))
    best = left[left["value"] == left["value"].max()]
    assert best["value"].iloc[0] == 8
    assert set(zip(best["x"], best["L"], strict=True)) == {("11000", 1), ("11110", 2)}
    assert small.fractions(credit).loc["1"].to_list() == ["", "3/4", "1/2", "5/9", "5/9"]


def test_conflicts_of_the_third_instance() -> None:
    own = instance(THIRD)
    words = [tuple(small.as_text(own.patterns[one]) for one in pair) for pair in small.conflicts(own)]
    assert sorted(words) == [("01000", "01011"), ("01000", "11101"), ("01010", "01011")]


def test_sets_have_their_best_threshold_and_the_credits_of_their_members() -> None:
    votes, y = small.votes_of(*FIRST)
    credit = failure_credit(failure_patterns(votes, y))
    sets = small.credited_sets(small.ensembles(instance(FIRST)), credit).set_index("x")
    assert len(sets) == 2**5 - 5 - 1
    # the credits of the first three are 3/4, 1/2 and 1/2
    assert sets.loc["11100"].to_list() == pytest.approx([9, 7 / 12, 1 / 2])
    assert sets.loc["11000"].to_list() == pytest.approx([8, 3 / 4, 3 / 4])


def test_what_the_exercises_say() -> None:
    own = instance(FIRST)
    assert own.value(np.arange(5), 2) == 6
    patterns = np.array([[letter == "1" for letter in word] for word in ("110", "101", "011")]).T
    assert failure_credit(patterns)[np.triu_indices(3, 1)].tolist() == [1, 1, 1]
    rows = ("110 001", "111 011")
    assert small.ensembles(instance(rows))["value"].max() == isotonic_bound(*small.votes_of(*rows)).bound == 2


def test_ten_members_with_a_threshold_of_five() -> None:
    calls = small.monotone_table(10, 5).set_index("positive votes")["call"]
    assert (calls[5], calls[6]) == ("negative", "positive")
