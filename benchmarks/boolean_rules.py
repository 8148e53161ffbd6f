"""Speed of exact pricing for Boolean rules, as ratios of times at the same duals on one thread; proven optima below.

The duals are those at which column generation ended, where the task is to prove that no clause improves: ours by branch
and bound, HiGHS by the paper's pricing program (6)-(10), CP-SAT by the same with Boolean coverage. Building the models
counts. Without a proof at the limit an engine's ratio is a lower bound.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pandas as pd
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from compactml.boolean_rules import DecileBinarizer, Duals, Instance, Search
from compactml.boolean_rules.column_generation import ColumnGeneration
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.learning import compile_kernels
from compactml.boolean_rules.pricing.branch_and_bound import BranchAndBoundPricing
from compactml.boolean_rules.pricing.priced import Priced, Pricing
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.datasets import GENERATED, problem
from compactml.chapters.boolean_rules.tables import optimum
from compactml.chapters.boolean_rules.trials.engines import OURS, engine
from compactml.clock import Clock
from compactml.study.keys.fingerprint import data_identity

OTHERS = ("HiGHS", "CP-SAT")
LIMIT = 60.0  # seconds for one call
REPETITIONS = 3  # ours takes milliseconds: the fastest of these counts
TASKS = {
    "blood_transfusion": (15, ">= 1000"),
    "banknote": (25, ">= 1000"),
    GENERATED: (32, "others unfinished"),
    "heart_cleveland_complete_rows": (15, "others unfinished"),
    "ilpd_complete_rows": (12, "others unfinished"),
}
"""Complexity C and what is aimed at with HiGHS, by dataset."""

OPTIMA = {
    "blood_transfusion": 15,
    GENERATED: 32,
    "mushroom": 18,
    "banknote": 25,
    "liver_drinks": 12,
    "heart_cleveland_complete_rows": 10,
    "wdbc": 6,
    "pima": 6,
    "ionosphere": 6,
    "adult_training_file": 8,
    "bank_without_duration": 10,
}
"""Complexity C of the optima to be proved; the last two to within 2 %."""

SHOWN = ("loss", "bound", "gap", "seconds")
Row = dict[str, str | float]


class Pricings(NamedTuple):
    """The engines for one dataset and complexity, and the duals at which they are compared."""

    duals: Duals
    engines: dict[str, Pricing]


class LastCall:
    """A pricing method that remembers where it was called last."""

    def __init__(self, pricing: Pricing) -> None:
        self.pricing = pricing
        self.duals: Duals | None = None

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        self.duals = duals
        return self.pricing(duals, clock)


class Timed(NamedTuple):
    """Seconds of one call, and whether it proved that no clause has f > 0."""

    seconds: float
    proved: bool


def pricings(dataset: str, complexity: int) -> Pricings:
    """Generate columns until the master's bound is proved, and keep the duals of that proof."""
    X, y = problem(dataset)
    binarizer = DecileBinarizer(missing="above").fit(X)
    instance = Instance.from_codes(binarizer.codes(X), y, binarizer.literals_)
    search = Search(instance, complexity - 1)
    pricing = LastCall(BranchAndBoundPricing(search))
    ColumnGeneration(Columns(instance), complexity, pricing, search).run(Clock(None))
    assert pricing.duals is not None
    return Pricings(pricing.duals, {name: engine(name, instance, search, LIMIT) for name in (OURS, *OTHERS)})


def timed(pricing: Pricing, duals: Duals, repetitions: int = 1) -> Timed:
    """The fastest of some calls."""
    found = []
    for _ in range(repetitions):
        started = time.perf_counter()
        priced = pricing(duals, Clock(LIMIT))
        found.append(Timed(time.perf_counter() - started, priced.at_most == 0))
    return min(found)


def ratios(dataset: str) -> Iterator[Row]:
    """HiGHS and CP-SAT against ours."""
    complexity, aim = TASKS[dataset]
    given = pricings(dataset, complexity)
    ours = timed(given.engines[OURS], given.duals, REPETITIONS)
    if not ours.proved:
        raise AssertionError(f"{dataset}: our pricing does not end where column generation did")
    for name in OTHERS:
        other = timed(given.engines[name], given.duals)
        unfinished = "" if other.proved else f" (not finished in {LIMIT:.0f} s)"
        yield {
            "ratio of times": f"{name} / ours{unfinished}",
            "on": f"{dataset}, C = {complexity}, ours {1000 * ours.seconds:.1f} ms",
            "ratio": other.seconds / ours.seconds,
            "aim": aim if name == "HiGHS" else "",
        }


def table() -> pd.DataFrame:
    """One row per engine and dataset at hand: what is divided by what, the ratio, and the aim where there is one."""
    compile_kernels()
    with threadpool_limits(1):
        return pd.DataFrame(
            [row for dataset in tqdm(at_hand(TASKS), "pricing", disable=None) for row in ratios(dataset)]
        )


def optima() -> pd.DataFrame:
    """Hamming loss, proved bound and seconds on whole datasets, within the limits of the chapter's table "optima"."""
    rows = []
    with threadpool_limits(1):
        for dataset in tqdm(at_hand(OPTIMA), "optima", disable=None):
            result = CHAPTER.run(optimum(dataset, OPTIMA[dataset]))
            rows.append({"dataset": dataset, "C": OPTIMA[dataset], **{name: result[name] for name in SHOWN}})
    return pd.DataFrame(rows)


def at_hand(datasets: Iterable[str]) -> list[str]:
    """Those of some datasets whose files are there; generated ones always are."""
    return [dataset for dataset in datasets if data_identity(dataset).at_hand]


def note() -> str:
    """The proven optima, and which data were not at hand."""
    lacking = sorted({*TASKS, *OPTIMA} - set(at_hand({*TASKS, *OPTIMA})))
    found = optima().to_string(index=False, justify="left", float_format="{:.3f}".format)
    return f"\nHamming loss and proved bound, all clause lengths\n{found}\n" + (
        f"not at hand: {', '.join(lacking)}\n" if lacking else ""
    )
