"""The figure that opens the feature-selection chapter."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.feature_selection.beyond import LEAST_SECONDS, instances, printed_best
from compactml.study.page.rings import Panel, Point

__all__ = ["panels"]

NO_PROOF = 1e5
"""Seconds at which a run without a proof is drawn."""


def panels(tables: Mapping[str, pd.DataFrame]) -> list[Panel]:
    """Seconds to a proved optimum, a row a dataset, both measures; without a proof at the right edge."""
    keys = ["measure", "dataset"]
    sides = [runs.set_index(keys)[["seconds", "proved"]] for runs in (printed_best(), tables["beyond"])]
    drawn = []
    for measure, title in (("mrmr", "mRMR"), ("cfs", "CFS")):
        rows = {}
        for dataset in instances()["dataset"].unique():
            paper, ours = (_seconds(side, (measure, dataset)) for side in sides)
            rows[str(dataset)] = [Point(paper, ours)]
        ticks = {1e-3: "1 ms", 1.0: "1 s", 60.0: "1 min", 3600.0: "1 h", NO_PROOF: "no\nproof"}
        drawn.append(Panel(title, "seconds to the proof", rows, True, ticks, (5e-4, 2.5e5)))
    return drawn


def _seconds(side: pd.DataFrame, key: tuple[str, str]) -> float | None:
    if key not in side.index:
        return None
    seconds, proved = (float(side[name].loc[[key]].iloc[0]) for name in ("seconds", "proved"))
    return max(seconds, LEAST_SECONDS) if proved else NO_PROOF
