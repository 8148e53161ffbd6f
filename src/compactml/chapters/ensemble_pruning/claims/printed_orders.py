"""Claims that need no run: the orders in Tables 3, 4 and 6, beside the prose of Sections 5.3 and 5.4."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from compactml.chapters.ensemble_pruning import NAME
from compactml.chapters.ensemble_pruning.claims.common import EXACT, HILL_CLIMBING, PROGRAMS
from compactml.chapters.ensemble_pruning.claims.orders import Tables, listed
from compactml.chapters.ensemble_pruning.printed import printed_gaps, printed_ranks
from compactml.chapters.ensemble_pruning.rows import AVERAGE
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence

claim = partial(claim, NAME, tolerance=EXACT, why="the printed digits", basis=Basis.ARITHMETIC)

NOTABLE = 0.5
"""Percentage points; the other printed rises are of a fifth at most."""
LAST: dict[str, dict[str, object]] = {
    "4": {"table": "table_4", "n": 4, "what": "accuracy"},
    "6": {"table": "table_6", "n": 6, "what": "balanced accuracy"},
}
"""Tables of mean ranks."""


def ranks(table: str) -> pd.DataFrame:
    """Mean ranks of a table, a row for each K."""
    return printed_ranks(table).drop(index=AVERAGE)


@claim("printed-hardest", "Section 5.3, Table 3")
def hardest(tables: Tables, dataset: str = "DEF") -> Evidence:
    """In Table 3 the default-of-credit-card dataset (DEF) has the largest gap, in both configurations.

    Each configuration is a statement.
    """
    gaps = printed_gaps()
    others = gaps.drop(index=dataset)
    found = "; ".join(
        f"{method}: {listed(gaps[method].sort_values(ascending=False).head(2), 1)} %" for method in gaps
    )
    return Evidence.of_cells(gaps.loc[dataset] > others.max(), found)


@claim(
    "printed-diversity-gap",
    "Section 5.3, Table 3",
    tolerance=f"{NOTABLE} points",
    why='ours: the prose says "notable"',
)
def diversity_gap(tables: Tables, dataset: str = "DRD") -> Evidence:
    """In Table 3 diversity constraints raise the gap notably on one dataset alone, DRD."""
    rises = (printed_gaps()["F3"] - printed_gaps()["F1"]).round(9)
    notable = list(rises.index[rises > NOTABLE])
    return Evidence.of_statement(notable == [dataset], f"rise of the gap: {listed(rises, 1)} points")


@claim("printed-hill-climbing-ahead", "Section 5.4, Table 4")
def hill_climbing_ahead(tables: Tables) -> Evidence:
    """In Table 4 hill climbing (HC-CON, HC-UWA) has better ranks of accuracy than the programs F1, F2 and F3.

    Both climbers are ahead of all three; each pool size is a statement.
    """
    return _ahead(ranks("table_4"), HILL_CLIMBING, PROGRAMS)


@claim("printed-competitive", "Abstract, Table 4", why='ours: the prose says "competitive"')
def programs_are_competitive(tables: Tables) -> Evidence:
    """In Table 4 the programs F1, F2 and F3 have better ranks than backfitting (BFT) and the full ensemble (FE).

    Each pool size is a statement.
    """
    return _ahead(ranks("table_4"), PROGRAMS, ("BFT", "FE"))


@claim("printed-diversity-ranks", "Section 5.4, Table 4")
def diversity_ranks(tables: Tables) -> Evidence:
    """In Table 4 diversity constraints (F2, F3) improve the rank of the program F1.

    Both are ahead of it; each pool size is a statement.
    """
    return _ahead(ranks("table_4"), ("F2", "F3"), ("F1",))


@claim("printed-full-last-{key}", "Table {n}", over=LAST)
def full_ensemble_last(tables: Tables, table: str) -> Evidence:
    """In Table {n} the full, unpruned ensemble has the worst rank of {what} at all four pool sizes."""
    means = ranks(table)
    return _ahead(means, list(means.columns.drop("FE")), ("FE",))


def _ahead(means: pd.DataFrame, ahead: Sequence[str], behind: Sequence[str]) -> Evidence:
    """Each of some methods has a smaller mean rank than each of others, for every K."""
    lead = means[list(behind)].min(axis="columns") - means[list(ahead)].max(axis="columns")
    return Evidence.of_cells(lead > 0, f"ahead by {listed(lead.add_prefix('K = '), 2)} at least")
