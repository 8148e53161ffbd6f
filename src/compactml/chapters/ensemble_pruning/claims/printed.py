"""Claims that need no run: what Tables 5 and 6 say of balanced accuracy, beside the prose of Section 5.5."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.balance import CONSISTENTLY, IMBALANCED, THETA
from compactml.chapters.ensemble_pruning.claims.common import EXACT
from compactml.chapters.ensemble_pruning.claims.orders import Tables, listed
from compactml.chapters.ensemble_pruning.printed import printed_means, printed_ranks
from compactml.chapters.ensemble_pruning.rows import AVERAGE, BENCHMARKS
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence

claim = partial(claim, NAME, tolerance=EXACT, why="the printed digits")

BOTH = ("F1", THETA)


def ranks() -> pd.DataFrame:
    """Mean ranks of Table 6, a row for each K."""
    return printed_ranks("table_6").drop(index=AVERAGE)


def overall() -> pd.Series:
    """The last row of Table 5, the mean over all 36 cases."""
    return printed_means().iloc[-1]


@claim("printed-theta-first", "Section 5.5, Table 6", basis=Basis.ARITHMETIC)
def theta_first(tables: Tables) -> Evidence:
    """In Table 6 the program for balanced accuracy has the best rank of it at all four pool sizes."""
    others = ranks().drop(columns=THETA).min(axis="columns")
    lead = others - ranks()[THETA]
    return Evidence.of_cells(lead > 0, f"ahead by {listed(lead.add_prefix('K = '), 2)}")


@claim("printed-theta-best-mean", "Section 5.5, Table 5", basis=Basis.ARITHMETIC)
def theta_best_mean(tables: Tables) -> Evidence:
    """In the last row of Table 5 the program for balanced accuracy has the largest mean of it."""
    return Evidence.of_statement(overall().idxmax() == THETA, listed(overall(), 4))


@claim("printed-both-ahead", "Section 5.5, Tables 5 and 6", basis=Basis.ARITHMETIC)
def both_ahead(tables: Tables) -> Evidence:
    """In Table 6 and the last row of Table 5 the programs for accuracy and for balanced accuracy lead every benchmark.

    A statement of each pool size on the ranks, and one on the mean over all cases. On single datasets it is not so.
    """
    worst, best = ranks()[list(BOTH)].max(axis="columns"), ranks()[list(BENCHMARKS)].min(axis="columns")
    least, most = overall()[list(BOTH)].min(), overall()[list(BENCHMARKS)].max()
    return Evidence.of_cells(
        [*(worst < best), least > most],
        f"the worse program against the best benchmark: ranks {listed((best - worst).add_prefix('K = '), 2)} ahead, "
        f"means {least:.4f} and {most:.4f}",
    )


@claim("printed-theta-above-F1", "Section 5.5, Table 5", why=CONSISTENTLY, basis=Basis.ARITHMETIC)
def theta_above_accuracy(tables: Tables) -> Evidence:
    """In Table 5 the program for balanced accuracy has a larger one than the program for accuracy in every case."""
    gains = _cases()[THETA] - _cases()["F1"]
    return Evidence.of_cells(gains > 0, f"by {gains.min():.4f} to {gains.max():.4f}")


@claim("printed-theta-imbalanced", "Section 5.5, Table 5", basis=Basis.ARITHMETIC)
def theta_wins_where_imbalanced(tables: Tables) -> Evidence:
    """In Table 5 the program for balanced accuracy beats F1 and all benchmarks on DEF, BMK and APS.

    Each case of the large, imbalanced datasets is a cell.
    """
    cases = _cases().loc[list(IMBALANCED)]
    leads = cases[THETA] - cases[["F1", *BENCHMARKS]].max(axis="columns")
    return Evidence.of_cells(leads > 0, f"the smallest lead is {leads.min():.4f}")


def _cases() -> pd.DataFrame:
    """Table 5 without its last row, the mean over all cases."""
    return printed_means().iloc[:-1]


@claim("printed-theta-loses", "Section 5.5, Table 5", basis=Basis.ARITHMETIC)
def theta_loses(tables: Tables, dataset: str = "DRD") -> Evidence:
    """On DRD, a balanced dataset, the program for balanced accuracy is worse than the benchmarks in Table 5.

    Each benchmark and pool size is a statement. The paper may mean some of the benchmarks only, so one that is behind
    the program refutes nothing where another is ahead.
    """
    means = printed_means().loc[dataset]
    ahead = means[list(BENCHMARKS)].to_numpy() > means[THETA].to_numpy()[:, np.newaxis]
    by_method = dict(zip(BENCHMARKS, ahead.T, strict=True))
    below = [name for name, sizes in by_method.items() if not sizes.all()]
    named = "; ".join(f"K = {size}: {listed(row, 4)}" for size, row in means[[*below, THETA]].iterrows())
    return Evidence.of_cells(
        ahead.ravel(),
        named,
        "the full ensemble is far behind the program" if not by_method["FE"].any() else "",
        doubtful=np.repeat(ahead.any(axis=1), len(BENCHMARKS)),
        doubt='"the benchmarks" need not be all of them',
    )
