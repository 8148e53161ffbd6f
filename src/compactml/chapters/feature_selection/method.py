"""What the first notebook shows: three features that can be worked through by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.feature_selection import relaxations
from compactml.chapters.feature_selection.pictures import figures
from compactml.chapters.feature_selection.pictures.slices import Slice, draw_slices
from compactml.feature_selection import FractionalProgram, FractionalResult, Tolerance, solve
from compactml.feature_selection.milp import milp1, milp2, milp3, value_disjunction
from compactml.feature_selection.parametric import binary_search, newton
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results

RELEVANCE = np.array([0.6, 0.5, 0.05])
"""Of the three features."""
REDUNDANCY = np.array([[0.7, 0.1, 0.05], [0.1, 0.6, 0.05], [0.05, 0.05, 0.5]])
DIAGONAL = np.array([0.6, 0.5, 0.45])
"""The vector y of the proof that fits on a card."""
TO_CLASS = np.array([0.5, 0.4, 0.1])
"""Symmetrical uncertainties of the three features with the class."""
OF_PAIRS = np.array([[0, 0.3, 0.05], [0.3, 0, 0.2], [0.05, 0.2, 0]])
SMALLEST, LARGEST = -1.0, 1.0
"""The interval that the binary search begins with."""
SIZES = {1: "one feature", 2: "two features", 3: "three features"}
LEFT = -0.27
"""Where the picture of the slices begins."""
MODELS = {"MILP1": milp1, "MILP2": milp2, "MILP3": milp3, "(12)": value_disjunction}
CFS_METHODS = ("milp1", "milp2", "binary_search", "newton")
"""Methods of the paper that take CFS."""


def mrmr_example() -> FractionalProgram:
    """Return mRMR of three features."""
    zero, ones = np.zeros(3), np.ones((3, 3))
    return FractionalProgram(zero, RELEVANCE[:, None] - REDUNDANCY, zero, ones, names="123", measure="mrmr")


def cfs_example() -> FractionalProgram:
    """Return CFS of three features."""
    return FractionalProgram(
        np.zeros(3), np.outer(TO_CLASS, TO_CLASS), np.ones(3), 2 * OF_PAIRS, names="123", measure="cfs"
    )


def sets(program: FractionalProgram) -> pd.DataFrame:
    """All nonempty sets of features of a small program, with f, g and f / g.

    Returns
    -------
    DataFrame
        Columns ``set`` (the names), ``f``, ``g``, ``value``; 2**p - 1 rows, smaller sets first.
    """
    p = program.n_features
    rows = []
    for size in range(1, p + 1):
        for chosen in combinations(range(p), size):
            j = list(chosen)
            f = program.a[j].sum() + program.b[np.ix_(j, j)].sum()
            g = program.c[j].sum() + program.d[np.ix_(j, j)].sum()
            names = ", ".join(program.names[i] for i in j)
            rows.append({"set": f"{{{names}}}", "f": f, "g": g, "value": f / g})
    return pd.DataFrame(rows)


def intervals(steps: Sequence[tuple[float, float]], lower: float, upper: float) -> pd.DataFrame:
    """The intervals that Algorithm 1 halves.

    Parameters
    ----------
    steps : sequence of (t, v(t))
    lower, upper : float
        The interval at first.

    Returns
    -------
    DataFrame
        Columns ``lower``, ``upper``, ``t``, ``v``: the interval that was halved, its middle, and v there.
    """
    rows = []
    for t, v in steps:
        rows.append((lower, upper, t, v))
        lower, upper = (t, upper) if v > 0 else (lower, t)
    return pd.DataFrame(rows, columns=["lower", "upper", "t", "v"])


def best_set() -> tuple[str, float]:
    """The best set of the example and its value."""
    every = sets(mrmr_example())
    best = every["value"].argmax()
    return every["set"].iloc[best], float(every["value"].iloc[best])


def solved(program: FractionalProgram, method: str) -> FractionalResult:
    """A small program, solved to the ninth digit by a method of the paper."""
    return solve(program, method=method, gap_rel=0.0, gap_abs=1e-9, time_limit=None)


def set_name(program: FractionalProgram, result: FractionalResult) -> str:
    """The set of a result, written as in `sets`."""
    return f"{{{', '.join(program.names[j] for j in result.support)}}}"


def _rounded(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers to six digits, without a negative zero."""
    numbers = frame.select_dtypes("number").columns
    return frame.assign(**{name: frame[name].round(6) + 0.0 for name in numbers})


def seven_sets(results: Results) -> ShownTable:
    """All sets of three features."""
    return show(
        _rounded(sets(mrmr_example())),
        name="feature_selection_seven_sets",
        caption="All sets of the example: numerator, denominator, value",
    )


def best_numbers(results: Results) -> dict[str, float | str]:
    """Return the best set of three features."""
    chosen, value = best_set()
    return {"fs_best": value, "fs_best_set": chosen}


def models(results: Results) -> ShownTable:
    """The four linear models on three features, and what each of them finds."""
    program, rows = mrmr_example(), []
    for name, build in MODELS.items():
        problem = build(program)
        result = solved(program, {"(12)": "value_disjunction"}.get(name, name.lower()))
        chosen = set_name(program, result)
        rows.append((name, problem.n_columns, problem.n_rows, chosen, result.value, str(result.choice)))
    return show(
        pd.DataFrame(rows, columns=["model", "columns", "rows", "set", "value", "solver"]).round(6),
        name="feature_selection_milps",
        caption="The four models on three features",
    )


def newton_steps() -> pd.DataFrame:
    """Newton's t and v(t) on three features."""
    run = newton(mrmr_example(), Tolerance(0.0, 1e-9))
    return pd.DataFrame([(step.t, step.value) for step in run.history], columns=["t", "v(t)"])


def newton_table(results: Results) -> ShownTable:
    """Newton's iterations."""
    return show(newton_steps().round(6), name="feature_selection_newton", caption="Newton's iterations")


def newton_figure(results: Results, width: float) -> Figure:
    """Newton's iterations on the upper envelope of seven lines."""
    return figures.parametric_function(sets(mrmr_example()), newton_steps()["t"].tolist(), width)


def bisection_steps() -> pd.DataFrame:
    """The intervals of a binary search for two digits on three features."""
    run = binary_search(mrmr_example(), Tolerance(0.01, 0.01), lower=SMALLEST, upper=LARGEST)
    return intervals([(step.t, step.value) for step in run.history], SMALLEST, LARGEST)


def bisection_figure(results: Results, width: float) -> Figure:
    """The intervals of the binary search."""
    return figures.binary_search(bisection_steps(), best_set()[1], width)


def bisection_table(results: Results) -> ShownTable:
    """The intervals of the binary search as numbers."""
    return show(bisection_steps().round(6), name="feature_selection_bisection", caption="The same as numbers")


def step_numbers(results: Results) -> dict[str, int]:
    """Return how many problems either algorithm solves on three features."""
    return {"fs_newton_steps": len(newton_steps()), "fs_bisection_steps": len(bisection_steps())}


def cfs_sets(results: Results) -> ShownTable:
    """CFS of all sets of three features, and the one that each method finds."""
    program = cfs_example()
    by_set = sets(program)
    for method in CFS_METHODS:
        chosen = set_name(program, solved(program, method))
        by_set[method] = np.where(by_set["set"] == chosen, "best", "")
    return show(
        _rounded(by_set),
        name="feature_selection_cfs_sets",
        caption="CFS of all sets, and the one that each method finds",
    )


def above(bound: float, value: float) -> float:
    """By how many per cent a bound is above a value."""
    return 100 * (bound / value - 1)


def relaxation_numbers(results: Results) -> dict[str, float]:
    """Return the bound on three features without their number fixed."""
    return {"fs_free": float(relaxations.free_bound(mrmr_example()))}


def slices() -> list[Slice]:
    """The slices of the proof on three features: all sets, sets of each size, and these with one multiplier."""
    program = mrmr_example()
    every = sets(program)
    sizes = every["set"].str.count(",") + 1
    of_size = {size: every.loc[sizes == size, "value"].to_list() for size in SIZES}
    bounds = {
        "One slice: all sets": {"all sets": relaxations.free_bound(program)},
        "A slice for each number of features": {
            SIZES[size]: relaxations.box_bound(program, size) for size in of_size
        },
        "The same, and a feature is in or out": {
            SIZES[size]: relaxations.diagonal_bound(program, size) for size in of_size
        },
    }
    values = {"all sets": every["value"].to_list()} | {SIZES[size]: of_size[size] for size in of_size}
    return [
        Slice(step, name, bound, values[name])
        for step, bound_of in bounds.items()
        for name, bound in bound_of.items()
    ]


def slices_figure(results: Results, width: float) -> Figure:
    """The slices of the proof on three features."""
    return draw_slices(slices(), best_set()[1], LEFT, width)


def card(results: Results) -> ShownTable:
    """The proof for three features: F of each size is at least its tangent at the best set of that size.

    A linear function over sets of l features is least at the l smallest of its coefficients.
    """
    convex, t = REDUNDANCY - np.diag(DIAGONAL), best_set()[1]
    proof = []
    for size in (1, 2, 3):
        point = (np.arange(3) < size).astype(float)
        linear = DIAGONAL - size * RELEVANCE
        gradient = 2 * convex @ point + linear
        value = point @ convex @ point + linear @ point + t * size**2
        at_least = value - gradient @ point + np.sort(gradient)[:size].sum()
        proof.append((size, round(float(at_least), 9) + 0.0))
    return show(
        pd.DataFrame(proof, columns=["l", "F is at least"]),
        name="feature_selection_card",
        caption="F of every set of l features at t = 0.175",
    )
