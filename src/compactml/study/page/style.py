"""Figures that read well on light and dark pages, for colour-blind people and in print, and stay byte-stable.

The background is an opaque off-white: a transparent figure would need two sets of colours, and
a reader who saves it would get one that suits only one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.figure import Figure

from compactml.files import write_atomically

PALETTE = ("#0072B2", "#CC79A7", "#332288", "#56B4E9", "#000000", "#AA3377", "#88A0C8")
"""Blues and purples of Okabe and Ito (2008) and of Tol (2021): green, amber and red mean verdicts in this book."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
BACKGROUND, FRAME, GRID, INK, SOFT = "#fbfaf7", "#b8b4ab", "#e4e1da", "#2b2b2b", "#6b6b6b"
RING, DOT = "#24527a", "#9c2c73"
"""What is printed, and what is ours."""
YES, PARTLY, MIXED, NO, OPEN, UNTESTED = "#1f6f54", "#b9dfcf", "#e8b93d", "#b3432b", "#d0d4d8", "#f1f2f3"
"""Verdicts."""

SETTINGS: Any = {
    "figure.facecolor": BACKGROUND,
    "savefig.facecolor": BACKGROUND,
    "axes.facecolor": BACKGROUND,
    "axes.edgecolor": FRAME,
    "figure.dpi": 110,
    "savefig.dpi": 110,
    "figure.constrained_layout.use": True,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.size": 10.0,
    "axes.titlesize": 10.0,
    "figure.labelsize": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": GRID,
    "legend.frameon": False,
    "lines.markersize": 5.0,
    "axes.prop_cycle": cycler(color=PALETTE, marker=MARKERS),
    "svg.hashsalt": "compactml",
    "svg.fonttype": "none",
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw with the settings of the book inside a ``with``; the caller's settings come back after it."""
    with mpl.rc_context(SETTINGS):
        yield


def series_style(i: int) -> dict[str, Any]:
    """Return colour and marker of the ``i``-th series, the same in every figure."""
    return {"color": PALETTE[i % len(PALETTE)], "marker": MARKERS[i % len(MARKERS)]}


def source_note(fig: Figure, run_id: str) -> None:
    """Write the run that made a figure below it, small."""
    fig.supxlabel(f"run {run_id}", x=0.995, ha="right", fontsize=7, color=SOFT)


def rendered(fig: Figure, kind: str, salt: str = SETTINGS["svg.hashsalt"]) -> bytes:
    """Return a figure as "svg" or "png" bytes that depend on its content and the salt only (no date, fixed ids)."""
    buffer = BytesIO()
    with mpl.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none"}):
        fig.savefig(buffer, format=kind, metadata={"Date": None} if kind == "svg" else {"Software": None})
    return buffer.getvalue()


def save(fig: Figure, path: Path) -> None:
    """Write a figure atomically, as the kind that the name's ending says."""
    write_atomically(path, rendered(fig, path.suffix.removeprefix(".")))
