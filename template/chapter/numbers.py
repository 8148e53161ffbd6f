"""The numbers of the prose: each function returns those of a section, by the names under which notebooks quote them."""

from __future__ import annotations

from compactml.study.recording.results import Results


def table_1(results: Results) -> dict[str, float]:
    """Return the smallest mean accuracy."""
    return {"least": float(results.rows("table_1")["value"].min())}
