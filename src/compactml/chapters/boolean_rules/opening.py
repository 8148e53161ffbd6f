"""The figure that opens the Boolean-rules chapter."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.boolean_rules.plan import CHAPTER
from compactml.study.page.rings import Panel, Point, by_key
from compactml.study.recording.published import published

__all__ = ["panels"]


def panels(tables: dict[str, pd.DataFrame]) -> list[Panel]:
    """Test accuracy of column generation, a row a dataset."""
    printed = published(CHAPTER, "table_1").query("method == 'CG'").set_index("dataset")["value"]
    own = tables["table_1"].query("method == 'CG'").set_index("dataset")
    ours, errors = by_key(own["value"]), by_key(own["std_error"])
    rows = {
        str(name): [Point(value, ours.get(name), 2 * errors.get(name, 0.0))]
        for name, value in printed.astype(float).sort_values(ascending=False).items()
    }
    return [Panel("", "test accuracy in percent; bars are two standard errors of ours", rows)]
