"""What the notebooks show: tables and figures, made of the chapter's results."""

from __future__ import annotations

from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results


def table_1(results: Results) -> ShownTable:
    """The mean accuracies as a plain table."""
    return show(
        results.rows("table_1"),
        name="sixth_paper_table_1",
        caption="Mean accuracy over the seeds",
        note=results.both_sources("table_1"),
    )
