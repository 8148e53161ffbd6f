"""The numbers of the third notebook on large forests: certified sizes, bounds and what is saved."""

from __future__ import annotations

from compactml.chapters.pace.shown.scale import largest, measured
from compactml.study.recording.results import Results

__all__ = ["scale"]


def scale(results: Results) -> dict[str, int | float]:
    """Return how many forests have a certified part, how far bounds reach, and the shares of bytes and time left."""
    rows = results.rows("scale")
    forests, large = measured(rows), largest(rows)
    smaller = forests[forests["certified_size"] < forests["initial_size"]]
    raised = forests["lower_bound"] > forests["search_bound"]
    return {
        "pace_scale": len(forests),
        "pace_scale_certified": int((forests["pruned"] == 1).sum()),
        "pace_scale_smaller": len(smaller),
        "pace_scale_raised": int(raised.sum()),
        "pace_scale_tight": int((forests["lower_bound"] == forests["certified_size"]).sum()),
        "pace_scale_large": len(large),
        "pace_scale_large_half": int((2 * large["lower_bound"] >= large["found_size"]).sum()),
        "pace_scale_bytes": 100 * float((smaller["bytes_after"] / smaller["bytes_before"]).mean()),
        "pace_scale_time": 100 * float((smaller["seconds_after"] / smaller["seconds_before"]).mean()),
    }
