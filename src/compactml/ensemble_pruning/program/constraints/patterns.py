"""The strengthened form of (2)-(7): distinct vectors of votes, each with one column for its error.

Columns: x, L as in the paper and e (m), 1 for a vector that is not called as is best for it. Only the row that keeps
e from 0 is needed, since an error costs ``abs(gain)`` > 0. Written with e = 1 - t these are (2) and (5).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.ensemble_pruning.program.rows import RowGroup, all_of

__all__ = ["cover_rows", "errors_of_patterns", "some_positive_call"]


def errors_of_patterns(
    votes: sparse.csr_array, better_positive: NDArray[np.bool_], big: NDArray[np.float64]
) -> RowGroup:
    """(2) and (5): L + 1 - v'x <= big e for vectors better called positive, v'x - L <= big e for the others."""
    sign = np.where(better_positive, -1.0, 1.0)
    signed = sparse.csr_array(sparse.diags_array(sign) @ votes)
    return RowGroup(
        {
            "x": signed,
            "L": sparse.csr_array(-sign[:, np.newaxis]),
            "e": sparse.csr_array(sparse.diags_array(-big)),
        },
        upper=np.where(better_positive, -1.0, 0.0),
    )


def some_positive_call(n_classifiers: int) -> RowGroup:
    """L + 1 <= sum_k x_k: a point with all votes would be called positive."""
    return RowGroup({"x": all_of(np.ones(n_classifiers)), "L": all_of([-1.0])}, lower=1.0)


def cover_rows(cuts: sparse.csr_array) -> RowGroup:
    """Cuts of the isotonic and asummability bounds: at least one error among the vectors of each row."""
    return RowGroup({"e": cuts}, lower=1.0)
