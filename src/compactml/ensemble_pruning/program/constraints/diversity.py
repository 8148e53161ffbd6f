"""The constraints on size and diversity: (14)-(18), (20) of Bastos, Brandão and Valle (2024), and a compact form.

Columns of the paper: y (K (K - 1) / 2), y_kl = x_k x_l for k < l, continuous in [0, 1] (17). The compact form has none
of them. Where x_k = 1, y_kl is x_l, so (18) is a row over x; and the sum of (20) over the pairs is half of
sum_k x_k r_k with r_k = sum_l (FC_kl - gamma) x_l, for which a column p_k <= x_k r_k for each classifier is enough.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning.program.rows import RowGroup, all_of, each

__all__ = [
    "compact_mean",
    "compact_minimum",
    "diversity_rows",
    "excess",
    "mean_credit",
    "minimum_credit",
    "negative",
    "pairs",
    "products_above",
    "products_below",
    "size",
]

Credit = NDArray[np.float64]


def pairs(n_classifiers: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs k < l in the order of the columns y."""
    return np.triu_indices(n_classifiers, 1)


def size(n_classifiers: int, min_size: int, max_size: int) -> RowGroup:
    """min_size <= sum_k x_k <= max_size (not in the paper)."""
    return RowGroup({"x": all_of(np.ones(n_classifiers))}, min_size, max_size)


def products_above(n_classifiers: int) -> RowGroup:
    """(14): y_kl >= x_k + x_l - 1."""
    k, l = pairs(n_classifiers)  # noqa: E741
    ends = _entries(k, n_classifiers) + _entries(l, n_classifiers)
    return RowGroup({"y": each(1.0, k.size), "x": -ends}, lower=-1.0)


def products_below(n_classifiers: int) -> tuple[RowGroup, RowGroup]:
    """(15), (16): y_kl <= x_k, y_kl <= x_l."""
    first, second = (
        RowGroup({"y": each(1.0, end.size), "x": -_entries(end, n_classifiers)}, upper=0.0)
        for end in pairs(n_classifiers)
    )
    return first, second


def minimum_credit(credit: Credit, tau: float) -> RowGroup:
    """(18): sum_l FC_kl y_kl >= tau (sum_m x_m - 1) - K tau (1 - x_k) for each k."""
    n = len(credit)
    k, l = pairs(n)  # noqa: E741
    by_classifier = sparse.csr_array(
        (np.tile(credit[k, l], 2), (np.concatenate([k, l]), np.tile(np.arange(k.size), 2))), shape=(n, k.size)
    )
    return RowGroup(
        {"y": by_classifier, "x": sparse.csr_array(-tau * np.ones((n, n)) - n * tau * np.eye(n))},
        lower=-tau - n * tau,
    )


def mean_credit(credit: Credit, gamma: float) -> RowGroup:
    """(20): sum_{k<l} FC_kl y_kl >= gamma sum_{k<l} y_kl."""
    return RowGroup({"y": all_of(credit[pairs(len(credit))] - gamma)}, lower=0.0)


def compact_minimum(credit: Credit, tau: float) -> RowGroup:
    """(18) without y: sum_l (FC_kl - tau) x_l >= -big_k (1 - x_k), big_k the sum of the negative terms."""
    above = excess(credit, tau)
    big = negative(above)
    return RowGroup({"x": sparse.csr_array(above - np.diag(big))}, lower=-big)


def compact_mean(credit: Credit, gamma: float) -> tuple[RowGroup, RowGroup, RowGroup]:
    """(20) without y: p_k <= big_k x_k, p_k <= r_k + big'_k (1 - x_k), sum_k p_k >= 0.

    The bounds of r_k = sum_l (FC_kl - gamma) x_l are the sums of its positive and of its negative terms.
    """
    above = excess(credit, gamma)
    n, highest, lowest = len(credit), negative(-above), negative(above)
    return (
        RowGroup({"p": each(1.0, n), "x": each(-highest, n)}, upper=0.0),
        RowGroup({"p": each(1.0, n), "x": sparse.csr_array(np.diag(lowest) - above)}, upper=lowest),
        RowGroup({"p": all_of(np.ones(n))}, lower=0.0),
    )


def diversity_rows(diversity: Diversity, *, compact: bool) -> list[RowGroup]:
    """The limits in the paper's form, all of (14)-(16), (18), (20), or in the compact form, those that bind."""
    credit, tau, gamma = diversity.credit, diversity.min_pfc, diversity.mean_pfc
    if not compact:
        n = len(credit)
        products = [products_above(n), *products_below(n)]
        return [*products, minimum_credit(credit, tau), mean_credit(credit, gamma)]
    minimum = [compact_minimum(credit, tau)] if tau > 0 else []
    return [*minimum, *compact_mean(credit, gamma)] if gamma > 0 else minimum


def excess(credit: Credit, limit: float) -> Credit:
    """FC_kl - limit, 0 for a classifier with itself."""
    above = credit - limit
    np.fill_diagonal(above, 0.0)
    return above


def negative(terms: Credit) -> Credit:
    """Sum of the negative terms of each row, as a number >= 0."""
    total: Credit = np.maximum(-terms, 0.0).sum(axis=1)
    return total


def _entries(columns: NDArray[np.intp], n: int) -> sparse.csr_array:
    """One 1 in each row."""
    rows = np.arange(columns.size)
    return sparse.csr_array((np.ones(columns.size), (rows, columns)), shape=(columns.size, n))
