"""Claims on the sizes of Tables 1 and 3: Pace beside its ablations, pruning beside print, generated learners."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import (
    ABLATIONS,
    CERTIFIED_ONLY,
    ORDER,
    PROSE,
    TABLES_1_AND_3,
    Tables,
    certificates,
    complete,
    covered,
    decided,
)
from compactml.chapters.pace.claims.readings import (
    READING,
    SHARE,
    SMALLEST,
    awaited,
    beside_others,
    under_reading,
    used,
    with_pruned,
)
from compactml.chapters.pace.printed import NEAR, printed_sizes
from compactml.chapters.pace.rows import geometric
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import GENERATE, PACE, PRUNE
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, because

claim = partial(claim, NAME)

CELL = ["dataset", "n_learners"]
ENSEMBLE = {"table_1": RANDOM_FOREST, "table_3": ADABOOST}
SCAN = {"table_1": "scan_table_1", "table_3": "scan_table_3"}
SMALLEST_ONLY = f"N = {SMALLEST} only, in the paper's order, separated by its constraint program"
PLACE = "Result 2, Table {n}"


@claim("ablations-{key}", PLACE, tolerance=ORDER, why=CERTIFIED_ONLY, over=TABLES_1_AND_3, interleaved=True)
def smaller_than_ablations(tables: Tables, table: str) -> Evidence:
    """Pace ends with fewer learners than generation alone or pruning alone, in every cell ({what}).

    In the paper's order, on the smallest ensembles.
    """
    runs, scan, stated = smallest(tables, table)
    if scan is None:
        return awaited(SCAN[table], stated)
    least = runs[[GENERATE, PRUNE]].min(axis="columns")
    smaller, larger = runs[PACE] < least, runs[PACE] > least
    others = beside_others(scan, lambda own: int((own[PACE] < own[GENERATE]).sum()))
    found = f"smaller in {int(smaller.sum())} of {len(runs)} cells, larger in {int(larger.sum())}"
    return of_runs(tables, table, smaller, found, f"smaller than generation alone{others}" if others else "")


@claim(
    "never-larger-{key}", PLACE, tolerance=ORDER, why=CERTIFIED_ONLY, over=TABLES_1_AND_3, interleaved=True
)
def never_larger_than_ablations(tables: Tables, table: str) -> Evidence:
    """Pace nowhere ends with more learners than generation alone or pruning alone ({what}).

    In the paper's order, on the smallest ensembles; by our order it could not.
    """
    runs, scan, stated = smallest(tables, table)
    if scan is None:
        return awaited(SCAN[table], stated)
    right = runs[PACE] <= runs[[GENERATE, PRUNE]].min(axis="columns")
    return of_runs(tables, table, right, f"{int(right.sum())} of {len(right)} cells")


@claim(
    "slower-{key}",
    PLACE,
    tolerance="order of the times",
    why=CERTIFIED_ONLY,
    over=TABLES_1_AND_3,
    interleaved=True,
)
def slower_than_ablations(tables: Tables, table: str) -> Evidence:
    """Pace takes more time than generation alone and than pruning alone ({what}).

    Two runs at their limit cannot be compared and do not count.
    """
    rows, printed = tables[table], printed_sizes(table)[PACE].dropna()
    groups = rows.groupby([*CELL, "method"])
    methods = [GENERATE, PRUNE, PACE]
    seconds, limited = (
        groups[name].mean().unstack("method").reindex(columns=methods)  # noqa: PD010, nothing to add up
        for name in ("seconds", "timed_out")
    )
    both_stopped = (limited[PACE] > 0) & (limited[[GENERATE, PRUNE]] > 0).any(axis="columns")
    both = seconds[~both_stopped].dropna()
    both = both[both.index.isin(printed.index)]
    right = both[PACE] > both[[GENERATE, PRUNE]].max(axis="columns")
    ratio = geometric(both[PACE] / both[PRUNE])
    left = len(printed) - len(both)
    return Evidence.of_cells(
        right,
        f"in {int(right.sum())} of {len(right)} cells; {ratio:.1f} times as long as pruning only (geometric mean)",
        f"in {left} of {len(printed)} cells {PACE} and an ablation ran out of time" if left else "",
        stated=len(printed),
        inferred=f"{ABLATIONS}; times are of another solver, with fewer threads, and of our order of the steps",
        by_construction="our Pace prunes first, so it includes the time of pruning only",
        coverage=cell_coverage(rows, both),
    )


@claim(
    "pruned-sizes-{key}",
    PLACE,
    tolerance=f"{NEAR} learner",
    why=CERTIFIED_ONLY,
    over=TABLES_1_AND_3,
    interleaved=True,
)
def pruned_as_printed(tables: Tables, table: str) -> Evidence:
    """Pruning alone ends with the printed numbers of learners, in the settings that we inferred ({what}).

    Means are rounded as in print, and may differ by one learner. Datasets whose smallest ensembles served to infer the
    settings do not count, nor do their larger ones: the printed sizes hardly depend on N.
    """
    every = complete(tables[table], CELL, [PRUNE])[PRUNE]
    fitted = fitted_datasets(tables, ENSEMBLE[table])
    printed = printed_sizes(table)[PRUNE].rename_axis(CELL).dropna()
    printed = printed[~printed.index.get_level_values("dataset").isin(fitted)]
    sizes = every[every.index.isin(printed.index)]
    near = (sizes.round() - printed.reindex(sizes.index)).abs() <= NEAR
    by_dataset = near.groupby(level="dataset").mean()
    most = int((by_dataset >= 0.5).sum())
    return Evidence.of_cells(
        near,
        f"{int(near.sum())} of {len(near)} certified cells; "
        f"at least half of its cells on {most} of {len(by_dataset)} datasets",
        because(
            f"{len(fitted)} datasets served to infer the settings and are not counted",
            certificates(len(sizes), len(printed)),
        ),
        stated=max(len(printed), 1),
        inferred=ABLATIONS,
        coverage=cell_coverage(tables[table], sizes),
    )


@claim("generated-table_1", "Result 2, Table 1", tolerance="half of the cells", why=PROSE)
def all_generated(tables: Tables) -> Evidence:
    """In most cases all learners that Pace ends with are generated ones (random forests).

    In the paper's order, on the smallest ensembles.
    """
    return of_shares(tables, "table_1", lambda shares: bool((shares == 1).mean() > 0.5))


@claim("generated-table_3", "E.1, Table 3", tolerance="half of the learners", why=PROSE)
def mostly_generated(tables: Tables) -> Evidence:
    """Most of the learners that Pace ends with are generated ones (AdaBoost).

    Averaged over the cells, in the paper's order, on the smallest ensembles.
    """
    return of_shares(tables, "table_3", lambda shares: bool(shares.mean() > 0.5))


def of_shares(tables: Tables, table: str, true: Callable[[pd.Series], bool]) -> Evidence:
    """Evidence of one statement about the shares of generated learners."""
    runs, scan, stated = smallest(tables, table)
    if scan is None:
        return awaited(SCAN[table], 1)
    shares = runs[SHARE]
    others = beside_others(scan, lambda own: int((own[SHARE] == 1).sum()))
    whole = (
        f"all in {int((shares == 1).sum())} of {len(shares)} cells, {100 * shares.mean():.0f} % on average"
    )
    return decided(
        len(shares) > 0 and true(shares),
        len(shares),
        stated,
        whole,
        because(SMALLEST_ONLY, f"all are generated{others}" if others else ""),
        inferred=f"{ABLATIONS}; {READING}",
        coverage=used(runs, scan),
    )


def smallest(tables: Tables, table: str) -> tuple[pd.DataFrame, pd.DataFrame | None, int]:
    """Runs of the reading with the sizes of both ablations, the scan, and how many cells are printed of that size."""
    printed = printed_sizes(table)[PACE].dropna()
    names = printed.index[printed.index.get_level_values(1) == SMALLEST].get_level_values(0)
    rows, scan = tables[table], tables.get(SCAN[table])
    if scan is None:
        return pd.DataFrame(), None, len(names)
    found = under_reading(scan)
    runs = with_pruned(found[found["dataset"].isin(names)], rows, CELL).dropna(subset=GENERATE)
    return runs, scan, len(names)


def of_runs(tables: Tables, table: str, right: pd.Series, text: str, reason: str = "") -> Evidence:
    """Evidence of cells of the smallest ensembles under the reading."""
    runs, scan, stated = smallest(tables, table)
    assert scan is not None
    return Evidence.of_cells(
        right,
        text if len(right) else "",
        because(SMALLEST_ONLY, because(reason, certificates(len(runs), stated))),
        stated=stated,
        inferred=f"{ABLATIONS}; {READING}",
        coverage=used(runs, scan),
    )


def cell_coverage(rows: pd.DataFrame, cells: pd.DataFrame | pd.Series) -> Coverage:
    """What is covered by cells, of which the index names the datasets."""
    return covered(rows, cells.index.get_level_values("dataset").nunique())


def fitted_datasets(tables: Tables, ensemble: str) -> list[str]:
    """Datasets of which a printed size of pruning only was compared with a grid of settings, to choose ours."""
    rows = tables["settings"]
    grid = rows[(rows["ensemble"] == ensemble) & ((rows["alpha"] > 0) | (rows["beta"] > 0))]
    return list(grid["dataset"].unique())
