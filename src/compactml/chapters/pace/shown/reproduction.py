"""What the second notebook shows: the paper's figures from our runs, and which settings its text may have lost."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.pace import bins, figures, odd_cells, settings, whole_space
from compactml.chapters.pace.class_shares import class_shares
from compactml.chapters.pace.datasets import ALL, DISTINCT
from compactml.chapters.pace.rows import speedups, stopping_limits
from compactml.chapters.pace.tables import FORMS, RIVALS
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results

SECONDS = {"seconds": "seconds to faithfulness"}
SECONDS_AND_SAMPLES = SECONDS | {"n_samples": "separating samples"}


def note(results: Results, id: str) -> str:
    """Return where a table's rows come from, and the limits of the runs that one stopped."""
    limits, sources = stopping_limits(results.rows(id)), results.both_sources(id)
    return f"limit {limits} s | {sources}" if limits else sources


def diagram(results: Results) -> Figure:
    """Fig 1, our drawing."""
    return figures.diagram()


def shares(results: Results) -> ShownTable:
    """Class shares of the datasets that have others than print."""
    beside = class_shares(results.rows("table_2"))
    return show(
        beside[beside["all rows"] != beside["print"]].reset_index(drop=True),
        name="pace_shares",
        caption="Class shares, falling, where all rows have others than print",
        note=note(results, "table_2"),
    )


def figure_2(results: Results) -> Figure:
    """Fig 2."""
    return figures.forms(results.rows("fig_2"), SECONDS, RIVALS)


def figure_5(results: Results) -> Figure:
    """Fig 5."""
    return figures.forms(results.rows("fig_5"), SECONDS, RIVALS)


def factors(results: Results) -> ShownTable:
    """Time of the other forms over that of the constraint form."""
    parts = {
        name: speedups(results.rows(id), ["objective", "milp", "search"])
        for id, name in (("fig_2", "random forest"), ("fig_5", "AdaBoost"))
    }
    table = pd.concat(parts, names=["ensemble"]).droplevel(1).reset_index()
    return show(
        table.round(2),
        name="pace_factors",
        caption="Time over that of the constraint form, geometric means",
        note=note(results, "fig_5"),
    )


def figure_8(results: Results) -> Figure:
    """Fig 8."""
    return figures.forms(results.rows("fig_8"), SECONDS_AND_SAMPLES, FORMS)


def figure_9(results: Results) -> Figure:
    """Fig 9."""
    return figures.forms(results.rows("fig_9"), SECONDS_AND_SAMPLES, FORMS)


def figure_3(results: Results) -> Figure:
    """Fig 3."""
    return figures.regions(results.rows("fig_3"))


def figure_4(results: Results) -> Figure:
    """Fig 4."""
    return figures.regions(results.rows("fig_4"))


def figure_6(results: Results) -> Figure:
    """Fig 6."""
    return figures.regions(results.rows("fig_6"))


def figure_7(results: Results) -> Figure:
    """Fig 7."""
    return figures.regions(results.rows("fig_7"))


def figure_10(results: Results) -> Figure:
    """Fig 10."""
    return figures.histories(results.rows("fig_10"))


def figure_11(results: Results) -> Figure:
    """Fig 11."""
    return figures.histories(results.rows("fig_11"))


def fits(results: Results) -> ShownTable:
    """The settings nearest to the printed sizes."""
    grid = settings.distances(results.rows("settings"))
    return show(
        grid.groupby("ensemble", sort=False).head(12).round(2).reset_index(drop=True),
        name="pace_settings",
        caption="Settings nearest to the printed sizes of pruning only",
        note=note(results, "settings"),
    )


def fits_by_alpha(results: Results) -> Figure:
    """Mean distance from the printed sizes of Table 1."""
    return settings.settings_picture(settings.distances(results.rows("settings")))


def whole_space_sizes(results: Results) -> Figure:
    """Sizes on the whole space beside those that Table 4 prints."""
    return whole_space.intervals_picture(whole_space.intervals(results.rows("settings")))


def whole_space_fits(results: Results) -> ShownTable:
    """How well each number of learners fits Table 4."""
    sizes = whole_space.size_fits(whole_space.intervals(results.rows("settings")))
    return show(
        sizes.round(2),
        name="pace_whole_space",
        caption="Number of learners of Table 4: sizes of Fipe in print within our intervals",
        note=note(results, "settings"),
    )


def rebinned_sizes(results: Results) -> Figure:
    """The same sizes with bins between the deciles of distinct values."""
    return whole_space.intervals_picture(whole_space.intervals(results.rows("bins")))


def reading_fits(results: Results) -> ShownTable:
    """How well both readings of the bins fit Table 4."""
    readings = bins.reading_fits({ALL: results.rows("settings"), DISTINCT: results.rows("bins")})
    return show(
        readings.round(2),
        name="pace_bins",
        caption="Fipe in Table 4 by the reading of the bins and the number of learners; "
        "deciles of all values are the runs of the table before",
        note=note(results, "bins"),
    )


def suspicious(results: Results) -> ShownTable:
    """Printed cells that do not fit the others."""
    return show(
        odd_cells.suspicious(), name="pace_suspicious", caption="Printed cells that do not fit the others"
    )
