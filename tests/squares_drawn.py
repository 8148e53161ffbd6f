"""The squares that a picture has: those of a colour are one path."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

__all__ = ["faces"]


def faces(figure: Figure) -> list[tuple[float, ...]]:
    """The colours of all squares."""
    joined = [one for ax in figure.axes for one in ax.patches if isinstance(one, PathPatch)]
    return [tuple(one.get_facecolor()) for one in joined for _ in range(squares(one))]


def squares(joined: PathPatch) -> int:
    """How many closed parts a path has."""
    codes = joined.get_path().codes
    assert codes is not None
    return int((codes == Path.CLOSEPOLY).sum())
