"""Dual values of the master LP as integers, so that no comparison in pricing is subject to rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.instance import MOST_WEIGHT, Clause, Instance
from compactml.errors import InvalidDataError, check_instance, check_integer

__all__ = ["UNIT", "Duals"]

UNIT = 1 << 20
"""Duals are whole multiples of 1 / UNIT."""


@dataclass(frozen=True)
class Duals:
    """Integer duals: ``mu[u]`` of (2), summed over equal rows, and ``price`` = lambda of (3), in units of 1 / UNIT.

    Attributes
    ----------
    mu : ndarray of int64, shape (U,)
        ``0 <= mu[u] <= UNIT * positives[u]``.
    price : int
        Not negative.

    Raises
    ------
    InvalidDataError
        ``mu`` is no vector of int64.
    InvalidParameterError
        ``price`` is no integer of at least 0.

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.boolean_rules import UNIT, Duals, Instance, Literals
    >>> y = np.array([True, True, False, False])
    >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    >>> instance = Instance.from_codes(X, y, Literals.binary(["a", "b"]))
    >>> duals = Duals.left_by(instance, [])
    >>> duals.value(complexity=2) // UNIT, duals.f(instance, (0,)) // UNIT  # both positives, by the clause "a"
    (2, 2)
    """

    mu: NDArray[np.int64]
    price: int

    def __post_init__(self) -> None:
        mu: Any = self.mu
        if not isinstance(mu, np.ndarray) or mu.ndim != 1 or mu.dtype != np.int64:
            raise InvalidDataError("mu", "a vector of int64", f"{getattr(mu, 'dtype', type(mu).__name__)}")
        check_integer("price", self.price, 0, MOST_WEIGHT * UNIT)

    def check(self, instance: Instance) -> None:
        """Raise `InvalidDataError` unless there is one for each row of the instance."""
        check_instance("instance", instance, Instance)
        n = len(instance.codes)
        if self.mu.shape != (n,):
            raise InvalidDataError("duals", f"{n} mu, one for each row of the instance", f"{len(self.mu)}")

    @classmethod
    def rounded(cls, instance: Instance, mu: NDArray[np.float64], price: float, *, step: int = 1) -> Duals:
        """Nearest duals inside their box: mu to the next multiple of ``step`` below, the price to the next above."""
        whole = np.floor(mu * (UNIT / step)).astype(np.int64) * step
        return cls(np.clip(whole, 0, instance.positives * UNIT), max(int(np.ceil(price * UNIT)), 0))

    @classmethod
    def left_by(cls, instance: Instance, rules: list[Clause]) -> Duals:
        """No price, and mu = p where no clause of ``rules`` covers, 0 elsewhere: f is what one more clause gains."""
        free = np.ones(len(instance.codes), dtype=bool)
        for clause in rules:
            free &= ~instance.covered(clause)
        return cls(np.where(free, instance.positives * UNIT, 0), 0)

    def value(self, complexity: int) -> int:
        """Dual objective, sum mu - C lambda, in units of 1 / UNIT."""
        return int(self.mu.sum()) - complexity * self.price

    def f(self, instance: Instance, clause: Clause) -> int:
        """The negative of a clause's reduced cost (5), in units of 1 / UNIT."""
        rows = instance.covered(clause)
        gain = int(self.mu[rows].sum()) - UNIT * int(instance.negatives[rows].sum())
        return gain - self.price * (1 + len(clause))
