"""Claims that the printed tables alone decide: what the prose says of them, and what they say of each other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.claims.common import (
    EXACTLY,
    LARGEST_SMALL,
    MOST,
    MOST_CELLS,
    Tables,
    often,
)
from compactml.chapters.feature_selection.claims.scored import (
    BETTER,
    IN_GENERAL_WORSE,
    NAMED,
    cells_of,
    milp3_best_score,
    printed_outcomes,
    printed_smaller,
    scores,
    wins,
    worse_heuristic,
    worse_than_both,
)
from compactml.chapters.feature_selection.printed import HEURISTIC, PARAMETRIC, printed_runs
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence
from compactml.study.judging.noise import lead_of

claim = partial(claim, NAME, basis=Basis.ARITHMETIC)

PRINTED = "the paper's own tables"
THE_DIGITS = "the printed digits"
SECONDS, LARGE_GAP = 10.0, 0.5
"""What counts as a few seconds, and as a large relative gap."""
MEAN = "two standard errors of the mean difference over datasets, these of at most a point"
SIMILAR: dict[str, dict[str, object]] = {
    "mRMR": {"table": "table_6", "n": 6},
    "CFS": {"table": "table_7", "n": 7},
}


@claim("tables-2-and-3", "Tables 2 and 3", tolerance=EXACTLY, why="the same runs")
def milp3_times(tables: Tables) -> Evidence:
    """Tables 2 and 3 give the same numbers for the same runs of MILP1 and MILP3."""
    keys = ["dataset", "method"]
    both = printed_runs("table_2").merge(printed_runs("table_3"), on=keys, suffixes=("_2", "_3"))
    equal = [
        np.isclose(both[f"{name}_2"], both[f"{name}_3"], equal_nan=True)
        for name in ("gap_abs", "gap_rel", "seconds")
    ]
    same = np.logical_and.reduce(equal)
    names = ", ".join(
        f"{row.dataset} {row.method}: {row.seconds_2:.1f} s and {row.seconds_3:.1f} s"
        for row in both[~same].itertuples()
    )
    return Evidence.of_cells(
        same,
        f"{same.sum()} of {len(same)} rows" + (f"; {names}" if names else ""),
        "one of the two may be a misreading of a rotated page" if names else "",
    )


@claim("printed-milp3-scores", "Section 5.2, Table 5", tolerance=f"{MOST_CELLS}; ties count", why=PRINTED)
def milp3_scores(tables: Tables) -> Evidence:
    """In Table 5 the set of MILP3 mostly has the best F1 score of the three integer programs.

    MILPs that found no set are no rivals.
    """
    best: dict[str, bool] = {}
    for classifier, wide in scores(printed_runs("table_5")).items():
        best |= {f"{name} {classifier}": bool(won) for name, won in milp3_best_score(wide).items()}
    return on_most_cells(best)


@claim("printed-mrmr-heuristic-worse", "Section 5.2, Table 6", tolerance=IN_GENERAL_WORSE, why=PRINTED)
def mrmr_heuristic(tables: Tables) -> Evidence:
    """In Table 6 the heuristic in general scores worse than Algorithms 1 and 2."""
    return heuristic_worse("table_6")


@claim("printed-mrmr-heuristic-named", "Section 5.2, Table 6", tolerance=THE_DIGITS, why=PRINTED)
def mrmr_heuristic_where_named(tables: Tables) -> Evidence:
    """In Table 6 the heuristic scores worse than Algorithms 1 and 2 on Connectionist, ISOLET and USPS."""
    frame = printed_runs("table_6")
    worse = cells_of(frame[frame["dataset"].isin(NAMED)], worse_than_both, [*PARAMETRIC, HEURISTIC])
    return Evidence.of_cells(list(worse.values()), f"{sum(worse.values())} of {len(worse)} cells")


@claim("printed-cfs-heuristic-worse", "Section 5.2, Table 7", tolerance=IN_GENERAL_WORSE, why=PRINTED)
def cfs_heuristic(tables: Tables) -> Evidence:
    """In Table 7 the heuristic generally scores worse than Algorithms 1 and 2."""
    return heuristic_worse("table_7")


@claim("printed-cfs-heuristic-worse-large", "Section 5.2, Table 7", tolerance=IN_GENERAL_WORSE, why=PRINTED)
def cfs_heuristic_on_large(tables: Tables) -> Evidence:
    """In Table 7 the heuristic scores worse than Algorithms 1 and 2 above 60 features in particular."""
    return heuristic_worse("table_7", least=LARGEST_SMALL)


def heuristic_worse(table: str, least: int = 0) -> Evidence:
    """Evidence that the heuristic scores worse than Algorithms 1 and 2 in the mean over more than ``least`` features.

    A statement for each classifier: the mean of both algorithms less the heuristic, as our own runs are judged. Beside
    it stands on how many cells the heuristic is below the better one of them, and below both.
    """
    frame, methods = printed_runs(table), [*PARAMETRIC, HEURISTIC]
    outcomes, texts = [], []
    for classifier, wide in scores(frame, least).items():
        complete = wide.dropna(subset=methods)
        lead = lead_of(complete[list(PARAMETRIC)].mean(axis="columns") - complete[HEURISTIC])
        outcomes.append(lead.outcome)
        texts.append(f"{classifier[3:5].upper()} {lead.mean:+.3f} ± {lead.error:.3f}")
    better, both = (
        list(cells_of(frame, worse, methods, least).values()) for worse in (worse_heuristic, worse_than_both)
    )
    return Evidence.of_outcomes(
        outcomes,
        f"the algorithms less the heuristic: {', '.join(texts)}",
        f"on {sum(better)} of {len(better)} cells worse than the better algorithm, on {sum(both)} than both",
    )


@claim("printed-{key}", "Section 5.2, Table {n}", tolerance=THE_DIGITS, why=PRINTED, over=BETTER)
def better_algorithm(tables: Tables, table: str, better: str, other: str) -> Evidence:
    """In Table {n} the sets of {better} score better than those of {other} more often than worse.

    Stopped runs and all.
    """
    frame = printed_runs(table)
    won, lost = (sum(wins(frame, *pair).values()) for pair in ((better, other), (other, better)))
    return Evidence.of_statement(won > lost, f"{better} better on {won} cells, {other} on {lost}")


@claim(
    "printed-milp3-seconds",
    "Section 5.2, Table 2",
    tolerance=f"{SECONDS:g} s",
    why='ours: the prose says "only a few seconds"',
)
def milp3_seconds(tables: Tables) -> Evidence:
    """In Table 2 MILP3 solves the datasets with 44 to 60 features in only a few seconds."""
    rows = printed_runs("table_2").query("method == 'MILP3' and 44 <= p <= 60")
    fine = rows["seconds"] <= SECONDS
    return Evidence.of_cells(
        fine, ", ".join(f"{row.dataset} {row.seconds:.1f} s" for row in rows.itertuples())
    )


@claim(
    "printed-large-gaps",
    "Section 5.2, Table 2",
    tolerance=f"a relative gap of {LARGE_GAP:g}",
    why='ours: the prose says "large"',
)
def large_gaps(tables: Tables) -> Evidence:
    """In Table 2 MILP2 and MILP3 report large gaps above 60 features."""
    rows = printed_runs("table_2").query("method in ('MILP2', 'MILP3') and p > 60")
    large = rows["gap_rel"] >= LARGE_GAP
    small = [f"{row.dataset} {row.method} {row.gap_rel:.2f}" for row in rows[~large].itertuples()]
    return Evidence.of_cells(large, f"{large.sum()} of {len(large)} gaps", ", ".join(small))


@claim(
    "printed-similar-scores-{key}", "Section 5.2, Table {n}", tolerance="a point", why=PRINTED, over=SIMILAR
)
def similar_scores(tables: Tables, table: str) -> Evidence:
    """In Table {n} the sets of Algorithms 1 and 2 have similar F1 scores on average."""
    found = printed_outcomes(table)
    texts = [f"{classifier[3:5].upper()} {text}" for classifier, (_, text) in found.items()]
    return Evidence.of_outcomes(
        [outcome for outcome, _ in found.values()],
        f"Algorithm 1 less Algorithm 2: {', '.join(texts)}",
        doubt="the error of the mean is more than a point",
    )


@claim("printed-cfs-smaller", "Section 5.2", tolerance=MOST, why=PRINTED)
def smaller_sets(tables: Tables) -> Evidence:
    """In Tables 6 and 7 Algorithm 2 typically selects fewer features for CFS than for mRMR."""
    return on_most_cells(printed_smaller(), "datasets")


def on_most_cells(answers: Mapping[str, bool], what: str = "cells") -> Evidence:
    """Evidence of a statement on most cells of a printed table."""
    right = sum(answers.values())
    return Evidence.of_statement(often(right, len(answers), 0.5), f"{right} of {len(answers)} {what}")
