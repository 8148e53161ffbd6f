"""What the chapter finds beyond the paper."""

from __future__ import annotations

from functools import partial

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.beyond import largest_forests
from compactml.chapters.pace.claims.common import Tables, complete
from compactml.chapters.pace.counterexamples import BOUNDED, least_total, support_within
from compactml.chapters.pace.figures import FORMS
from compactml.chapters.pace.peers import CERTIFIED, peers_numbers
from compactml.chapters.pace.protocol import WHOLE_SPACE_SIZE
from compactml.chapters.pace.separation import engine_conflicts, engine_ratios, left_open, not_faster
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, PACE, PRUNE
from compactml.chapters.pace.whole_space import intervals
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because

claim = partial(claim, NAME, basis=Basis.OURS)

OURS = "ours"
VISITED = {
    "checks": ["certified"],
    "merging": ["certified"],
    "refitting": ["certified", "same_certified", "deeper_certified"],
}
"""Tables in which scikit-learn's predictions are compared point by point; which certificates were checked so."""


@claim("fipepy-faster", "E.2", tolerance="size and seconds, case by case", why=OURS)
def as_small_as_fipepy(tables: Tables) -> Evidence:
    """Our pruning is as small as fipepy, the published code of Fipe, and faster wherever both certify."""
    rows = tables["fipepy"]
    both = rows[(rows["norm"] == "l0") & (rows["fipepy"] == CERTIFIED) & (rows["our_certified"] == 1)]
    counts = peers_numbers(rows, "l0")
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


@claim("certificates-checked", "Section 4", tolerance="exact", why="a certificate covers every point")
def certificates_hold(tables: Tables) -> Evidence:
    """No certified ensemble differs from its initial one at any point that scikit-learn compared."""
    parts = [visited(tables[table], certificates) for table, certificates in VISITED.items()]
    rows = pd.concat(parts, ignore_index=True)
    points = int(rows["n_points"].sum())
    return Evidence.of_cells(
        rows["disagreements"] == 0,
        f"{int(rows['disagreements'].sum())} disagreements of {len(rows)} certified ensembles at {points:,} points",
        numbers={"ensembles": f"{len(rows)}", "millions": f"{points / 1e6:.0f}"},
    )


def visited(rows: pd.DataFrame, certificates: list[str]) -> pd.DataFrame:
    """Points compared and disagreements of the ensembles with any of these certificates."""
    certified = (rows[certificates] == 1).any(axis="columns")
    return rows.loc[certified, ["n_points", "disagreements"]]


@claim("search-faster", "Section 4", tolerance="seconds, weights by weights", why=OURS)
def search_faster(tables: Tables) -> Evidence:
    """Our branch and bound separates faster than the paper's constraint program, on the same weights."""
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


@claim("pruned-smallest", "E.2", tolerance="size equals lower bound", why="a proof")
def pruned_smallest(tables: Tables) -> Evidence:
    """Every pruned ensemble of stumps on the whole space is proved to be as small as its learners allow."""
    rows = tables["fipe"][tables["fipe"]["method"] == PRUNE]
    right = (rows["certified"] == 1) & (rows["final_size"] == rows["lower_bound"])
    return Evidence.of_cells(
        right, f"{int(right.sum())} of {len(rows)} runs, {rows['dataset'].nunique()} datasets"
    )


@claim("large-forests", "Result 3", tolerance="lower bound, dataset by dataset", why=OURS)
def half_is_needed(tables: Tables) -> Evidence:
    """Of the smallest part found of a large forest of shallow trees, at least half is proved to be needed."""
    forests = largest_forests(tables["scale"]).dropna(subset="found_size")
    bounds = ", ".join(
        f"{row.dataset} {row.lower_bound:g} of {row.found_size:g}" for row in forests.itertuples()
    )
    return Evidence.of_cells(
        2 * forests["lower_bound"] >= forests["found_size"],
        f"trees proved to be needed: {bounds or 'none'}",
    )


@claim("merging", "Perspectives", tolerance="ensemble by ensemble", why=OURS)
def merged(tables: Tables) -> Evidence:
    """Merging trees leaves fewer of them, no more leaves, and every prediction as it was."""
    rows = tables["merging"]
    certified = rows[rows["certified"] == 1]
    right = (
        (certified["thrifty_size"] < certified["final_size"])
        & (certified["thrifty_leaves"] <= certified["total_leaves"])
        & (certified["disagreements"] == 0)
    )
    trees = 100 * (certified["thrifty_size"] / certified["final_size"]).mean()
    leaves = 100 * (certified["thrifty_leaves"] / certified["total_leaves"]).mean()
    return Evidence.of_cells(
        right,
        f"to {trees:.0f} % of the trees and {leaves:.0f} % of the leaves on average, {len(certified)} ensembles",
        numbers={"trees": f"{trees:.0f}", "leaves": f"{leaves:.0f}"},
    )


@claim("refitting", "Perspectives", tolerance="trees, ensemble by ensemble", why=OURS)
def refitted(tables: Tables) -> Evidence:
    """Refitting leaves and exchanging trees makes certified ensembles smaller than pruning, at the same depth."""
    rows = tables["refitting"]
    shares, right = {}, pd.Series(dtype=bool)
    for side in ("deeper", "same"):
        both = rows[(rows["certified"] == 1) & (rows[f"{side}_certified"] == 1)]
        right = both[f"{side}_size"] < both["final_size"]
        trees, leaves = (
            both[f"{side}_size"] / both["final_size"],
            both[f"{side}_leaves"] / both["total_leaves"],
        )
        shares[side] = (
            f"{int(right.sum())} of {len(both)}, to {100 * trees.mean():.0f} % of the trees "
            f"and {100 * leaves.mean():.0f} % of the leaves"
        )
    return Evidence.of_cells(right, shares["same"], f"with trees one level deeper {shares['deeper']}")


@claim("leaves-not-fewer", "E.2, Table 4", tolerance="order of the leaves", why=OURS)
def leaves_not_fewer(tables: Tables) -> Evidence:
    """Where our Pace has fewer trees than our Fipe, it does not have fewer leaves."""
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


@claim(
    "{key}",
    "E.2, Table 4",
    tolerance="95 % of the means, half a learner for rounding",
    why=OURS,
    over={"lost-size": {"n_stumps": WHOLE_SPACE_SIZE}},
)
def inside_intervals(tables: Tables) -> Evidence:
    """With {n_stumps} stumps the printed sizes of Fipe lie where means of five runs would lie.

    That is where 95 % of such means lie, by the scatter of our own runs.
    """
    sizes = intervals(tables["settings"])
    as_inferred = sizes[sizes["n_learners"] == WHOLE_SPACE_SIZE]
    outside = ", ".join(
        f"{row.dataset} ({'forest' if row.ensemble == RANDOM_FOREST else 'AdaBoost'})"
        for row in as_inferred[~as_inferred["inside"].astype(bool)].itertuples()
    )
    counts = {
        kind: as_inferred.loc[as_inferred["ensemble"] == kind, "inside"].astype(bool)
        for kind in (RANDOM_FOREST, ADABOOST)
    }
    text = ", ".join(f"{int(one.sum())} of {len(one)} {kind}" for kind, one in counts.items())
    return Evidence.of_cells(
        as_inferred["inside"].astype(bool),
        f"{text.replace('_', ' ')}; outside: {outside or 'none'}",
        "an inference: N was chosen for it, and other readings of the bins fit about as well",
        stated=max(len(as_inferred), 1),
    )


@claim("fipe-bound", "E.2", tolerance="one example", why=OURS)
def bound_cuts_off(tables: Tables) -> Evidence:
    """The bound on weights in the repository of Fipe can cut off the smallest ensemble."""
    total = least_total(BOUNDED)
    bounded, free = (int((support_within(BOUNDED, bound) > 0).sum()) for bound in (total, 10.0))
    return Evidence.of_statement(
        bounded > free,
        f"{bounded} learners with the bound {total:g}, {free} with a larger one, for three samples and learners",
        "the bound is the least total weight, which a smaller support may exceed",
    )
