"""Algorithms 3 and 4 as printed, up to the points they return, to show on small examples what is wrong with them.

Every statement bears its printed line number; indices are 1-based as in the paper. The groups (lines 15 to 25 and 28
of Algorithm 3) are left out; two defects more break them: k is not reset before line 12, so that ``if k = 1`` never
holds, and line 28 opens a group that has no point. The corrected version is `minimum_intersecting_set_dynamic`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from compactml.errors import CompactmlError


class PrintedAlgorithmError(CompactmlError, RuntimeError):
    """The printed pseudo-code cannot be carried out on this input."""

    def __init__(self, algorithm: int, line: int, why: str) -> None:
        super().__init__(f"Algorithm {algorithm}, line {line}: {why}.")
        self.algorithm, self.line, self.why = algorithm, line, why


@dataclass
class _Tables:
    """The variables that the printed algorithms share; a key that was never set is an error."""

    p: int
    c: int
    lower: dict[int, float]
    upper: dict[int, float]
    mended: frozenset[str]
    beta: dict[int, int] = field(default_factory=dict)
    alpha: dict[int, int] = field(default_factory=dict)
    h_: dict[int, int] = field(default_factory=dict)
    d: int = 0
    D: dict[tuple[int, int], int] = field(default_factory=dict)
    N: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)


DEFECTS = {
    "4.18": "Algorithm 4, line 18 reads h_k although no h_1..h_d exists yet (d = 0), and beta(p+1) is never set",
    "3.4": "Algorithm 3, line 4 has the inequality reversed: it must advance while l_k < u_i",
    "4.8": "Algorithm 4, lines 8-12 never advance h: the loop does not end",
    "3.11": "Algorithm 3, lines 11 and 26 subtract the remaining exceptions, which N already holds, once more",
    "3.14": "Algorithm 3, lines 12-14 take the next start beta(alpha) for alpha itself: the last point is lost",
}


def as_printed(
    lower: list[float], upper: list[float], c: int, *, mended: frozenset[str] = frozenset()
) -> list[float]:
    """Run the printed Algorithm 3 and return its points, without the groups.

    Parameters
    ----------
    lower, upper : list of float
        Intervals sorted by lower end.
    c : int
        Allowed exceptions.
    mended : set of str
        Keys of `DEFECTS` to mend; with all of them the points are a minimum.

    Returns
    -------
    list of float
        The points, right or wrong.

    Raises
    ------
    PrintedAlgorithmError
        A variable is read that was never set, or a loop never ends.
    """
    t = _Tables(len(lower), c, dict(enumerate(lower, 1)), dict(enumerate(upper, 1)), mended)
    k = 1  # 2
    for i in sorted(t.upper, key=lambda i: t.upper[i]):  # 1, 3
        while _line_4(t, k, i):
            k += 1
        t.beta[i] = k  # 5
    t.alpha[0], t.upper[t.p + 1], t.d = t.p + 1, inf, 0  # 7
    for i in range(t.p + 1, 0, -1):  # 8
        _recursion(t, i)
    return _read_points(t)


def _line_4(t: _Tables, k: int, i: int) -> bool:
    """Algorithm 3, line 4: ``while u_i < l_k``, with the comment ``k = min{k' | u_i >= l_k'}``.

    Both are the wrong way round: beta(i) is min{k' : u_i <= l_k'}, which the loop reaches while ``l_k < u_i``.
    """
    if "3.4" in t.mended:
        return k <= t.p and t.lower[k] < t.upper[i]
    if k > t.p:
        raise PrintedAlgorithmError(3, 4, f"reads l_{k}, but there are {t.p} intervals")
    return t.upper[i] < t.lower[k]


def _recursion(t: _Tables, i: int) -> None:
    """Algorithm 4."""
    j = t.c  # 1
    while j >= t.p + 1 - i and j >= 0:  # 2
        t.D[i, j], t.N[i, j] = 0, (t.p + 1, 0)  # 3
        j -= 1  # 4
    if j < 0:  # 6
        return
    h, k = 0, 1  # 7
    while h <= j:  # 8
        if t.upper[t.alpha[h]] > t.upper[i]:  # 9
            break
        t.D[i, h], t.N[i, h] = t.D[i + 1, h], t.N[i + 1, h]  # 10
        if t.h_.get(k) == h:  # 11
            k += 1
        if "4.8" not in t.mended:
            raise PrintedAlgorithmError(4, 8, "the loop never advances h and does not end")
        h += 1
    for m in range(j, h - 1, -1):  # 13
        if m in t.alpha:
            t.alpha[m + 1] = t.alpha[m]
    t.alpha[h] = i  # 14
    for m in range(k, t.d + 1):  # 15
        t.h_[m] += 1
    if t.d > 0 and t.h_[t.d] > t.c:  # 16
        t.d -= 1
    if h == 0 or t.beta[i] > t.beta[t.alpha[h - 1]]:  # 17
        if _line_18(t, i, k):
            for m in range(t.d, k - 1, -1):  # 19
                t.h_[m + 1] = t.h_[m]
            t.d += 1  # 20
        t.h_[k] = h  # 22
    while h <= j:  # 24
        h_star, i_star = 0, t.beta[t.alpha[0]]  # 25
        for m in range(1, t.d + 1):  # 26
            if t.h_[m] > h:  # 27
                break
            after = t.beta[t.alpha[t.h_[m]]]
            for start, rest in ((after, h - t.h_[m]), (i_star, h - h_star)):
                if (start, rest) not in t.D:
                    raise PrintedAlgorithmError(4, 28, f"reads D({start}, {rest}), which is not there")
            if t.D[after, h - t.h_[m]] < t.D[i_star, h - h_star]:  # 28
                h_star, i_star = t.h_[m], after  # 29
        start = t.alpha[h_star] if "3.14" in t.mended else i_star
        t.D[i, h], t.N[i, h] = t.D[i_star, h - h_star] + 1, (start, h - h_star)  # 32
        h += 1  # 33


def _line_18(t: _Tables, i: int, k: int) -> bool:
    """Algorithm 4, line 18: ``beta(i) < beta(alpha(h_k))``, true where there is no h_k to compare with."""
    if k > t.d:
        if "4.18" in t.mended:
            return True
        raise PrintedAlgorithmError(4, 18, f"reads h_{k}, but d = {t.d}")
    return t.beta[i] < t.beta[t.alpha[t.h_[k]]]


def _read_points(t: _Tables) -> list[float]:
    """Algorithm 3, lines 9-27 (the groups of lines 15-25 and 28 are left out)."""
    j = t.c  # 9
    while j > 0 and t.D[1, j] == t.D[1, j - 1]:  # 10
        j -= 1
    points: list[float] = []
    i, h = t.N[1, j]  # 11
    j = h if "3.11" in t.mended else j - h
    while i <= t.p:  # 12
        if i not in t.beta or t.beta[i] - 1 not in t.lower:
            raise PrintedAlgorithmError(3, 14, f"reads l_{t.beta.get(i, i) - 1}, which is not there")
        points.append((t.lower[t.beta[i] - 1] + t.upper[i]) / 2)  # 13, 14
        i = t.beta[i] if "3.14" in t.mended else i
        if (i, j) not in t.N:
            raise PrintedAlgorithmError(3, 26, f"reads N({i}, {j}), which is not there")
        i, h = t.N[i, j]  # 26
        j = h if "3.11" in t.mended else j - h
    return points
