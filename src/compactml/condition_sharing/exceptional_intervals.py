r"""Problem 5 in near-linear time: hit all intervals but at most c with the fewest points.

Let the candidates be the distinct lower ends :math:`v_1<\dots<v_K` (a point can always move left to the largest
lower end among the intervals it hits). Choosing points is choosing a path :math:`0\to\dots\to K+1` in a
complete acyclic graph whose edge :math:`(s',s)` costs the number of intervals strictly between both points,

.. math:: w(s',s)=|\{j:\ \ell_j>v_{s'},\ u_j\le v_s\}|,

the intervals that are missed. These weights satisfy the concave Monge inequality
:math:`w(a,c)+w(b,d)\le w(a,d)+w(b,c)` for :math:`a<b<c<d`, so the fewest misses with exactly k points, m(k), are
convex in k (Aggarwal, Schieber and Tokuyama, 1994). Hence every :math:`(k,m(k))` is found by minimising
:math:`\lambda k+\text{misses}` for an integer :math:`\lambda`, and two paths that are optimal for the same
:math:`\lambda` with a few and with many points are spliced into one with any number of points between.

One minimisation is a sweep over the sorted ends with a union-find: an interval that ends adds one to a *prefix*
of the labels, so a label that is not below its right neighbour never becomes the minimum again and is merged away.
"""

from __future__ import annotations

import numpy as np

from compactml.condition_sharing._kernels.exceptional_intervals import lagrangian_path


def bounding_intervals(first: np.ndarray, last: np.ndarray, upper: np.ndarray, exceptions: int) -> np.ndarray:
    """Return a smallest set of points that misses at most ``exceptions`` intervals, each by what bounds it.

    Parameters
    ----------
    first, last : ndarray of int, shape (n_intervals,)
        The candidates ``first[j] .. last[j] - 1`` hit interval j; intervals are sorted by ``first``.
    upper : ndarray of float64, shape (n_intervals,)
        Upper ends, which tell those of equal ``last`` apart.
    exceptions : int
        At least 0 and below ``n_intervals``.

    Returns
    -------
    ndarray of int, shape (n_points,)
        Ascending: the point lies just below the upper end of this interval, the first to end of those that it is
        placed for. Among the smallest sets one with the fewest exceptions is returned.
    """
    n_candidates = int(first[-1]) + 1
    by_last = np.argsort(last, kind="stable")
    first_by_last = first[by_last]
    starts = np.searchsorted(last[by_last], np.arange(n_candidates + 2))
    chosen = _fewest_points(first_by_last, starts, n_candidates, first.size, exceptions)
    return _first_to_end(chosen, first, last, upper)


def _fewest_points(
    first_by_last: np.ndarray, starts: np.ndarray, n_candidates: int, n_intervals: int, exceptions: int
) -> np.ndarray:
    """Search the largest multiplier at which some optimal path misses at most ``exceptions`` intervals."""

    def path(multiplier: int, prefer: int) -> tuple[np.ndarray, int]:
        return lagrangian_path(first_by_last, starts, n_candidates, multiplier, prefer)

    feasible, infeasible = 1, n_intervals + 1  # a multiplier of 1 hits all; above n_intervals no point pays
    while infeasible - feasible > 1:
        middle = (feasible + infeasible) // 2
        if path(middle, -1)[1] <= exceptions:
            feasible = middle
        else:
            infeasible = middle
    few, misses_few = path(feasible, 1)  # still too many misses: these are the most points of `infeasible`
    many, _ = path(feasible, -1)
    # on the segment between both, each further point saves exactly `feasible` misses
    further = -((exceptions - misses_few) // feasible)
    return _splice(few, many, further, n_candidates)


def _splice(few: np.ndarray, many: np.ndarray, further: int, n_candidates: int) -> np.ndarray:
    """Combine two optimal paths into an optimal one with ``len(few) + further`` points.

    Where an edge of `many`, shifted by `further`, lies within an edge of `few`, follow `many` up to it and `few`
    from there: by the Monge inequality both crossed paths together cost no more than the two given ones.
    """
    a = np.concatenate(([-1], few, [n_candidates]))
    b = np.concatenate(([-1], many, [n_candidates]))
    i = int(np.argmax(b[further + 1 : further + a.size] <= a[1:]))
    return np.concatenate((b[1 : i + further + 1], a[i + 1 : -1]))


def _first_to_end(chosen: np.ndarray, first: np.ndarray, last: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Slide each point right, up to the first end of an interval that only it hits."""
    owner = np.searchsorted(chosen, first, side="left")  # the first chosen point at or after the lower end
    owned = owner < chosen.size
    owned &= chosen[np.minimum(owner, chosen.size - 1)] < last
    hit = np.flatnonzero(owned)
    hit = hit[np.lexsort((upper[hit], owner[hit]))]
    _, positions = np.unique(owner[hit], return_index=True)
    return hit[positions]
