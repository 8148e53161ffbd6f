"""How data are read that the paper only names: which file, and which of its columns is the class."""

from __future__ import annotations

from functools import partial

import numpy as np

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    ERRORS,
    HEART,
    TRADE_OFF_RIVALS,
    Tables,
    by,
    printed_cell,
    stated,
)
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.datasets.registry import entry
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence
from compactml.study.judging.noise import STANDARD_ERRORS, Outcome
from compactml.study.recording.published import published

claim = partial(claim, NAME, basis=Basis.OURS)

STATLOG = "heart_statlog"


@claim("liver-class", "Table 1", tolerance=ERRORS, why="ours: the paper does not name the class")
def liver_class(tables: Tables) -> Evidence:
    """The class of the liver data is the number of drinks, not the column called selector.

    The accuracy of a random forest points to drinks. Ours is untuned, and larger leaves bring that for the selector
    down to its larger class, so that it decides nothing. Printed accuracies below that class
    point to drinks, but on ILPD, whose class is known, most lie below the larger class too.
    """
    readings = by(tables["liver_reading"], "class")
    mean, error = printed_cell("liver", "RF")
    near = {
        name: abs(row["accuracy"] - mean) <= STANDARD_ERRORS * np.hypot(row["std_error"], error)
        for name, row in readings.items()
    }
    larger = float(readings["selector"]["majority"])
    cells = published(NAME, "table_1").query("dataset == 'liver'").astype({"value": float})
    values = cells.set_index("method")["value"]
    below = values[values < larger]
    return Evidence.of_outcomes(
        [Outcome.INCONCLUSIVE if near["drinks > 2"] and not near["selector"] else Outcome.DIFFERS],
        ", ".join(f"{name} {row['accuracy']:.1f} ({row['std_error']:.1f})" for name, row in readings.items()),
        f"the paper prints {mean} ({error}) for a random forest; below the {larger:.1f} of the larger class of the "
        f"selector it prints {', '.join(f'{method} {value}' for method, value in below.items())}",
        doubt="the leaves of the paper's forest are tuned and not printed, and with large leaves a forest predicts the "
        "larger class",
    )


@claim(
    "heart-not-statlog",
    "Section 5, Table 1",
    tolerance="exact",
    why="ten folds of equal size",
)
def heart_is_not_statlog(tables: Tables) -> Evidence:
    """Accuracies printed for heart are no means over ten folds of Statlog's rows.

    Ten folds of 270 rows have 27 each, so that such a mean is a whole number of rows. A forest's accuracy may be a mean
    over seeds too, and does not count.
    """
    n = entry(STATLOG).n_rows
    accuracies = {name: printed_cell(HEART, name)[0] for name in (OURS, *TRADE_OFF_RIVALS, "RIPPER", "CART")}
    accuracies["the best of Fig 1a"] = stated("heart_best_accuracy")
    possible = set(np.round(100 * np.arange(n + 1) / n, 1))
    not_so = [f"{name} {value}" for name, value in accuracies.items() if value not in possible]
    return Evidence.of_statement(
        n % 10 == 0 and bool(not_so),
        f"no whole number of {n} rows: {', '.join(not_so)} %",
        "if they are plain means over ten folds, as the paper says; Cleveland's folds differ in size",
    )
