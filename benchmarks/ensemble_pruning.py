"""Speed and quality of ensemble pruning, as ratios on the same votes and one thread, K = 100.

The compiled search is compared with the same annealing in numpy, where a move is a pass over all distinct votes; the
maximum flow of the isotonic bound with the linear program of the same conflicts; the bounds by the gap that they leave;
and the strengthened program with the paper's by the gap after equal seconds, both on HiGHS alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from compactml.chapters.ensemble_pruning.trials.votes import Run, votes
from compactml.clock import Clock
from compactml.ensemble_pruning._local_search import local_search
from compactml.ensemble_pruning.bounds.asummability import asummability_of
from compactml.ensemble_pruning.bounds.branching import NO_LIMIT, branching_bound
from compactml.ensemble_pruning.bounds.cover import cover_rows
from compactml.ensemble_pruning.bounds.isotonic import isotonic_of
from compactml.ensemble_pruning.compiling import compile_kernels
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.pruning import prune
from compactml.ensemble_pruning.result import relative_gap
from compactml.solvers import MixedIntegerProgram, SolveOptions, solve
from compactml.study.keys.fingerprint import data_identity
from compactml.watch import recorded

K = 100
TASKS = ("diabetic_retinopathy", "default_credit_card")
MOVES, NUMPY_MOVES = 4_000_000, 10_000
REPETITIONS = 3  # the flow takes milliseconds: the fastest of these counts
SECONDS = 60.0  # for each formulation, the asummability bound and the linear program
EXCHANGE, FEWEST, MOST = 0.6, 6, 20
"""Of the search in numpy: share of exchanges, least and largest number of classifiers."""

SLACK = 1e-6  # of a solver's objective
Row = dict[str, str | float]


def numpy_search(instance: PruningInstance, moves: int, seed: int = 0) -> float:
    """Annealing by exchange, addition and removal of a classifier in numpy; the best sum of gains."""
    random, n = np.random.default_rng(seed), instance.n_classifiers
    columns = np.ascontiguousarray(instance.patterns.T).astype(np.int16)
    order, size, threshold = random.permutation(n), min(FEWEST + 4, n // 2), 0
    votes = columns[order[:size]].sum(axis=0, dtype=np.int16)
    value = best = float(instance.gains @ (votes > threshold))
    draws, temperatures = random.random((moves, 5)).tolist(), np.geomspace(1.5, 0.2, moves).tolist()
    for (kind, coin, a, b, luck), temperature in zip(draws, temperatures, strict=True):
        enters, leaves = kind < EXCHANGE + (1 - EXCHANGE) / 2, kind < EXCHANGE
        leaves |= not enters
        new_size, level = size + enters - leaves, threshold + (enters - leaves) * (coin < 0.5)
        if not (FEWEST <= new_size <= MOST and 0 <= level < new_size):
            continue
        out, into = int(a * size), size + int(b * (n - size))
        new = votes + columns[order[into]] if enters else votes
        new = new - columns[order[out]] if leaves else new
        new_value = float(instance.gains @ (new > level))
        if new_value < value and luck >= math.exp((new_value - value) / temperature):
            continue
        votes, threshold, value = new, level, new_value
        if enters and leaves:
            order[[out, into]] = order[[into, out]]
        elif enters:
            order[[size, into]] = order[[into, size]]
        else:
            order[[out, size - 1]] = order[[size - 1, out]]
        size = new_size
        best = max(best, value)
    return best


def search_row(name: str, instance: PruningInstance) -> Row:
    """Moves per second, by the time of the process: other programs do not count."""
    started = time.process_time()
    local_search(instance, time_limit=None, moves=MOVES)
    ours = (time.process_time() - started) / MOVES
    started = time.process_time()
    numpy_search(instance, NUMPY_MOVES)
    plain = (time.process_time() - started) / NUMPY_MOVES
    return {
        "ratio": "time of a move: numpy / compiled",
        "on": f"{name}, {len(instance.gains)} distinct votes",
        "value": plain / ours,
        "ours": f"{1e-6 / ours:.1f} million moves/s",
        "aim": "> 2 million moves/s",
    }


def flow_row(name: str, instance: PruningInstance) -> Row:
    """The isotonic bound by maximum flow and by linear programming.

    Raises
    ------
    AssertionError
        They differ.
    """
    ours = math.inf
    for _ in range(REPETITIONS):
        started = time.perf_counter()
        found = isotonic_of(instance)
        ours = min(ours, time.perf_counter() - started)
    started = time.perf_counter()
    conflicts = all_conflicts(instance)
    program = MixedIntegerProgram(np.abs(instance.gains), conflicts, row_lower=1.0)
    result = solve(program, solver="highs", options=SolveOptions(time_limit=SECONDS))
    other = time.perf_counter() - started
    if result.objective is not None and abs(result.objective - found.errors) > SLACK * (1 + found.errors):
        raise AssertionError(f"{name}: flow {found.errors}, linear program {result.objective}")
    return {
        "ratio": "time: linear program with HiGHS / maximum flow",
        "on": f"{name}, {conflicts.shape[0]} conflicts",
        "value": other / ours if result.objective is not None else f"> {other / ours:.0f}",
        "ours": f"{ours:.3f} s",
        "aim": "< 0.1 s",
    }


def all_conflicts(instance: PruningInstance) -> csr_array:
    """A row for each positive pattern that is at most a negative one."""
    rows = instance.patterns.astype(np.float32)
    positive, negative = np.flatnonzero(instance.gains > 0), np.flatnonzero(instance.gains < 0)
    votes_not_shared = rows[positive] @ (1 - rows[negative]).T
    low, high = np.nonzero(votes_not_shared == 0)
    return cover_rows(np.column_stack([positive[low], negative[high]]), len(rows))


def bound_row(name: str, instance: PruningInstance) -> Row:
    """The gaps that cuts and branching leave to one ensemble."""
    found = local_search(instance, time_limit=None, moves=MOVES)
    value = instance.value(*found)
    started = time.perf_counter()
    ours = asummability_of(instance, Clock(SECONDS))
    seconds = time.perf_counter() - started
    with recorded():  # the row says what was reached
        tree = branching_bound(
            instance.votes, instance.y, value=value, time_limit=seconds, max_nodes=NO_LIMIT
        )
    bounds = (isotonic_of(instance).bound, ours.bound, tree.bound)
    isotonic, cuts, branching = (relative_gap(value, bound) for bound in bounds)
    return {
        "ratio": "gap: asummability bound / branching on classifiers",
        "on": f"{name}, {seconds:.0f} s each",
        "value": divided(cuts, branching),
        "ours": f"{branching:.2%} against {cuts:.2%}, isotonic {isotonic:.2%}",
        "aim": "",
    }


def program_row(name: str, instance: PruningInstance) -> Row:
    """The gap of the paper's program and of ours after the same time."""
    with recorded():  # the row says what was reached
        gaps = [
            prune(instance.votes, instance.y, formulation=form, solver="highs", time_limit=SECONDS).gap
            for form in ("plain", "strengthened")
        ]
    return {
        "ratio": f"gap after {SECONDS:.0f} s: plain / strengthened",
        "on": name,
        "value": divided(*gaps),
        "ours": f"{gaps[1]:.2%} against {gaps[0]:.2%}",
        "aim": "",
    }


def divided(theirs: float, ours: float) -> float | str:
    """A ratio of gaps."""
    return theirs / ours if ours > 0 else "closed"


def rows() -> Iterator[Row]:
    """Four rows for each task whose data are there."""
    for dataset in tqdm(at_hand(), "ensemble pruning", disable=None):
        own = votes(Run(dataset, 0, 0, K), K)["validation"]
        instance = PruningInstance.from_votes(own.votes, own.y)
        for row in (search_row, flow_row, bound_row, program_row):
            yield row(dataset, instance)


def table() -> pd.DataFrame:
    """One row per dataset and comparison."""
    with threadpool_limits(1):
        compile_kernels()
        return pd.DataFrame(rows())


def at_hand() -> list[str]:
    """Tasks whose files are there."""
    return [dataset for dataset in TASKS if data_identity(dataset).at_hand]


def note() -> str:
    """Which data were not at hand."""
    lacking = sorted(set(TASKS) - set(at_hand()))
    return f"not at hand: {', '.join(lacking)}\n" if lacking else ""
