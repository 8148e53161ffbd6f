"""The figure that opens the chapter on Pace."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.rows import in_order, sizes_of
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.paper import PACE
from compactml.study.page.rings import Panel, Point, by_key

__all__ = ["panels"]


def panels(tables: Mapping[str, pd.DataFrame]) -> list[Panel]:
    """Trees of the certified ensembles of Table 4, a row a dataset."""
    printed, rows = printed_sizes("table_4")[PACE], tables["table_4"]
    drawn = []
    for ensemble, title in ((RANDOM_FOREST, "Random forests"), (ADABOOST, "AdaBoost")):
        sizes = sizes_of(rows[rows["ensemble"] == ensemble], ["dataset"])[PACE]
        ours = by_key(sizes)
        names = in_order([str(name) for name in printed.xs(ensemble, level="ensemble").index])
        points = {name: [Point(float(printed[name, ensemble]), ours.get(name))] for name in names}
        drawn.append(Panel(title, "trees after compression", points, limits=(0, 26)))
    return drawn
