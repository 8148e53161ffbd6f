"""Checking certificates by code that shares nothing with the search.

F = t g - f is formed from the program, K of each pair of multipliers is factorised once (Cholesky) and the trees are
replayed: every step is one product, one sort and comparisons. Neither the relaxation nor the compiled search is used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from compactml.errors import check_instance
from compactml.feature_selection.allowed_sets import check_denominator
from compactml.feature_selection.certificate import Certificate
from compactml.feature_selection.errors import CertificateError
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.proof import PAIRS, Proof

__all__ = ["verify"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

EPS = float(np.finfo(float).eps)


def verify(program: FractionalProgram, certificate: Certificate) -> float:
    """Check a certificate against a program.

    Parameters
    ----------
    program : FractionalProgram
    certificate : Certificate

    Returns
    -------
    float
        ``t``: no set of the sizes spoken of has a larger value.

    Raises
    ------
    CertificateError
        It does not prove that.
    InvalidDataError
        g is not positive on some allowed set.
    """
    check_instance("program", program, FractionalProgram)
    check_instance("certificate", certificate, Certificate)
    check_denominator(program, certificate.n_features)
    p, t = program.n_features, certificate.t
    if program.size is not None and certificate.n_features != program.size:
        raise CertificateError(
            f"a bound on the sets of {program.size} features", f"the sets have {certificate.n_features}"
        )
    sizes = [proof.size for proof in certificate.proofs]
    wanted = range(1, p + 1) if certificate.n_features is None else [certificate.n_features]
    if sorted(sizes) != list(wanted):
        raise CertificateError(
            "F >= 0 for every size", f"the proofs are for the sizes {sorted(sizes)[:5]} ..."
        )
    check = _Check(program, t, certificate)
    for proof in certificate.proofs:
        check.replay(proof)
    return t


class _Check:
    """F for a threshold and the multipliers found valid."""

    def __init__(self, program: FractionalProgram, t: float, certificate: Certificate) -> None:
        self.program, self.t, self.claim = program, t, f"that no value exceeds {t!r}"
        self.matrix, self.linear = t * program.d - program.b, t * program.c - program.a
        self.scale = float(np.abs(self.matrix).max() + np.abs(self.linear).max())
        self.multipliers = certificate.multipliers
        self.convex = [self._convex(one) for one in certificate.multipliers]

    def _fail(self, reason: str) -> CertificateError:
        return CertificateError(self.claim, reason)

    def _convex(self, multipliers: Multipliers) -> Floats:
        """K of multipliers, after a proof that it is positive semidefinite on the vectors that sum to 0."""
        base, y, nonnegative = multipliers.base, multipliers.y, multipliers.n
        n, p = len(base), self.program.n_features
        ordered = n > 0 and base[0] >= 0 and base[-1] < p and (np.diff(base) > 0).all()
        fits = y.shape == (n,) and nonnegative.shape == (n, n) and np.isfinite(y).all()
        if not (
            ordered
            and fits
            and np.isfinite(nonnegative).all()
            and (nonnegative >= 0).all()
            and (nonnegative == nonnegative.T).all()
        ):
            raise self._fail("multipliers do not fit, or N has negative or asymmetric entries")
        if np.diagonal(nonnegative).any():
            raise self._fail("N has entries on its diagonal")
        k = self.matrix[np.ix_(base, base)] - nonnegative - np.diag(y)
        plane = _on_the_plane(k)
        shift = 2 * (n + 2) * EPS * max(float(np.abs(np.diagonal(plane)).sum()), 1e-3)  # Rump (2006)
        try:
            if n > 1:
                linalg.cholesky(plane - shift * np.eye(n - 1), lower=True, check_finite=False)
        except linalg.LinAlgError:
            raise self._fail("K is not positive semidefinite for some multipliers") from None
        return k

    def replay(self, proof: Proof) -> None:
        """Follow a tree; every leaf must be closed and everything be used."""
        if not _adds_up(proof):
            raise self._fail(f"the arrays of the proof for size {proof.size} do not fit together")
        reader = _Reader(proof)
        p = self.program.n_features
        stack = [(np.arange(p), np.zeros(0, dtype=np.intp), proof.size)]
        while stack:
            free, inside, left = stack.pop()
            if reader.nodes == proof.n_nodes:
                raise self._fail(f"a slice of size {proof.size} is missing")
            n_steps, branch = reader.node()
            closed = False
            for _ in range(n_steps):
                if closed:
                    raise self._fail("a step follows after its slice was closed")
                number, units, decided = reader.step()
                if len(np.unique(decided // 2)) < len(decided):
                    raise self._fail("a step decides a feature twice")
                into, out = decided[decided % 2 == 1] // 2, decided[decided % 2 == 0] // 2
                self._check_step(number, units, free, inside, left, into, out)
                closed = not decided.size
                free = np.setdiff1d(free, decided // 2, assume_unique=True)
                inside, left = np.concatenate([inside, into]), left - len(into)
            if not closed and left in (0, len(free)):
                self._check_set(np.concatenate([inside, free[:left]]))
                closed = True
            if closed != (branch < 0):
                raise self._fail(f"a slice of size {proof.size} is not closed, or branched on though closed")
            if branch >= 0:
                rest = free[free != branch]
                if len(rest) == len(free):
                    raise self._fail(f"feature {branch} is branched on twice")
                stack += [(rest, inside, left), (rest, np.append(inside, branch), left - 1)]
        if reader.nodes < proof.n_nodes:
            raise self._fail("something is left after the last slice")

    def _check_step(
        self, number: int, units: NDArray[np.uint16], free: Indices, inside: Indices, left: int, into: Indices,
        out: Indices,
    ) -> None:  # fmt: skip
        """Each set of the slice that a step drops has F >= 0."""
        if number == PAIRS:
            self._check_pairs(free, inside, left, into, out)
            return
        if not 0 <= number < len(self.multipliers):
            raise self._fail(f"a step names the multipliers {number}")
        multipliers, k = self.multipliers[number], self.convex[number]
        places = np.searchsorted(multipliers.base, free)
        total = int(units.sum(dtype=np.int64))
        inherits = (
            places.size > 0
            and places[-1] < len(multipliers.base)
            and (multipliers.base[places] == free).all()
        )
        if len(units) != len(free) or not inherits or not 0 < left < len(free) or total == 0:
            raise self._fail("a step does not fit its slice")
        used = np.flatnonzero(units)
        x = units[used] * (left / total)
        kx = k[np.ix_(places, places[used])] @ x
        linear = multipliers.y[places] + self.linear[free] + 2 * self.matrix[np.ix_(free, inside)].sum(axis=1)
        slope = 2 * kx + linear
        constant = self.matrix[np.ix_(inside, inside)].sum() + self.linear[inside].sum() - x @ kx[used]
        order = np.argsort(slope, kind="stable")
        smallest = slope[order[:left]]
        size = left + len(inside)
        error = self._error(size, np.concatenate([smallest, linear[order[:left]], x * kx[used]]))
        least = constant + smallest.sum()
        if not into.size + out.size:
            if not least >= error:
                raise self._fail(f"a linear bound is {least:.3g} for size {size}")
            return
        rank = np.empty(len(free), dtype=np.intp)
        rank[order] = np.arange(len(free))
        position = np.searchsorted(free, np.concatenate([into, out]))
        if position.max() >= len(free) or (free[position] != np.concatenate([into, out])).any():
            raise self._fail("a step decides a feature that is not free")
        last, following = slope[order[left - 1]], slope[order[left]]
        gone, there = position[: len(into)], position[len(into) :]
        without = least + np.where(
            rank[gone] < left, following - slope[gone], 0.0
        )  # sets without the feature
        with_it = least + np.where(rank[there] < left, 0.0, slope[there] - last)  # sets with it
        if not (np.concatenate([without, with_it]) >= error).all():
            raise self._fail(f"a feature is decided that its bound does not decide, for size {size}")

    def _check_pairs(self, free: Indices, inside: Indices, left: int, into: Indices, out: Indices) -> None:
        """The same for the pair bound, which decides no feature in."""
        if into.size or not 0 < left < len(free) or not np.isin(out, free).all():
            raise self._fail("a pair bound does not fit its slice")
        among = self.matrix[np.ix_(free, free)]
        shares = self.linear[free] + np.diagonal(among) + 2 * self.matrix[np.ix_(free, inside)].sum(axis=1)
        partners = np.sort(np.where(np.eye(len(free), dtype=bool), np.inf, among), axis=1)[:, : left - 1]
        shares = shares + partners.sum(axis=1)
        constant = self.matrix[np.ix_(inside, inside)].sum() + self.linear[inside].sum()
        smallest = np.sort(shares)[:left]
        error = self._error(left + len(inside), smallest)
        least = constant + smallest.sum()
        if out.size:
            least = (least + np.maximum(shares[np.isin(free, out)] - smallest[-1], 0.0)).min()
        if not least >= error:
            raise self._fail(f"a pair bound is {least:.3g} for size {left + len(inside)}")

    def _error(self, size: int, summed: Floats) -> float:
        """A bound on the rounding errors of a linear bound, given what is summed besides M and q."""
        terms = self.scale * (size + 1) ** 2 + float(np.abs(summed).sum())
        return 4 * (len(self.linear) + 4) * EPS * terms

    def _check_set(self, support: Indices) -> None:
        if not self.program.value(support) <= self.t:
            raise self._fail(f"the set {support.tolist()} has a larger value")


class _Reader:
    """The arrays of a proof, from the first to the last."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.nodes = self.steps = self.units = self.decided = 0

    def node(self) -> tuple[int, int]:
        """Return the number of steps and branching feature of the next node."""
        self.nodes += 1
        return int(self.proof.n_steps[self.nodes - 1]), int(self.proof.branch[self.nodes - 1])

    def step(self) -> tuple[int, NDArray[np.uint16], Indices]:
        """Return multipliers, point and decisions of the next step."""
        i = self.steps
        units = self.proof.units[self.units : self.units + self.proof.n_units[i]]
        decided = self.proof.decided[self.decided : self.decided + self.proof.n_decided[i]].astype(np.intp)
        self.steps, self.units, self.decided = i + 1, self.units + len(units), self.decided + len(decided)
        return int(self.proof.multipliers[i]), units, decided


def _adds_up(proof: Proof) -> bool:
    """Whether the counts of a proof are those of what it holds."""
    counts = (proof.n_steps, proof.n_units, proof.n_decided)
    return (
        len(proof.n_steps) == len(proof.branch)
        and len(proof.multipliers) == len(proof.n_units) == len(proof.n_decided)
        and all((one >= 0).all() for one in counts)
        and proof.n_steps.sum() == len(proof.multipliers)
        and proof.n_units.sum() == len(proof.units)
        and proof.n_decided.sum() == len(proof.decided)
    )


def _on_the_plane(k: Floats) -> Floats:
    """K in an orthonormal basis of the vectors that sum to 0: what is left of H K H, H Householder's for e."""
    n = len(k)
    v = np.ones(n)
    v[0] += np.sqrt(n)
    v /= np.linalg.norm(v)
    kv = k @ v
    reflected = k - 2 * np.outer(v, kv) - 2 * np.outer(kv, v) + 4 * (v @ kv) * np.outer(v, v)
    return np.ascontiguousarray(reflected[1:, 1:])
