"""Orders of means over another pool than the paper's: what is as stated, and what chance may have decided.

Standard errors take the datasets as blocks: the runs of one dataset share its points, and its pools are nested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.printed import RUNS
from compactml.chapters.ensemble_pruning.rows import CASE, NAMES, complete_runs
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking
from compactml.study.judging.noise import STANDARD_ERRORS
from compactml.study.recording.errors import NotRecorded

Tables = Mapping[str, pd.DataFrame]

POOL = "the paper does not give its pool of classifiers"
CHANCE = "the difference lies within two standard errors"
MAY_BE_CHANCE = "some of what agrees lies within two standard errors, so it may be chance"
PAPER_LIMIT = 300.0
"""Seconds of a program."""
LIMIT_UNIT = "s a program, on one thread (the paper: eight cores)"
TIE = 1e-9
"""Means that differ by less are equal."""
FOLDS = ("seed", "fold")


def listed(values: pd.Series, digits: int) -> str:
    """Numbers with their names, as a text."""
    return ", ".join(f"{name} {value:.{digits}f}" for name, value in values.items())


def datasets_in_order(datasets: Sequence[str]) -> list[str]:
    """Datasets in the order of Table 2."""
    return [name for name in NAMES if name in set(datasets)]


def over(index: pd.Index, rows: pd.DataFrame, n_datasets: int = len(NAMES)) -> Coverage:
    """Datasets, runs of each, and seconds of a program, as shares of the paper's.

    Parameters
    ----------
    index : Index
        The runs that were compared, with the levels of `compactml.chapters.ensemble_pruning.rows.RUN`.
    rows : DataFrame
        The rows that they come from.
    n_datasets : int, default=9
        Of the paper, that the statement is about.
    """
    runs = index.to_frame(index=False)[["dataset", *FOLDS]].drop_duplicates().groupby("dataset").size()
    limit = float(rows.loc[rows["kind"] != "baseline", "time_limit"].max())
    return Coverage(
        Share(len(runs), n_datasets, "datasets" if n_datasets > 1 else "dataset"),
        Share(int(runs.min()), RUNS, "runs"),
        Share(limit, PAPER_LIMIT, LIMIT_UNIT),
    )


def over_cases(scores: pd.DataFrame) -> pd.Series:
    """Mean of each method over the cases, every case counting alike."""
    mean: pd.Series = scores.groupby(level=CASE).mean().mean()
    return mean


def error_of(difference: pd.Series, blocks: Sequence[str] = ("dataset",)) -> float:
    """Standard error of the mean of paired differences; infinite for a single block.

    Parameters
    ----------
    difference : Series
        Of two methods, by run or by case.
    blocks : sequence of str, default=("dataset",)
        Levels of the index whose means are taken for independent.
    """
    means = difference.groupby(level=list(blocks)).mean()
    return float(means.std() / np.sqrt(len(means))) if len(means) > 1 else np.inf


class Order(NamedTuple):
    """Whether something is as stated, and whether chance may have decided that."""

    right: bool
    chance: bool


def order(
    values: pd.DataFrame,
    ahead: Sequence[str],
    behind: Sequence[str],
    blocks: Sequence[str] = ("dataset",),
) -> Order:
    """Whether each of some methods has a larger mean than each of others.

    Chance may have decided that if one of the differences lies within two standard errors; what is wrong may be so by
    chance if all do that are the wrong way round.
    """
    means = over_cases(values)
    pairs = [(method, other) for method in ahead for other in behind]
    wrong = [(method, other) for method, other in pairs if means[method] - means[other] <= TIE]
    close = [
        abs(means[method] - means[other])
        <= STANDARD_ERRORS * error_of(values[method] - values[other], blocks) + TIE
        for method, other in wrong or pairs
    ]
    return Order(not wrong, all(close) if wrong else any(close))


def every(*orders: Order) -> Order:
    """Return several orders as one statement."""
    wrong = [one.chance for one in orders if not one.right]
    return Order(not wrong, all(wrong) if wrong else any(one.chance for one in orders))


def by_orders(
    orders: Sequence[Order],
    summary: str,
    scores: pd.DataFrame,
    rows: pd.DataFrame,
    *reasons: str,
    n_stated: int | None = None,
    n_datasets: int = len(NAMES),
    by_dataset: bool = False,
    doubt: str = "",
) -> Evidence:
    """Return evidence of statements about means over another pool than the paper's.

    A statement about a mean over datasets counts as many cells as there are datasets: those that lack their data make
    it *reproduced where testable* at best.

    Parameters
    ----------
    orders : sequence of Order
        One for each statement that was tested.
    summary : str
    scores : DataFrame
        Of the runs that were compared.
    rows : DataFrame
        The rows that they come from.
    *reasons : str
    n_stated : int, optional
        Statements of the paper; by default those that were tested.
    n_datasets : int, default=9
        Of the paper, that the statements are about.
    by_dataset : bool, default=False
        Whether each statement is about one dataset only.
    doubt : str
        What makes every disagreement doubtful, besides chance.
    """
    by_chance = [statement.chance and statement.right for statement in orders]
    wrong_by_chance = any(statement.chance and not statement.right for statement in orders)
    seen = scores.index.get_level_values("dataset").nunique()
    cells, of = (1, 1) if by_dataset else (seen, n_datasets)
    return Evidence.of_cells(
        [statement.right for statement in orders for _ in range(cells)],
        summary,
        because(*reasons, lacking(seen, n_datasets), MAY_BE_CHANCE if any(by_chance) else ""),
        stated=(n_stated or len(orders)) * of,
        doubtful=[statement.chance or bool(doubt) for statement in orders for _ in range(cells)],
        doubt=because(CHANCE if wrong_by_chance else "", doubt),
        inferred=POOL,
        coverage=over(scores.index, rows, n_datasets),
    )


def complete_scores(tables: Tables, table: str, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Test scores, in percent, of the runs that have all the methods.

    Raises
    ------
    NotRecorded
        There is no such run.
    """
    scores = complete_runs(tables[table], measure, methods)
    if scores.empty:
        raise NotRecorded(f"{table} with all methods")
    return 100 * scores
