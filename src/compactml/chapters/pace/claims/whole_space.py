"""Claims on Table 4: Pace beside Fipe on the whole space."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import (
    CERTIFIED_ONLY,
    EXACTLY,
    N_DATASETS,
    ORDER,
    PRINT,
    WHOLE_SPACE,
    WINS,
    Tables,
    against_fipe,
    certificates,
    complete,
    covered,
    listed,
)
from compactml.chapters.pace.claims.readings import (
    LATE,
    LIMITED,
    READING,
    awaited,
    beside_others,
    sized,
    under_reading,
    used,
    with_pruned,
)
from compactml.chapters.pace.plans.readings import JUDGED
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.rows import ENSEMBLES, in_order
from compactml.chapters.pace.trials.ensembles import ADABOOST
from compactml.chapters.pace.trials.paper import FIPE, PACE
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because

claim = partial(claim, NAME)

SINGLE_TREES = ("Diabetes", "Elec2", "Htru2", "Pol")
"""AdaBoost ensembles that Pace reduces to one tree, by Section E.2."""
SCAN = "scan_table_4"
PLACE = "E.2, Table 4"
STUMPS = {
    ensemble: {"ensemble": ensemble, "what": name, "wins": WINS[ensemble]}
    for ensemble, name in ENSEMBLES.items()
}


@claim(
    "fipe-sizes-{key}", PLACE, tolerance=f"{NEAR} learner", why=CERTIFIED_ONLY, over=STUMPS, interleaved=True
)
def fipe_as_printed(tables: Tables, ensemble: str) -> Evidence:
    """Fipe ends with the printed numbers of learners, in the settings that we inferred ({what}).

    N was chosen by these numbers, so nothing is tested.
    """
    rows = tables["table_4"]
    sizes = complete(rows[rows["ensemble"] == ensemble], ["dataset"], [FIPE])[FIPE]
    printed = against_fipe(ensemble)[FIPE]
    near = (sizes.round() - printed.reindex(sizes.index)).abs() <= NEAR
    text = ", ".join(
        f"{name} {size_text(sizes[name])}/{printed[name]:g}" for name in in_order(list(sizes.index))
    )
    return Evidence.missing(
        f"all {len(printed)} printed sizes served to infer N, so none of them is a test",
        len(printed),
        f"{int(near.sum())} of {len(near)} within one learner; our size/published size: {text}",
        covered(rows, len(sizes)),
    )


@claim("fipe-{key}", PLACE, tolerance=ORDER, why=CERTIFIED_ONLY, over=STUMPS, interleaved=True)
def no_larger_than_fipe(tables: Tables, ensemble: str) -> Evidence:
    """Pace nowhere ends with more learners than Fipe ({what}).

    In the paper's order; by our order it could not.
    """
    runs, scan = beside_fipe(tables, ensemble)
    if scan is None:
        return awaited(SCAN, N_DATASETS)
    right = runs[PACE] <= runs[FIPE]
    return Evidence.of_cells(
        right,
        f"{int(right.sum())} of {len(right)} datasets" if len(right) else "",
        certificates(len(runs), N_DATASETS, "datasets"),
        stated=N_DATASETS,
        doubtful=runs[LATE],
        doubt=LIMITED,
        inferred=f"{WHOLE_SPACE}; {READING}",
        coverage=used(runs, scan),
    )


@claim("wins-{key}", PLACE, tolerance="dataset by dataset", why=CERTIFIED_ONLY, over=STUMPS, interleaved=True)
def smaller_than_fipe(tables: Tables, ensemble: str) -> Evidence:
    """Pace ends with fewer learners than Fipe on {wins} of 11 datasets, and with as many on the others ({what}).

    In the paper's order; a dataset agrees if it is one of those that the paper has, or one of the others.
    """
    runs, scan = beside_fipe(tables, ensemble)
    if scan is None:
        return awaited(SCAN, N_DATASETS)
    won, stated = runs[PACE] < runs[FIPE], WINS[ensemble]
    printed = against_fipe(ensemble).reindex(runs.index)
    right = np.sign(runs[FIPE] - runs[PACE]) == np.sign(printed[FIPE] - printed[PACE])
    named = ", ".join(
        f"{name} {size_text(row[PACE])} for {size_text(row[FIPE])}" for name, row in runs[won].iterrows()
    )
    wins, fipe = int(won.sum()), tables["table_4"]
    others = beside_others(scan, lambda own: wins_of(own, fipe), ensemble=ensemble)
    both = int((right & won).sum())
    text = f"{wins} of {len(won)}, the paper {stated} of {N_DATASETS}; {both} of them in both" + (
        f": {named}" if named else ""
    )
    return Evidence.of_cells(
        right,
        text if len(won) else "",
        because(f"fewer{others}" if others else "", certificates(len(runs), N_DATASETS, "datasets")),
        stated=N_DATASETS,
        doubtful=runs[LATE],
        doubt=LIMITED,
        inferred=f"{WHOLE_SPACE}; {READING}",
        coverage=used(runs, scan),
    )


@claim("single-trees", PLACE, tolerance=EXACTLY, why=PRINT)
def single_trees(tables: Tables) -> Evidence:
    """Pace reduces the AdaBoost ensembles of Diabetes, Elec2, Pol and Htru2 to a single tree each.

    New trees have no limit of depth; (P1) has many optimal duals, and one of three choices of them must do. Separation
    is exact, by the constraint program or, where that takes long, by ours.
    """
    stated, fipe, scan = len(SINGLE_TREES), tables["table_4"], tables.get(SCAN)
    if scan is None:
        return awaited(SCAN, stated)
    free = scan["dataset"].isin(SINGLE_TREES) & (scan["ensemble"] == ADABOOST)
    runs = sized(scan[free & (scan["depth_limit"] == JUDGED.depth_limit) & (scan["order"] == JUDGED.order)])
    sizes = runs.pivot_table(index="dataset", columns="duals", values=PACE, aggfunc="min")
    asked = fipe["dataset"].isin(SINGLE_TREES) & (fipe["ensemble"] == ADABOOST)
    text = "; ".join(f"{duals} duals: {listed(sizes[duals].dropna())}" for duals in sizes)
    leaves = runs[runs[PACE] == 1].groupby("dataset")["total_leaves"].min()
    return Evidence.of_cells(
        sizes.min(axis="columns") == 1,
        text,
        f"leaves of the single trees: {listed(leaves)}" if len(leaves) else "",
        stated=stated,
        inferred=f"{WHOLE_SPACE}; which duals price new trees",
        coverage=used(runs, scan[free] if free.any() else fipe[asked], stated),
    )


def beside_fipe(tables: Tables, ensemble: str) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Certified runs of the reading with the size of Fipe by dataset, and the scan."""
    rows, scan = tables["table_4"], tables.get(SCAN)
    if scan is None:
        return pd.DataFrame(), None
    fipe = rows[rows["ensemble"] == ensemble]
    runs = with_pruned(under_reading(scan, ensemble=ensemble), fipe, ["dataset"], FIPE)
    return runs.loc[in_order(list(runs.index))], scan


def wins_of(runs: pd.DataFrame, fipe: pd.DataFrame) -> int:
    """In how many runs of a reading there are fewer learners than Fipe's."""
    both = with_pruned(runs, fipe, ["dataset", "ensemble"], FIPE)
    return int((both[PACE] < both[FIPE]).sum())


def size_text(mean: float) -> str:
    """A mean size with a digit behind the point where it has one."""
    return f"{mean:.1f}".removesuffix(".0")
