"""Two statements that a small example refutes: Proposition 1's strict decrease, and the bound M in Fipe's l0 model.

The pages show the examples, and claims are checked on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.pace.weights.master import LinearMaster, reduced_cost
from compactml.solvers import MixedIntegerProgram, solve
from compactml.study.page.panels import legend_above, panels
from compactml.study.page.style import INK, PALETTE

__all__ = [
    "BOUNDED", "NewColumn", "big_m_picture", "degenerate_picture", "least_total", "new_column", "support_within",
]  # fmt: skip

PALE = 0.2
"""How much of a colour fills an area."""
FLAT, TILTED = np.array([[0.5], [0.5]]), np.array([[1.0], [-1.0]])
"""Margins of a learner on two samples, and of a new one."""
OPTIMAL_DUAL = np.array([2.0, 0.0])
"""One of the optimal duals of (P1) before the new learner."""
BOUNDED = np.array([[1.0, 0.0, 0.4], [1.0, 0.0, 0.4], [0.0, 1.0, 0.4]])
"""Margins of three learners on three samples: the third alone is enough, with a weight of 2.5."""


@dataclass(frozen=True)
class NewColumn:
    """What a new learner with margins (1, -1) changes beside one with margins (1/2, 1/2).

    Attributes
    ----------
    reduced_cost : float
        Of the new learner at the dual (2, 0).
    before, after : float
        Value of (P1).
    optimal : bool
        Whether that dual is optimal before.
    """

    reduced_cost: float
    before: float
    after: float
    optimal: bool


def new_column() -> NewColumn:
    """Solve (P1) on two samples without the new learner and with it."""
    with LinearMaster(FLAT) as master:
        before = master.solve().value
        master.add_columns(TILTED)
        after = master.solve().value
    feasible = bool((OPTIMAL_DUAL @ FLAT <= 1 + 1e-9).all())
    optimal = feasible and abs(OPTIMAL_DUAL.sum() - before) < 1e-9
    return NewColumn(float(reduced_cost(OPTIMAL_DUAL, TILTED[:, 0])), before, after, optimal)


def least_total(margins: NDArray[np.float64]) -> float:
    """Return the value of (P1): the least total weight with margins of 1."""
    with LinearMaster(margins) as master:
        return master.solve().value


def support_within(margins: ArrayLike, bound: float, solver: str = "auto") -> NDArray[np.float64]:
    """Weights of a smallest support for (P0) if no weight may exceed ``bound``, the M of ``w <= M z``.

    Parameters
    ----------
    margins : array-like of float, shape (m, k)
    bound : float
    solver : str, default "auto"

    Returns
    -------
    ndarray of float, shape (k,)
    """
    rows = np.asarray(margins, dtype=np.float64)
    m, k = rows.shape
    identity = np.eye(k)
    matrix = np.block([[rows, np.zeros((m, k))], [-identity, bound * identity]])
    lower = np.concatenate([np.ones(m), np.zeros(k)])
    upper = np.concatenate([np.full(k, bound), np.ones(k)])
    cost = np.concatenate([np.zeros(k), np.ones(k)])
    integral = np.arange(2 * k) >= k
    problem = MixedIntegerProgram(cost, sparse.csr_array(matrix), lower, np.inf, 0.0, upper, integral)
    found = solve(problem, solver).x
    assert found is not None  # the bound that leaves nothing feasible is not asked for
    return np.where(found[k:] > 0.5, found[:k], 0.0)


def degenerate_picture(width: float) -> Figure:
    """Oracle O3: on the left the weights with the new column, on the right the duals that the column cuts off."""
    fig, (primal, dual) = panels(2, 2, width, 3.4, 3.1)
    primal.fill([2, 4, 4], [0, 0, 1], color=PALETTE[0], alpha=PALE, lw=0)
    _line(primal, [0, 2], [1, 0], "sample 1: ½w₁ + w₂ ≥ 1", 0)
    _line(primal, [2, 4], [0, 1], "sample 2: ½w₁ - w₂ ≥ 1", 1)
    _line(primal, [0.8, 2], [1.2, 0], "w₁ + w₂ = 2", 2, dashed=True)
    _point(primal, 2, 0, "w = (2, 0)", (-66, 10))
    primal.set(xlim=(0, 4), ylim=(0, 1.2), xlabel="w₁, the first learner", ylabel="w₂, the new one")
    dual.fill_between([0, 2], [2, 0], color=PALETTE[0], alpha=PALE, lw=0)
    dual.fill([1, 2, 1.5], [0, 0, 0.5], color=PALETTE[1], alpha=2 * PALE, lw=0)
    _line(dual, [0, 2], [2, 0], "first learner: ½u₁ + ½u₂ ≤ 1", 0)
    _line(dual, [1, 3.2], [0, 2.2], "new one: u₁ - u₂ ≤ 1", 1)
    _point(dual, 2, 0, "(2, 0): cut off", (5, 7))
    _point(dual, 1, 1, "(1, 1): optimal", (6, 6))
    dual.set(xlim=(0, 3.2), ylim=(0, 2.2), xlabel="u₁", ylabel="u₂")
    for ax in (primal, dual):
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0))
    return fig


def big_m_picture(bound: float, width: float) -> Figure:
    """Oracle O2 in the plane w1 = w2: the box ``w <= M`` leaves out the only weights with one learner."""
    fig, ax = plt.subplots(figsize=(width, 3.2), layout="constrained")
    limit = 3.2
    w3 = np.array([0.0, 2.5, limit])
    ax.fill_between(w3, np.maximum(1 - 0.4 * w3, 0), 1.4, color=PALETTE[0], alpha=PALE, lw=0)
    ax.axvspan(bound, limit, color=PALETTE[1], lw=0, alpha=PALE)
    _line(ax, [0, 2.5], [1, 0], "all three samples: w₁ + 0.4 w₃ ≥ 1", 0)
    _line(ax, [bound, bound], [0, 1.4], f"Fipe's bound M = v₁ = {bound:g}", 1, dashed=True)
    _point(ax, 0, 1, "total 2, two learners", (10, 6))
    _point(ax, 2.5, 0, "one learner", (-22, 22))
    ax.set(xlim=(0, limit), ylim=(0, 1.4), xlabel="w₃", ylabel="w₁ = w₂")
    legend_above(fig, 2)
    return fig


def _line(ax: Axes, x: Sequence[float], y: Sequence[float], label: str, i: int, dashed: bool = False) -> None:
    style = "--" if dashed else "-"
    ax.plot(x, y, color=PALETTE[i], marker="", linestyle=style, linewidth=1.5, label=label)


def _point(ax: Axes, x: float, y: float, text: str, offset: tuple[float, float]) -> None:
    ax.plot(x, y, linestyle="none", marker="o", color=INK, clip_on=False, zorder=5)
    ax.annotate(text, (x, y), xytext=offset, textcoords="offset points")
