"""Tables 1 and 2 as they are shown: means with their standard errors, and our other readings of the data below."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.datasets import DATASETS
from compactml.chapters.boolean_rules.rows import CELL
from compactml.study.chapter import Printed
from compactml.study.judging.beside import Sides, within_errors
from compactml.study.judging.comparison import printed_decimals
from compactml.study.recording.published import published

__all__ = ["POINTS", "beside_errors", "says_little"]


POINTS: dict[str, float | None] = {"table_1": 1.0, "table_2": None}
"""One point of accuracy in the unit of a table; complexities have none."""


def beside_errors(id: str, unit: str) -> Printed:
    """Table 1 or 2: means that agree within two standard errors of their difference."""
    judge = within_errors(partial(published, NAME, id), CELL, point=POINTS[id])
    return Printed(judge, rows=("dataset",), columns="method", unit=unit, text=partial(texts, id))


def says_little(cells: pd.DataFrame) -> pd.Series:
    """Return which cells would agree with 0 as well: their tolerance is at least the printed number."""
    values = pd.to_numeric(cells["published"])
    return (values > 0) & (cells["tolerance"] >= values)


def texts(id: str, cells: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """The printed cells, and below them other readings of a printed row."""
    return pd.concat([as_printed(id, cells, sides), extra_rows(sides)], ignore_index=True)


def as_printed(id: str, cells: pd.DataFrame, sides: Sides) -> pd.DataFrame:
    """The cells as "mean (standard error)", ours with the digits of print."""
    errors = published(NAME, id).set_index(CELL)["std_error"]
    index = pd.MultiIndex.from_frame(cells[CELL])
    shown = cells[[*CELL, "verdict"]].assign(
        published=[f"{mean} ({error})" for mean, error in zip(cells["published"], errors[index], strict=True)]
    )
    for side, frame in sides.by_name.items():
        ours = _ours(frame, printed_decimals(cells["published"].iloc[0]))
        shown[side] = ours.reindex(index).to_numpy()
    return shown


def extra_rows(sides: Sides) -> pd.DataFrame:
    """Other readings of a printed row, of which nothing is printed and nothing is judged."""
    names = [dataset.name for dataset in DATASETS if dataset.extra]
    ours = {side: _ours(frame, 1) for side, frame in sides.by_name.items()}
    cells = pd.DataFrame(ours).reset_index(names=CELL)
    return cells[cells["dataset"].isin(names)].assign(published="", verdict="")


def _ours(frame: pd.DataFrame | None, decimals: int) -> pd.Series:
    """Our cells as "mean (standard error)" by dataset and method; no error for a single fold."""
    if frame is None or frame.empty:
        empty = pd.MultiIndex.from_arrays([[], []], names=CELL)
        return pd.Series(dtype=object, index=empty)
    errors = [
        f" ({error:.{decimals}f})" if np.isfinite(error) else "" for error in frame["std_error"].astype(float)
    ]
    cells = [f"{value:.{decimals}f}{error}" for value, error in zip(frame["value"], errors, strict=True)]
    return pd.Series(cells, index=pd.MultiIndex.from_frame(frame[CELL]), dtype=object)
