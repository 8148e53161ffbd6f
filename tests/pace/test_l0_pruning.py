from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from compactml.clock import Clock
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.pace.weights import hitting, pruning, swapping
from compactml.pace.weights._kernels.simplex import INFEASIBLE, OPTIMAL, cover, game
from compactml.pace.weights.big_m import least_support, weight_bounds
from compactml.pace.weights.errors import NoPositiveMarginError
from compactml.pace.weights.games import best_weights
from compactml.pace.weights.hitting import FOUND, NODE_LIMIT, REFUTED, search
from compactml.pace.weights.pruning import EPSILON, Pruner
from compactml.pace.weights.swapping import greedy, thinned
from compactml.pace.weights.undominated import undominated
from compactml.solvers import SOLVERS, MixedIntegerProgram, licence, solve
from tests.clocks import Looks

USABLE = [name for name in SOLVERS if licence(name).usable]
O1 = np.array([[1.0, 1, -1], [1, -1, 1], [-1, 1, 1]])
O2 = np.array([[1.0, 0, 0.4], [1, 0, 0.4], [0, 1, 0.4]])


def best_margin(margins: np.ndarray, support: list[int]) -> float:
    """Largest least margin of weights on a support with sum 1, by a solver."""
    m, s = len(margins), len(support)
    rows = np.column_stack([-margins[:, support], np.ones(m)])
    answer = linprog(
        [0.0] * s + [-1.0], rows, np.zeros(m), [[1.0] * s + [0.0]], [1.0], [(0, None)] * s + [(None, None)]
    )
    return -answer.fun


def smallest(margins: np.ndarray) -> int:
    """Size of a smallest support, by trying all."""
    k = margins.shape[1]
    for size in range(1, k + 1):
        for support in itertools.combinations(range(k), size):
            if best_margin(margins, list(support)) >= EPSILON:
                return size
    raise AssertionError


def instance(seed: int, m: int = 12, k: int = 7) -> np.ndarray:
    """Margins such that all learners together have a positive margin everywhere; values as of hard or soft votes."""
    rng = np.random.default_rng(seed)
    grid = 1 if seed % 2 else 20
    while True:
        margins = rng.integers(-grid, grid + 1, (m, k)) / grid
        margins = np.ascontiguousarray(margins[margins.sum(axis=1) > 0])
        if len(margins) > 4:
            return margins


@pytest.mark.parametrize("seed", range(12))
def test_the_size_is_that_of_the_best_of_all_supports(seed: int) -> None:
    margins = instance(seed)
    pruner = Pruner()
    pruner.prune(margins)
    pruned = pruner.prove(Clock(None))
    assert pruned.size == pruned.bound == smallest(margins)
    assert pruned.proved
    assert pruned.weights.sum() == pytest.approx(1)
    assert (margins @ pruned.weights).min() == pytest.approx(pruned.least_margin)
    assert pruned.least_margin == pytest.approx(best_margin(margins, pruned.support.tolist()), abs=1e-7)
    assert set(np.flatnonzero(pruned.weights)) == set(pruned.support)


@pytest.mark.parametrize("solver", USABLE)
@pytest.mark.parametrize("seed", range(6))
def test_the_program_agrees_with_the_search_on_every_solver(solver: str, seed: int) -> None:
    margins = instance(seed)
    everything = np.arange(margins.shape[1])
    largest = weight_bounds(margins, EPSILON, Clock(None))
    answer = least_support(margins, EPSILON, everything, 1, largest, solver=solver, clock=Clock(None))
    assert answer.bound == smallest(margins)
    assert answer.choice is not None
    assert answer.choice.solver == solver
    if answer.support is not None:
        assert len(answer.support) == answer.bound
        assert best_margin(margins, answer.support.tolist()) >= EPSILON


def test_the_bound_on_weights_of_fipe_is_not_valid() -> None:
    """Oracle O2: with M = the LP value 2 the program needs two learners, one is enough."""
    m, k = O2.shape
    fipe = MixedIntegerProgram(
        np.repeat([0.0, 1.0], k),
        np.block([[O2, np.zeros((m, k))], [np.eye(k), -2 * np.eye(k)]]),
        row_lower=np.repeat([1.0, -np.inf], k),
        row_upper=np.repeat([np.inf, 0.0], k),
        upper=np.repeat([np.inf, 1.0], k),
        integrality=np.repeat([False, True], k),
    )
    assert solve(fipe, "highs").objective == pytest.approx(2)
    assert Pruner().prune(O2).support.tolist() == [2]
    clock = Clock(None)
    largest = weight_bounds(O2, EPSILON, clock)
    answer = least_support(O2, EPSILON, np.array([0, 1]), 1, largest, solver="highs", clock=clock)
    assert answer.support is not None
    assert answer.support.tolist() == [2]


def test_o1_needs_three_learners_and_one_with_a_better_one() -> None:
    assert Pruner().prune(O1).size == 3
    assert Pruner().prune(np.column_stack([O1, np.ones(3)])).support.tolist() == [3]


@pytest.mark.parametrize("seed", range(4))
def test_bounds_on_weights_are_the_largest_weights(seed: int) -> None:
    margins = instance(seed)
    k = margins.shape[1]
    for h, bound in enumerate(weight_bounds(margins, EPSILON, Clock(None))):
        largest = linprog(-np.eye(k)[h], -margins, np.full(len(margins), -EPSILON), np.ones((1, k)), [1.0])
        if -largest.fun > 0:
            assert bound == pytest.approx(min(-largest.fun, 1), abs=2e-6)
        assert bound >= min(-largest.fun, 1) - 1e-9
    assert (weight_bounds(margins, EPSILON, Clock(0.0)) == 1).all()  # no time, no bound


def test_more_rows_keep_what_stays_valid() -> None:
    """The same size as from scratch after each addition, never a smaller one than before."""
    margins = instance(2, m=60, k=9)
    pruner, sizes = Pruner(), []
    for n in range(5, len(margins) + 1, 5):
        pruner.prune(margins[:n])
        pruned = pruner.prove(Clock(None))
        assert pruned.proved
        assert (margins[:n] @ pruned.weights).min() > 0
        sizes.append(pruned.size)
        assert pruned.size == smallest(margins[:n])
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0]


@pytest.mark.parametrize("seed", range(6))
def test_swaps_keep_a_support_feasible(seed: int) -> None:
    margins = instance(seed, m=40, k=12)
    allowed = undominated(-margins.T)
    start = greedy(margins, EPSILON, np.empty(0, dtype=np.int64), allowed, Clock(None))
    found = thinned(margins, EPSILON, start, allowed, 3, 0, Clock(None))
    assert best_margin(margins, start.tolist()) >= EPSILON
    assert best_margin(margins, found.tolist()) >= EPSILON
    assert len(set(found.tolist())) == len(found) <= len(start)


def test_the_search_says_what_it_knows() -> None:
    margins = instance(0, m=40, k=70)  # more than one word of bits
    everything, cuts = np.ones(70, dtype=bool), np.zeros((1, 2), dtype=np.uint64)
    size = Pruner().prune(margins).size
    assert size > 1
    assert search(margins, EPSILON, size - 1, cuts.copy(), 0, everything, 10**6, Clock(None))[0] == REFUTED
    status, support, *_ = search(margins, EPSILON, size, cuts.copy(), 0, everything, 10**6, Clock(None))
    assert status == FOUND
    assert best_margin(margins, support.tolist()) >= EPSILON
    assert search(margins, EPSILON, size - 1, cuts.copy(), 0, everything, 1, Clock(None))[0] == NODE_LIMIT
    without = everything.copy()
    without[support] = False
    answer = search(margins, EPSILON, size, cuts.copy(), 0, without, 10**6, Clock(None))[1]
    assert not set(answer.tolist()) & set(support.tolist())


@pytest.mark.parametrize("seed", range(4))
def test_a_search_in_pieces_is_the_same_search_and_none_begins_when_the_time_is_over(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    margins = instance(seed, m=60, k=12)
    everything, cuts = np.ones(12, dtype=bool), np.zeros((1, 1), dtype=np.uint64)
    for size in range(1, 6):
        asked = (margins, EPSILON, size)
        whole = search(*asked, cuts.copy(), 0, everything, 10**6, Clock(None))
        with monkeypatch.context() as patch:
            patch.setattr(hitting, "NODES_PER_CALL", 1)
            pieces = search(*asked, cuts.copy(), 0, everything, 10**6, Clock(None))
        assert (whole[0], whole[1].tolist(), *whole[3:]) == (pieces[0], pieces[1].tolist(), *pieces[3:])
        np.testing.assert_array_equal(whole[2][: whole[3]], pieces[2][: pieces[3]])
    over = search(margins, EPSILON, 5, cuts.copy(), 0, everything, 10**6, Clock(0.0))
    assert (over[0], over[4]) == (NODE_LIMIT, 0)


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str = "best_weights") -> list[int]:
    """One entry for each game that the interpreted code of a module asks for."""
    games: list[int] = []

    def counting(rows: np.ndarray, support: np.ndarray, clock: Clock | None = None) -> Any:
        games.append(len(support))
        return best_weights(rows, support, clock)

    monkeypatch.setattr(module, name, counting)
    return games


@pytest.mark.parametrize("most", [0, 1, 5, 20, np.inf])
def test_swaps_look_at_the_clock_before_each_game(most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    margins, games = instance(0, m=40, k=12), counted(monkeypatch, swapping)
    allowed, clock, nothing = np.arange(12), Looks(most), np.empty(0, dtype=np.int64)
    start = greedy(margins, EPSILON, nothing, allowed, clock)
    found = thinned(margins, EPSILON, start, allowed, 3, 0, clock)
    assert len(games) <= min(clock.n, most)
    assert bool(games) == (most > 1)
    assert best_margin(margins, start.tolist()) >= EPSILON
    assert best_margin(margins, found.tolist()) >= EPSILON


def test_the_weights_of_all_learners_are_the_answer_when_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    margins, games = instance(0, m=40, k=12), counted(monkeypatch, pruning)
    pruner = Pruner()
    pruned = pruner.prune(margins, Looks(0))
    assert len(games) == 1
    assert pruned.least_margin == pytest.approx(best_margin(margins, list(range(12))), abs=1e-7)
    assert (margins @ pruned.weights).min() == pytest.approx(pruned.least_margin)
    assert set(np.flatnonzero(pruned.weights)) == set(pruned.support)
    assert pruner.prove(Clock(None)).size == smallest(margins)


@pytest.mark.parametrize("most", [1, 2, 5, 20])
def test_a_cut_that_the_time_does_not_suffice_for_is_a_weaker_cut(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    margins, games = instance(0, m=40, k=12), counted(monkeypatch, hitting)
    empty, clock = np.zeros((1, 1), dtype=np.uint64), Looks(most)
    status, _, cuts, n_cuts, _ = search(margins, EPSILON, 2, empty, 0, np.ones(12, dtype=bool), 10**6, clock)
    assert status == NODE_LIMIT
    assert len(games) <= most
    assert n_cuts > 0
    for cut in cuts[:n_cuts, 0]:
        refuted = [h for h in range(12) if not int(cut) >> h & 1]
        assert not refuted or best_margin(margins, refuted) < EPSILON


@pytest.mark.parametrize("seed", range(20))
def test_the_simplex_method_agrees_with_a_solver(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 40), rng.integers(1, 12)
    rows = rng.integers(-2, 3, (m, n)) / 2 if seed % 2 else rng.uniform(-1, 1, (m, n))
    right = rng.uniform(-1, 1, m)
    status, y, p = cover(rows, right)
    expected = linprog(np.ones(n), -rows, -right)
    assert (status == INFEASIBLE) == (expected.status == 2)
    if status == OPTIMAL:
        assert y.sum() == pytest.approx(expected.fun, abs=1e-7) == pytest.approx(right @ p, abs=1e-7)
        assert (rows.T @ p <= 1 + 1e-7).all()
    value, _, u = game(rows, np.arange(n))
    assert value == pytest.approx(best_margin(rows, list(range(n))), abs=1e-7)
    assert (rows.T @ u).max() == pytest.approx(value, abs=1e-7)


def test_rows_that_stay_imply_the_others() -> None:
    rows = np.array([[1.0, 2], [0, 1], [1, 0], [0, 1], [2, 2]])
    assert undominated(rows).tolist() == [1, 2]
    over = Clock(0.0)
    assert undominated(rows, over).tolist() == [0, 1, 2, 3, 4]  # what was not looked at stays


def test_a_support_short_of_epsilon_by_the_tolerance_of_the_solver_ends_the_search() -> None:
    short = 0.99995 * EPSILON
    margins = np.array([[short, 1, -0.9], [short, -0.9, 1], [short, 0.05, 0.05]])
    clock, pair = Clock(20.0), np.array([1, 2])
    answer = least_support(margins, EPSILON, pair, 1, np.ones(3), solver="highs", clock=clock)
    assert not clock.stopped()
    assert (answer.support, answer.bound) == (None, 1)


def test_contradicting_rows_are_named() -> None:
    with pytest.raises(NoPositiveMarginError, match="got at most 0 of") as raised:
        Pruner().prune([[1.0, -1], [-1, 1]])
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


@pytest.mark.parametrize(
    ("margins", "match"),
    [
        ([1.0, 2.0], r"of shape \(m, k >= 1\), got shape \(2,\)"),
        (np.empty((3, 0)), r"of shape \(m, k >= 1\), got shape \(3, 0\)"),
        (np.empty((0, 3)), "of at least one row"),
        ([[np.nan, 1.0]], "finite"),
    ],
)
def test_margins_that_are_none_are_refused(margins: Any, match: str) -> None:
    with pytest.raises(InvalidDataError, match=f"margins: must be {match}"):
        Pruner().prune(margins)


def test_a_pruner_takes_known_solvers_and_no_new_columns() -> None:
    with pytest.raises(InvalidParameterError, match="solver"):
        Pruner(solver="abacus")
    pruner = Pruner()
    pruner.prune(O1)
    with pytest.raises(InvalidDataError, match=r"of shape \(m, 3\)"):
        pruner.prune(np.ones((4, 4)))


def test_tiny_margins_lower_the_least_margin_asked_for() -> None:
    """A sample that the ensemble itself can hardly tell must not make the program infeasible."""
    pruned = Pruner().prune([[1.0, -1.0 + 2e-6], [-1.0, 1.0]])
    assert pruned.size == 2
    assert 0 < pruned.least_margin < EPSILON
    assert pruned.epsilon < pruned.least_margin


def test_the_simplex_method_stays_exact_on_many_learners_of_hard_votes() -> None:
    """Products of many pivots lost all digits on degenerate matrices of 0, 1 and -1."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        m, k = rng.integers(50, 300), rng.integers(40, 100)
        rows = rng.choice([-1.0, 0.0, 1.0], size=(m, k), p=[0.1, 0.1, 0.8])
        value, weights, u = game(rows, np.arange(k))
        assert (rows @ weights).min() == pytest.approx(value, abs=1e-12)
        assert (rows.T @ u).max() == pytest.approx(value, abs=1e-8)
