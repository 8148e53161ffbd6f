"""Claims on Table 4: Pace beside Fipe on the whole space."""

from __future__ import annotations

from functools import partial

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import (
    CERTIFIED_ONLY,
    DEPTH_LIMITED,
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
    decided,
    listed,
)
from compactml.chapters.pace.claims.sizes import PRUNES_FIRST
from compactml.chapters.pace.printed import NEAR
from compactml.chapters.pace.rows import ENSEMBLES, in_order
from compactml.chapters.pace.trials.ensembles import ADABOOST
from compactml.chapters.pace.trials.paper import FIPE, PACE
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence

claim = partial(claim, NAME)

SINGLE_TREES = ("Diabetes", "Elec2", "Htru2", "Pol")
"""AdaBoost ensembles that Pace reduces to one tree, by Section E.2."""
SAME_PRUNING = f"{PRUNES_FIRST}; Fipe's exact pruning has the same optimum"
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
    """Pace nowhere ends with more learners than Fipe ({what})."""
    sizes, coverage = sizes_beside_fipe(tables, ensemble)
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


@claim("wins-{key}", PLACE, tolerance="at least as many", why=CERTIFIED_ONLY, over=STUMPS, interleaved=True)
def smaller_than_fipe(tables: Tables, ensemble: str) -> Evidence:
    """Pace ends with fewer learners than Fipe on {wins} of 11 datasets ({what})."""
    sizes, coverage = sizes_beside_fipe(tables, ensemble)
    won, stated = sizes[PACE] < sizes[FIPE], WINS[ensemble]
    named = ", ".join(
        f"{name} {size_text(row[PACE])} for {size_text(row[FIPE])}" for name, row in sizes[won].iterrows()
    )
    wins = int(won.sum())
    text = f"{wins} of {len(won)}, the paper {stated} of {N_DATASETS}" + (f": {named}" if named else "")
    open_ = wins < stated <= wins + N_DATASETS - len(won)
    return decided(
        wins >= stated,
        0 if open_ else len(won),
        N_DATASETS,
        text,
        DEPTH_LIMITED if wins < stated else "",
        inferred=WHOLE_SPACE,
        coverage=coverage,
        what="datasets",
    )


@claim("single-trees", PLACE, tolerance=EXACTLY, why=PRINT)
def single_trees(tables: Tables) -> Evidence:
    """Pace reduces the AdaBoost ensembles of Diabetes, Elec2, Pol and Htru2 to a single tree each."""
    rows = tables["table_4"]
    sizes = complete(rows[rows["ensemble"] == ADABOOST], ["dataset"], [PACE])[PACE]
    asked = sizes[[name for name in SINGLE_TREES if name in sizes.index]]
    return Evidence.of_cells(
        asked == 1,
        listed(asked, 1),
        f"{DEPTH_LIMITED}; a loop without such a limit gives one tree in 20 of 20 runs of an independent referee",
        stated=len(SINGLE_TREES),
        inferred=WHOLE_SPACE,
        coverage=covered(rows, len(asked), len(SINGLE_TREES)),
    )


def sizes_beside_fipe(tables: Tables, ensemble: str) -> tuple[pd.DataFrame, Coverage]:
    """Our certified sizes of Pace and Fipe by dataset, and what is covered."""
    rows = tables["table_4"]
    sizes = complete(rows[rows["ensemble"] == ensemble], ["dataset"], [PACE, FIPE])
    return sizes.loc[in_order(list(sizes.index))], covered(rows, len(sizes))


def size_text(mean: float) -> str:
    """A mean size with a digit behind the point where it has one."""
    return f"{mean:.1f}".removesuffix(".0")
