"""Tables 1 and 2 beside the programs that the paper ran, and our own programs below them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.datasets import PRINTED
from compactml.chapters.boolean_rules.fold_rows import FOLD_TABLES, cells, joined
from compactml.chapters.boolean_rules.methods import PROGRAM_OF
from compactml.chapters.boolean_rules.rows import CELL, TABLE_COLUMNS
from compactml.study.chapter import Printed
from compactml.study.frames import frame
from compactml.study.judging.beside import Sides, within_errors
from compactml.study.judging.comparison import printed_decimals
from compactml.study.recording.published import published
from compactml.study.recording.recorded import recorded

__all__ = ["POINTS", "as_printed", "beside_errors", "mean_and_error", "programs_beside_print"]


POINTS: dict[str, float | None] = {"table_1": 1.0, "table_2": None}
"""One point of accuracy in the unit of a table; complexities have none."""


def beside_errors(id: str, unit: str, text: Callable[[pd.DataFrame, Sides], pd.DataFrame]) -> Printed:
    """Table 1 or 2: means of the paper's programs that agree within two standard errors of their difference.

    What ``text`` makes of the cells is shown.
    """
    return Printed(
        partial(compared_cells, id),
        rows=("dataset",),
        columns="method",
        unit=unit,
        text=text,
    )


def programs_beside_print(id: str, sides: Sides) -> Sides:
    """The sides of Table 1 or 2: what is recorded of the paper's programs, and what this build has whole of them.

    The table's other rows are of our own programs, which stand beside no printed cell.
    """
    folds = joined({name: recorded(NAME, name) for name in FOLD_TABLES})
    kept = _of_the_paper(cells(folds, id))
    return Sides(None if kept.empty else kept, _of_the_paper(sides.build), sides.missing)


def _of_the_paper(means: pd.DataFrame) -> pd.DataFrame:
    """The cells of the paper's programs under the names of its columns, on its datasets."""
    shown = {program: name for name, program in PROGRAM_OF.items()}
    names = [one.name for one in PRINTED]
    kept = means[means["method"].isin(list(shown)) & means["dataset"].isin(names)]
    return kept.assign(method=kept["method"].map(shown)) if len(kept) else frame([], TABLE_COLUMNS, CELL)


def compared_cells(id: str, sides: Sides) -> pd.DataFrame:
    """The printed cells beside those of the paper's programs."""
    judge = within_errors(partial(published, NAME, id), CELL, point=POINTS[id])
    return judge(programs_beside_print(id, sides))


def as_printed(id: str, compared: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """The cells as "mean (standard error)", ours with the digits of print."""
    errors = published(NAME, id).set_index(CELL)["std_error"]
    index = pd.MultiIndex.from_frame(compared[CELL])
    shown = compared[[*CELL, "verdict"]].assign(
        published=[
            f"{mean} ({error})" for mean, error in zip(compared["published"], errors[index], strict=True)
        ]
    )
    for side, rows in programs_beside_print(id, sides).by_name.items():
        ours = mean_and_error(rows, printed_decimals(compared["published"].iloc[0]))
        shown[side] = ours.reindex(index).to_numpy()
    return shown


def mean_and_error(rows: pd.DataFrame | None, decimals: int) -> pd.Series:
    """Cells as "mean (standard error)" by dataset and method; no error for a single fold."""
    if rows is None or rows.empty:
        empty = pd.MultiIndex.from_arrays([[], []], names=CELL)
        return pd.Series(dtype=object, index=empty)
    errors = [
        f" ({error:.{decimals}f})" if np.isfinite(error) else "" for error in rows["std_error"].astype(float)
    ]
    texts = [f"{value:.{decimals}f}{error}" for value, error in zip(rows["value"], errors, strict=True)]
    return pd.Series(texts, index=pd.MultiIndex.from_frame(rows[CELL]), dtype=object)
