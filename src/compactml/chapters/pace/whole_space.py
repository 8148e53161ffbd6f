"""The number of learners behind Table 4, which is lost: do its printed sizes lie where means of five runs lie?

Print has rounded means of five runs. Two such means differ by chance even in the same setting, so a distance is judged
by how much our own runs scatter.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import t as student

from compactml.chapters.pace.figures import NO_RESULT
from compactml.chapters.pace.printed import NEAR, printed_sizes
from compactml.chapters.pace.protocol import RUNS
from compactml.chapters.pace.rows import ENSEMBLES, in_order, in_table_order
from compactml.chapters.pace.trials.paper import FIPE, PRUNE
from compactml.study.page.axes import label_rows
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.style import INK, series_style

__all__ = ["best_first", "intervals", "intervals_picture", "single_run", "size_fits"]

PRINTED_RUNS = len(RUNS)
LEVEL = 0.95
HALF = 0.5
"""What rounding can move a printed mean by."""
ROW = 0.32
"""Inches of a row."""
CASE = ["ensemble", "n_learners", "dataset"]


def intervals(rows: pd.DataFrame) -> pd.DataFrame:
    """Return where a printed size would lie if print had the same setting, from our own runs.

    With n runs of mean m and deviation s, a mean of five further ones lies within
    ``t(n - 1) s sqrt(1/5 + 1/n)`` of m with probability 95 %; half a learner is added for the rounding.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "settings".

    Returns
    -------
    DataFrame
        A row for each ensemble, N and dataset of which all runs on the whole space are certified, and at least two:
        ``printed``, ``runs``, ``mean``, ``low`` and ``high`` of the interval, ``inside``, ``near`` (the rounded mean
        is within one learner of print) and ``chance`` (the probability of that in the same setting).
    """
    columns = [*CASE, "printed", "runs", "mean", "low", "high", "inside", "near", "chance"]
    groups = _certified(rows).groupby([*CASE, "printed"])["final_size"]
    table = pd.DataFrame(
        {"asked": groups.size(), "runs": groups.count(), "mean": groups.mean(), "deviation": groups.std()}
    ).reset_index()
    table = table[(table["runs"] == table["asked"]) & (table["runs"] > 1)]
    n, mean = table["runs"].to_numpy(dtype=float), table["mean"].to_numpy(dtype=float)
    spread = table["deviation"].to_numpy(dtype=float) * np.sqrt(1 / PRINTED_RUNS + 1 / n)
    reach = student.ppf((1 + LEVEL) / 2, n - 1) * spread + HALF
    rounded = np.round(mean)
    table["low"], table["high"] = mean - reach, mean + reach
    table["inside"] = table["printed"].between(table["low"], table["high"])
    table["near"] = (rounded - table["printed"]).abs() <= NEAR
    scale = np.maximum(spread, 1e-9)  # runs that all agree leave nothing to chance
    ends = [(rounded + side * (NEAR + HALF) - mean) / scale for side in (-1, 1)]
    table["chance"] = student.cdf(ends[1], n - 1) - student.cdf(ends[0], n - 1)
    return in_table_order(table, CASE)[columns]


def _certified(rows: pd.DataFrame) -> pd.DataFrame:
    """Pruned stumps on the whole space with the printed size of Fipe; a size that is not certified is missing."""
    stumps = rows[
        (rows["alpha"] == 0) & (rows["beta"] == 0) & (rows["depth"] == 1) & (rows["method"] == PRUNE)
    ]
    cells = pd.MultiIndex.from_frame(stumps[["dataset", "ensemble"]])
    printed = printed_sizes("table_4")[FIPE].reindex(cells).to_numpy()
    return stumps.assign(final_size=stumps["final_size"].where(stumps["certified"] == 1), printed=printed)


def single_run(rows: pd.DataFrame, ensemble: str, seed: int = 0) -> tuple[int, int, int]:
    """Return what one run alone says of N.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "settings".
    ensemble : str
    seed : int
        The run.

    Returns
    -------
    int, int, int
        N with the most certified sizes within one learner of print, their number, and the number of certified sizes;
        zeros without any.
    """
    sizes = _certified(rows).dropna(subset="final_size")
    sizes = sizes[(sizes["seed"] == seed) & (sizes["ensemble"] == ensemble)].copy()
    if sizes.empty:
        return 0, 0, 0
    sizes["near"] = (sizes["final_size"] - sizes["printed"]).abs() <= NEAR
    counts = sizes.groupby("n_learners")["near"].agg(["sum", "size"]).sort_values("sum", ascending=False)
    n_learners, near, certified = next(counts.itertuples(name=None))
    return int(n_learners), int(near), int(certified)


def size_fits(table: pd.DataFrame) -> pd.DataFrame:
    """Return how well each N fits, the one with the most printed sizes inside their intervals first.

    Parameters
    ----------
    table : DataFrame
        From `intervals`.

    Returns
    -------
    DataFrame
        Columns ``ensemble``, ``n_learners``, ``runs``, ``datasets``, ``inside``, ``within 1``, ``expected within 1``
        (if the setting were print's) and ``mean distance``.
    """
    off = table.assign(distance=(table["mean"] - table["printed"]).abs())
    groups = off.groupby(CASE[:2])
    fits = pd.DataFrame(
        {
            "runs": groups["runs"].min(),
            "datasets": groups.size(),
            "inside": groups["inside"].sum(),
            "within 1": groups["near"].sum(),
            "expected within 1": groups["chance"].sum(),
            "mean distance": groups["distance"].mean(),
        }
    ).reset_index()
    return best_first(fits)


def best_first(fits: pd.DataFrame) -> pd.DataFrame:
    """Rows of `size_fits` by ensemble, the most printed sizes inside first, among these the nearest to print."""
    order = ["ensemble", "inside", "mean distance"]
    return fits.sort_values(order, ascending=[False, False, True]).reset_index(drop=True)


def intervals_picture(table: pd.DataFrame, width: float) -> Figure:
    """Draw `intervals` by dataset and N, with the printed sizes as diamonds; a panel for each ensemble."""
    if table.empty:
        return nothing(NO_RESULT, width)
    names = in_order(list(table["dataset"]))
    fig, axes = panels(len(ENSEMBLES), len(ENSEMBLES), width, 3.4, 1.0 + ROW * len(names))
    for ax, (ensemble, title) in zip(axes, ENSEMBLES.items(), strict=True):
        _panel(ax, table[table["ensemble"] == ensemble], names)
        ax.set(title=title, xlabel="trees of Fipe", xlim=(0, None))
        label_rows(ax, names)
    legend_above(fig, 5, 3)
    return fig


def _panel(ax: Axes, cells: pd.DataFrame, names: list[str]) -> None:
    sizes = sorted(cells["n_learners"].unique())
    for i, size in enumerate(sizes):
        cells_of_size = cells[cells["n_learners"] == size]
        y = [names.index(name) + 0.22 * (i - (len(sizes) - 1) / 2) for name in cells_of_size["dataset"]]
        style = series_style(i) | {"linestyle": "none", "markersize": 4}
        reach = np.abs(cells_of_size[["low", "high"]].to_numpy().T - cells_of_size["mean"].to_numpy())
        ax.errorbar(cells_of_size["mean"], y, xerr=reach, label=f"N = {size:g}", elinewidth=1.5, **style)
    printed = cells.drop_duplicates("dataset")
    places = [names.index(name) for name in printed["dataset"]]
    ax.plot(printed["printed"], places, linestyle="none", marker="D", color=INK, label="published", zorder=5)
