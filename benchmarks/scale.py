"""What each method takes as tables and forests grow: seconds of one processor, and memory, a process a case.

``python -m benchmarks.scale`` writes ``scale.csv``, which the book's page of scale shows. Kernels are compiled before
the clock starts. Data are made by scikit-learn's generators, so that nothing but their size changes.
"""

from __future__ import annotations

import json
import math
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.condition_sharing import share_conditions
from compactml.ensemble_pruning import prune
from compactml.feature_selection import CFSSelector, MRMRSelector
from compactml.pace import compress

GOAL = Path(__file__).with_name("scale.csv")
LIMIT = 20
"""Seconds of the processor for a case."""
Size = tuple[int, int]
Answer = tuple[bool, str]


def rules(size: Size) -> Callable[[], Answer]:
    """Rows x columns: a rule of complexity 6."""
    X, y = table(size)

    def work() -> Answer:
        model = BooleanRuleClassifier(6, time_limit=None).fit(X, y)
        return model.gap_ == 0, f"loss {model.objective_}"

    return work


def cfs(size: Size) -> Callable[[], Answer]:
    """Rows x columns: the best ten."""
    X, y = table(size)
    return lambda: selected(CFSSelector(10, gap_rel=1e-6, gap_abs=0, time_limit=None).fit(X, y))


def mrmr(size: Size) -> Callable[[], Answer]:
    """Rows x columns: the best ten."""
    X, y = table(size)
    return lambda: selected(MRMRSelector(10, gap_rel=1e-6, gap_abs=0, time_limit=None).fit(X, y))


def sharing(size: Size) -> Callable[[], Answer]:
    """Rows x trees of a random forest, as deep as they grow."""
    n_rows, n_trees = size
    X, y = table((n_rows, 20))
    forest = RandomForestClassifier(n_trees, random_state=0).fit(X, y)

    def work() -> Answer:
        shared = share_conditions(forest, X)
        assert shared.certificate_ is not None
        return (
            shared.certificate_.n_paths_changed == 0,
            f"{shared.n_conditions_before_:,} to {shared.n_conditions_after_:,} conditions",
        )

    return work


def voters(size: Size) -> Callable[[], Answer]:
    """Validation rows x classifiers that are right three times in four, half of the time together."""
    n_rows, n_voters = size
    random = np.random.default_rng(0)
    y = random.integers(0, 2, n_rows)
    together = random.random((n_rows, 1)) < 0.75
    right = np.where(
        random.random((n_rows, n_voters)) < 0.5, together, random.random((n_rows, n_voters)) < 0.75
    )
    votes = np.where(right, y[:, None], 1 - y[:, None])

    def work() -> Answer:
        result = prune(votes, y, time_limit=None)
        return result.value == result.bound, f"{len(result.selected)} of {n_voters}"

    return work


def trees(size: Size) -> Callable[[], Answer]:
    """Trees x depth of a random forest, on 500 rows and 4 columns, alpha .1, by leaving trees out."""
    n_trees, depth = size
    X, y = table((500, 4))
    forest = RandomForestClassifier(n_trees, max_depth=depth, random_state=0).fit(X, y)

    def work() -> Answer:
        small = compress(forest, X, alpha=0.1, generate=False, time_limit=None)
        return small.bound_ == small.n_learners_, f"{n_trees} to {small.n_learners_} trees"

    return work


Case = tuple[Callable[[Size], Callable[[], Answer]], tuple[Size, ...]]
CASES: dict[str, Case] = {
    "rules": (rules, ((1_000, 10), (10_000, 10), (100_000, 10), (1_000, 40))),
    "CFS": (cfs, ((1_000, 100), (1_000, 500), (50_000, 100))),
    "mRMR": (mrmr, ((1_000, 100), (1_000, 500), (50_000, 100))),
    "sharing": (sharing, ((1_000, 100), (10_000, 100), (10_000, 300))),
    "voters": (voters, ((1_000, 20), (10_000, 12), (1_000, 40))),
    "Pace": (trees, ((10, 2), (25, 2), (25, 3))),
}
"""By method: what is run, and the sizes; in the order of the page."""


def table(size: Size) -> tuple[np.ndarray, np.ndarray]:
    """Rows x columns, a quarter of them informative, a tenth of the labels wrong."""
    n_rows, n_columns = size
    X, y = make_classification(
        n_rows,
        n_columns,
        n_informative=max(2, min(n_columns // 4, 20)),
        n_redundant=2,
        flip_y=0.1,
        random_state=0,
    )
    return np.asarray(X), np.asarray(y)


def selected(selector: Any) -> Answer:
    """Say whether a selector has its proof, and its value."""
    return bool(selector.result_.proved), f"value {selector.result_.value:.3g}"


def measured(method: str, size: Size) -> dict[str, Any]:
    """Run a case in this process, after a smaller one that compiles, and say what it took.

    Memory is the peak of the process, with the libraries and the data in it. After `LIMIT` seconds of the processor the
    system ends the process.
    """
    prepare, sizes = CASES[method]
    smallest = min(sizes)
    prepare((5, 2) if method == "Pace" else (min(smallest[0], 200), smallest[1]))()
    work = prepare(size)
    start = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(start) + LIMIT, resource.RLIM_INFINITY))
    proved, answer = work()
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    measures = {"seconds": round(seconds, 3), "memory_mb": round(memory), "proved": proved, "answer": answer}
    return {**_case(method, size), **measures}


def _case(method: str, size: Size) -> dict[str, Any]:
    return {"method": method, "first": size[0], "second": size[1], "limit": LIMIT}


def in_its_own_process(method: str, size: Size) -> dict[str, Any]:
    """Return the row of a case; one that took longer than the limit has no numbers."""
    command = [sys.executable, "-m", "benchmarks.scale", method, *map(str, size)]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode == -signal.SIGXCPU:
        return {**_case(method, size), "proved": False, "answer": "not ended"}
    if ran.returncode:
        raise AssertionError(ran.stderr)
    row: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return row


def main(arguments: list[str]) -> None:
    """Run one case and print its row, or all of them and write the file; cases that the file has are kept."""
    if arguments:
        warnings.simplefilter("ignore")
        method, first, second = arguments
        print(json.dumps(measured(method, (int(first), int(second)))))
        return
    cases = [(method, size) for method, (_, sizes) in CASES.items() for size in sizes]
    known = pd.read_csv(GOAL).to_dict("records") if GOAL.is_file() else []
    rows: dict[tuple[str, Size], Any] = {(row["method"], (row["first"], row["second"])): row for row in known}
    for case in cases:
        if case not in rows:
            rows[case] = in_its_own_process(*case)
            print(rows[case], flush=True)
        kept = pd.DataFrame([rows[one] for one in cases if one in rows])
        kept.to_csv(GOAL, index=False, lineterminator="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
