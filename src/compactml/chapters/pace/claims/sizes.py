"""Claims on the sizes of Tables 1 and 3: Pace beside its ablations, pruning beside print, generated learners."""

from __future__ import annotations

from functools import partial

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import (
    ABLATIONS,
    CERTIFIED_ONLY,
    DEPTH_LIMITED,
    ORDER,
    PROSE,
    TABLES_1_AND_3,
    Tables,
    certificates,
    complete,
    covered,
    decided,
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
PRUNES_FIRST = "our Pace prunes first, and keeps that unless a smaller ensemble is certified"
PLACE = "Result 2, Table {n}"


@claim("ablations-{key}", PLACE, tolerance=ORDER, why=CERTIFIED_ONLY, over=TABLES_1_AND_3, interleaved=True)
def smaller_than_ablations(tables: Tables, table: str) -> Evidence:
    """Pace ends with fewer learners than generation alone or pruning alone, in every cell ({what})."""
    sizes, stated, coverage = printed_cells(tables, table, [GENERATE, PRUNE, PACE])
    least = sizes[[GENERATE, PRUNE]].min(axis="columns")
    smaller, larger = sizes[PACE] < least, sizes[PACE] > least
    return Evidence.of_cells(
        smaller,
        f"smaller in {int(smaller.sum())} of {len(sizes)} cells, larger in {int(larger.sum())}",
        because(DEPTH_LIMITED, certificates(len(sizes), stated)),
        stated=stated,
        inferred=ABLATIONS,
        coverage=coverage,
    )


@claim(
    "never-larger-{key}", PLACE, tolerance=ORDER, why=CERTIFIED_ONLY, over=TABLES_1_AND_3, interleaved=True
)
def never_larger_than_ablations(tables: Tables, table: str) -> Evidence:
    """Pace nowhere ends with more learners than generation alone or pruning alone ({what})."""
    sizes, stated, coverage = printed_cells(tables, table, [GENERATE, PRUNE, PACE])
    right = sizes[PACE] <= sizes[[GENERATE, PRUNE]].min(axis="columns")
    return Evidence.of_cells(
        right,
        f"{int(right.sum())} of {len(right)} cells",
        certificates(len(sizes), stated),
        stated=stated,
        inferred=ABLATIONS,
        by_construction=PRUNES_FIRST,
        coverage=coverage,
    )


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
        inferred=f"{ABLATIONS}; times are of another solver, with fewer threads",
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

    Means are rounded as in print, and may differ by one learner.
    """
    every, stated, _ = printed_cells(tables, table, [PRUNE])
    fitted = fitted_cells(tables, ENSEMBLE[table])
    sizes = every.loc[~every.index.isin(fitted), PRUNE]
    printed = printed_sizes(table)[PRUNE].rename_axis(CELL)
    near = (sizes.round() - printed.reindex(sizes.index)).abs() <= NEAR
    by_dataset = near.groupby(level="dataset").mean()
    most = int((by_dataset >= 0.5).sum())
    return Evidence.of_cells(
        near,
        f"{int(near.sum())} of {len(near)} certified cells; "
        f"at least half of its cells on {most} of {len(by_dataset)} datasets",
        because(
            f"{len(fitted)} of {stated} cells served to infer the settings and are not counted",
            certificates(len(every), stated),
        ),
        stated=stated,
        inferred=ABLATIONS,
        coverage=cell_coverage(tables[table], sizes),
    )


@claim("generated-table_1", "Result 2, Table 1", tolerance="half of the cells", why=PROSE)
def all_generated(tables: Tables) -> Evidence:
    """In most cases all learners that Pace ends with are generated ones (random forests)."""
    shares, stated, coverage = generated_shares(tables, "table_1")
    whole = shares["min"] == 1
    found = f"all in {int(whole.sum())} of {len(whole)} cells, {100 * shares['mean'].mean():.0f} % on average"
    true = bool(whole.mean() > 0.5)
    return decided(true, len(shares), stated, found, DEPTH_LIMITED, inferred=ABLATIONS, coverage=coverage)


@claim("generated-table_3", "E.1, Table 3", tolerance="half of the learners", why=PROSE)
def mostly_generated(tables: Tables) -> Evidence:
    """Most of the learners that Pace ends with are generated ones (AdaBoost).

    Averaged over the cells.
    """
    shares, stated, coverage = generated_shares(tables, "table_3")
    mean = shares["mean"].mean()
    found = f"{100 * mean:.0f} % on average over {len(shares)} cells"
    true = bool(mean > 0.5)
    return decided(true, len(shares), stated, found, DEPTH_LIMITED, inferred=ABLATIONS, coverage=coverage)


def printed_cells(tables: Tables, table: str, methods: list[str]) -> tuple[pd.DataFrame, int, Coverage]:
    """Our sizes in the cells of Table 1 or 3 that are printed for the last method; their number; what is covered."""
    printed = printed_sizes(table)[methods[-1]].dropna()
    sizes = complete(tables[table], CELL, methods)
    seen = sizes[sizes.index.isin(printed.index)]
    return seen, len(printed), cell_coverage(tables[table], seen)


def cell_coverage(rows: pd.DataFrame, cells: pd.DataFrame | pd.Series) -> Coverage:
    """What is covered by cells, of which the index names the datasets."""
    return covered(rows, cells.index.get_level_values("dataset").nunique())


def generated_shares(tables: Tables, table: str) -> tuple[pd.DataFrame, int, Coverage]:
    """Least and mean share of generated learners in the certified cells of Pace; cells printed, and what is covered."""
    rows = tables[table]
    groups = rows[rows["method"] == PACE].groupby(CELL)
    shares = groups["generated_in_final"].agg(["min", "mean"])[groups["certified"].min() == 1]
    printed = printed_sizes(table)[PACE].dropna()
    seen = shares[shares.index.isin(printed.index)]
    return seen, len(printed), cell_coverage(rows, seen)


def fitted_cells(tables: Tables, ensemble: str) -> pd.MultiIndex:
    """Cells whose printed size of pruning only was compared with a grid of settings, from which ours were chosen."""
    rows = tables["settings"]
    grid = rows[(rows["ensemble"] == ensemble) & ((rows["alpha"] > 0) | (rows["beta"] > 0))]
    return pd.MultiIndex.from_frame(grid[CELL].drop_duplicates())
