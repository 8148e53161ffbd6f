"""The settings that the paper's text has lost: which of a grid gives sizes nearest to the printed ones.

N follows from the column groups; the depth of the learners, alpha and beta are nowhere. Pruning alone has no other free
choice, so its sizes are compared with those of Tables 1 and 3. (Table 4: `compactml.chapters.pace.whole_space`.)
"""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.pace.figures import ALPHA_LABEL, HOLLOW, NO_RESULT
from compactml.chapters.pace.printed import NEAR, printed_sizes
from compactml.chapters.pace.rows import SETTING, sizes_of
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import PRUNE
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.style import series_style

__all__ = ["best_fit", "distances", "printed_target", "proved_apart", "settings_picture"]

TABLES = {RANDOM_FOREST: "table_1", ADABOOST: "table_3"}


def printed_target(dataset: str, ensemble: str, n_learners: int) -> float:
    """The printed size that a pruned ensemble is compared with; not a number where nothing is printed."""
    return float(printed_sizes(TABLES[ensemble])[PRUNE].get((dataset, n_learners), float("nan")))


def distances(rows: pd.DataFrame) -> pd.DataFrame:
    """Return how far the sizes of pruning alone are from print, for each setting of the grid.

    Printed sizes are means of several runs, rounded; so are ours where there are several, and a mean is near if it is
    within one learner once it is rounded.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "settings"; those on the whole space are left out.

    Returns
    -------
    DataFrame
        Columns of `SETTING`, ``runs`` (of a dataset, at least), ``datasets`` (run), ``certified`` (in all runs),
        ``empty`` (regions), ``within 1`` and ``mean distance`` (of the certified ones); for each kind of ensemble
        those of the most datasets first, among them the nearest.
    """
    restricted = (rows["alpha"] > 0) | (rows["beta"] > 0)
    off = _off(_means(rows[restricted & (rows["method"] == PRUNE)]))
    groups = off.dropna(subset="target").groupby(list(SETTING), sort=False)
    table = pd.DataFrame(
        {
            "runs": groups["runs"].min(),
            "datasets": groups.size(),
            "certified": groups["distance"].count(),
            "empty": groups["empty"].sum(),
            "within 1": groups["near"].sum(),
            "mean distance": groups["distance"].mean(),
        }
    ).reset_index()
    order = ["ensemble", "datasets", "within 1", "mean distance"]
    return table.sort_values(order, ascending=[False, False, False, True]).reset_index(drop=True)


def _means(runs: pd.DataFrame) -> pd.DataFrame:
    """The mean size of each dataset and setting over its runs, missing where one of them is not certified."""
    index = ["dataset", *SETTING]
    sizes = sizes_of(runs, index).reindex(columns=[PRUNE])[PRUNE]
    groups = runs.groupby(index, sort=False)
    columns = {"size": sizes, "runs": groups.size(), "empty": groups["final_size"].count() == 0}
    return pd.DataFrame(columns).reset_index()


def _off(means: pd.DataFrame) -> pd.DataFrame:
    """The same with the printed size, the distance from it, and whether it is near."""
    columns = ["dataset", "ensemble", "n_learners"]
    targets = [printed_target(*key) for key in means[columns].itertuples(index=False)]
    off = means.assign(target=targets)
    return off.assign(
        distance=(off["size"] - off["target"]).abs(),
        near=(off["size"].round() - off["target"]).abs() <= NEAR,
    )


def proved_apart(rows: pd.DataFrame) -> pd.DataFrame:
    """Return sizes of pruning alone that are proved to be too large for print: their lower bound is not near it.

    Parameters
    ----------
    rows : DataFrame
        Rows of Table 1 or 3.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``N``, ``bound`` and ``printed``, of the certified runs of which this is so.
    """
    runs = rows[(rows["method"] == PRUNE) & (rows["certified"] == 1)]
    keys = runs[["dataset", "ensemble", "n_learners"]].itertuples(index=False)
    bounds = pd.DataFrame(
        {
            "dataset": runs["dataset"],
            "N": runs["n_learners"],
            "bound": runs["lower_bound"],
            "printed": [printed_target(*key) for key in keys],
        }
    )
    return bounds[bounds["bound"] > bounds["printed"] + NEAR].reset_index(drop=True)


def _compared(table: pd.DataFrame, ensemble: str) -> pd.DataFrame:
    """Settings that were run on as many datasets as any: a fit to fewer is no better fit."""
    fits = table[table["ensemble"] == ensemble]
    return fits[fits["datasets"] == fits["datasets"].max()]


def best_fit(table: pd.DataFrame, ensemble: str = RANDOM_FOREST) -> dict[str, str]:
    """Return the setting nearest to the printed sizes of Table 1 or 3, as texts for the prose; dashes without any.

    Parameters
    ----------
    table : DataFrame
        From `distances`.
    ensemble : str

    Returns
    -------
    dict of str
        ``depth``, ``alpha``, ``beta``, ``N``, ``near``, ``datasets`` and ``distance`` (mean) of it; ``next_alpha``,
        ``next_near`` and so on of the setting that comes second.
    """
    fits = _compared(table, ensemble)
    columns = {
        "depth": "depth", "alpha": "alpha", "beta": "beta", "N": "n_learners", "near": "within 1",
        "datasets": "datasets", "distance": "mean distance",
    }  # fmt: skip
    return {
        f"{prefix}{name}": f"{fits[column].iloc[place]:.2g}" if len(fits) > place else "–"
        for place, prefix in enumerate(("", "next_"))
        for name, column in columns.items()
    }


def settings_picture(table: pd.DataFrame, width: float, ensemble: str = RANDOM_FOREST) -> Figure:
    """Draw the mean distance from print by alpha, a line for each depth and a panel for each beta.

    A mean is over the datasets that are certified, hollow where some are not; settings that were run on fewer datasets
    than others are not drawn.

    Parameters
    ----------
    table : DataFrame
        From `distances`.
    width : float
        Inches.
    ensemble : str
    """
    fits = _compared(table, ensemble).dropna(subset="mean distance")
    if fits.empty:
        return nothing(NO_RESULT, width)
    betas = sorted(fits["beta"].unique())
    fig, axes = panels(len(betas), len(betas), width, 1.8, 2.6, sharey=True)
    for ax, beta in zip(axes, betas, strict=True):
        panel = fits[fits["beta"] == beta]
        for depth in sorted(fits["depth"].unique()):
            groups = panel[panel["depth"] == depth].groupby("alpha")
            line = groups["mean distance"].mean()
            sure = groups["certified"].sum() == groups["datasets"].sum()
            style = series_style(int(depth) - 1)
            ax.plot(line.index, line, color=style["color"], marker="", linewidth=1.2)
            ax.plot(line[sure].index, line[sure], linestyle="none", label=f"depth {depth}", **style)
            ax.plot(line[~sure].index, line[~sure], linestyle="none", markerfacecolor=HOLLOW, **style)
        ax.set(title=f"β = {beta:g}", ylim=(0, None))
    fig.supxlabel(ALPHA_LABEL)
    fig.supylabel("mean distance (trees)")
    legend_above(fig, 4, 3)
    return fig
