"""Checks of what Akkerman, Ferry, Guyard and Vidal (2026) state of sizes, on recorded results.

A size counts only where it is certified. The paper's settings are lost: what differs from it refutes nothing, and cells
from which the settings were inferred are not counted.
"""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.claims.coverage import (
    ABLATIONS,
    DEPTH_LIMITED,
    N_DATASETS,
    WHOLE_SPACE,
    Tables,
    certificates,
    covered,
    decided,
)
from compactml.chapters.pace.claims.printed_checks import WINS, against_fipe, listed
from compactml.chapters.pace.printed import NEAR, printed_sizes
from compactml.chapters.pace.rows import geometric, in_order, sizes_of
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.study.judging.evidence import Coverage, Evidence, because

CELL = ["dataset", "n_learners"]
SINGLE_TREES = ("Diabetes", "Elec2", "Htru2", "Pol")
"""AdaBoost ensembles that Pace reduces to one tree, by Section E.2."""
ENSEMBLE = {"table_1": RANDOM_FOREST, "table_3": ADABOOST}
PRUNES_FIRST = "our Pace prunes first, and keeps that unless a smaller ensemble is certified"
SAME_PRUNING = f"{PRUNES_FIRST}; Fipe's exact pruning has the same optimum"


def complete(rows: pd.DataFrame, index: list[str], methods: list[str]) -> pd.DataFrame:
    """Sizes of the rows of the index in which all the methods are certified."""
    return sizes_of(rows, index).reindex(columns=methods).dropna()


def _cells(tables: Tables, table: str, methods: list[str]) -> tuple[pd.DataFrame, int, Coverage]:
    """Our sizes in the cells of Table 1 or 3 that are printed for the last method; their number; what is covered."""
    printed = printed_sizes(table)[methods[-1]].dropna()
    sizes = complete(tables[table], CELL, methods)
    own = sizes[sizes.index.isin(printed.index)]
    return own, len(printed), _coverage(tables[table], own)


def _coverage(rows: pd.DataFrame, cells: pd.DataFrame | pd.Series) -> Coverage:
    """What is covered by cells, of which the index names the datasets."""
    return covered(rows, cells.index.get_level_values("dataset").nunique())


def _size(mean: float) -> str:
    """A mean size with a digit behind the point where it has one."""
    return f"{mean:.1f}".removesuffix(".0")


def ablations(tables: Tables, table: str) -> Evidence:
    """Pace is smaller than both ablations in every cell."""
    sizes, stated, coverage = _cells(tables, table, [GENERATE, PRUNE, PACE])
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


def never_larger(tables: Tables, table: str) -> Evidence:
    """Pace is nowhere larger than an ablation."""
    sizes, stated, coverage = _cells(tables, table, [GENERATE, PRUNE, PACE])
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


def _generated(tables: Tables, table: str) -> tuple[pd.DataFrame, int, Coverage]:
    """Least and mean share of generated learners in the certified cells of Pace; cells printed, and what is covered."""
    own = tables[table]
    groups = own[own["method"] == PACE].groupby(CELL)
    shares = groups["generated_in_final"].agg(["min", "mean"])[groups["certified"].min() == 1]
    printed = printed_sizes(table)[PACE].dropna()
    seen = shares[shares.index.isin(printed.index)]
    return seen, len(printed), _coverage(own, seen)


def all_generated(tables: Tables, table: str) -> Evidence:
    """In most cells all learners of Pace's ensemble are generated ones."""
    shares, stated, coverage = _generated(tables, table)
    whole = shares["min"] == 1
    found = f"all in {int(whole.sum())} of {len(whole)} cells, {100 * shares['mean'].mean():.0f} % on average"
    true = bool(whole.mean() > 0.5)
    return decided(true, len(shares), stated, found, DEPTH_LIMITED, inferred=ABLATIONS, coverage=coverage)


def mostly_generated(tables: Tables, table: str) -> Evidence:
    """More than half of the learners of Pace's ensembles are generated, averaged over the cells."""
    shares, stated, coverage = _generated(tables, table)
    mean = shares["mean"].mean()
    found = f"{100 * mean:.0f} % on average over {len(shares)} cells"
    true = bool(mean > 0.5)
    return decided(true, len(shares), stated, found, DEPTH_LIMITED, inferred=ABLATIONS, coverage=coverage)


def slower(tables: Tables, table: str) -> Evidence:
    """Pace takes longer than either ablation; two runs at their limit cannot be compared and do not count."""
    own, printed = tables[table], printed_sizes(table)[PACE].dropna()
    groups = own.groupby([*CELL, "method"])
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
        coverage=_coverage(own, both),
    )


def _fitted(tables: Tables, ensemble: str) -> pd.MultiIndex:
    """Cells whose printed size of pruning only was compared with a grid of settings, from which ours were chosen."""
    rows = tables["settings"]
    grid = rows[(rows["ensemble"] == ensemble) & ((rows["alpha"] > 0) | (rows["beta"] > 0))]
    return pd.MultiIndex.from_frame(grid[CELL].drop_duplicates())


def pruned_sizes(tables: Tables, table: str) -> Evidence:
    """Sizes of pruning only, means rounded as in print, are the printed ones, up to one learner."""
    every, stated, _ = _cells(tables, table, [PRUNE])
    fitted = _fitted(tables, ENSEMBLE[table])
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
        coverage=_coverage(tables[table], sizes),
    )


# Table 4


def _against_fipe(tables: Tables, ensemble: str) -> tuple[pd.DataFrame, Coverage]:
    own = tables["table_4"]
    sizes = complete(own[own["ensemble"] == ensemble], ["dataset"], [PACE, FIPE])
    return sizes.loc[in_order(list(sizes.index))], covered(own, len(sizes))


def fipe_sizes(tables: Tables, ensemble: str) -> Evidence:
    """Sizes of Fipe, means rounded as in print, beside the printed ones: N was chosen by them, so nothing is tested."""
    own = tables["table_4"]
    sizes = complete(own[own["ensemble"] == ensemble], ["dataset"], [FIPE])[FIPE]
    printed = against_fipe(ensemble)[FIPE]
    near = (sizes.round() - printed.reindex(sizes.index)).abs() <= NEAR
    found = ", ".join(
        f"{name} {_size(sizes[name])}/{printed[name]:g}" for name in in_order(list(sizes.index))
    )
    return Evidence.missing(
        f"all {len(printed)} printed sizes served to infer N, so none of them is a test",
        len(printed),
        f"{int(near.sum())} of {len(near)} within one learner; our size/published size: {found}",
        covered(own, len(sizes)),
    )


def no_larger_than_fipe(tables: Tables, ensemble: str) -> Evidence:
    """Pace is nowhere larger than Fipe."""
    sizes, coverage = _against_fipe(tables, ensemble)
    right = sizes[PACE] <= sizes[FIPE]
    return Evidence.of_cells(
        right,
        f"{int(right.sum())} of {len(right)} datasets",
        certificates(len(sizes), N_DATASETS, "datasets"),
        stated=N_DATASETS,
        inferred=WHOLE_SPACE,
        by_construction=SAME_PRUNING,
        coverage=coverage,
    )


def strict_wins(tables: Tables, ensemble: str) -> Evidence:
    """Pace is strictly smaller than Fipe on at least as many datasets as stated."""
    sizes, coverage = _against_fipe(tables, ensemble)
    won, stated = sizes[PACE] < sizes[FIPE], WINS[ensemble]
    named = ", ".join(
        f"{name} {_size(row[PACE])} for {_size(row[FIPE])}" for name, row in sizes[won].iterrows()
    )
    wins = int(won.sum())
    found = f"{wins} of {len(won)}, the paper {stated} of {N_DATASETS}" + (f": {named}" if named else "")
    open_ = wins < stated <= wins + N_DATASETS - len(won)
    return decided(
        wins >= stated,
        0 if open_ else len(won),
        N_DATASETS,
        found,
        DEPTH_LIMITED if wins < stated else "",
        inferred=WHOLE_SPACE,
        coverage=coverage,
        what="datasets",
    )


def single_trees(tables: Tables) -> Evidence:
    """Pace reduces four of the AdaBoost ensembles to a single tree."""
    own = tables["table_4"]
    sizes = complete(own[own["ensemble"] == ADABOOST], ["dataset"], [PACE])[PACE]
    asked = sizes[[name for name in SINGLE_TREES if name in sizes.index]]
    return Evidence.of_cells(
        asked == 1,
        listed(asked, 1),
        f"{DEPTH_LIMITED}; a loop without such a limit gives one tree in 20 of 20 runs of an independent referee",
        stated=len(SINGLE_TREES),
        inferred=WHOLE_SPACE,
        coverage=covered(own, len(asked), len(SINGLE_TREES)),
    )
