"""Proved optima of fractional programs: tabu search, then a proof for every number of features.

One threshold t, the value of the best set plus the tolerance, is asked about: is t g - f >= 0 for every set? If a
proof meets a set with a larger ratio it starts again from that set, a step of Newton's method (Algorithm 2); after
tabu search that is rare. Multipliers over all features serve every size, so a relaxation is solved for the size of the
best set first, and its bounds are tried on all other sizes before the next relaxation, which is that of the size in the
middle of the most open ones in a row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from compactml.clock import Clock
from compactml.feature_selection.allowed_sets import best_known, check_denominator, least_denominators
from compactml.feature_selection.certificate import Certificate
from compactml.feature_selection.certified import tabu
from compactml.feature_selection.certified.prover import BetterSet, Known, OutOfTime, Prover, Ray
from compactml.feature_selection.parametric_form import ParametricForm
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.proof import Proof
from compactml.feature_selection.result import FractionalResult, Tolerance
from compactml.watch import Watch

__all__ = ["certified", "compile_kernels"]

EPS = float(np.finfo(float).eps)

ROUNDING_STEP = 1e-13
"""Least distance of t from the value of the best set, relative to the largest ratio of coefficients, for rounding."""

ENOUGH_FAILURES = 3
"""Sizes on which the pair bound may fail before it is given up."""

PAYS = 3
"""Sizes that a relaxation over all features must have closed for another one to be solved."""


def certified(
    program: FractionalProgram,
    tolerance: Tolerance,
    *,
    time_limit: float | None = None,
    n_features: int | None = None,
    watch: Watch | None = None,
) -> FractionalResult:
    """Return the best set of features, proved to be within a tolerance of the best of all.

    Parameters
    ----------
    program : FractionalProgram
    tolerance : Tolerance
    time_limit : float, optional
        Seconds; what compiling takes does not count. After it the best set comes with the bound
        proved so far, which may be infinite.
    n_features : int, optional
        Size of the set; any by default.
    watch : Watch, optional
        Whose clock counts in place of ``time_limit``; it is told of each better set and bound.

    Returns
    -------
    FractionalResult
        With a certificate when every size was closed. ``iterations`` counts the parametric problems.

    Raises
    ------
    InvalidDataError
        g is not positive on some allowed set.
    """
    if watch is None:
        watch = Watch("certified", Clock(time_limit))
    n_features = program.size if n_features is None else n_features
    check_denominator(program, n_features)
    alone = float((program.c + np.diagonal(program.d)).min())
    least_step = ROUNDING_STEP * float(np.abs(program.b).max() + np.abs(program.a).max()) / alone
    support, bound, n_problems = best_known(program, n_features), math.inf, 0
    sizes = range(1, program.n_features + 1) if n_features is None else range(n_features, n_features + 1)
    run = None
    with watch.interruptible():
        support = tabu.search(program, n_features, stopped=watch.clock.stopped)
        while True:
            n_problems += 1
            value = program.value(support)
            watch.tell(value, bound)
            allowed = tolerance.allows(value)
            t = value + max(allowed - 4 * EPS * (allowed + abs(value)), least_step)
            run = _Run(program, t, watch, value, bound, set(sizes), len(support))
            try:
                run.prove_all()
            except BetterSet as better:
                support, bound = better.support, run.bound
                continue
            except OutOfTime:
                pass
            break
    bound = bound if run is None else run.bound
    value = program.value(support)
    watch.tell(value, bound)
    return FractionalResult(
        value=value,
        bound=bound,
        support=support,
        proved=bound - value <= tolerance.allows(value),
        certificate=None if run is None or run.open else run.certificate(n_features),
        iterations=n_problems,
        seconds=watch.clock.seconds,
        choice=None,
    )


@cache
def compile_kernels() -> None:
    """Solve tiny programs, once in a process: for trials that measure seconds."""
    rng = np.random.default_rng(1)
    X, y = rng.integers(4, size=(30, 20)), rng.integers(2, size=30)  # hard enough to need branching
    for program in (
        FractionalProgram.from_mrmr(X, y, count_own_entropy=True),
        FractionalProgram.from_cfs(X, y),
    ):
        certified(program, Tolerance(1e-6, 0.0))


@dataclass
class _Run:
    """The proofs for one threshold."""

    program: FractionalProgram
    t: float
    watch: Watch
    value: float
    known_bound: float  # proved before
    open: set[int]
    first: int
    proofs: dict[int, Proof] = field(default_factory=dict)
    least: dict[int, float] = field(default_factory=dict)  # of each open size, the best bound on F

    def __post_init__(self) -> None:
        self.form = ParametricForm.of(self.program, self.t)
        self.prover = Prover(self.form, self.watch.clock, self.open)

    def prove_all(self) -> None:
        """Close every size or raise."""
        self.prover.bounds.check_clock()
        self._screen(self.prover.weakest(self.first))
        self._try_pairs()
        while self.open:
            before = len(self.open)
            self._screen(self.prover.relax_whole(self._next()))
            if before - len(self.open) < PAYS:
                break
        while self.open:
            n_known, size = len(self.prover.rooted), self._next()
            self._close(size, self.prover.prove(size))
            self._tell()
            for known in self.prover.rooted[n_known:]:
                self._screen(known)

    def certificate(self, n_features: int | None) -> Certificate:
        """Return all proofs."""
        proofs = tuple(self.proofs[size] for size in sorted(self.proofs))
        return Certificate(self.form.t, n_features, tuple(self.prover.multipliers), proofs).without_unused()

    def _try_pairs(self) -> None:
        """Close the smallest sizes, up to the first few that this way fails on."""
        failures = 0
        for size in sorted(self.open):
            proof = self.prover.try_pairs(size)
            if proof is not None:
                self._close(size, proof)
            elif (failures := failures + 1) == ENOUGH_FAILURES:
                break

    @property
    def bound(self) -> float:
        """Proved upper bound on all ratios: t - F / g where F < 0 could not be excluded."""
        if not self.open:
            return self.t
        sizes = np.array(sorted(self.open))
        lacking = np.array([max(-self.least.get(size, -np.inf), 0.0) for size in sizes])
        if np.isinf(lacking).any():
            return self.known_bound
        least = np.array([self._least_denominator[size] for size in sizes])
        if least.min() <= 0:
            return self.known_bound
        return min(self.known_bound, self.t + float((lacking / least).max()))

    @cached_property
    def _least_denominator(self) -> dict[int, float]:
        """Of each size that was open when it is first asked for."""
        sizes = np.array(sorted(self.open))
        return dict(zip(sizes.tolist(), least_denominators(self.program, sizes).tolist(), strict=True))

    def _tell(self) -> None:
        if self.watch.verbose or self.watch.callback is not None:
            self.watch.tell(self.value, self.bound)

    def _screen(self, multipliers: Known) -> None:
        """Try multipliers on all open sizes, from the nearest on, and a point that closes one on those beside it."""
        for size in sorted(self.open, key=self._distance):
            if size not in self.open:
                continue
            proof, bound = self.prover.try_one(size, multipliers)
            self.least[size] = max(self.least.get(size, -np.inf), bound)
            if proof is not None:
                self._close(size, proof)
                self._close_beside(size, multipliers)
        self._tell()

    def _close_beside(self, size: int, multipliers: Known) -> None:
        """Go on to larger and to smaller sizes with the same point as long as it closes them."""
        ray = Ray.of(self.form, multipliers)
        for step in (1, -1):
            beside = size + step
            while beside in self.open and (proof := self.prover.along(ray, beside, multipliers)) is not None:
                self._close(beside, proof)
                beside += step

    def _close(self, size: int, proof: Proof) -> None:
        self.proofs[size] = proof
        self.open.remove(size)

    def _next(self) -> int:
        """The best set's size, then the middle of the longest run of open sizes: what closes it closes most others."""
        if self.first in self.open:
            return self.first
        sizes = np.array(sorted(self.open))
        runs = np.split(sizes, np.flatnonzero(np.diff(sizes) > 1) + 1)
        longest = max(runs, key=len)
        return int(longest[len(longest) // 2])

    def _distance(self, size: int) -> tuple[int, int]:
        return abs(size - self.first), size
