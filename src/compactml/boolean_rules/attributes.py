"""A column as an attribute of bins, and the literals over them: rules 1 to 4 of `DecileBinarizer`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.boolean_rules.literals import Literals
from compactml.errors import InvalidDataError

__all__ = [
    "Attribute",
    "Cuts",
    "Values",
    "checked",
    "countable",
    "fitted_attribute",
    "has_literals",
    "hashable",
    "is_numeric",
    "joined",
]

UNSEEN = -1
"""Code of a value that no ``==`` literal knows; it lies outside every range of bins."""
READABLE_DIGITS = 12
LARGEST_INTEGER = 2**53
"""From here on floats leave integers out: "<= 9007199254740992" would be true of 9007199254740993."""
KINDS = "numbers, text, booleans or categories"


class _Literal(NamedTuple):
    """One literal of an attribute; those of one ``family`` share a group."""

    lo: int
    hi: int
    complement: bool
    family: str
    text: str


@dataclass(frozen=True)
class Cuts:
    """A numeric attribute: bin j holds ``thresholds[j-1] < x <= thresholds[j]``, the last bin NaN if trained on.

    NaN that was not trained on lies ``above`` every threshold, or in no bin at all.
    """

    thresholds: NDArray[np.float64]
    missing: bool
    above: bool

    @property
    def missing_bin(self) -> int:
        return len(self.thresholds) + 1

    def codes(self, column: pd.Series) -> NDArray[np.integer]:
        values = column.to_numpy(float, na_value=np.nan)
        bins = np.searchsorted(self.thresholds, values)
        bins[np.isnan(values)] = self.missing_code
        return bins

    @property
    def missing_code(self) -> int:
        """Bin of a missing value."""
        return self.missing_bin if self.missing else len(self.thresholds) if self.above else UNSEEN

    @property
    def n_ordered(self) -> int:
        """How many of the first bins have an order."""
        return self.missing_bin

    def literals(self) -> Iterator[_Literal]:
        for j, t in enumerate(self.thresholds, 1):
            yield _Literal(0, j, False, "<=", f"<= {_text(t)}")
        for j, t in enumerate(self.thresholds, 1):
            yield _Literal(j, self.missing_bin, False, ">", f"> {_text(t)}")


@dataclass(frozen=True)
class Values:
    """An attribute of unordered values, one bin each, then a bin for missing values if trained on."""

    values: tuple[Any, ...]
    missing: bool
    numeric: bool

    @property
    def missing_bin(self) -> int:
        return len(self.values)

    def codes(self, column: pd.Series) -> NDArray[np.integer]:
        known = pd.Index(self.values, dtype=float if self.numeric else object)
        bins = known.get_indexer(pd.Index(_plain(column, self.numeric)))
        bins[column.isna()] = self.missing_code
        return bins

    @property
    def missing_code(self) -> int:
        """Bin of a missing value."""
        return self.missing_bin if self.missing else UNSEEN

    @property
    def n_ordered(self) -> int:
        """How many of the first bins have an order."""
        return len(self.values) if self.numeric else 0

    def literals(self) -> Iterator[_Literal]:
        """``==`` for each value; ``!=`` too, unless "the other value" says the same."""
        texts = _different_texts(self.values)
        if len(texts) > 1:
            for j in reversed(range(len(texts))) if len(texts) == 2 else range(len(texts)):
                yield _Literal(j, j + 1, False, "==", f"== {texts[j]}")
        if len(texts) > 2:
            for j, text in enumerate(texts):
                yield _Literal(j, j + 1, True, f"!= {j}", f"!= {text}")


Attribute: TypeAlias = Cuts | Values


def checked(column: pd.Series, name: str) -> pd.Series:
    """The column, if it is of a kind that has literals."""
    kind = column.dtype.kind
    if kind not in "biufO" or isinstance(column.dtype, pd.PeriodDtype | pd.IntervalDtype):
        raise InvalidDataError(f"column {name!r}", KINDS, str(column.dtype))
    if kind == "f" and np.isinf(column.to_numpy(float, na_value=np.nan)).any():
        raise InvalidDataError(f"column {name!r}", "finite or missing", "infinity")
    return column


def hashable(column: pd.Series, name: str) -> pd.Series:
    """The column, if its values can be told apart: lists and the like cannot."""
    if column.dtype == object:
        try:
            pd.unique(column)
        except TypeError as error:
            raise InvalidDataError(f"column {name!r}", KINDS, f"values that are none ({error})") from error
    return column


def countable(column: pd.Series, name: str) -> pd.Series:
    """The column, if literals can be made of it."""
    if column.dtype.kind in "iu" and len(known := column.dropna()):
        largest = max(int(known.max()), -int(known.min()))
        if largest >= LARGEST_INTEGER:
            raise InvalidDataError(
                f"column {name!r}", "integers below 2**53 in size, or text where they are names", f"{largest}"
            )
    return hashable(column, name)


def is_numeric(column: pd.Series) -> bool:
    return column.dtype.kind in "iuf" and not isinstance(column.dtype, pd.CategoricalDtype)


def _plain(column: pd.Series, numeric: bool) -> NDArray[Any]:
    return column.to_numpy(float, na_value=np.nan) if numeric else column.to_numpy(object)


def fitted_attribute(
    column: pd.Series,
    categorical: bool,
    n_thresholds: int,
    *,
    above: bool,
    counts: NDArray[np.float64] | None = None,
) -> Attribute:
    """A column as an attribute, by rules 1 to 3.

    Parameters
    ----------
    column : Series
    categorical : bool
        Whether to treat numbers as values without order.
    n_thresholds : int
    above : bool
        Where missing values lie that are not in the column, see `Cuts`.
    counts : ndarray of whole floats, optional
        How often each row counts.
    """
    missing = bool(column.isna().any())
    numeric = is_numeric(column)
    entries = _plain(column, numeric)[column.notna().to_numpy()]
    if not numeric:
        return Values(_sorted(pd.unique(entries)), missing, numeric)
    ordered = np.sort(entries)
    distinct = ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]
    if categorical or len(distinct) <= 2:
        return Values(tuple(distinct.tolist()), missing, numeric)
    if len(distinct) <= n_thresholds + 1:
        return Cuts(distinct[:-1], missing, above)
    shares = np.arange(1, n_thresholds + 1) / (n_thresholds + 1)
    if counts is None:
        quantiles = np.unique(np.quantile(ordered, shares))
    else:
        quantiles = np.unique(_quantiles(entries, counts[column.notna().to_numpy()], shares))
    return Cuts(_readable(quantiles[quantiles < distinct[-1]], ordered), missing, above)


def _quantiles(
    values: NDArray[np.float64], counts: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """`numpy.quantile` of values that each count several times."""
    order = np.argsort(values, kind="stable")
    ends = np.cumsum(counts[order])
    at = shares * (ends[-1] - 1)
    below, part = np.floor(at), at - np.floor(at)
    low, high = (values[order][np.searchsorted(ends, i, "right")] for i in (below, np.ceil(at)))
    # as numpy does it, to the last digit
    return np.where(part >= 0.5, high - (high - low) * (1 - part), low + (high - low) * part)


def _readable(thresholds: NDArray[np.float64], ordered: NDArray[np.float64]) -> NDArray[np.float64]:
    """Thresholds without the noise of interpolation (0.30000000000000004) where all rows keep their side."""
    rounded = np.array([float(f"{t:.{READABLE_DIGITS}g}") for t in thresholds])
    same = np.searchsorted(ordered, rounded, "right") == np.searchsorted(ordered, thresholds, "right")
    return np.unique(np.where(same, rounded, thresholds))


def _sorted(values: Any) -> tuple[Any, ...]:
    """Categories in their own order, or by type and text where they have none (a column of 1 and "a")."""
    try:
        return tuple(sorted(values))
    except TypeError:
        return tuple(sorted(values, key=lambda value: (type(value).__name__, str(value))))


def _text(value: Any) -> str:
    """Shortest text that gives the same number back; other values as they print."""
    return repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(value)


def _different_texts(values: Sequence[Any]) -> list[str]:
    """A text of each value; text in quotation marks where a number prints alike."""
    texts = [_text(value) for value in values]
    if len(set(texts)) == len(texts):
        return texts
    return [
        repr(value) if isinstance(value, str) else text for value, text in zip(values, texts, strict=True)
    ]


def _all_literals(attribute: Attribute) -> Iterator[_Literal]:
    """The literals of an attribute with those of rule 4."""
    yield from attribute.literals()
    if attribute.missing and attribute.missing_bin > 0:  # bin 0 would hold every row: all values missing
        m = attribute.missing_bin
        yield _Literal(m, m + 1, False, "missing", "is missing")
        yield _Literal(m, m + 1, True, "not missing", "is not missing")


def has_literals(attribute: Attribute) -> bool:
    """Whether any literal tells two rows apart (rule 1)."""
    return any(True for _ in _all_literals(attribute))


def joined(names: Sequence[str], attributes: Sequence[Attribute]) -> Literals:
    """All literals of several attributes as arrays, groups numbered in order of appearance."""
    rows = [(a, row) for a, attribute in enumerate(attributes) for row in _all_literals(attribute)]
    groups: dict[tuple[int, str], int] = {}
    n_bins = [attribute.missing_bin + attribute.missing for attribute in attributes]
    return Literals(
        attribute=np.array([a for a, _ in rows], dtype=np.int32),
        lo=np.array([row.lo for _, row in rows], dtype=np.int32),
        hi=np.array([row.hi for _, row in rows], dtype=np.int32),
        complement=np.array([row.complement for _, row in rows], dtype=bool),
        group=np.array([groups.setdefault((a, row.family), len(groups)) for a, row in rows], dtype=np.int32),
        names=tuple(f"{names[a]} {row.text}" for a, row in rows),
        n_bins=np.array(n_bins, dtype=np.int32),
    )
