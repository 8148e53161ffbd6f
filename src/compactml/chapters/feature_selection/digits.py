"""What the first notebook shows of real data: the digits that ship with scikit-learn."""

from __future__ import annotations

from functools import cache

import pandas as pd
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

from compactml.chapters.feature_selection import relaxations
from compactml.chapters.feature_selection.method import above
from compactml.chapters.feature_selection.pictures import figures
from compactml.feature_selection import (
    FractionalProgram,
    FractionalResult,
    Measures,
    measure,
    mrmr_program,
    solve,
)
from compactml.study.recording.results import Results

BOX, DIAGONAL, FULL = (
    "size fixed",
    "and one multiplier for x² = x",
    "a multiplier for each feature and pair",
)
"""Bounds by cardinality, as the legend has them."""
SIDE = 8
"""Pixels of a side of the digits."""


@cache
def solved_digits() -> tuple[Measures, FractionalProgram, FractionalResult]:
    """What the pixels of the digits tell, mRMR on them, and the best set."""
    data = load_digits(as_frame=True)
    measured = measure(data.data, data.target)
    program = mrmr_program(measured, count_own_entropy=True)
    best = solve(program, method="certified", gap_rel=1e-6, gap_abs=1e-9, time_limit=None)
    return measured, program, best


def pixels(results: Results, width: float) -> Figure:
    """What each pixel tells about the digit, and which are chosen."""
    measured, _, best = solved_digits()
    places, chosen = measured.features.tolist(), best.support.tolist()
    return figures.pixels(measured.relevance.tolist(), places, chosen, side=SIDE, width=width)


def numbers(results: Results) -> dict[str, int]:
    """Return how many pixels vary, and how many are chosen."""
    _, program, best = solved_digits()
    return {"fs_p": program.n_features, "fs_size": len(best.support)}


@cache
def bounds_by_cardinality() -> pd.DataFrame:
    """For some cardinalities ``l`` the best value on the digits and upper bounds on it."""
    _, program, best = solved_digits()
    rows = []
    for size in sorted({*range(5, program.n_features, 5), len(best.support)}):
        best_of_size = solve(
            program, method="certified", n_features=size, gap_rel=1e-6, gap_abs=1e-9, time_limit=None
        )
        rows.append(
            {
                "l": size,
                "best value": best_of_size.value,
                BOX: relaxations.box_bound(program, size),
                DIAGONAL: relaxations.diagonal_bound(program, size),
                FULL: relaxations.multiplier_bound(program, size),
            }
        )
    return pd.DataFrame(rows)


def bounds(results: Results, width: float) -> Figure:
    """The best value of each cardinality on the digits, and upper bounds on it."""
    free = relaxations.free_bound(solved_digits()[1])
    return figures.bounds_by_cardinality(bounds_by_cardinality(), free, width)


def bound_numbers(results: Results) -> dict[str, float]:
    """Return how far the bounds are above the optimum on the digits, in per cent, at the best cardinality."""
    _, program, best = solved_digits()
    bounds_of = bounds_by_cardinality().query("l == @best.support.size")
    bound_of = {
        "fs_real_free_gap": relaxations.free_bound(program),
        "fs_real_box_gap": bounds_of[BOX].item(),
        "fs_real_full_gap": bounds_of[FULL].item(),
    }
    return {name: above(float(bound), best.value) for name, bound in bound_of.items()}
