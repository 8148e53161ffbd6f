"""Checks of what the Pace chapter finds beyond the paper, on recorded results."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.pace.claims.checks import complete
from compactml.chapters.pace.claims.coverage import Tables
from compactml.chapters.pace.claims.errata import support_within
from compactml.chapters.pace.figures import FORMS
from compactml.chapters.pace.peers import CERTIFIED, peers_numbers
from compactml.chapters.pace.protocol import WHOLE_SPACE_SIZE
from compactml.chapters.pace.separation import engine_conflicts, engine_ratios, left_open, not_faster
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, PACE, PRUNE
from compactml.chapters.pace.whole_space import intervals
from compactml.pace.weights.master import LinearMaster
from compactml.study.judging.evidence import Evidence, because

__all__ = [
    "as_small_as_fipepy", "bound_cuts_off", "certificates_hold", "inside_intervals", "leaves_not_fewer",
    "merged", "pruned_smallest", "refitted", "search_faster",
]  # fmt: skip

VISITED = ("checks", "merging", "refitting")
"""Tables in which scikit-learn's predictions are compared point by point."""
CERTIFICATES = ["certified", "same_certified", "deeper_certified"]


def as_small_as_fipepy(tables: Tables, norm: str = "l0") -> Evidence:
    """Our pruning is as small as the published code of Fipe and faster, in the cases that both certify."""
    rows = tables["fipepy"]
    both = rows[(rows["norm"] == norm) & (rows["fipepy"] == CERTIFIED) & (rows["our_certified"] == 1)]
    counts = peers_numbers(rows, norm)
    return Evidence.of_cells(
        (both["our_size"] <= both["fipepy_size"]) & (both["ratio"] > 1),
        f"as small in {int(counts['smaller'] + counts['equal'])} of {len(both)} cases, {counts['least']:.1f} times "
        f"as fast at least and {counts['median']:.0f} times in the median",
        f"of {counts['cases']} cases fipepy certifies {counts['certified']} and ours {counts['ours']}; "
        "its solver's licence takes small ensembles only",
        numbers={
            "median": f"{counts['median']:.0f}",
            "cases": f"{counts['cases']}",
            "theirs": f"{counts['certified']}",
            "certified": f"{counts['ours']}",
        },
    )


def certificates_hold(tables: Tables) -> Evidence:
    """No certified ensemble differs from its initial one at a point at which scikit-learn compared them."""
    parts = [_visited(tables[table]) for table in VISITED]
    rows = pd.concat(parts, ignore_index=True)
    points = int(rows["n_points"].sum())
    return Evidence.of_cells(
        rows["disagreements"] == 0,
        f"{int(rows['disagreements'].sum())} disagreements of {len(rows)} certified ensembles at {points:,} points",
        numbers={"ensembles": f"{len(rows)}", "millions": f"{points / 1e6:.0f}"},
    )


def _visited(rows: pd.DataFrame) -> pd.DataFrame:
    certified = (rows.reindex(columns=CERTIFICATES) == 1).any(axis="columns")
    return rows.loc[certified, ["n_points", "disagreements"]]


def search_faster(tables: Tables) -> Evidence:
    """Our branch and bound separates faster than the constraint form, weights by weights."""
    rows = tables["engines"]
    means = engine_ratios(rows).iloc[-1]
    cases, slower = int(means["cases"]), not_faster(rows, "search")
    (n_open, n_answered), factor = left_open(rows, "search"), 1 / means[FORMS["search"]]
    return Evidence(
        cases,
        cases - slower,
        slower,
        f"{factor:.0f} times as fast in the geometric mean, slower on {slower} of {cases} weights",
        because(
            f"it also answers {n_answered} of {n_open} that the constraint form left open",
            f"the forms contradict each other on {engine_conflicts(rows)} weights",
        ),
        numbers={"factor": f"{factor:.0f}"},
    )


def pruned_smallest(tables: Tables) -> Evidence:
    """Pruned ensembles of stumps on the whole space are certified, and no fewer of their learners would do."""
    own = tables["fipe"][tables["fipe"]["method"] == PRUNE]
    right = (own["certified"] == 1) & (own["final_size"] == own["lower_bound"])
    return Evidence.of_cells(
        right, f"{int(right.sum())} of {len(own)} runs, {own['dataset'].nunique()} datasets"
    )


def merged(tables: Tables) -> Evidence:
    """Merging leaves fewer trees, no more leaves, and the same prediction at every point compared."""
    rows = tables["merging"]
    own = rows[rows["certified"] == 1]
    right = (
        (own["thrifty_size"] < own["final_size"])
        & (own["thrifty_leaves"] <= own["total_leaves"])
        & (own["disagreements"] == 0)
    )
    trees = 100 * (own["thrifty_size"] / own["final_size"]).mean()
    leaves = 100 * (own["thrifty_leaves"] / own["total_leaves"]).mean()
    return Evidence.of_cells(
        right,
        f"to {trees:.0f} % of the trees and {leaves:.0f} % of the leaves on average, {len(own)} ensembles",
        numbers={"trees": f"{trees:.0f}", "leaves": f"{leaves:.0f}"},
    )


def refitted(tables: Tables) -> Evidence:
    """Refitting makes certified ensembles smaller, with trees no deeper than before."""
    rows = tables["refitting"]
    shares, right = {}, pd.Series(dtype=bool)
    for side in ("deeper", "same"):
        own = rows[(rows["certified"] == 1) & (rows[f"{side}_certified"] == 1)]
        right = own[f"{side}_size"] < own["final_size"]
        trees, leaves = own[f"{side}_size"] / own["final_size"], own[f"{side}_leaves"] / own["total_leaves"]
        shares[side] = (
            f"{int(right.sum())} of {len(own)}, to {100 * trees.mean():.0f} % of the trees "
            f"and {100 * leaves.mean():.0f} % of the leaves"
        )
    return Evidence.of_cells(right, shares["same"], f"with trees one level deeper {shares['deeper']}")


def leaves_not_fewer(tables: Tables) -> Evidence:
    """Where our Pace has fewer trees than our Fipe, it has no fewer leaves."""
    rows, keys = tables["table_4"], ["dataset", "ensemble"]
    trees = complete(rows, keys, [PACE, FIPE])
    smaller = trees[trees[PACE] < trees[FIPE]].index
    leaves = complete(rows.assign(final_size=rows["total_leaves"]), keys, [PACE, FIPE]).loc[smaller]
    more = int((leaves[PACE] > leaves[FIPE]).sum())
    return Evidence.of_cells(
        leaves[PACE] >= leaves[FIPE],
        f"more leaves in {more} of {len(leaves)} cases with fewer trees, {len(trees)} ensembles compared",
        "the trees that Pace generates are deeper than the stumps that they replace",
    )


def inside_intervals(tables: Tables) -> Evidence:
    """Printed sizes of Fipe lie where means of five runs of ours lie in 95 % of the cases, with the N inferred."""
    found = intervals(tables["settings"])
    own = found[found["n_learners"] == WHOLE_SPACE_SIZE]
    outside = ", ".join(
        f"{row.dataset} ({'forest' if row.ensemble == RANDOM_FOREST else 'AdaBoost'})"
        for row in own[~own["inside"].astype(bool)].itertuples()
    )
    counts = {
        kind: own.loc[own["ensemble"] == kind, "inside"].astype(bool) for kind in (RANDOM_FOREST, ADABOOST)
    }
    text = ", ".join(f"{int(one.sum())} of {len(one)} {kind}" for kind, one in counts.items())
    return Evidence.of_cells(
        own["inside"].astype(bool),
        f"{text.replace('_', ' ')}; outside: {outside or 'none'}",
        "an inference: N was chosen for it, and other readings of the bins fit about as well",
        stated=max(len(own), 1),
    )


def bound_cuts_off(tables: Tables) -> Evidence:
    """With the bound that the code of Fipe puts on a weight, an optimum has more learners than without."""
    margins = np.array([[1.0, 0.0, 0.4], [1.0, 0.0, 0.4], [0.0, 1.0, 0.4]])
    with LinearMaster(margins) as master:
        total = master.solve().value
    bounded, free = (int((support_within(margins, one) > 0).sum()) for one in (total, 10.0))
    return Evidence.of_statement(
        bounded > free,
        f"{bounded} learners with the bound {total:g}, {free} with a larger one, for three samples and learners",
        "the bound is the least total weight, which a smaller support may exceed",
    )
