"""What a figure shows, as a table: every point, bar and cell with its series and the names of the axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

__all__ = ["COLUMNS", "figure_data"]

COLUMNS = ("panel", "x axis", "y axis", "series", "kind", "x", "y", "value")


def figure_data(figure: Figure) -> pd.DataFrame:
    """Return what a figure shows.

    Parameters
    ----------
    figure : Figure

    Returns
    -------
    DataFrame
        Columns `COLUMNS`, in the order in which things were drawn: ``panel`` (title, or number), the names of both
        axes with their units, ``series`` (as in the legend), ``kind`` ("line", "points", "bars", "cells"), the
        coordinates, and the ``value`` of a cell of a heat map. A place on an axis of names is given as the name.
        Lines that only help the eye (of a grid, a legend, or without a point) are left out, and so are text and
        drawings without axes.
    """
    rows = [
        {"panel": _line(ax.get_title() or ax.get_title(loc="left")) or str(number), **_axis_names(ax), **row}
        for number, ax in enumerate(figure.axes, 1)
        if ax.axison
        for row in _drawn(ax)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _axis_names(ax: Axes) -> dict[str, str]:
    return {"x axis": _line(ax.get_xlabel()), "y axis": _line(ax.get_ylabel())}


def _line(text: str) -> str:
    return " ".join(text.split())


def _drawn(ax: Axes) -> Iterator[dict[str, Any]]:
    names = _ticks(ax)
    for artist in ax.get_children():
        if isinstance(artist, Line2D) and artist.get_transform().contains_branch(ax.transData):
            kind = "points" if artist.get_linestyle() in ("None", "none", " ", "") else "line"
            yield from _points(
                artist.get_label(), kind, np.column_stack(_data(artist)), names, separate=kind == "line"
            )
        elif isinstance(artist, PathCollection):
            yield from _points(artist.get_label(), "points", artist.get_offsets(), names)
        elif isinstance(artist, QuadMesh):
            yield from _mesh(artist, names)
    for image in ax.images:
        yield from _cells(np.ma.getdata(np.ma.asarray(image.get_array())), names)
    for container in ax.containers:
        if isinstance(container, BarContainer):
            yield from _points(container.get_label(), "bars", _tops(container), names)


def _data(line: Line2D) -> tuple[np.ndarray, np.ndarray]:
    return _floats(line.get_xdata()), _floats(line.get_ydata())


def _floats(values: Any) -> np.ndarray:
    return np.asarray(np.ma.filled(np.ma.asarray(values, dtype=float), np.nan))


def _tops(container: BarContainer) -> np.ndarray:
    horizontal = container.orientation == "horizontal"
    places = [
        (bar.get_x() + bar.get_width(), bar.get_y() + bar.get_height() / 2)
        if horizontal
        else (bar.get_x() + bar.get_width() / 2, bar.get_y() + bar.get_height())
        for bar in container.patches
    ]
    return np.array(places, dtype=float).reshape(-1, 2)


def _points(
    label: object,
    kind: str,
    places: Any,
    names: tuple[dict[float, str], dict[float, str]],
    *,
    separate: bool = False,
) -> Iterator[dict[str, Any]]:
    for x, y in _floats(places).reshape(-1, 2):
        if separate or not (np.isnan(x) or np.isnan(y)):
            yield {"series": _label(label), "kind": kind, "x": _named(x, names[0]), "y": _named(y, names[1])}


def _mesh(mesh: QuadMesh, names: tuple[dict[float, str], dict[float, str]]) -> Iterator[dict[str, Any]]:
    corners = np.asarray(mesh.get_coordinates())
    middle = (corners[:-1, :-1] + corners[1:, 1:]) / 2
    values = _floats(mesh.get_array()).reshape(middle.shape[:2])
    for (x, y), value in zip(middle.reshape(-1, 2), values.ravel(), strict=True):
        yield {
            "series": "",
            "kind": "cells",
            "x": _named(x, names[0]),
            "y": _named(y, names[1]),
            "value": value,
        }


def _cells(array: np.ndarray, names: tuple[dict[float, str], dict[float, str]]) -> Iterator[dict[str, Any]]:
    if array.ndim != 2:  # colours: a picture, and no heat map
        return
    for (row, column), value in np.ndenumerate(array.astype(float)):
        yield {
            "series": "", "kind": "cells", "value": value,
            "x": _named(float(column), names[0]), "y": _named(float(row), names[1]),
        }  # fmt: skip


def _label(label: object) -> str:
    text = str(label)
    return "" if text.startswith("_") else text


def _ticks(ax: Axes) -> tuple[dict[float, str], dict[float, str]]:
    """Return the names at the whole places of both axes, of an axis of names."""
    return _places(ax.xaxis), _places(ax.yaxis)


def _places(axis: Axis) -> dict[float, str]:
    texts = [text.get_text() for text in axis.get_ticklabels()]
    named = {float(place): text for place, text in zip(axis.get_ticklocs(), texts, strict=False) if text}
    whole = axis.get_scale() == "linear" and all(place.is_integer() for place in named)
    return named if whole and not any(map(_is_number, named.values())) else {}


def _named(place: float, names: dict[float, str]) -> float | str:
    return names.get(float(place)) or float(place)


def _is_number(text: str) -> bool:
    digits = text.replace("−", "-").replace(",", "").replace("%", "").replace("$", "")
    if "\\" in digits:  # powers of ten, as logarithmic axes write them
        return True
    try:
        float(digits)
    except ValueError:
        return False
    return True
