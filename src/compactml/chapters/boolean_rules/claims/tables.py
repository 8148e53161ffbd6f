"""Claims on Tables 1 and 2."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    ERRORS,
    LEAF_GRID,
    LESS_TIME,
    OTHER_FOLDS,
    OWN_PROGRAM,
    OWN_RIPPER,
    TRADE_OFF_RIVALS,
    Tables,
    coverage_of,
    of_method,
    quickly_solved,
)
from compactml.chapters.boolean_rules.printed import POINTS, says_little
from compactml.chapters.boolean_rules.rows import CELL
from compactml.chapters.boolean_rules.trials.paper import METHODS, OURS
from compactml.study.judging.comparison import Agreement, compare_means
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence, because, lacking
from compactml.study.recording.published import published

claim = partial(claim, NAME)

METHOD_NAMES = {
    "CG": "column generation (CG)", "BRS": "Bayesian rule sets (BRS)", "AM": "alternating minimisation (AM)",
    "BCD": "block coordinate descent (BCD)", "RIPPER": "RIPPER", "CART": "classification trees (CART)",
    "RF": "random forests",
}  # fmt: skip
MEASURES = {
    "table_1": ("Table 1", "Test accuracies", METHODS),
    "table_2": ("Table 2", "Complexities", METHODS[:-1]),
}
PRINTED_CELLS = {
    f"{table}-{method}": {
        "table": table,
        "place": place,
        "measure": measure,
        "method": method,
        "who": METHOD_NAMES[method],
    }
    for table, (place, measure, methods) in MEASURES.items()
    for method in methods
}
INFERRED = {
    **dict.fromkeys(TRADE_OFF_RIVALS, OWN_PROGRAM),
    "RIPPER": OWN_RIPPER,
    **dict.fromkeys(("CART", "RF"), LEAF_GRID),
}
"""What we had to infer of each method but CG."""
COPIED = "the complexities printed for gas and musk are the same, so that one of them is a slip"


@claim("{key}", "{place}", tolerance=ERRORS, why=OTHER_FOLDS, over=PRINTED_CELLS)
def cells(tables: Tables, table: str, method: str) -> Evidence:
    """{measure} of {who} on 16 datasets, chosen by cross-validation.

    Each printed cell counts: it agrees within two standard errors of the difference.
    """
    printed = of_method(published(NAME, table), method)
    ours = tables[table]
    tested = compare_means(printed, ours, None, CELL, point=POINTS[table])
    tested = tested[tested["verdict"] != Agreement.NOT_RUN].set_index("dataset")
    if tested.empty:
        return Evidence.missing(f"{method} was not run", len(printed))
    right = tested["verdict"] != Agreement.DIFFERS
    named = ", ".join(f"{name} {value:+.1f}" for name, value in tested.loc[~right, "difference"].items())
    loose = int((right & says_little(tested)).sum())
    doubtful, doubt = _doubts(tables, table, tested) if method == OURS else (np.zeros(len(tested), bool), "")
    return Evidence.of_cells(
        right,
        f"{right.sum()} of {len(tested)} cells agree" + (f"; differing: {named}" if named else ""),
        because(
            lacking(len(tested), len(printed)),
            f"{loose} of those that agree have errors as large as the printed number and say little"
            if loose
            else "",
        ),
        stated=len(printed),
        doubtful=doubtful,
        doubt=doubt,
        inferred=INFERRED.get(method, ""),
        coverage=coverage_of(of_method(ours, method), len(printed)),
    )


def _doubts(tables: Tables, table: str, tested: pd.DataFrame) -> tuple[np.ndarray, str]:
    """Cells of CG that refute nothing if they differ, and why."""
    if table == "table_2":
        return tested.index.isin(["gas", "musk"]), COPIED
    worse = tested["difference"].astype(float) < 0
    return (worse & ~tested.index.isin(list(quickly_solved(tables)))).to_numpy(), LESS_TIME
