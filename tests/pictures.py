"""What pictures are drawn for and have: both widths, and the squares, of which those of a colour are one path."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from compactml.study.page.picture import NARROW, WIDE

__all__ = ["WIDTHS", "faces"]

WIDTHS = pytest.mark.parametrize("width", [WIDE, NARROW])
"""Wide and narrow screens."""


def faces(figure: Figure) -> list[tuple[float, ...]]:
    """The colours of all squares."""
    joined = [one for ax in figure.axes for one in ax.patches if isinstance(one, PathPatch)]
    return [tuple(one.get_facecolor()) for one in joined for _ in range(squares(one))]


def squares(joined: PathPatch) -> int:
    """How many closed parts a path has."""
    codes = joined.get_path().codes
    assert codes is not None
    return int((codes == Path.CLOSEPOLY).sum())
