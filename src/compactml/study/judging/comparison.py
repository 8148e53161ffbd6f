"""Published beside recorded beside this build, digit by digit or within the standard errors."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.study.judging.noise import STANDARD_ERRORS, small_error, within_two_errors


class Agreement(StrEnum):
    """What a reproduced value is beside a printed one."""

    EVERY_DIGIT = "every digit"
    WITHIN_ERRORS = "within the standard errors"
    INCONCLUSIVE = "inconclusive: the standard error is large"
    DIFFERS = "differs"
    NOT_AT_HAND = "not at hand"
    NOT_RUN = "not run"


AGREEING = (Agreement.EVERY_DIGIT, Agreement.WITHIN_ERRORS)
"""What counts as agreement."""
JUDGED = (*AGREEING, Agreement.INCONCLUSIVE, Agreement.DIFFERS)
"""What a cell can be that was run."""


def printed_decimals(text: str) -> int:
    """Return how many decimals a printed number has (negative for "12e3": its last digit stands for 1000).

    Raises
    ------
    InvalidParameterError
        Not a finite number.
    """
    exponent = _number(text).as_tuple().exponent
    return -int(exponent)


def same_digits(value: float, printed: str) -> bool:
    """Return whether ``value`` rounds to the digits of ``printed``.

    It may lie half a unit of the last printed digit away, both ends included (a paper may round half up or to
    even), and by the rounding error of a double besides.

    Raises
    ------
    InvalidParameterError
        ``printed`` is not a finite number.
    """
    half_unit = 0.5 * 10.0 ** -printed_decimals(printed)
    number = float(_number(printed))
    return bool(abs(value - number) <= half_unit + 4 * np.finfo(float).eps * max(abs(number), half_unit))


def compare(
    published: pd.DataFrame,
    recorded: pd.DataFrame | None,
    build: pd.DataFrame | None,
    on: Sequence[str],
    *,
    not_at_hand: Collection[str] = (),
) -> pd.DataFrame:
    """Put what was printed beside what we got.

    Parameters
    ----------
    published : DataFrame
        Columns ``on`` and ``value``: the printed text. A value that is no number agrees if it is the same text.
    recorded, build : DataFrame or None
        Columns ``on`` and ``value``; rows that were not printed are ignored.
    on : sequence of str
        Columns that name a cell, the first of them its dataset.
    not_at_hand : collection of str
        Datasets that are missing here; their cells without a value are "not at hand" instead of "not run".

    Returns
    -------
    DataFrame
        A row per published value, in that order: ``on``, ``published``, ``recorded``, ``this_build``,
        ``difference`` and ``verdict`` (an `Agreement`); the last two judge this build's value where there is one,
        else the recorded one.

    Raises
    ------
    InvalidDataError
        A column is missing, or a cell is named twice.
    """
    result = _cells("published", published, on).rename("published").to_frame()
    for name, frame in (("recorded", recorded), ("this_build", build)):
        cells = pd.Series(dtype=object) if frame is None else _cells(name, frame, on)
        result[name] = cells.reindex(result.index) if len(cells) else None
    result = result.reset_index()
    judged = result["this_build"].where(result["this_build"].notna(), result["recorded"])
    result["difference"] = [_difference(*pair) for pair in zip(judged, result["published"], strict=True)]
    missing = result[on[0]].isin(list(not_at_hand))
    triples = zip(judged, result["published"], missing, strict=True)
    result["verdict"] = [str(_verdict(*triple)) for triple in triples]
    return result


def compare_means(
    published: pd.DataFrame,
    recorded: pd.DataFrame | None,
    build: pd.DataFrame | None,
    on: Sequence[str],
    *,
    point: float | None = None,
    not_at_hand: Collection[str] = (),
) -> pd.DataFrame:
    """Put printed means beside ours where folds, time limits or machines differ.

    A mean differs if ``|difference| > 2 sqrt(s**2 + t**2)``, where s and t are the printed and our standard error of
    the mean: about the 95 % interval of the difference of two independent means. Else it agrees if the error of the
    difference is small (`compactml.study.judging.noise.small_error`), and is *inconclusive* with a larger one. A
    printed error that is missing counts as 0; where ours is missing (a single fold), nothing is decided.

    Parameters
    ----------
    published, recorded, build, on, not_at_hand
        As for `compare`, with a further column ``std_error``.
    point : float, optional
        One point of accuracy in the unit of the values; by default they are no accuracies.

    Returns
    -------
    DataFrame
        As of `compare`, and ``tolerance``: two standard errors of the difference, infinite where ours is missing.

    Raises
    ------
    InvalidDataError
        A column is missing, or a cell is named twice.
    """
    cells = compare(published, recorded, build, on, not_at_hand=not_at_hand)
    keys = pd.MultiIndex.from_frame(cells[list(on)])
    printed, kept, run = (
        _errors(name, frame, on).reindex(keys).to_numpy(dtype=float)
        for name, frame in (("published", published), ("recorded", recorded), ("this_build", build))
    )
    ours = np.where(cells["this_build"].notna(), run, kept)
    error = np.hypot(np.where(np.isnan(printed), 0.0, printed), np.where(np.isnan(ours), np.inf, ours))
    cells["tolerance"] = STANDARD_ERRORS * error
    same = (cells["verdict"] == Agreement.EVERY_DIGIT).to_numpy()
    small = small_error(error, pd.to_numeric(cells["published"], errors="coerce"), point)
    near = cells["difference"].notna() & (same | within_two_errors(cells["difference"], error))
    cells.loc[near & ~small, "verdict"] = str(Agreement.INCONCLUSIVE)
    cells.loc[near & small & ~same, "verdict"] = str(Agreement.WITHIN_ERRORS)
    return cells


def _errors(name: str, frame: pd.DataFrame | None, on: Sequence[str]) -> pd.Series:
    if frame is None or frame.empty:
        return pd.Series(dtype=float)
    if "std_error" not in frame.columns:
        raise InvalidDataError(name, "a frame with the column 'std_error'", "one without it")
    return frame.set_index(list(on))["std_error"].astype(float)


def _cells(name: str, frame: pd.DataFrame, on: Sequence[str]) -> pd.Series:
    columns = [*on, "value"]
    absent = [column for column in columns if column not in frame.columns]
    if absent:
        raise InvalidDataError(name, f"a frame with the columns {columns}", f"one without {absent}")
    cells = frame.set_index(list(on))["value"].astype(object)
    if cells.index.has_duplicates:
        twice = cells.index[cells.index.duplicated()][0]
        raise InvalidDataError(name, "a frame that names every cell once", f"{twice!r} twice")
    return cells


def _difference(value: Any, printed: str) -> float:
    if pd.isna(value) or not _is_number(printed):
        return float("nan")
    return float(value) - float(printed)


def _verdict(value: Any, printed: str, missing: bool) -> Agreement:
    if pd.isna(value):
        return Agreement.NOT_AT_HAND if missing else Agreement.NOT_RUN
    same = same_digits(float(value), printed) if _is_number(printed) else str(value) == printed
    return Agreement.EVERY_DIGIT if same else Agreement.DIFFERS


def _is_number(text: str) -> bool:
    try:
        _number(text)
    except InvalidParameterError:
        return False
    return True


def _number(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise InvalidParameterError("printed", "the text of a finite number", text)
    return number
