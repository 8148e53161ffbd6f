"""The figure that opens the condition-sharing chapter."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.claims.common import LEARNERS
from compactml.study.page.rings import Panel, Point, by_key
from compactml.study.recording.published import published

__all__ = ["panels"]


def panels(tables: Mapping[str, pd.DataFrame]) -> list[Panel]:
    """Share of the conditions that remain, a row a learner, a point a dataset."""
    keys = ["learner", "dataset"]
    printed = published(NAME, "table_2").query("measure == 'SR'").set_index(keys)["value"]
    ours = by_key(tables["table_2"].query("measure == 'SR'").set_index(keys)["value"])
    rows = {
        LEARNERS[learner]: [
            Point(float(value), ours.get((learner, dataset))) for dataset, value in printed[learner].items()
        ]
        for learner in ("ERT", "RF", "ABoost", "GBoost")
    }
    ticks = {0.001: "0.1 %", 0.01: "1 %", 0.1: "10 %", 1.0: "100 %"}
    return [Panel("", "conditions after sharing / before, a point a dataset", rows, True, ticks, (8e-4, 1.3))]
