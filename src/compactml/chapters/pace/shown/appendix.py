"""What the fourth notebook shows: how lost settings were looked for, and what is odd in the printed tables."""

from __future__ import annotations

from matplotlib.figure import Figure

from compactml.chapters.pace import bins, odd_cells, settings, whole_space
from compactml.chapters.pace.class_shares import class_shares
from compactml.chapters.pace.datasets import ALL, DISTINCT
from compactml.chapters.pace.shown.reproduction import note
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results

SHOWN = 12
"""Settings of each kind of ensemble."""


def fits(results: Results) -> ShownTable:
    """The settings nearest to the printed sizes."""
    grid = settings.distances(results.rows("settings"))
    return show(
        grid.groupby("ensemble", sort=False).head(SHOWN).round(2).reset_index(drop=True),
        name="pace_settings",
        caption="Settings nearest to the published sizes of pruning only",
        note=note(results, "settings"),
    )


def fits_by_alpha(results: Results, width: float) -> Figure:
    """Mean distance from the printed sizes of Table 1."""
    return settings.settings_picture(settings.distances(results.rows("settings")), width)


def whole_space_sizes(results: Results, width: float) -> Figure:
    """Sizes on the whole space beside those that Table 4 prints."""
    return whole_space.intervals_picture(whole_space.intervals(results.rows("settings")), width)


def whole_space_fits(results: Results) -> ShownTable:
    """How well each number of learners fits Table 4."""
    sizes = whole_space.size_fits(whole_space.intervals(results.rows("settings")))
    return show(
        sizes.round(2),
        name="pace_whole_space",
        caption="Number of learners of Table 4: published sizes of Fipe within our intervals",
        note=note(results, "settings"),
    )


def rebinned_sizes(results: Results, width: float) -> Figure:
    """The same sizes with bins between the deciles of distinct values."""
    return whole_space.intervals_picture(whole_space.intervals(results.rows("bins")), width)


def bin_fits(results: Results) -> ShownTable:
    """How well both ways to cut the bins fit Table 4."""
    both = bins.reading_fits({ALL: results.rows("settings"), DISTINCT: results.rows("bins")})
    return show(
        both.round(2),
        name="pace_bins",
        caption="Fipe in Table 4 by the bins and the number of learners",
        note=note(results, "bins"),
    )


def shares(results: Results) -> ShownTable:
    """Class shares of the datasets that have others than print."""
    beside = class_shares(results.rows("table_2"))
    return show(
        beside[beside["all rows"] != beside["print"]]
        .rename(columns={"print": "published"})
        .reset_index(drop=True),
        name="pace_shares",
        caption="Class shares, falling, where all rows have others than the published ones",
        note=note(results, "table_2"),
    )


def suspicious(results: Results) -> ShownTable:
    """Printed cells that do not fit the others."""
    return show(
        odd_cells.suspicious(), name="pace_suspicious", caption="Published entries that do not fit the others"
    )
