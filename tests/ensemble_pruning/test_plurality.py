"""Several classes by plurality: enumeration, the bound rechecked by hand, sizes, diversity, bad input."""

from __future__ import annotations

import itertools
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning import prune, prune_plurality
from compactml.ensemble_pruning.plurality import conflicts, pruning
from compactml.ensemble_pruning.plurality.conflicts import conflicts_of, excluding
from compactml.ensemble_pruning.plurality.instance import PluralityInstance
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.solvers import usable_solvers
from compactml.watch import EndedEarlyWarning
from tests.clocks import Looks
from tests.ensemble_pruning.tiny_ensembles import failure_credits, is_diverse


def random_calls(seed: int, n: int = 30, k: int = 6, classes: int = 3, skill: float = 0.5) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    votes = np.where(rng.random((n, k)) < skill, y[:, np.newaxis], rng.integers(classes, size=(n, k)))
    names = np.array(list("abcdefgh"))
    return names[votes], names[y]


def called(votes: NDArray[Any], selected: Any) -> list[Any]:
    """The plurality of each row by counting, the first among equals."""
    rows = [list(row) for row in votes[:, list(selected)]]
    return [max(sorted(set(row)), key=row.count) for row in rows]


def worth(votes: NDArray[Any], y: NDArray[Any], selected: Any, objective: str = "accuracy") -> float:
    right = np.array(called(votes, selected)) == y
    if objective == "accuracy":
        return float(right.sum())
    return len(y) * float(np.mean([right[y == label].mean() for label in np.unique(y)]))


def sets(k: int, low: int = 1, high: int | None = None) -> Any:
    sizes = range(low, (high or k) + 1)
    return itertools.chain.from_iterable(itertools.combinations(range(k), size) for size in sizes)


@pytest.mark.parametrize("objective", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_against_enumeration(seed: int, classes: int, objective: str) -> None:
    votes, y = random_calls(seed, classes=classes)
    result = prune_plurality(votes, y, objective=objective, solver="highs")
    best = max(worth(votes, y, chosen, objective) for chosen in sets(6))
    assert result.value == pytest.approx(worth(votes, y, result.selected, objective))
    assert result.value == pytest.approx(best)
    assert result.bound == pytest.approx(best)
    assert result.proved
    assert result.complete


@pytest.mark.parametrize("solver", usable_solvers())
def test_every_solver_finds_the_optimum(solver: str) -> None:
    votes, y = random_calls(11, 60, 8, 4, 0.3)
    result = prune_plurality(votes, y, solver=solver)
    assert result.value == result.bound == max(worth(votes, y, chosen) for chosen in sets(8))
    assert result.choice is not None


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (4, 4), (5, 6)])
def test_sizes(sizes: tuple[int, int]) -> None:
    votes, y = random_calls(6)
    result = prune_plurality(votes, y, min_size=sizes[0], max_size=sizes[1])
    assert sizes[0] <= len(result.selected) <= sizes[1]
    assert result.value == result.bound == max(worth(votes, y, chosen) for chosen in sets(6, *sizes))


@pytest.mark.parametrize("limits", [{"mean_pfc": 0.6}, {"min_pfc": 0.5}, {"min_pfc": 0.45, "mean_pfc": 0.55}])
def test_diversity(limits: dict[str, float]) -> None:
    votes, y = random_calls(8, 24)
    tau, gamma = limits.get("min_pfc", 0.0), limits.get("mean_pfc", 0.0)
    credits = failure_credits(votes == y[:, np.newaxis], np.ones(len(y), dtype=int))
    allowed = [chosen for chosen in sets(6) if is_diverse(chosen, credits, tau, gamma)]
    assert len(allowed) < 63
    result = prune_plurality(votes, y, solver="highs", **limits)
    assert tuple(result.selected) in allowed
    assert result.value == result.bound == max(worth(votes, y, chosen) for chosen in allowed)


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_points_that_exclude_each_other_do(seed: int, classes: int) -> None:
    votes, y = random_calls(seed, 40, 6, classes, 0.3)
    instance = PluralityInstance.from_votes(votes, y)
    right = np.array([_right(instance, chosen) for chosen in sets(6)])
    pairs = excluding(instance, Clock(None))
    assert len(pairs)
    assert not (right[:, pairs[:, 0]] & right[:, pairs[:, 1]]).any()
    found = conflicts_of(instance, Clock(None))
    least = min(float(instance.gains @ ~row) for row in right)
    assert 0 < found.errors <= least
    carried = found.rows.toarray().astype(bool)
    assert all((~right[:, row]).any(axis=1).all() for row in carried)


def test_the_clock_is_asked_after_a_block_of_rows_and_blocks_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = PluralityInstance.from_votes(*random_calls(1, 40, 6, 3, 0.3))
    whole = excluding(instance, Clock(None))
    monkeypatch.setattr(conflicts, "ROWS_AT_ONCE", 7)
    np.testing.assert_array_equal(excluding(instance, Clock(None)), whole)
    some = {tuple(pair) for pair in excluding(instance, Looks(2)).tolist()}
    assert 0 < len(some) < len(whole)
    assert some < {tuple(pair) for pair in whole.tolist()}
    assert conflicts_of(instance, Clock(0.0)).errors == 0


@pytest.mark.parametrize(("seed", "classes", "k"), [(0, 2, 6), (1, 3, 6), (2, 5, 3), (3, 1, 4), (4, 8, 2)])
def test_open_rows_are_those_of_each_point_alone(
    seed: int, classes: int, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compactml.ensemble_pruning.plurality.instance.CELLS_AT_ONCE", 100)
    instance = PluralityInstance.from_votes(*random_calls(seed, 60, k, classes, 0.4))
    n_classes, rows, sizes, sure = len(instance.classes), [], [], 0
    points = np.column_stack([instance.codes, instance.y])
    for *votes, label in np.unique(points, axis=0).tolist():
        point = {
            (*((vote == label) - (vote == other) for vote in votes), int(other < label))
            for other in range(n_classes)
            if other != label
        }
        if any(max(0, *row[:-1]) < row[-1] for row in point):
            continue  # no set meets this row
        unsure = [row for row in sorted(point) if min(0, *row[:-1]) < row[-1] and set(row[:-1]) != {1}]
        rows += unsure
        sizes += [len(unsure)] if unsure else []
        sure += 0 if unsure else int((points == [*votes, label]).all(axis=1).sum())
    assert [(*d, delta) for d, delta in zip(instance.margins.tolist(), instance.deltas, strict=True)] == rows
    assert np.bincount(instance.points, minlength=len(sizes)).tolist() == sizes
    assert instance.offset == sure


def test_all_points_take_as_many_calls_as_a_tenth_of_them() -> None:
    """A few calls for each point are a quarter of a minute for 30,000 points."""

    def calls(n: int) -> int:
        seen, given = [], random_calls(5, n, 12, 4)
        sys.setprofile(lambda frame, event, argument: seen.append(event))
        try:
            PluralityInstance.from_votes(*given)
        finally:
            sys.setprofile(None)
        return len(seen)

    assert calls(3000) < 2 * calls(300)


def test_one_class_is_called_rightly_by_every_set() -> None:
    result = prune_plurality([["a", "a"], ["a", "a"]], ["a", "a"])
    assert (result.value, result.bound, result.proved) == (2, 2, True)


def test_a_program_for_which_there_is_no_time_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "AS_LONG", 1e12)
    monkeypatch.setattr(pruning, "plurality_program", None)
    votes, y = random_calls(11, 60, 8, 4, 0.3)
    with pytest.warns(EndedEarlyWarning, match="time_limit=60 s"):
        result = prune_plurality(votes, y)
    best = max(worth(votes, y, chosen) for chosen in sets(8))
    assert worth(votes, y, result.selected) == result.value <= best <= result.bound


def _right(instance: PluralityInstance, chosen: Any) -> NDArray[np.bool_]:
    missed = instance.margins[:, list(chosen)].sum(axis=1) < instance.deltas
    return np.array([not missed[instance.points == p].any() for p in range(len(instance.gains))])


def test_the_bound_on_pairs_is_a_flow_that_a_linear_program_repeats() -> None:
    from scipy.optimize import linprog

    votes, y = random_calls(2, 40, 6, 3, 0.3)
    instance = PluralityInstance.from_votes(votes, y)
    pairs = excluding(instance, Clock(None))
    rows = np.zeros((len(pairs), len(instance.gains)))
    rows[np.arange(len(pairs))[:, np.newaxis], pairs] = -1
    other = linprog(instance.gains, rows, -np.ones(len(pairs)), bounds=(0, 1))
    assert conflicts_of(instance, Clock(None)).errors == pytest.approx(other.fun)


@pytest.mark.parametrize("seed", range(3))
def test_a_threshold_is_never_worse_than_a_majority(seed: int) -> None:
    votes, y = random_calls(seed, 40, 7, 2, 0.4)
    majority, free = prune_plurality(votes, y, solver="highs"), prune(votes == "b", y == "b", solver="highs")
    assert majority.value <= free.value
    assert majority.proved


def test_value_and_bound_hold_at_every_limit() -> None:
    votes, y = random_calls(4, 300, 20, 4, 0.2)
    with pytest.warns(EndedEarlyWarning, match="prune_plurality: time_limit=0 s") as said:
        result = prune_plurality(votes, y, time_limit=0)
    assert len(said) == 1
    assert not result.complete
    assert result.value == worth(votes, y, result.selected)
    better = prune_plurality(votes[:, :9], y, max_size=3, time_limit=None)
    assert better.value <= result.bound
    values, bounds = ([getattr(one, name) for one in better.history] for name in ("value", "bound"))
    assert values == sorted(values)
    assert bounds == sorted(bounds, reverse=True)


@pytest.mark.parametrize("seed", range(4))
def test_no_classifier_alone_is_better_at_any_limit(seed: int) -> None:
    votes, y = random_calls(seed, 80, 12, 5, skill=0.3)
    with pytest.warns(EndedEarlyWarning):
        result = prune_plurality(votes, y, time_limit=0)
    assert result.value >= max(worth(votes, y, [number]) for number in range(12))
    assert result.value == worth(votes, y, result.selected)


def test_it_repeats_itself_and_can_be_pickled() -> None:
    votes, y = random_calls(4, 60, 8, 4, 0.2)
    results = [prune_plurality(votes, y, solver="highs") for _ in range(2)]
    for other in (results[1], pickle.loads(pickle.dumps(results[0]))):
        assert other.selected.tolist() == results[0].selected.tolist()
        assert (other.value, other.bound) == (results[0].value, results[0].bound)


def test_numbers_as_labels() -> None:
    votes, y = random_calls(9)
    names = "abcdefgh"
    numbers = np.array([[10 * names.index(vote) for vote in row] for row in votes])
    result = prune_plurality(numbers, [10 * names.index(label) for label in y])
    assert result.value == prune_plurality(votes, y).value
    assert result.classes.tolist() == [0, 10, 20]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"objective": "recall"}, "objective"),
        ({"min_size": 0}, "min_size"),
        ({"max_size": 9}, "max_size"),
        ({"min_pfc": 1.5}, "min_pfc"),
        ({"solver": "lp_solve"}, "solver"),
        ({"time_limit": -1}, "time_limit"),
        ({"random_state": None}, "random_state"),
        ({"verbose": 2}, "verbose"),
        ({"callback": 2}, "callback"),
    ],
    ids=str,
)
def test_bad_parameters(change: dict[str, Any], match: str) -> None:
    with pytest.raises(InvalidParameterError, match=match):
        prune_plurality(*random_calls(0), **change)


@pytest.mark.parametrize(
    ("votes", "y", "match"),
    [
        ([[0.0, np.nan]], [0.0], "votes"),
        ([[0, 1]], [0, 1], "y"),
        ([[0], [1]], [0, 1], "votes"),
        ([["a", "b"]], [1], "votes"),
        (np.array([["a", 1]], dtype=object), ["a"], "votes"),
    ],
    ids=str,
)
def test_bad_data(votes: Any, y: Any, match: str) -> None:
    with pytest.raises(InvalidDataError, match=match):
        prune_plurality(votes, y)
