"""The figure that opens the ensemble-pruning chapter."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compactml.chapters.ensemble_pruning.printed import printed_ranks
from compactml.chapters.ensemble_pruning.rows import (
    ACCURACY_METHODS,
    AVERAGE,
    CASE,
    LABELS,
    complete_runs,
    run_ranks,
)
from compactml.study.judging.noise import STANDARD_ERRORS, block_means, lead_of
from compactml.study.page.rings import Panel, Point

__all__ = ["panels"]


def panels(tables: Mapping[str, pd.DataFrame]) -> list[Panel]:
    """Mean rank of test accuracy, a row a method."""
    ranks = run_ranks(100 * complete_runs(tables["table_4"], "accuracy", ACCURACY_METHODS))
    cases = ranks.groupby(level=CASE).mean()
    ours = {name: lead_of(block_means(cases[name], "dataset")) for name in ACCURACY_METHODS}
    printed = printed_ranks("table_4").T[AVERAGE].astype(float)
    order = printed.sort_values().index
    rows = {
        LABELS.get(str(name), str(name)): [
            Point(float(printed[name]), ours[str(name)].mean, STANDARD_ERRORS * ours[str(name)].error)
        ]
        for name in order
    }
    return [Panel("", "mean rank of the test accuracy; bars are two standard errors over datasets", rows)]
