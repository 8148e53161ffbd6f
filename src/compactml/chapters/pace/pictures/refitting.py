"""Refitted ensembles in the Pace chapter's third notebook: trees and leaves beside pruning, Pace and print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.pace.figures import NO_RESULT
from compactml.chapters.pace.method import cells_of, reweighted, stump, voting
from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.rows import ENSEMBLES, in_order, in_table_order
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.chapters.pace.trials.refitting import DEEPER
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.region import Region
from compactml.pace.trees.leaf_scores import exact_scores, leaf_columns, scored, side_by_side
from compactml.study.page.axes import label_rows
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.style import RING, series_style
from compactml.study.recording.results import Results

__all__ = [
    "AS_DEEP",
    "DEEPER_TREES",
    "PRINTED",
    "disjunction_table",
    "of_results",
    "refitting_picture",
    "refitting_table",
]

AS_DEEP, DEEPER_TREES, PRINTED = "refitted", "refitted, one level deeper", "Pace in print"
SIDES = dict(zip((AS_DEEP, DEEPER_TREES), DEEPER, strict=True))
TABLES = {RANDOM_FOREST: "table_1", ADABOOST: "table_3"}
KEYS = ["ensemble", "dataset", "N"]
ROW = 0.25
"""Inches of a row."""
MEASURES = ("certified", "final_size", "total_leaves")


def disjunction_table() -> pd.DataFrame:
    """Compute "a or b" by three stumps of which no two do it, and by two stumps whose leaves are free.

    Returns
    -------
    DataFrame
        A row per cell: ``a``, ``b``, ``label``, and the score of class 1 less that of class 0 by the three stumps, by
        the first two of them and by the two with free leaves.
    """
    grid, initial = voting([stump(0.5), stump(0.5, 1), stump(0.5, votes=(1, 1))], 2)
    codes, learners = cells_of(grid), initial.learners
    samples = FaithfulnessSet(Region(initial, 1), codes)
    scores = exact_scores(side_by_side(samples, [leaf_columns(samples, one) for one in learners[:2]]))
    free = None if scores is None else scored(samples, learners[:2], scores)
    assert free is not None
    sides = {
        "three stumps": initial.scores(codes),
        "two of them": reweighted(initial, [1, 1, 0]).scores(codes),
        "two, free leaves": free.scores(codes) / free.scores(codes).max(),
    }
    table = pd.DataFrame({"a": codes[:, 0], "b": codes[:, 1], "label": samples.labels})
    return table.assign(**{name: both[:, 1] - both[:, 0] for name, both in sides.items()})


def refitting_table(rows: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return trees and leaves of pruned ensembles before and after refitting, of Pace, and Pace's trees in print.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "refitting".
    tables : mapping of str to DataFrame
        Rows of "table_1" and "table_3", for Pace.

    Returns
    -------
    DataFrame
        A row per ensemble, dataset and N: ``trees`` and ``leaves`` of "Pruning only", "Pace", "refitted" and
        "refitted, one level deeper", means over certified runs (missing without any), and ``trees, Pace in print``.
    """
    columns = [f"{what}, {name}" for what in ("trees", "leaves") for name in (PRUNE, PACE, *SIDES)]
    named = rows.rename(columns={"n_learners": "N"})
    parts = _means(named, PRUNE, *MEASURES)
    for side, name in SIDES.items():
        parts |= _means(named, side, f"{name}_certified", f"{name}_size", f"{name}_leaves")
    sizes = pd.DataFrame(parts).dropna(how="all")
    pace = pd.concat(tables.values(), ignore_index=True)
    pace_runs = pace[pace["method"] == PACE].rename(columns={"n_learners": "N"})
    for name, means in _means(pace_runs, PACE, *MEASURES).items():
        sizes[name] = means.reindex(sizes.index)
    printed = pd.concat({ensemble: printed_sizes(table)[PACE] for ensemble, table in TABLES.items()})
    sizes = sizes.reindex(columns=columns)
    sizes[f"trees, {PRINTED}"] = printed.reindex(sizes.index)
    frame = in_table_order(sizes.reset_index(), KEYS)
    return frame.assign(ensemble=frame["ensemble"].map(ENSEMBLES))


def of_results(results: Results) -> pd.DataFrame:
    """Return `refitting_table` of the chapter's results."""
    tables = {id: results.rows(id) for id in TABLES.values()}
    return refitting_table(results.rows("refitting"), tables)


def _means(rows: pd.DataFrame, name: str, certified: str, size: str, leaves: str) -> dict[str, pd.Series]:
    groups = rows[rows[certified] == 1].groupby(KEYS)
    return {f"trees, {name}": groups[size].mean(), f"leaves, {name}": groups[leaves].mean()}


def refitting_picture(table: pd.DataFrame, n: int, width: float) -> Figure:
    """Draw the trees of certified ensembles by dataset beside Pace's in the paper, a panel for each kind of ensemble.

    Parameters
    ----------
    table : DataFrame
        From `refitting_table`.
    n : int
        Of the initial ensembles.
    width : float
        Inches.
    """
    sizes = table[table["N"] == n]
    if sizes.empty:
        return nothing(NO_RESULT, width)
    names = in_order(list(sizes["dataset"]))
    fig, axes = panels(len(ENSEMBLES), len(ENSEMBLES), width, 3.4, 1.0 + ROW * len(names))
    for ax, ensemble in zip(axes, ENSEMBLES.values(), strict=True):
        part = sizes[sizes["ensemble"] == ensemble].set_index("dataset").reindex(names)
        for i, name in enumerate((PRUNE, AS_DEEP, DEEPER_TREES)):
            ax.plot(
                part[f"trees, {name}"], range(len(names)), linestyle="none", label=name, **series_style(i)
            )
        ring: dict[str, Any] = {"color": RING, "fillstyle": "none", "markersize": 9}
        ax.plot(part[f"trees, {PRINTED}"], range(len(names)), "o", label="Pace, published", **ring)
        ax.set(title=ensemble, xlabel="trees")
        label_rows(ax, names)
        ax.set_xlim(left=0)
    legend_above(fig, 4)
    return fig
