"""A claim on Table 2: the classes of the datasets."""

from __future__ import annotations

from functools import partial

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import EXACTLY, N_DATASETS, PRINTED_DIGITS, Tables
from compactml.chapters.pace.class_shares import class_shares
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking

claim = partial(claim, NAME)


@claim("class-shares", "Table 2", tolerance=EXACTLY, why=PRINTED_DIGITS)
def class_shares_as_printed(tables: Tables) -> Evidence:
    """The classes of the 11 datasets have the printed shares.

    In every digit, dataset by dataset.
    """
    shares = class_shares(tables["table_2"])
    if shares.empty:
        return Evidence.missing("the shares without the first row are not recorded", N_DATASETS)
    right = shares["all rows"] == shares["print"]
    headless = int((shares["without the first row"] == shares["print"]).sum())
    differs = ", ".join(shares.loc[~right, "dataset"])
    counts = f"{int(right.sum())} of {len(shares)} datasets" + (f" (not {differs})" if differs else "")
    return Evidence.of_cells(
        right,
        counts,
        because(
            f"without the first row of each file: {headless} of {len(shares)}",
            lacking(len(shares), N_DATASETS),
        ),
        stated=N_DATASETS,
        coverage=Coverage(Share(len(shares), N_DATASETS, "datasets")),
    )
