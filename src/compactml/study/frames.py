"""Rows of results as tables that have all their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

__all__ = ["frame"]


def frame(rows: Iterable[Mapping[str, Any]], names: Sequence[str], texts: Sequence[str] = ()) -> pd.DataFrame:
    """Return rows as a table that has all columns, also where there is no row or no value.

    Parameters
    ----------
    rows : iterable of mapping
    names : sequence of str
        Columns that the table has, in this order; others that a row has follow.
    texts : sequence of str
        Those that hold text, and are objects without any; the others hold numbers, and are missing (NaN) where a row
        lacks them.
    """
    table = pd.DataFrame(list(rows))
    every = list(dict.fromkeys((*names, *table.columns)))
    table = table.reindex(columns=every)
    empty = [name for name in every if table[name].isna().all()]
    return table.astype({name: object if name in texts else float for name in empty})
