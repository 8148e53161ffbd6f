"""Pictures of the third notebook but those of refitting and large forests: what each table shows at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.pace.beyond import LEAST
from compactml.chapters.pace.figures import FORMS, HOLLOW, NO_RESULT
from compactml.chapters.pace.peers import CERTIFIED
from compactml.chapters.pace.trials.paper import FIPE, PACE, PRUNE
from compactml.study.page.axes import plain_log
from compactml.study.page.dots import dots
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.style import PALETTE, SOFT, series_style

__all__ = ["agreement", "bounds", "checks", "fipe", "fipepy", "leaves", "merging", "places", "pricing"]

AREA = 18
"""Of the marker of one cell, in square points."""
NORMS = {"l0": "fewest trees (ℓ₀)", "l1": "least weight (ℓ₁)"}


def pricing(table: pd.DataFrame, width: float) -> Figure:
    """Draw the value of (P1) after generation, as a share of that before, by both pricings.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.beyond.pricing_table`.
    width : float
        Inches.
    """
    shares = {
        label: list(table[f"value, {name}"] / table["start"])
        for name, label in (("cart", "by CART"), ("exact", "exactly"))
    }
    return _dots(list(table["dataset"]), shares, "value of (P1), after over before generation", width)


def places(table: pd.DataFrame, width: float) -> Figure:
    """Draw the time of each form of separation over the constraint form's, by the place of the weights.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.separation.place_ratios`.
    width : float
        Inches.
    """
    labels = [f"{row['weights']} weights, {row['ensemble']}" for row in table.to_dict("records")]
    series = {name: list(table[name]) for name in FORMS.values() if name in table}
    return _dots(labels, series, "time over that of the constraint form", width, log=True, reference=1.0)


def checks(table: pd.DataFrame, width: float) -> Figure:
    """Draw at how many points each dataset's ensembles were compared, and where they differ.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.beyond.checks_table`.
    width : float
        Inches.
    """
    names = list(dict.fromkeys(table["dataset"]))
    sure, unsure = (table[table["certified"] == answer].groupby("dataset") for answer in ("yes", "no"))
    series = {
        "points compared, certified": sure["points"].sum(),
        "points compared, no certificate": unsure["points"].sum(),
        "differ, certified": sure["disagreements"].sum(),
        "differ, no certificate": unsure["disagreements"].sum(),
    }
    drawn = {label: numbers.reindex(names) for label, numbers in series.items()}
    positive = {label: list(numbers.where(numbers > 0)) for label, numbers in drawn.items()}
    return _dots(names, positive, "points of the region", width, log=True)


def leaves(table: pd.DataFrame, width: float) -> Figure:
    """Draw learners and leaves of Pace's ensemble against those of pruning only; below the line generation pays.

    The area of a marker is the number of cells of the table that it stands for.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.beyond.leaves_table`.
    width : float
        Inches.
    """
    if table.empty:
        return nothing(NO_RESULT, width)
    fig, axes = panels(2, 2, width, 3.4, 2.9)
    for ax, name, label in zip(axes, ("learners", "leaves"), ("trees", "leaves"), strict=True):
        x, y = table[f"{name}, {PRUNE}"], table[f"{name}, {PACE}"]
        cells = table.groupby([x, y]).size().rename_axis(["x", "y"]).reset_index(name="n")
        ax.scatter(cells["x"], cells["y"], s=AREA * cells["n"], color=PALETTE[0], zorder=3)
        most = 1.1 * max(x.max(), y.max())
        ax.plot([0, most], [0, most], color=SOFT, linewidth=1, linestyle="--", marker="")
        ax.set(xlabel=f"{label}, {PRUNE.lower()}", ylabel=f"{label}, {PACE}", xlim=(0, most), ylim=(0, most))
    return fig


def merging(table: pd.DataFrame, width: float) -> Figure:
    """Draw the trees that merging leaves of pruned stumps, and those of Pace.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.beyond.merging_table`.
    width : float
        Inches.
    """
    names = (PRUNE, PACE, "no more leaves", "as deep as allowed")
    labels = (PRUNE, PACE, "merged, no more leaves", "merged, as deep as allowed")
    series = {label: list(table[f"trees, {name}"]) for name, label in zip(names, labels, strict=True)}
    rows = table["dataset"] + ", " + table["ensemble"].astype(str)
    return _dots(list(rows), series, "trees, means over the certified runs", width)


def agreement(table: pd.DataFrame, width: float) -> Figure:
    """Draw the share of the test rows that is in the region, and on which Pace and the initial ensemble agree.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.beyond.agreement_table`.
    width : float
        Inches.
    """
    rows = table[table["dataset"] != LEAST]
    columns = {"in the region": "in the region", "agree on all": "same label, all rows"}
    series = {label: list(rows[column]) for column, label in columns.items()}
    return _dots(list(rows["dataset"]), series, "test rows (%)", width)


def bounds(table: pd.DataFrame, width: float) -> Figure:
    """Draw how many certified ensembles there are, and how many are proved to be the smallest.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.beyond.bounds_table`.
    width : float
        Inches.
    """
    labels = [f"{row['method']}, {row['size']} trees" for row in table.to_dict("records")]
    series = {"certified": list(table["ensembles"]), "proved smallest": list(table["proved"])}
    return _dots(labels, series, "ensembles", width)


def fipe(table: pd.DataFrame, width: float) -> Figure:
    """Draw seconds of our Fipe and of pruning, a marker a dataset; hollow where Fipe has no certificate.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.pace.beyond.fipe_table`.
    width : float
        Inches.
    """
    parts = {str(name): rows for name, rows in table.groupby("ensemble")}
    columns = (f"seconds, {FIPE}", f"seconds, {PRUNE}", f"size, {FIPE}")
    points = {name: tuple(rows[column] for column in columns) for name, rows in parts.items()}
    return _scatter(points, "seconds of our Fipe", width)


def fipepy(cases: pd.DataFrame, width: float) -> Figure:
    """Draw the seconds of fipepy and of our pruning, a marker a case that both certify.

    Parameters
    ----------
    cases : DataFrame
        From `compactml.chapters.pace.peers.peers_cases`.
    width : float
        Inches.
    """
    both = cases[(cases["fipepy"] == CERTIFIED) & (cases["our_certified"] == 1)]
    columns = ("fipepy_seconds", "our_seconds", "our_size")
    points = {
        NORMS[str(norm)]: tuple(rows[column] for column in columns) for norm, rows in both.groupby("norm")
    }
    return _scatter(points, "seconds of fipepy", width)


def _scatter(points: Mapping[str, Sequence[pd.Series]], xlabel: str, width: float) -> Figure:
    """Seconds of another program and of ours, hollow where a size is missing, and the line of equal times."""
    if not points:
        return nothing(NO_RESULT, width)
    fig, (ax,) = panels(1, 1, width, width, 3.2)
    for i, (label, (theirs, ours, size)) in enumerate(points.items()):
        style, sure = series_style(i), size.notna()
        ax.plot(theirs[sure], ours[sure], linestyle="", label=label, **style)
        ax.plot(theirs[~sure], ours[~sure], linestyle="", markerfacecolor=HOLLOW, **style)
    seconds = pd.concat([part for theirs, ours, _ in points.values() for part in (theirs, ours)]).astype(
        float
    )
    ends = [seconds.min(), seconds.max()]
    ax.plot(ends, ends, color=SOFT, linestyle="--", marker="", label="equal time")
    plain_log(ax, "x", "y")
    ax.set(xlabel=xlabel, ylabel="seconds of our pruning")
    legend_above(fig, 3)
    return fig


def _dots(
    labels: Sequence[str],
    series: dict[str, list[float]],
    xlabel: str,
    width: float,
    *,
    log: bool = False,
    reference: float | None = None,
) -> Figure:
    """Rows of dots, or a word where there are none."""
    if not labels:
        return nothing(NO_RESULT, width)
    return dots(labels, series, xlabel, width, log=log, reference=reference)
