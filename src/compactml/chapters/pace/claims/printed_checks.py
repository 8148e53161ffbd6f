"""What the printed tables of Akkerman, Ferry, Guyard and Vidal (2026) say of themselves: checks that need no run."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from compactml.chapters.pace.claims.coverage import Tables
from compactml.chapters.pace.printed import printed_cells, printed_sizes
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.pace.weights.master import LinearMaster, reduced_cost
from compactml.study.judging.evidence import Evidence

__all__ = [
    "REDUCTIONS", "WINS", "ablations", "against_fipe", "all_generated", "cancer_source", "counted_rows",
    "generated_alone", "impossible_shares", "limit_reached", "listed", "mostly_generated", "no_larger",
    "reductions", "strict_decrease", "strict_wins", "suspicious", "ties",
]  # fmt: skip

REDUCTIONS = {
    RANDOM_FOREST: {"Htru2": 50, "House-16H": 36, "Ionosphere": 33},
    ADABOOST: {"Diabetes": 96, "Elec2": 94, "Pol": 90, "Htru2": 80},
}
"""Section E.2: by how many percent Pace is smaller than Fipe."""
WINS = {RANDOM_FOREST: 6, ADABOOST: 8}
"""Section E.2: datasets, of 11, on which Pace is strictly smaller than Fipe."""
OUTLYING = 3.0
"""A pruned size this many times larger or smaller than the median of the other three is listed."""
LJUBLJANA_ROWS = 286
"""Of the data on the recurrence of breast cancer from Ljubljana, in the UCI repository."""


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
    return Evidence.of_cells(right, listed(computed[stated.index], 1))


def strict_wins(tables: Tables, ensemble: str) -> Evidence:
    """Pace is strictly smaller on the stated number of datasets."""
    sizes = against_fipe(ensemble)
    won = int((sizes[PACE] < sizes[FIPE]).sum())
    return Evidence.of_statement(won == WINS[ensemble], f"{won} of {len(sizes)}")


def no_larger(tables: Tables) -> Evidence:
    """Pace is nowhere larger than Fipe."""
    sizes = printed_sizes("table_4")
    right = sizes[PACE] <= sizes[FIPE]
    return Evidence.of_cells(right, f"{int(right.sum())} of {len(right)} cells")


def ties(tables: Tables) -> Evidence:
    """The three datasets without a gain for AdaBoost have none for forests either."""
    even = {name: against_fipe(name) for name in (RANDOM_FOREST, ADABOOST)}
    equal = {name: set(sizes.index[sizes[PACE] == sizes[FIPE]]) for name, sizes in even.items()}
    found = (
        f"AdaBoost {', '.join(sorted(equal[ADABOOST]))}; forests {', '.join(sorted(equal[RANDOM_FOREST]))}"
    )
    return Evidence.of_statement(len(equal[ADABOOST]) == 3 and equal[ADABOOST] <= equal[RANDOM_FOREST], found)


def ablations(tables: Tables, table: str) -> Evidence:
    """Pace is smaller than both ablations in every printed cell."""
    sizes = printed_sizes(table).dropna(subset=PACE)
    least = sizes[[GENERATE, PRUNE]].min(axis="columns")
    smaller, larger = sizes[PACE] < least, sizes[PACE] > least
    named = ", ".join(f"{name} N = {size}" for name, size in sizes.index[larger])
    found = f"smaller in {int(smaller.sum())} of {len(sizes)} cells, larger in {int(larger.sum())}"
    return Evidence.of_cells(smaller, found, f"larger: {named}" if named else "")


def all_generated(tables: Tables, table: str) -> Evidence:
    """In most printed cells of Pace all learners are generated."""
    shares = printed_sizes(table, "pct_generated_in_final")[PACE].dropna()
    whole = shares == 100
    return Evidence.of_statement(
        bool(whole.mean() > 0.5), f"100 % in {int(whole.sum())} of {len(whole)} cells"
    )


def mostly_generated(tables: Tables, table: str) -> Evidence:
    """More than half of the learners of Pace are generated, averaged over the printed cells."""
    shares = printed_sizes(table, "pct_generated_in_final")[PACE].dropna()
    return Evidence.of_statement(
        bool(shares.mean() > 50),
        f"{shares.mean():.0f} % on average, {int((shares > 50).sum())} of {len(shares)} cells",
    )


def limit_reached(tables: Tables) -> Evidence:
    """In Table 3 Pace reached 20 hours on the two largest ensembles of Ionosphere, and nowhere else."""
    sizes = printed_sizes("table_3")
    missing = set(sizes.index[sizes[PACE].isna()])
    largest = sorted(sizes.index.get_level_values("N").unique())[-2:]
    found = ", ".join(f"{name} N = {size}" for name, size in sorted(missing))
    return Evidence.of_statement(missing == {("Ionosphere", size) for size in largest}, found)


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
    return Evidence.of_statement(
        not (optimal and r < 0 and after >= before - 1e-9),
        found,
        "only that the value does not rise is right: the dual optimum may not be the only one",
    )


def counted_rows(tables: Tables) -> Evidence:
    """Whole numbers of rows can have the printed class shares, of as many rows as are printed."""
    cells = printed_cells("table_2").set_index(["dataset", "quantity"])["value"].unstack("quantity")  # noqa: PD010
    shares = [str(name) for name in cells if str(name).startswith("share")]
    printed = {
        str(name): (int(row["samples"]), row[shares].dropna().tolist()) for name, row in cells.iterrows()
    }
    right = {name: _possible(n, own) for name, (n, own) in printed.items()}
    without = sum(_possible(n - 1, own) for n, own in printed.values())
    wrong = ", ".join(name for name, possible in right.items() if not possible)
    return Evidence.of_cells(
        list(right.values()),
        f"no numbers of rows have these shares: {wrong or 'none'}",
        f"with one row less {without} of {len(right)} are possible: the first row was taken for a header",
    )


def _possible(n: int, shares: list[str]) -> bool:
    """Whether classes of n rows in all can have these shares, rounded as printed."""
    ranges = [range(int(n * (float(one) - 0.001)), int(n * (float(one) + 0.001)) + 2) for one in shares]
    near = [[k for k in own if f"{k / n:.3f}" == share] for own, share in zip(ranges, shares, strict=True)]
    return any(n - sum(some) in near[-1] for some in product(*near[:-1]))


def generated_alone(tables: Tables) -> Evidence:
    """All learners of "Generate only" are generated ones."""
    shares = pd.concat(
        {table: printed_sizes(table, "pct_generated_in_final")[GENERATE] for table in ("table_1", "table_3")}
    )
    other = shares[shares != 100]
    named = ", ".join(
        f"{share:.0f} % for {name}, N = {n} (Table {table[-1]})" for (table, name, n), share in other.items()
    )
    return Evidence.of_cells(
        shares == 100, named or "100 % everywhere", "it generates learners and drops none; a misprint"
    )


def cancer_source(tables: Tables) -> Evidence:
    """The rows of Cancer are those of the data from Ljubljana."""
    cells = printed_cells("table_2").set_index(["dataset", "quantity"])["value"]
    n = int(cells["Cancer", "samples"])
    return Evidence.of_statement(
        n == LJUBLJANA_ROWS,
        f"{n} rows in Table 2; the data from Ljubljana have {LJUBLJANA_ROWS}",
        f"{n} are the complete rows of the tumour data from Wisconsin; the paper cites the other ones",
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
