"""Programs whose coefficients are all tiny or all huge, brought near 1 by powers of two, and their results back.

The paper's MILPs hold f and g in their rows, where the solvers' tolerances are absolute: with coefficients of 1e-8
they prove bounds below the optimum. A power of two changes no digit, and the ratios change by its exact multiples.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult, Iterate, Tolerance
from compactml.watch import Watch

__all__ = ["CommonFactors"]

USUAL = 10
"""Nothing is done where the largest coefficient lies within 2**-USUAL and 2**USUAL."""


@dataclass(frozen=True)
class CommonFactors:
    """Exponents of two that f and g are multiplied with.

    Attributes
    ----------
    numerator, denominator : int
    """

    numerator: int
    denominator: int

    @classmethod
    def of(cls, program: FractionalProgram) -> CommonFactors:
        """Return what a program needs, most often none."""
        return cls(_exponent(program.a, program.b), _exponent(program.c, program.d))

    @property
    def ratio(self) -> int:
        """Exponent of f / g."""
        return self.numerator - self.denominator

    def program(self, program: FractionalProgram) -> FractionalProgram:
        """Return the scaled program; the same one where there is nothing to do."""
        if not self.numerator and not self.denominator:
            return program
        return FractionalProgram(
            np.ldexp(program.a, self.numerator),
            np.ldexp(program.b, self.numerator),
            np.ldexp(program.c, self.denominator),
            np.ldexp(program.d, self.denominator),
            names=program.names,
            features=program.features,
            measure=program.measure,
            size=program.size,
            preparation=program.preparation,
        )

    def tolerance(self, tolerance: Tolerance) -> Tolerance:
        """Scale the absolute tolerance."""
        return replace(tolerance, absolute=min(float(np.ldexp(tolerance.absolute, self.ratio)), 1e300))

    def watch(self, watch: Watch) -> Watch:
        """Return what a run of the scaled program tells its values to."""
        return _Unscaling(watch, self) if self.ratio else watch

    def result(
        self, program: FractionalProgram, tolerance: Tolerance, scaled: FractionalResult
    ) -> FractionalResult:
        """Return a result of the scaled program as one of the program itself."""
        if not self.numerator and not self.denominator:
            return scaled
        value = program.value(scaled.support) if scaled.support.size else scaled.value
        bound = max(self.down(scaled.bound), value)
        return replace(
            scaled,
            value=value,
            bound=bound,
            proved=bound - value <= tolerance.allows(value),
            history=tuple(map(self._iterate, scaled.history)),
        )

    def _iterate(self, iterate: Iterate) -> Iterate:
        value, bound = (float(np.ldexp(one, -self.numerator)) for one in (iterate.value, iterate.bound))
        return replace(
            iterate, t=self.down(iterate.t), value=value, bound=bound, gap_abs=self.down(iterate.gap_abs)
        )

    def down(self, ratio: float) -> float:
        """Return a ratio of the scaled program as one of the program itself."""
        return float(np.ldexp(ratio, -self.ratio))


class _Unscaling(Watch):
    """Passes news of a scaled program on."""

    def __init__(self, watch: Watch, factors: CommonFactors) -> None:
        super().__init__(watch.name, watch.clock)
        self._watch, self._factors = watch, factors

    def tell(self, value: float, bound: float) -> None:
        self._watch.tell(self._factors.down(value), self._factors.down(bound))

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        with self._watch.interruptible():
            yield


def _exponent(linear: np.ndarray, quadratic: np.ndarray) -> int:
    largest = max(np.abs(linear).max(), np.abs(quadratic).max())
    exponent = 1 - int(np.frexp(largest)[1])
    return exponent if largest > 0 and abs(exponent) > USUAL else 0
