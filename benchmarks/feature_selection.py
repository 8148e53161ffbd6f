"""Speed of the certified method for feature selection, as ratios of times on the same matrices and one thread.

The other side is the paper's Algorithm 2 (Newton) at the paper's tolerance, by each solver whose licence takes the
binary quadratic problem as it stands; the fastest one counts. A run without a proof at the limit gives a lower bound
on the ratio.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from compactml.chapters.feature_selection.datasets import BY_KEY, measures, program
from compactml.feature_selection import FractionalProgram, FractionalResult
from compactml.feature_selection.certified.proved_optima import compile_kernels
from compactml.feature_selection.solving import solve
from compactml.solvers import SOLVERS, Level, licence
from compactml.study.keys.fingerprint import data_identity

AIM = ">= 100"
LIMIT = 60.0  # seconds for one run of Newton's method
REPETITIONS = 3  # ours takes milliseconds: the fastest of these counts
TASKS = (
    ("wdbc_with_id", "mrmr"),
    ("spectf", "mrmr"),
    ("lung_cancer_last_column_as_class", "mrmr"),
    ("sonar", "mrmr"),
    ("optdigits_without_constant_pixels", "mrmr"),
    ("optdigits_without_constant_pixels", "cfs"),
    ("semeion", "mrmr"),
    ("madelon_training_rows", "mrmr"),
)
WIDEST = "pcmac"
SLACK = 1e-7  # of a solver's bound
Row = dict[str, str | float]


def build(dataset: str, measure: str) -> FractionalProgram:
    """The program that the chapter's tables solve."""
    return program(measures(dataset, BY_KEY[dataset].discretizer), measure)


def takers(own: FractionalProgram) -> list[str]:
    """Solvers that take the binary quadratic problem as it stands; the free ones, linearised, where there is none."""
    usable = [name for name in SOLVERS if licence(name).usable and own.n_features <= columns_allowed(name)]
    free = [name for name in usable if licence(name).level is Level.OPEN]
    return [name for name in usable if name not in free] or free


def columns_allowed(solver: str) -> float:
    """Columns that a licence takes in a quadratic model."""
    return min(licence(solver).max_columns, licence(solver).max_quadratic_columns)


def newton(own: FractionalProgram) -> FractionalResult:
    """The fastest run that ends with a proof, else the one with the best bound."""
    runs = [solve(own, method="newton", solver=solver, time_limit=LIMIT) for solver in takers(own)]
    return min(runs, key=lambda run: (not run.proved, run.seconds if run.proved else run.bound))


def certified(own: FractionalProgram) -> FractionalResult:
    """The fastest of some runs of ours."""
    runs = [solve(own, method="certified", time_limit=None) for _ in range(REPETITIONS)]
    return min(runs, key=lambda run: run.seconds)


def ratio(dataset: str, measure: str, own: FractionalProgram) -> Row:
    """Newton's method against ours on one program.

    Raises
    ------
    AssertionError
        Ours is not proved, or one side has a value above the bound of the other.
    """
    ours, paper = certified(own), newton(own)
    if not ours.proved or ours.value > paper.bound + SLACK or paper.value > ours.bound + SLACK:
        raise AssertionError(f"{dataset}, {measure}: ours {ours}, Newton {paper}")
    name = "solver" if paper.choice is None else paper.choice.solver
    times = paper.seconds / ours.seconds
    return {
        "ratio of times": f"Newton with {name} / certified",
        "on": f"{dataset}, {measure}, p = {own.n_features}, ours {1000 * ours.seconds:.1f} ms",
        "ratio": times if paper.proved else f"> {times:.0f}",
        "Newton": f"{paper.seconds:.2f} s" if paper.proved else f"not finished in {LIMIT:.0f} s",
        "aim": AIM if paper.seconds > 1 else "",
    }


def ratios() -> Iterator[Row]:
    """One row for each task whose data are there."""
    for dataset, measure in tqdm(at_hand(TASKS), "feature selection", disable=None):
        yield ratio(dataset, measure, build(dataset, measure))


def table() -> pd.DataFrame:
    """One row per dataset and measure: what is divided by what, the ratio, and the aim where Newton takes over 1 s."""
    with threadpool_limits(1):
        compile_kernels()
        return pd.DataFrame(ratios())


def at_hand(tasks: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of some tasks whose files are there."""
    return [task for task in tasks if data_identity(task[0]).at_hand]


def widest() -> str:
    """Time to build both programs of the widest dataset, from its table to f and g."""
    parts = []
    with threadpool_limits(1):
        for measure in ("mrmr", "cfs"):
            started = time.perf_counter()
            own = build(WIDEST, measure)
            parts.append(f"{measure} {time.perf_counter() - started:.1f} s")
    return f"{WIDEST}, p = {own.n_features}: reading and measures {', '.join(parts)}"


def note() -> str:
    """The time of the measures, and which data were not at hand."""
    there = {dataset for dataset, _ in at_hand(TASKS)}
    lacking = sorted({dataset for dataset, _ in TASKS} - there)
    lines = [widest()] if data_identity(WIDEST).at_hand else []
    return "\n".join([*lines, *([f"not at hand: {', '.join(lacking)}"] if lacking else []), ""])
