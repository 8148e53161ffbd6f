"""Claims on the ensembles that the paper's program finds, good or not, whatever its own bound proves of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.gaps import (
    CONFIGURATIONS,
    Decided,
    by_solver,
    each_small,
    means,
    of_papers_program,
)
from compactml.chapters.ensemble_pruning.claims.orders import Tables, listed
from compactml.chapters.ensemble_pruning.rows import NAMES, RUN, papers_program
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence
from compactml.study.judging.noise import Outcome
from compactml.study.judging.verdicts import verdict_of

claim = partial(claim, NAME)

GOOD = 0.01
"""Share of the most right points possible by which a good ensemble falls short of it, at most."""
LARGE = ("DEF", "BMK", "APS")
"""Datasets with tens of thousands of points."""
OF = {
    "": {"datasets": NAMES, "what": "a good solution of every dataset"},
    "large-": {
        "datasets": LARGE,
        "what": "good solutions with up to 60,000 data points: on DEF, BMK and APS,",
    },
}


@claim(
    "good-solutions-{key}",
    "Abstract",
    tolerance=f"{GOOD:.0%} below the best proved bound",
    why='ours, chosen after most runs: the prose says "good" and "quickly"',
    over={
        prefix + key: words | which for prefix, words in OF.items() for key, which in CONFIGURATIONS.items()
    },
)
def good_solutions(tables: Tables, method: str, datasets: Sequence[str]) -> Evidence:
    """{which} the program has {what} after five minutes.

    The value on the validation points against the least bound that anything proved on the same votes, the solver or our
    method: the ensemble is at least that good. More time could better it, so that one that is worse says nothing.
    """

    def decide(rows: pd.DataFrame) -> Decided:
        rows = rows[rows["dataset"].isin(datasets)]
        short = shortfalls(rows, tables["table_3"], method)
        of_datasets, each = 100 * means(short), each_small(short, GOOD)
        without = ", ".join(of_datasets.index[np.isinf(of_datasets)])
        nothing = f"; the solver found no ensemble on {without}" if without else ""
        good, alone, half = (
            [name for name, one in outcomes.items() if one is Outcome.AGREES]
            for outcomes in (
                each,
                each_small(shortfalls(rows, rows, method), GOOD),
                each_small(short, GOOD / 2),
            )
        )
        by_itself, within_half = (
            verdict_of(len(datasets), len(ones), 0, len(of_datasets) - len(ones)) for ones in (alone, half)
        )
        better = 100 * means(shortfalls(rows, tables["table_3"], method, "value"))
        points = tables["table_2"].set_index("dataset")["n"].reindex(good).max()
        largest = f"; the largest dataset of good ones has {points:.0f} points" if good else ""
        return each.values(), (
            f"short of the best bound at most: {listed(of_datasets[np.isfinite(of_datasets)], 2)} %{nothing}; of "
            f"the best ensemble known: {listed(better[(better > 0) & np.isfinite(better)], 2) or 'none'}; by the "
            f"solver's own bound good on {len(alone)} of {len(of_datasets)}, which alone would be {by_itself.value}; "
            f"within {GOOD / 2:.1%}, on {len(half)}, it would be {within_half.value}{largest}"
        )

    return of_papers_program(tables, datasets, [method], len(datasets), decide)


def shortfalls(rows: pd.DataFrame, every: pd.DataFrame, method: str, by: str = "bound") -> pd.Series:
    """What an ensemble of the paper's program lacks at most to the optimum, as a share of the bound, by run.

    With ``by="value"`` what it lacks at least, to the best ensemble of all. Infinite where the solver has none of its
    own.

    Parameters
    ----------
    rows : DataFrame
        Trials of the paper's program.
    every : DataFrame
        Trials of any method on the same votes.
    method : str
        Configuration of both.
    by : {"bound", "value"}
    """
    papers = rows[rows["method"] == method].set_index(RUN)
    ours = every[(every["method"] == method) & ~papers_program(every)].set_index(RUN)
    both = pd.concat([one[by].astype(float) for one in (papers, ours)]).groupby(level=list(RUN))
    best = (both.min() if by == "bound" else both.max())[papers.index]
    return (1 - papers["value"].astype(float) / best).where(by_solver(papers), np.inf)
