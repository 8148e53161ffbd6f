"""What the second notebook shows: the paper's tables as squares, its figures from our runs, and how they were run."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.pace import figures
from compactml.chapters.pace.pictures import histories, squares
from compactml.chapters.pace.protocol import (
    ALPHA,
    BETA,
    DEPTH,
    ISOLATION_SAMPLES,
    ISOLATION_TREES,
    PROTOCOLS,
    RUNS,
    WHOLE_SPACE_SIZE,
)
from compactml.chapters.pace.rows import at_limit, speedups, stopping_limits
from compactml.chapters.pace.tables import FORMS, RIVALS
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.study.page.html import ShownTable, show
from compactml.study.profile import Profile
from compactml.study.recording.origins import time_limits
from compactml.study.recording.results import Results

BOTH = "both"
"""The form that Figs 8 and 9 have and Figs 2 and 5 have not."""
LOST = "not in our copy of the text"


def note(results: Results, id: str) -> str:
    """Return where a table's rows come from, and the limits of the runs that one stopped."""
    limits, sources = stopping_limits(results.rows(id)), results.both_sources(id)
    return f"limit {limits} s | {sources}" if limits else sources


def how_it_was_run(results: Results) -> ShownTable:
    """What the paper's runs had, and ours."""
    tables = (results.recorded(id) for id in results.chapter.table_ids)
    limits = pd.concat([at_limit(rows) for rows in tables], ignore_index=True)["time_limit"]
    stopped = f"; stopped ones had {limits.min():g} to {limits.max():g}" if len(limits) else ""
    standard, paper = PROTOCOLS[Profile.STANDARD], PROTOCOLS[Profile.PAPER]
    here = time_limits(results.build("table_1")) or "none"
    shares = {ensemble: f"α = {ALPHA[ensemble]:g}, β = {BETA:g}" for ensemble in (RANDOM_FOREST, ADABOOST)}
    rows = {
        "bins of a feature": ("ten of equal frequency, or of equal width if one is empty", "the same, of all values"),
        "rows that train": ("not stated", "80 %"),
        "repetitions": (str(len(RUNS)), f"{len(standard.whole_space_seeds)} in Table 4, else {len(standard.seeds)}"),
        "seconds of a run": (f"{paper.limit:,.0f}", f"{standard.limit:g} recorded{stopped}; in this build {here}"),
        "threads of a run": ("8", "1"),
        "(P1) and (P0)": ("Gurobi 10", "HiGHS, and our search with the solver at hand"),
        "separation": ("CP-SAT 9.14", "our search, CP-SAT where it takes long; Figs 2, 5, 8 and 9: as named there"),
        "Table 1": (LOST, f"depth {DEPTH[RANDOM_FOREST]}, {shares[RANDOM_FOREST]}, inferred"),
        "Table 3": (LOST, f"depth {DEPTH[ADABOOST]}, {shares[ADABOOST]}, chosen"),
        "Table 4": (LOST, f"{WHOLE_SPACE_SIZE} stumps, inferred"),
        "isolation forest": ("not stated", f"{ISOLATION_TREES} trees on {ISOLATION_SAMPLES} rows each"),
    }  # fmt: skip
    return show(
        pd.DataFrame.from_dict(rows, orient="index", columns=["the paper", "here"]),
        name="pace_how",
        caption="How it was run",
    )


def table_1(results: Results, width: float) -> Figure:
    """Table 1 as squares."""
    return squares.sizes(results, "table_1", width)


def table_2(results: Results, width: float) -> Figure:
    """Table 2 as squares."""
    return squares.data(results, width)


def table_3(results: Results, width: float) -> Figure:
    """Table 3 as squares."""
    return squares.sizes(results, "table_3", width)


def table_4(results: Results, width: float) -> Figure:
    """Table 4 as squares."""
    return squares.sizes(results, "table_4", width)


def loops(results: Results, width: float) -> Figure:
    """Figs 2 and 5, with the form "both" of Figs 8 and 9 beside them, and the samples of these below."""
    parts = []
    for name, ids in {"random forests": ("fig_2", "fig_8"), "AdaBoost": ("fig_5", "fig_9")}.items():
        first, second = (results.rows(id) for id in ids)
        both = pd.concat([first, second[second["method"] == BOTH]], ignore_index=True)
        every = [form for form in figures.FORMS if form in (*RIVALS, BOTH)]
        parts.append(figures.Measured(name, both, "seconds", "seconds", every))
        parts.append(figures.Measured(name, second, "n_samples", "points added", FORMS))
    return figures.forms([*parts[::2], *parts[1::2]], width)


def factors(results: Results) -> ShownTable:
    """Time of the other forms over that of the constraint form."""
    parts = {
        name: speedups(rows, ["objective", "milp", "search"])
        for name, rows in _of_both(results, "fig_2", "fig_5").items()
    }
    table = pd.concat(parts, names=["ensemble"]).droplevel(1).reset_index()
    return show(
        table.round(2),
        name="pace_factors",
        caption="Time over that of the constraint form, geometric means over the runs that it finished; a run at its "
        "limit counts with it",
        note=note(results, "fig_5"),
    )


def regions(results: Results, width: float) -> Figure:
    """Figs 3, 4, 6 and 7."""
    names = {
        "fig_3": "Compas, forest",
        "fig_4": "Fico, forest",
        "fig_6": "Compas, AdaBoost",
        "fig_7": "Fico, AdaBoost",
    }
    return figures.regions({name: results.rows(id) for id, name in names.items()}, width)


def generation(results: Results, width: float) -> Figure:
    """Figs 10 and 11, priced by CART as in the paper."""
    return histories.histories(_of_both(results, "fig_10", "fig_11"), "cart", width)


def _of_both(results: Results, forests: str, adaboost: str) -> dict[str, pd.DataFrame]:
    return {"random forests": results.rows(forests), "AdaBoost": results.rows(adaboost)}
