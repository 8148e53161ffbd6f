"""The figure that opens the Boolean-rules chapter."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.fold_rows import folds_in_words, our_cells
from compactml.study.page.rings import Panel, Point, by_key
from compactml.study.recording.published import published

__all__ = ["panels"]


def panels(tables: Mapping[str, pd.DataFrame]) -> list[Panel]:
    """Test accuracy of column generation, a row a dataset: rings as printed, dots of our exact search."""
    printed = published(NAME, "table_1").query("method == 'CG'").set_index("dataset")
    cells = our_cells(tables, "table_1").set_index("dataset")
    ours, errors = by_key(cells["value"]), by_key(cells["std_error"])
    rows = {
        str(name): [Point(cell["value"], ours.get(name), 2 * errors.get(name, 0.0), 2 * cell["std_error"])]
        for name, cell in printed[["value", "std_error"]]
        .astype(float)
        .sort_values("value", ascending=False)
        .iterrows()
    }
    folds = folds_in_words(cells["folds"])
    label = f"test accuracy in percent; dots are our search, {folds}; bars are two standard errors"
    return [Panel("", label, rows)]
