"""What is kept of a selection in a file: columns, scores, value and bound, but not the program and its certificate."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from compactml.feature_selection.result import FractionalResult
from compactml.feature_selection.selectors.base import FractionalSelector
from compactml.feature_selection.selectors.cfs import CFSSelector
from compactml.feature_selection.selectors.mrmr import MRMRSelector
from compactml.kept import Kept, columns_of, plain_parameters, set_columns, set_parameters

__all__ = ["cfs_of", "mrmr_of", "selector_state"]

MOST = 2**31 - 1


def selector_state(model: FractionalSelector) -> dict[str, Any]:
    """Return what is to be kept of a fitted selector."""
    check_is_fitted(model)
    result = model.result_
    return {
        "parameters": plain_parameters(model, ("cv", "estimator")),
        **columns_of(model),
        "support": model.support_,
        "scores": model.scores_,
        "ranking": model.ranking_,
        "cv_scores": model.cv_scores_,
        "has_symbols": bool(model._has_symbols),
        "value": float(result.value),
        "bound": float(result.bound),
        "chosen": result.support,
        "proved": bool(result.proved),
        "iterations": int(result.iterations),
        "seconds": float(result.seconds),
    }


def mrmr_of(kept: Kept) -> MRMRSelector:
    """Return the `MRMRSelector` that `selector_state` took apart, or raise `InvalidDataError`."""
    return _filled(MRMRSelector(), kept)


def cfs_of(kept: Kept) -> CFSSelector:
    """Return the `CFSSelector` that `selector_state` took apart, or raise `InvalidDataError`."""
    return _filled(CFSSelector(), kept)


def _filled(model: Any, kept: Kept) -> Any:
    set_parameters(model, kept)
    p = set_columns(model, kept)
    model.support_ = kept.array("support", "b", [p])
    model.k_ = int(model.support_.sum())
    model.scores_ = kept.array("scores", "f", [p])
    model.ranking_ = kept.within("ranking", 1, MOST, [p])
    cv_scores = kept.anything("cv_scores")
    model.cv_scores_ = None if cv_scores is None else kept.array("cv_scores", "f", [None, None])
    model._has_symbols = kept.flag("has_symbols")
    chosen = kept.within("chosen", 0, p - 1, [None]).astype(np.intp)
    if len(chosen) != model.k_:
        raise kept.refuse("chosen", f"{model.k_} columns", f"{len(chosen)}")
    model.result_ = FractionalResult(
        float(kept.number("value")),
        float(kept.number("bound")),
        chosen,
        kept.flag("proved"),
        None,
        kept.integer("iterations", 0, MOST),
        float(kept.number("seconds")),
        None,
    )
    return model
