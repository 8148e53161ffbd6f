"""What the first notebook shows of the method: two trees and four points, a sweep, exceptions, the printed slips."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.condition_sharing import figures, trees
from compactml.condition_sharing import (
    SharedEnsemble,
    minimum_intersecting_set,
    minimum_intersecting_set_dynamic,
    share_conditions,
)
from compactml.condition_sharing.errata import DEFECTS, PrintedAlgorithmError, as_printed
from compactml.condition_sharing.example import figure_1 as example
from compactml.study.page.html import ShownTable, show
from compactml.study.recording.results import Results

SWEPT = [1, 2, 5, 7, 3], [4, 6, 8, 9, 5]
"""Lower and upper ends of the five intervals of the sweep."""
EXCEPTED = [0, 0, 3, 3, 6, 9], [1, 10, 4, 8, 7, 10]
PRINTED = [0.0, 0.0, 2.0, 4.0], [1.0, 5.0, 3.0, 5.0]


def shared_example() -> SharedEnsemble:
    """The forest of Fig 1, shared."""
    return share_conditions(*example())


def figure_1(results: Results, width: float) -> Figure:
    """Fig 1."""
    forest, X = example()
    return figures.figure_1(forest, share_conditions(forest, X), X, width)


def both_forests(results: Results, width: float) -> Figure:
    """The trees of Fig 1 before and after sharing, a colour a distinct condition."""
    forest, X = example()
    return trees.before_and_after(forest, share_conditions(forest, X).ensemble_, width)


def example_numbers(results: Results) -> dict[str, int]:
    """Return conditions before and after, paths, and those that changed."""
    shared = shared_example()
    certificate = shared.certificate_
    assert certificate is not None
    return {
        "before": shared.n_conditions_before_,
        "after": shared.n_conditions_after_,
        "paths": certificate.n_paths,
        "changed": certificate.n_paths_changed,
    }


def intervals(results: Results) -> ShownTable:
    """The interval of each node of Fig 1."""
    nodes = shared_example().intervals_
    assert nodes is not None
    table = pd.DataFrame(
        {
            "tree": nodes.tree + 1,
            "feature": nodes.feature + 1,
            "old threshold": nodes.threshold,
            "lower end": nodes.lower,
            "upper end (open)": nodes.upper,
        }
    )
    return show(
        table.sort_values(["feature", "tree"], ignore_index=True),
        name="figure_1_intervals",
        caption="The admissible interval of each node",
    )


def sweep_numbers(results: Results) -> dict[str, str]:
    """Return the points that hit five intervals."""
    points, _ = minimum_intersecting_set(*SWEPT)
    return {"points": " and ".join(f"{point:g}" for point in points)}


def sweep(results: Results) -> ShownTable:
    """Five intervals and the point of each."""
    points, group = minimum_intersecting_set(*SWEPT)
    table = pd.DataFrame(
        {
            "interval": [f"[{lower}, {upper})" for lower, upper in zip(*SWEPT, strict=True)],
            "group": group + 1,
            "point": [f"{points[index]:g}" for index in group],
        }
    )
    return show(table, name="sweep", caption="Five intervals, hit by two points")


def exceptions(results: Results) -> ShownTable:
    """Points needed by number of exceptions, by both algorithms."""
    algorithms = {
        "points, ours": minimum_intersecting_set,
        "points, the paper's table": minimum_intersecting_set_dynamic,
    }
    counts = {
        name: [len(solve(*EXCEPTED, exceptions=c)[0]) for c in range(6)] for name, solve in algorithms.items()
    }
    return show(
        pd.DataFrame({"exceptions c": range(6), **counts}),
        name="exceptions",
        caption="Points needed for [0,1), [0,10), [3,4), [3,8), [6,7), [9,10)",
    )


def errata_numbers(results: Results) -> dict[str, int | str]:
    """Return the number of slips, and the minimum that comes out once all are mended."""
    return {"defects": len(DEFECTS), "minimum": str(minimum_intersecting_set(*PRINTED)[0].tolist())}


def errata(results: Results) -> ShownTable:
    """The printed algorithms carried out literally, and with one slip after the other mended."""
    rows = []
    names = list(DEFECTS)
    for n in range(len(names) + 1):
        try:
            outcome = f"points {as_printed(*PRINTED, 0, mended=frozenset(names[:n]))}"
        except PrintedAlgorithmError as error:
            outcome = str(error)
        mended = DEFECTS[names[n - 1]] if n else "nothing: as printed"
        rows.append({"mended so far": mended, "outcome": outcome})
    return show(
        pd.DataFrame(rows),
        name="errata",
        caption="Intervals [0,1), [0,5), [2,3), [4,5), no exception allowed",
    )
