"""Table 2's class shares beside those of the data."""

from __future__ import annotations

from compactml.chapters.pace.claims.coverage import N_DATASETS, Tables
from compactml.chapters.pace.class_shares import class_shares
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking

__all__ = ["printed_shares"]


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
