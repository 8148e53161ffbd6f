"""How closely limits are kept: processor seconds of hard cases, a process a case.

``python -m benchmarks.deadlines [NAME ...]`` prints, for each limit, what was taken of the processor. Clocks of the
library are told the processor's seconds of the process instead of the wall's, so that a busy machine changes nothing
but what solvers measure themselves. Kernels are compiled before. Contract: the limit and the larger of a second and a
tenth of it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pandas as pd

Case = Callable[[float], object]


def rules(**how: str) -> Case:
    """Rules of complexity 20 on 20,000 rows of 30 columns."""
    from sklearn.datasets import make_classification

    from compactml.boolean_rules import BooleanRuleClassifier

    X, y = make_classification(20_000, 30, n_informative=8, flip_y=0.1, random_state=0)
    return lambda limit: BooleanRuleClassifier(20, time_limit=limit, **how).fit(X, y)


def fractional(method: str, p: int) -> Case:
    """A method of the paper with HiGHS on a dense program of p features."""
    from compactml.feature_selection import FractionalProgram, solve

    rng = np.random.default_rng(0)
    parts = rng.random(p), rng.normal(size=(p, p)), rng.random(p) + 0.1, rng.random((p, p))
    program = FractionalProgram(*parts)
    return lambda limit: solve(program, method=method, solver="highs", time_limit=limit)


def _forest(depth: int, rows: int = 2_000, classes: int = 2) -> tuple[object, np.ndarray]:
    from sklearn.datasets import make_classification
    from sklearn.ensemble import RandomForestClassifier

    X, y = make_classification(rows, 12, n_informative=6, n_classes=classes, random_state=0)
    return RandomForestClassifier(300, max_depth=depth, random_state=0).fit(X, y), X


def compress(depth: int, rows: int = 2_000, classes: int = 2) -> Case:
    """300 trees on rows of 12 columns."""
    from compactml import pace

    forest, X = _forest(depth, rows, classes)
    return lambda limit: pace.compress(forest, X, alpha=0.1, time_limit=limit)


def fipe(depth: int, rows: int = 2_000, classes: int = 2) -> Case:
    """The same trees by the method that Pace is compared with."""
    from compactml import pace

    forest, X = _forest(depth, rows, classes)
    return lambda limit: pace.fipe(forest, X, time_limit=limit)


def refit(depth: int) -> Case:
    """The same trees, compressed without any time, are exchanged."""
    from compactml import pace

    forest, X = _forest(depth)
    small = pace.compress(forest, X, alpha=0.1, time_limit=0.0)
    return lambda limit: pace.refit(small, time_limit=limit)


def _pool() -> tuple[np.ndarray, np.ndarray]:
    """Votes of 200 classifiers on 30,000 rows, each wrong on a share of its own, from 0.3 to 0.9."""
    rng = np.random.default_rng(0)
    y = rng.random(30_000) < 0.5
    wrong = rng.random((30_000, 200)) < rng.uniform(0.3, 0.9, 200)
    return wrong ^ y[:, np.newaxis], y


def of_votes(name: str, **how: str) -> Case:
    """A function of the package on many votes."""
    from compactml import ensemble_pruning

    votes, y = _pool()
    return lambda limit: getattr(ensemble_pruning, name)(votes, y, time_limit=limit, **how)


def average(loss: str) -> Case:
    """Predictions of 200 regressors on 30,000 rows."""
    from compactml import ensemble_pruning

    rng = np.random.default_rng(0)
    said, y = rng.normal(size=(30_000, 200)), rng.normal(size=30_000)
    ensemble_pruning.prune_average(said[:5, :3], y[:5], loss=loss)  # compiles
    return lambda limit: ensemble_pruning.prune_average(said, y, loss=loss, time_limit=limit)


def plurality(n: int, k: int) -> Case:
    """Votes of k classifiers for four classes on n rows."""
    from compactml import ensemble_pruning

    rng = np.random.default_rng(0)
    y = rng.integers(4, size=n)
    right = rng.random((n, k)) < rng.uniform(0.3, 0.6, k)
    votes = np.where(right, y[:, np.newaxis], rng.integers(4, size=(n, k)))
    return lambda limit: ensemble_pruning.prune_plurality(votes, y, time_limit=limit)


def selector(p: int) -> Case:
    """Features of five values in 5,000 rows; a limit that ends the measures is told by an error."""
    from compactml.feature_selection import CFSSelector, TimeLimitTooShortError

    rng = np.random.default_rng(0)
    X, y = rng.integers(5, size=(5_000, p)), rng.integers(3, size=5_000)

    def fit(limit: float) -> None:
        with suppress(TimeLimitTooShortError):
            CFSSelector(10, time_limit=limit).fit(X, y)

    return fit


CASES: dict[str, Callable[[], Case]] = {
    "rules": rules,
    "mip": lambda: rules(pricing="mip"),
    "newton 250": lambda: fractional("newton", 250),
    "newton 1000": lambda: fractional("newton", 1_000),
    "milp1 1000": lambda: fractional("milp1", 1_000),
    "compress 12": lambda: compress(12),
    "compress 20": lambda: compress(20),
    "compress 5-classes": lambda: compress(12, classes=5),
    "compress 20000-rows": lambda: compress(12, rows=20_000),
    "fipe 12": lambda: fipe(12),
    "fipe 20": lambda: fipe(20),
    "fipe 5-classes": lambda: fipe(12, classes=5),
    "fipe 20000-rows": lambda: fipe(12, rows=20_000),
    "refit 12": lambda: refit(12),
    "refit 20": lambda: refit(20),
    "prune": lambda: of_votes("prune"),
    "program": lambda: of_votes("prune", formulation="plain"),
    "asummability": lambda: of_votes("asummability_bound"),
    "branching": lambda: of_votes("branching_bound"),
    "average squared": lambda: average("squared"),
    "average absolute": lambda: average("absolute"),
    "plurality 300": lambda: plurality(5_000, 300),
    "plurality 200": lambda: plurality(30_000, 200),
    "selector 500": lambda: selector(500),
    "selector 1500": lambda: selector(1_500),
}
LIMITS = (1.0, 3.0)


def measure(name: str, limit: float) -> float:
    """Return the processor seconds of a case, compiled before."""
    work = CASES[name]()
    for compiled in COMPILING[name.split()[0]]:
        compiled()
    before = time.process_time()
    work(limit)
    return time.process_time() - before


def _compiling(module: str) -> Callable[[], None]:
    def compiled() -> None:
        from importlib import import_module

        import_module(module).compile_kernels()

    return compiled


COMPILING = {
    **dict.fromkeys(("rules", "mip"), (_compiling("compactml.boolean_rules.learning"),)),
    **dict.fromkeys(("newton", "milp1"), ()),
    **dict.fromkeys(
        ("prune", "program", "asummability", "branching"),
        (_compiling("compactml.ensemble_pruning.compiling"),),
    ),
    **dict.fromkeys(("plurality", "average"), ()),
    "selector": (_compiling("compactml.feature_selection.certified.proved_optima"),),
    **dict.fromkeys(("compress", "fipe", "refit"), (_compiling("compactml.pace._compress"),)),
}


def table(names: list[str]) -> pd.DataFrame:
    """Return a row a case and limit."""
    rows = []
    for name in names:
        for limit in LIMITS:
            command = [sys.executable, "-m", "benchmarks.deadlines", "--one", name, str(limit)]
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds = float(json.loads(answer.stdout.splitlines()[-1]))
            rows.append({"case": name, "limit": limit, "seconds": seconds})
            rows[-1]["kept"] = "yes" if seconds <= limit + max(1.0, 0.1 * limit) else "no"
    return pd.DataFrame(rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        warnings.simplefilter("ignore")
        time.perf_counter = time.process_time
        print(json.dumps(measure(sys.argv[2], float(sys.argv[3]))))
    else:
        asked = argparse.ArgumentParser(
            prog="python -m benchmarks.deadlines",
            description="Processor seconds of hard cases under limits, a process a case.",
            epilog="cases: " + ", ".join(CASES),
        )
        asked.add_argument("name", nargs="*", help="a case; all unless one is named")
        names = asked.parse_args().name
        if unknown := [name for name in names if name not in CASES]:
            asked.error(f"no case {unknown[0]!r}; there are {', '.join(map(repr, CASES))}")
        print(table(names or list(CASES)).to_string(index=False, float_format="{:.2f}".format))
