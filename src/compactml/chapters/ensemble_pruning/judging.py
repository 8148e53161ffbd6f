"""How Tables 2 to 6 are judged beside print, and how their cells are shown.

Numbers of Table 2 that decide anything agree digit by digit, means of Tables 4 to 6 within two standard errors of the
difference. The gaps of Table 3 are not judged, nor is what averages datasets that are not the same here: the last row
of Table 5, and a mean rank of Tables 4 and 6 that lacks one of the nine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import printed, rows
from compactml.study.chapter import Printed
from compactml.study.judging.beside import Judge, Sides, digit_by_digit, unjudged, within_errors
from compactml.study.judging.comparison import Agreement

__all__ = ["GAPS", "MEANS", "RANKS_BY_ACCURACY", "RANKS_BY_BALANCED_ACCURACY", "SIZES"]

Cells = Callable[[pd.DataFrame], pd.DataFrame]
CHOSEN_BY_POINTS = ("BCW", "BMK")
"""Datasets whose printed name fits two files, of which we took the one with the printed number of points."""


def all_cells(cells: pd.DataFrame) -> pd.Series:
    """A gap after a limit depends on solver, machine and pool: the claims alone judge it."""
    return pd.Series(True, index=cells.index)


def average_cells(cells: pd.DataFrame) -> pd.Series:
    """The last row of Table 5."""
    return cells["dataset"] == rows.ALL_CASES


def positive_shares(cells: pd.DataFrame) -> pd.Series:
    """θ of Table 2: it says which class is positive, which is inferred from the printed sizes."""
    return cells["quantity"] == "theta"


def decide_nothing(cells: pd.DataFrame) -> pd.Series:
    """Numbers of Table 2 that decide nothing: θ, of features, and of points where these say which file is meant.

    Of such a file the points of the larger class follow from all and from those of the smaller.
    """
    by_points = cells["quantity"].isin(["N", rows.LARGER]) & cells["dataset"].isin(CHOSEN_BY_POINTS)
    return by_points | (cells["quantity"] == "features") | positive_shares(cells)


def lacking_datasets(ranking: rows.Ranking, sides: Sides, cells: pd.DataFrame) -> pd.Series:
    """The mean ranks that are not over the nine datasets: how the absent one ranks the methods would shift them."""
    index = pd.MultiIndex.from_frame(cells[["K", "method"]])
    over = pd.DataFrame(
        {
            side: rows.rank_cells(ours, ranking).set_index(["K", "method"])["datasets"].reindex(index)
            for side, ours in sides.by_name.items()
            if ours is not None
        }
    ).set_axis(cells.index)
    judged = over["this_build"].fillna(over["recorded"]) if "recorded" in over else over["this_build"]
    return judged < len(rows.NAMES)


def judge_ranks(ranking: rows.Ranking, judge: Judge, sides: Sides) -> pd.DataFrame:
    """Judge the mean ranks that are over all datasets of the paper."""
    return judge_all_but(partial(lacking_datasets, ranking, sides), judge, sides)


def judge_by_each(judges: Sequence[Judge], sides: Sides) -> pd.DataFrame:
    """Judge by each reading of the printed deviations; a cell that they judge otherwise is inconclusive."""
    cells, *others = (judge(sides) for judge in judges)
    for other in others:
        cells.loc[cells["verdict"] != other["verdict"], "verdict"] = str(Agreement.INCONCLUSIVE)
    return cells


def judge_all_but(spared: Callable[[pd.DataFrame], pd.Series], judge: Judge, sides: Sides) -> pd.DataFrame:
    """Judge the cells of a table but for some, whose verdict is empty where there is a value of ours."""
    cells = judge(sides)
    return unjudged(cells, spared(cells))


def with_names(names: dict[str, str], cells: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """The cells with the names of methods that are shown."""
    return cells.assign(method=cells["method"].replace(names))


def with_deviations(
    key: Sequence[str],
    printed_cells: Callable[[], pd.DataFrame],
    cells_of: Cells,
    digits: int,
    names: dict[str, str],
    cells: pd.DataFrame,
    sides: Sides,
) -> pd.DataFrame:
    """The cells as "mean (standard deviation)", and below them our cases that are not printed.

    Parameters
    ----------
    key : sequence of str
        Columns that name a cell.
    printed_cells : callable
        Returns the printed cells, with a column ``std``.
    cells_of : callable DataFrame -> DataFrame
        Our rows as cells of that form.
    digits : int
        Decimals of our numbers.
    names : dict of str to str
        Names of methods that are shown.
    cells : DataFrame
        With their verdicts.
    sides : Sides
    """
    texts = {
        side: _texts(sides.build.head(0) if ours is None else ours, key, cells_of, digits)
        for side, ours in sides.by_name.items()
    }
    index = pd.MultiIndex.from_frame(cells[list(key)])
    published = printed_cells()
    whole = cells[[*key, "verdict"]].assign(
        published=[f"{mean} ({std})" for mean, std in zip(published["value"], published["std"], strict=True)],
        **{side: text.reindex(index).to_numpy() for side, text in texts.items()},
    )
    extra = pd.DataFrame({side: text[~text.index.isin(index)] for side, text in texts.items()})
    if len(extra):
        below = extra.rename_axis(list(key)).reset_index().assign(published="", verdict="")
        whole = pd.concat([whole, below], ignore_index=True)
    return with_names(names, whole, sides)


def _texts(runs: pd.DataFrame, key: Sequence[str], cells_of: Cells, digits: int) -> pd.Series:
    """Our cells as "mean (standard deviation)"; no deviation for a single run."""
    cells = cells_of(runs)
    index = pd.MultiIndex.from_frame(cells[list(key)])
    texts = [
        f"{mean:.{digits}f}" + (f" ({std:.{digits}f})" if np.isfinite(std) else "")
        for mean, std in zip(cells["value"], cells["std"], strict=True)
    ]
    return pd.Series(texts, index=index, dtype=object)


def ranks(table: str, ranking: rows.Ranking) -> Printed:
    """Tables 4 and 6."""
    judge = within_errors(
        partial(printed.rank_cells, table), ("K", "method"), partial(rows.rank_cells, ranking=ranking)
    )
    return Printed(
        partial(judge_ranks, ranking, judge), ("K",), "method", text=partial(with_names, rows.LABELS)
    )


SIZES = Printed(
    partial(
        judge_all_but,
        decide_nothing,
        digit_by_digit(printed.size_cells, ("dataset", "quantity"), rows.dataset_cells),
    ),
    ("dataset",),
    "quantity",
)
GAP, MEAN = ("dataset", "method"), ("dataset", "K", "method")
GAPS = Printed(
    partial(judge_all_but, all_cells, within_errors(printed.gap_cells, GAP, rows.gap_cells)),
    GAP[:-1],
    "method",
    text=partial(with_deviations, GAP, printed.gap_cells, rows.gap_cells, 1, rows.DIVERSITY),
)
MEANS = Printed(
    partial(
        judge_all_but,
        average_cells,
        partial(
            judge_by_each,
            [
                within_errors(partial(printed.mean_cells, over), MEAN, rows.balanced_cells, point=0.01)
                for over in (printed.REPETITIONS, 1)
            ],
        ),
    ),
    MEAN[:-1],
    "method",
    text=partial(with_deviations, MEAN, printed.mean_cells, rows.balanced_cells, 4, rows.LABELS),
)
RANKS_BY_ACCURACY = ranks("table_4", rows.BY_ACCURACY)
RANKS_BY_BALANCED_ACCURACY = ranks("table_6", rows.BY_BALANCED_ACCURACY)
