"""Compiled simulated annealing over ensembles (a set of classifiers and a threshold L).

A vector of votes changes sides in a move only if its number s of selected votes is L or L + 1. So vectors stand in
words of 64 with equal gains in each word, s is kept in binary digits, one plane of words per digit, and a move costs a
few bit operations and a count of bits per word.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml._kernels import popcount

SIZE, THRESHOLD, VALUE, BEST, BEST_SIZE, BEST_THRESHOLD = range(6)
"""Places in ``State.numbers``."""

SWAP, ADD, DROP = 55, 75, 95
"""Of 100 draws, those below the first are swaps, ..., the rest move the threshold alone."""

ROUNDING = 5e-10
"""Lack of diversity that counts as none."""


class Problem(NamedTuple):
    """What does not change; the last row of ``columns`` and of ``credit`` is zero and stands for no classifier.

    ``columns`` (uint64, shape (K + 1, W)) has the votes of a classifier, ``gains`` (int64, shape (W,)) the gain of each
    vector of a word, ``credit`` (float, shape (K + 1, K + 1)) the failure credit, (0, 0) without limits.
    """

    columns: NDArray[np.uint64]
    gains: NDArray[np.int64]
    credit: NDArray[np.float64]
    min_pfc: float
    mean_pfc: float


class State(NamedTuple):
    """An ensemble and the best one seen.

    ``order`` (int64, shape (K,)) has the selected classifiers first; ``digits`` (uint64, shape (B, W)) are those of s;
    ``at`` and ``above`` (uint64, shape (W,)) tell where s = L and s = L + 1; ``sums`` (float, shape (K,)) are those of
    the failure credits of each classifier with the selected ones; ``best`` (int64, shape (K,)) is the best ensemble;
    ``seed`` (uint64, shape (1,), not 0) the state of the random numbers.
    """

    order: NDArray[np.int64]
    digits: NDArray[np.uint64]
    at: NDArray[np.uint64]
    above: NDArray[np.uint64]
    sums: NDArray[np.float64]
    best: NDArray[np.int64]
    numbers: NDArray[np.int64]
    seed: NDArray[np.uint64]


@njit(cache=True)
def change_of(
    gains: NDArray[np.int64],
    at: NDArray[np.uint64],
    above: NDArray[np.uint64],
    leaving: NDArray[np.uint64],
    entering: NDArray[np.uint64],
    by: int | np.int64,
) -> np.int64:
    """What the value gains if one classifier leaves, one enters (columns of votes) and the threshold moves by ``by``.

    The threshold may rise only if none leaves and fall only if none enters: then a vector with s = L is called positive
    if it has the vote that enters and not the one that leaves, or if L falls and it keeps its votes; one with s = L + 1
    is called negative if it has the vote that leaves and not the one that enters, or if L rises and it gets no vote.
    Without a branch, which would be predicted wrong half of the time.
    """
    none, every = np.uint64(0), ~np.uint64(0)
    up, any_up = every if by <= 0 else none, every if by < 0 else none
    down, any_down = every if by >= 0 else none, every if by > 0 else none
    change = np.int64(0)
    for w in range(len(gains)):
        rises = at[w] & up & (entering[w] | any_up) & ~leaving[w]
        falls = above[w] & down & (leaving[w] | any_down) & ~entering[w]
        change += gains[w] * (popcount(rises) - popcount(falls))
    return change


@njit(cache=True)
def count(digits: NDArray[np.uint64], carry: NDArray[np.uint64], add: bool) -> None:
    """Add 1 to s, or take 1 away, where ``carry`` has a bit; ``carry`` is used up."""
    for b in range(len(digits)):
        for w in range(len(carry)):
            digit = digits[b, w]
            digits[b, w] = digit ^ carry[w]
            carry[w] &= digit if add else ~digit


@njit(cache=True)
def mark(
    digits: NDArray[np.uint64], threshold: int, at: NDArray[np.uint64], above: NDArray[np.uint64]
) -> None:
    """Set ``at`` and ``above`` to the bits with s = L and s = L + 1."""
    at[:] = ~np.uint64(0)
    above[:] = ~np.uint64(0) if (threshold + 1) >> len(digits) == 0 else np.uint64(0)
    for b in range(len(digits)):
        not_at = ~np.uint64(0) if threshold >> b & 1 == 0 else np.uint64(0)
        not_above = ~np.uint64(0) if (threshold + 1) >> b & 1 == 0 else np.uint64(0)
        for w in range(len(at)):
            at[w] &= digits[b, w] ^ not_at
            above[w] &= digits[b, w] ^ not_above


@njit(cache=True)
def move(
    problem: Problem, state: State, out: int, into: int, by: int | np.int64, change: int | np.int64
) -> None:
    """Make a move; ``out`` and ``into`` are places in ``order``, K for none."""
    order, numbers, none = state.order, state.numbers, len(state.order)
    for enters in (True, False):
        spot = into if enters else out
        if spot == none:
            continue
        k = order[spot]
        for w in range(len(state.at)):
            state.at[w] = problem.columns[k, w]
        count(state.digits, state.at, enters)
        if len(problem.credit):
            for other in range(none):
                credit = problem.credit[k, other]
                state.sums[other] += credit if enters else -credit
    if into < none and out < none:
        order[out], order[into] = order[into], order[out]
    elif into < none:
        order[into], order[numbers[SIZE]] = order[numbers[SIZE]], order[into]
        numbers[SIZE] += 1
    elif out < none:
        numbers[SIZE] -= 1
        order[out], order[numbers[SIZE]] = order[numbers[SIZE]], order[out]
    numbers[THRESHOLD] += by
    numbers[VALUE] += change
    mark(state.digits, numbers[THRESHOLD], state.at, state.above)


@njit(cache=True)
def lack(problem: Problem, state: State, out: int, into: int) -> float:
    """By how much (18) and (20) are missed after a move, in units of PFC, summed over the classifiers."""
    order, size, none = state.order, state.numbers[SIZE], len(state.order)
    n = size + (into < none) - (out < none)
    if n < 2 or len(problem.credit) == 0:
        return 0.0
    leaving = order[out] if out < none else none
    entering = order[into] if into < none else none
    total, missing = 0.0, 0.0
    for place in range(size + 1):
        k = order[place] if place < size else entering
        if k in (leaving, none):
            continue
        with_k = state.sums[k] + problem.credit[k, entering] - problem.credit[k, leaving]
        total += with_k
        missing += max(problem.min_pfc - with_k / (n - 1), 0.0)
    missing += max(problem.mean_pfc - total / (n * (n - 1)), 0.0)
    return missing if missing > ROUNDING else 0.0


@njit(cache=True)
def draw(seed: NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits: Marsaglia's xorshift, a fifth of the time of numpy's generator."""
    x = seed[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    seed[0] = x
    return x


@njit(cache=True)
def uniform(seed: NDArray[np.uint64]) -> float:
    """A random number in [0, 1)."""
    return np.float64(draw(seed) >> np.uint64(11)) / 2.0**53


@njit(cache=True)
def below(bits: np.uint64, n: int) -> int:
    """A number from 0 to n - 1 from 16 random bits."""
    drawn: Any = np.int64((bits & np.uint64(0xFFFF)) * np.uint64(n) >> np.uint64(16))
    return drawn


@njit(cache=True)
def propose(
    bits: np.uint64, size: int, threshold: int, low: int, high: int, none: int
) -> tuple[int, int, int | np.int64]:
    """Draw a move (out, into, by) that keeps the size in the band and 0 <= L < size; (K, K, 0) if it does not."""
    kind, coin = below(bits, 100), np.int64(bits >> np.uint64(63))
    leaves, enters = kind < SWAP or ADD <= kind < DROP, kind < ADD
    by = 0 if kind < SWAP else coin if kind < ADD else -coin if kind < DROP else 2 * coin - 1
    new_size = size + enters - leaves
    possible = size - leaves >= 0 and size + enters <= none
    if not possible or not low <= new_size <= high or not 0 <= threshold + by < new_size:
        return none, none, 0
    out = below(bits >> np.uint64(16), size) if leaves else none
    into = size + below(bits >> np.uint64(32), none - size) if enters else none
    return out, into, by


@njit(cache=True)
def change_at(problem: Problem, state: State, out: int, into: int, by: int | np.int64) -> np.int64:
    """`change_of` for places in ``order``, K for none."""
    none = len(state.order)
    leaving = problem.columns[state.order[out] if out < none else none]
    entering = problem.columns[state.order[into] if into < none else none]
    return change_of(problem.gains, state.at, state.above, leaving, entering, by)


@njit(cache=True)
def place(problem: Problem, state: State, members: NDArray[np.int64], threshold: int) -> None:
    """Go to an ensemble from the empty one, which calls nothing positive."""
    none, numbers = len(state.order), state.numbers
    state.digits[:] = 0
    state.sums[:] = 0.0
    numbers[SIZE] = numbers[THRESHOLD] = numbers[VALUE] = 0
    mark(state.digits, numbers[THRESHOLD], state.at, state.above)
    n_members = len(members)
    while n_members > 0 or numbers[THRESHOLD] < threshold:
        into, by = none, np.int64(1)
        if n_members > 0:
            into, by = 0, np.int64(0)
            while state.order[into] != members[len(members) - n_members]:
                into += 1
            n_members -= 1
        move(problem, state, none, into, by, change_at(problem, state, none, into, by))


@njit(cache=True)
def keep(state: State) -> None:
    """Note the ensemble if it is better than the best one."""
    numbers = state.numbers
    if numbers[VALUE] > numbers[BEST]:
        for i in range(numbers[SIZE]):
            state.best[i] = state.order[i]
        numbers[BEST], numbers[BEST_SIZE] = numbers[VALUE], numbers[SIZE]
        numbers[BEST_THRESHOLD] = numbers[THRESHOLD]


@njit(cache=True)
def anneal(
    problem: Problem, state: State, low: int, high: int, hot: float, cold: float, n_moves: int
) -> None:
    """Draw ``n_moves`` moves while the temperature falls from ``hot`` to ``cold``; the size stays in [low, high].

    A move that makes the lack of diversity larger is rejected, one that makes it smaller accepted; among the others
    Metropolis decides.
    """
    none, numbers = len(state.order), state.numbers
    cooling, temperature = (cold / hot) ** (1.0 / n_moves), hot
    missing = lack(problem, state, none, none)
    for _ in range(n_moves):
        temperature *= cooling
        out, into, by = propose(draw(state.seed), numbers[SIZE], numbers[THRESHOLD], low, high, none)
        if out == none and into == none and by == 0:
            continue
        change = change_at(problem, state, out, into, by)
        likely = change >= 0 or uniform(state.seed) < np.exp(change / temperature)
        if not likely and missing == 0.0:
            continue
        left = lack(problem, state, out, into)
        if left > missing or (left == missing and not likely):
            continue
        move(problem, state, out, into, by, change)
        missing = left
        if missing == 0.0:
            keep(state)
