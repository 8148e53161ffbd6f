"""What the pages show of the choices that the paper leaves open, and of one tree for an ensemble."""

from __future__ import annotations

from compactml.chapters.pace.readings import scan_table, single_table
from compactml.chapters.pace.shown.reproduction import note
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results


def whole_space(results: Results) -> ShownTable:
    """The scan on the ensembles of Table 4."""
    return scan(results, "scan_table_4", "Table 4's ensembles in the paper's order")


def forests(results: Results) -> ShownTable:
    """The scan on the smallest forests of Table 1."""
    return scan(results, "scan_table_1", "The smallest forests of Table 1 in the paper's order")


def boosted(results: Results) -> ShownTable:
    """The scan on the smallest ensembles of Table 3."""
    return scan(results, "scan_table_3", "The smallest ensembles of Table 3 in the paper's order")


def our_order(results: Results) -> ShownTable:
    """The same ensembles in our order."""
    return scan(results, "scan_order", "The same ensembles in our order")


def single(results: Results) -> ShownTable:
    """Learners, leaves and tests, before and after."""
    return show(
        single_table(results.rows("single_trees")),
        name="pace_single_trees",
        caption="Learners, leaves and tests of a prediction (mean over the test rows); certified runs",
        note=note(results, "single_trees"),
    )


def scan(results: Results, id: str, what: str) -> ShownTable:
    """One part of the scan."""
    return show(
        scan_table(results.rows(id)).round(1),
        name=f"pace_{id}",
        caption=f"{what}: means over the certified runs",
        note=note(results, id),
    )
