"""Table 2's class shares: some are not those of the data, but all are those of the data without their first row."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compactml.chapters.pace.printed import printed_data
from compactml.chapters.pace.rows import in_table_order

__all__ = ["class_shares"]

SHARES = ("share_1", "share_2", "share_3")


def class_shares(rows: pd.DataFrame) -> pd.DataFrame:
    """Return printed class shares beside those of all rows, and beside those without the first row; each falling.

    Parameters
    ----------
    rows : DataFrame
        Rows of Table 2.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``print``, ``all rows``, ``without the first row`` (texts with three decimals); of the
        datasets that were counted without their first row.
    """
    counted = rows.dropna(subset="headless_share_1")
    cells = printed_data()
    own = cells[cells["quantity"].str.startswith("share")]
    printed = {
        name: _text(sorted(map(float, group), reverse=True))
        for name, group in own.groupby("dataset")["value"]
    }
    table = pd.DataFrame(
        {
            "dataset": counted["dataset"],
            "print": counted["dataset"].map(printed),
            "all rows": _texts(counted, ""),
            "without the first row": _texts(counted, "headless_"),
        }
    )
    return in_table_order(table, ["dataset"])


def _texts(rows: pd.DataFrame, prefix: str) -> list[str]:
    shares = rows[[prefix + name for name in SHARES]]
    return [_text(list(row.dropna())) for _, row in shares.iterrows()]


def _text(shares: Sequence[float]) -> str:
    return " · ".join(f"{share:.3f}" for share in shares)
