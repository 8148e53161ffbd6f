"""Table 2's class shares: some are not those of the data, but all are those of the data without their first row."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compactml.chapters.pace.claims.coverage import N_DATASETS, Tables
from compactml.chapters.pace.printed import printed_data
from compactml.chapters.pace.rows import in_table_order
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking

__all__ = ["class_shares", "printed_shares"]

SHARES = ("share_1", "share_2", "share_3")


def class_shares(rows: pd.DataFrame) -> pd.DataFrame:
    """Printed class shares beside those of all rows, and beside those without the first row; each falling.

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
    found = pd.DataFrame(
        {
            "dataset": counted["dataset"],
            "print": counted["dataset"].map(printed),
            "all rows": _texts(counted, ""),
            "without the first row": _texts(counted, "headless_"),
        }
    )
    return in_table_order(found, ["dataset"])


def _texts(rows: pd.DataFrame, prefix: str) -> list[str]:
    shares = rows[[prefix + name for name in SHARES]]
    return [_text(list(row.dropna())) for _, row in shares.iterrows()]


def _text(shares: Sequence[float]) -> str:
    return " · ".join(f"{share:.3f}" for share in shares)


def printed_shares(tables: Tables) -> Evidence:
    """The datasets have the printed class shares, in every digit."""
    found = class_shares(tables["table_2"])
    if found.empty:
        return Evidence.missing("the shares without the first row are not recorded", N_DATASETS)
    right = found["all rows"] == found["print"]
    headless = int((found["without the first row"] == found["print"]).sum())
    differs = ", ".join(found.loc[~right, "dataset"])
    counts = f"{int(right.sum())} of {len(found)} datasets" + (f" (not {differs})" if differs else "")
    return Evidence.of_cells(
        right,
        counts,
        because(
            f"without the first row of each file: {headless} of {len(found)}", lacking(len(found), N_DATASETS)
        ),
        stated=N_DATASETS,
        coverage=Coverage(Share(len(found), N_DATASETS, "datasets")),
    )
