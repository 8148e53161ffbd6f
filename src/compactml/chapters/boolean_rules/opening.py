"""Our search beside the published numbers: the figure that opens the Boolean-rules chapter, and that of the lengths."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.fold_rows import folds_in_words, our_cells
from compactml.study.page.rings import Panel, Point, by_key, rings
from compactml.study.recording.published import published
from compactml.study.recording.results import Results

__all__ = ["our_search", "panels"]


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


def our_search(results: Results, width: float) -> Figure:
    """Draw accuracy and complexity of our search beside what is printed of column generation."""
    recorded = {name: results.recorded(name) for name in ("table_1", "table_2", "our_cg")}
    tables = {name: table for name, table in recorded.items() if table is not None}
    (accuracy,) = panels(tables)
    printed = published(NAME, "table_2").query("method == 'CG'").set_index("dataset")
    lengths, spread = (printed[name].astype(float) for name in ("value", "std_error"))
    cells = our_cells(tables, "table_2").set_index("dataset")
    ours, errors = by_key(cells["value"]), by_key(cells["std_error"])
    rows = {
        name: [Point(lengths[name], ours.get(name), 2 * errors.get(name, 0.0), 2 * spread[name])]
        for name in accuracy.rows
    }
    ends = [lengths[name] + 2 * spread[name] for name in rows]
    ends += [value + 2 * errors.get(name, 0.0) for name, value in ours.items() if name in rows]
    label = f"complexity, {folds_in_words(cells['folds'])}; bars are two standard errors"
    return rings([accuracy, Panel("", label, rows, limits=(0.0, 1.05 * max(ends)))], width)
