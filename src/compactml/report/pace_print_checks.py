"""What the printed tables of Akkerman, Ferry, Guyard and Vidal (2026) say of themselves: checks that need no run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from compactml.experiments.pace_ensembles import ADABOOST, RANDOM_FOREST
from compactml.experiments.pace_trials import FIPE, GENERATE, PACE, PRUNE
from compactml.pace.master import LinearMaster, reduced_cost
from compactml.report.claims import Evidence, Verdict, graded
from compactml.report.pace_printed import printed_sizes

__all__ = [
    "REDUCTIONS", "WINS", "ablations", "against_fipe", "all_generated", "holds_if", "holds_in",
    "impossible_shares", "limit_reached", "listed", "mostly_generated", "no_larger", "not_run", "reductions",
    "strict_decrease", "strict_wins", "suspicious", "ties",
]  # fmt: skip

Tables = Mapping[str, pd.DataFrame]

REDUCTIONS = {
    RANDOM_FOREST: {"Htru2": 50, "House-16H": 36, "Ionosphere": 33},
    ADABOOST: {"Diabetes": 96, "Elec2": 94, "Pol": 90, "Htru2": 80},
}
"""Section E.2: by how many percent Pace is smaller than Fipe."""
WINS = {RANDOM_FOREST: 6, ADABOOST: 8}
"""Section E.2: datasets, of 11, on which Pace is strictly smaller than Fipe."""
OUTLYING = 3.0
"""A pruned size this many times larger or smaller than the median of the other three is listed."""


def holds_if(true: bool, found: str, reason: str = "", *, in_part: bool = False) -> Evidence:
    """Evidence of a statement that is right or wrong; ``in_part`` says that it is right of a part."""
    wrong = Verdict.IN_PART if in_part else Verdict.DOES_NOT_HOLD
    return Evidence(Verdict.HOLDS if true else wrong, found, reason)


def holds_in(right: ArrayLike, found: str, reason: str = "") -> Evidence:
    """Evidence of a statement about several cells: it holds in part if it is right of at least half of them."""
    each = np.asarray(right, dtype=bool)
    return Evidence(graded(int(each.sum()), len(each), len(each)), found, reason)


def not_run(what: str) -> Evidence:
    """Evidence that is missing."""
    return Evidence(Verdict.NOT_TESTABLE, "", f"{what} was not run, or not certified in the time given")


def listed(values: pd.Series, digits: int = 0) -> str:
    """Numbers with their names, as a text."""
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in values.items())


def against_fipe(ensemble: str) -> pd.DataFrame:
    """Printed sizes of Pace and Fipe by dataset."""
    sizes = printed_sizes("table_4").reset_index()
    return sizes[sizes["ensemble"] == ensemble].set_index("dataset")[[PACE, FIPE]]


def reductions(tables: Tables, ensemble: str) -> Evidence:
    """The reductions that the text gives are those of Table 4, in percent."""
    sizes = against_fipe(ensemble)
    computed = 100 * (1 - sizes[PACE] / sizes[FIPE])
    stated = pd.Series(REDUCTIONS[ensemble])
    right = (computed[stated.index] - stated).abs() <= 0.5 + 1e-9
    return holds_in(right, listed(computed[stated.index], 1))


def strict_wins(tables: Tables, ensemble: str) -> Evidence:
    """Pace is strictly smaller on the stated number of datasets."""
    sizes = against_fipe(ensemble)
    won = int((sizes[PACE] < sizes[FIPE]).sum())
    return holds_if(won == WINS[ensemble], f"{won} of {len(sizes)}")


def no_larger(tables: Tables) -> Evidence:
    """Pace is nowhere larger than Fipe."""
    sizes = printed_sizes("table_4")
    right = sizes[PACE] <= sizes[FIPE]
    return holds_if(bool(right.all()), f"{int(right.sum())} of {len(right)} cells")


def ties(tables: Tables) -> Evidence:
    """The three datasets without a gain for AdaBoost have none for forests either."""
    even = {name: against_fipe(name) for name in (RANDOM_FOREST, ADABOOST)}
    equal = {name: set(sizes.index[sizes[PACE] == sizes[FIPE]]) for name, sizes in even.items()}
    found = (
        f"AdaBoost {', '.join(sorted(equal[ADABOOST]))}; forests {', '.join(sorted(equal[RANDOM_FOREST]))}"
    )
    return holds_if(len(equal[ADABOOST]) == 3 and equal[ADABOOST] <= equal[RANDOM_FOREST], found)


def ablations(tables: Tables, table: str) -> Evidence:
    """Pace is smaller than both ablations in every printed cell."""
    sizes = printed_sizes(table).dropna(subset=PACE)
    least = sizes[[GENERATE, PRUNE]].min(axis="columns")
    smaller, larger = sizes[PACE] < least, sizes[PACE] > least
    named = ", ".join(f"{name} N = {size}" for name, size in sizes.index[larger])
    found = f"smaller in {int(smaller.sum())} of {len(sizes)} cells, larger in {int(larger.sum())}"
    return holds_in(smaller, found, f"larger: {named}" if named else "")


def all_generated(tables: Tables, table: str) -> Evidence:
    """In most printed cells of Pace all learners are generated."""
    shares = printed_sizes(table, "pct_generated_in_final")[PACE].dropna()
    whole = shares == 100
    return holds_if(bool(whole.mean() > 0.5), f"100 % in {int(whole.sum())} of {len(whole)} cells")


def mostly_generated(tables: Tables, table: str) -> Evidence:
    """More than half of the learners of Pace are generated, averaged over the printed cells."""
    shares = printed_sizes(table, "pct_generated_in_final")[PACE].dropna()
    return holds_if(
        bool(shares.mean() > 50),
        f"{shares.mean():.0f} % on average, {int((shares > 50).sum())} of {len(shares)} cells",
    )


def limit_reached(tables: Tables) -> Evidence:
    """In Table 3 Pace reached 20 hours on the two largest ensembles of Ionosphere, and nowhere else."""
    sizes = printed_sizes("table_3")
    missing = set(sizes.index[sizes[PACE].isna()])
    largest = sorted(sizes.index.get_level_values("N").unique())[-2:]
    found = ", ".join(f"{name} N = {size}" for name, size in sorted(missing))
    return holds_if(missing == {("Ionosphere", size) for size in largest}, found)


def strict_decrease(tables: Tables) -> Evidence:
    """A learner with negative reduced cost makes the value of (P1) strictly smaller: on margins (1/2, 1/2), (1, -1)."""
    flat, tilted, u = np.array([[0.5], [0.5]]), np.array([[1.0], [-1.0]]), np.array([2.0, 0.0])
    with LinearMaster(flat) as master:
        before = master.solve().value
        master.add_columns(tilted)
        after = master.solve().value
    r = reduced_cost(u, tilted[:, 0])
    optimal = bool((u @ flat <= 1 + 1e-9).all()) and abs(u.sum() - before) < 1e-9
    found = f"r = {r:g} at the optimal dual (2, 0), value {before:g} before and {after:g} after"
    return holds_if(
        not (optimal and r < 0 and after >= before - 1e-9),
        found,
        "one dual optimum of several; the value cannot rise",
    )


def suspicious() -> pd.DataFrame:
    """Printed cells of Tables 1 and 3 that do not fit the others.

    Returns
    -------
    DataFrame
        Columns ``table``, ``dataset``, ``N``, ``entry``, ``why``.
    """
    rows: list[tuple[str, str, int, str, str]] = []
    for table in ("table_1", "table_3"):
        sizes, shares = (
            printed_sizes(table, one).reset_index() for one in ("final_size", "pct_generated_in_final")
        )
        for i, (dataset, n) in enumerate(zip(sizes["dataset"], sizes["N"], strict=True)):
            others = sizes[(sizes["dataset"] == dataset) & (sizes["N"] != n)]
            for entry, why in _oddities(sizes.iloc[i], shares.iloc[i], others):
                rows.append((f"Table {table[-1]}", dataset, n, entry, why))
    return pd.DataFrame(rows, columns=["table", "dataset", "N", "entry", "why"])


def _oddities(sizes: pd.Series, shares: pd.Series, others: pd.DataFrame) -> list[tuple[str, str]]:
    """What is odd about the cells of one dataset and N."""
    found = []
    if shares[GENERATE] != 100:
        found.append((f"Generate only: {shares[GENERATE]:.0f} % generated", "100 % in every other cell"))
    median = others[PRUNE].median()
    if not 1 / OUTLYING < sizes[PRUNE] / median < OUTLYING:
        same = ", as Generate only" if sizes[PRUNE] == sizes[GENERATE] else ""
        found.append((f"Pruning only: size {sizes[PRUNE]:.0f}{same}", f"median of the other N: {median:g}"))
    least = sizes[[GENERATE, PRUNE]].min()
    if sizes[PACE] > least:
        found.append((f"Pace: size {sizes[PACE]:.0f}", f"an ablation has {least:.0f}"))
    return found


def impossible_shares(table: str) -> pd.DataFrame:
    """Printed cells of Pace whose share of generated learners no single ensemble of the printed size has.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``N``, ``size``, ``share``.
    """
    sizes, shares = printed_sizes(table)[PACE], printed_sizes(table, "pct_generated_in_final")[PACE]
    cells = pd.DataFrame({"size": sizes, "share": shares}).dropna().astype(int).reset_index()
    possible = [
        any(abs(100 * k / size - share) <= 0.5 for k in range(size + 1))
        for size, share in zip(cells["size"], cells["share"], strict=True)
    ]
    return cells[~np.array(possible)].reset_index(drop=True)
