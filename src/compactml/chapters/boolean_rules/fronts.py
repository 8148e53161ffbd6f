"""Fronts of Fig 1 compared fold by fold.

As in the paper, lines join the Pareto-optimal points of a method. To the right of its last point a front goes on level:
a rule set may be simpler than allowed. To the left of its first point there is none, and no credit: a rival that has
simpler rules is not dominated there. Unless these are more accurate too, that decides nothing, since the method may
only lack a value of its parameter.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.chapters.boolean_rules.fold_rows import points
from compactml.chapters.boolean_rules.rows import pareto
from compactml.study.judging.noise import Outcome, every, lead_of

__all__ = ["dominates"]


def dominates(folds: pd.DataFrame, method: str, rival: str) -> Outcome | None:
    """Return whether a method's front on one dataset lies above every Pareto-optimal point of a rival.

    The folds are the blocks: at each of these points, the differences of accuracy between the line and the rival.

    Parameters
    ----------
    folds : DataFrame
        Rows of one dataset, as of `compactml.chapters.boolean_rules.fold_rows.fold_rows`.
    method, rival : str

    Returns
    -------
    Outcome or None
        None where one of both has no point, or there is no fold on which both have all their values.
    """
    shared = folds[folds["method"].isin([method, rival])].dropna(subset=["complexity"])
    if shared["method"].nunique() < 2:
        return None
    of_values = shared.groupby(["method", "parameter"], dropna=False)["fold"].agg(set)
    shared = shared[shared["fold"].isin(set.intersection(*of_values))]
    if shared.empty:
        return None
    front = pareto(points(shared[shared["method"] == method])).sort_values("complexity")
    others = pareto(points(shared[shared["method"] == rival]))
    theirs = others[["parameter", "complexity"]].to_numpy(dtype=float).tolist()
    return every(_above(shared, front, method, rival, value, size) for value, size in theirs)


def _above(
    folds: pd.DataFrame, front: pd.DataFrame, method: str, rival: str, parameter: float, complexity: float
) -> Outcome:
    """Whether the line lies above one point of the rival."""
    of_values = np.stack([_by_fold(folds, method, value) for value in front["parameter"]])
    line = [np.interp(complexity, front["complexity"], accuracies) for accuracies in of_values.T]
    found = lead_of(np.array(line) - _by_fold(folds, rival, parameter)).outcome
    before_first = complexity < front["complexity"].iloc[0]
    return Outcome.INCONCLUSIVE if before_first and found is Outcome.AGREES else found


def _by_fold(folds: pd.DataFrame, method: str, parameter: float) -> NDArray[np.float64]:
    """Accuracies of one value of the parameter, in the order of the folds."""
    same = folds["parameter"].isna() if np.isnan(parameter) else folds["parameter"] == parameter
    rows = folds[(folds["method"] == method) & same].sort_values("fold")
    return rows["accuracy"].to_numpy(dtype=float)
