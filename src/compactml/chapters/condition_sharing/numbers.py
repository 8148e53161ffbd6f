"""The numbers of the prose: each function returns those of a section, by the names under which notebooks quote them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.condition_sharing import NAME, beyond, reasons
from compactml.chapters.condition_sharing.claims.common import ROW_ORDER
from compactml.chapters.condition_sharing.claims.panels import RELAXED
from compactml.chapters.condition_sharing.curves import mean_points
from compactml.chapters.condition_sharing.rows import CELL
from compactml.chapters.condition_sharing.trials.beyond import BANK_ROWS, GRID
from compactml.chapters.condition_sharing.trials.paper import LEARNERS
from compactml.chapters.condition_sharing.trials.relaxing import DYNAMIC_UP_TO
from compactml.study.judging.comparison import Agreement, same_digits
from compactml.study.page.words import named
from compactml.study.recording.published import published
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.recording.results import Results

__all__ = [
    "accuracy_ratios", "baseline", "cells", "curve_datasets", "differences", "evaluators", "growth", "older_releases",
    "relaxations", "rounding", "search", "speed", "tradeoff",
]  # fmt: skip

JUDGED = [Agreement.EVERY_DIGIT, Agreement.DIFFERS]
LATEST, NEAREST = (f"table_2{ending}" for ending in reasons.OLDER.values())


def judged_cells(results: Results, id: str) -> pd.DataFrame:
    """Return the cells of a printed table that have a value of ours."""
    comparison = results.comparison(id)
    return comparison[comparison["verdict"].isin(JUDGED)]


def cells(results: Results) -> dict[str, int]:
    """Return how many cells of Table 2 agree, and how many training paths the ensembles of this build changed."""
    judged_here = judged_cells(results, "table_2")
    trials = results.finished("table_2")
    return {
        "cells": len(judged_here),
        "agree": int((judged_here["verdict"] == Agreement.EVERY_DIGIT).sum()),
        "changed": sum(int(str(trial.result["paths_changed"])) for trial in trials),
        "ensembles": len(trials),
    }


def differences(results: Results) -> dict[str, int | str]:
    """Return how many cells of Table 2 differ, by reason."""
    comparison = results.comparison("table_2")
    differ = comparison[comparison["verdict"] == Agreement.DIFFERS]
    reason = differ["reason"]
    moving, unexplained = reason == reasons.ROUNDING, reason == "not explained"
    return {
        "differ": len(differ),
        "by_1_1_3": int((reason == reasons.BY_RELEASE["1.1.3"]).sum()),
        "by_1_1_0": int((reason == reasons.BY_RELEASE["1.1.0"]).sum()),
        "lost_order": int(reason.isin(ROW_ORDER.values()).sum()),
        "moving": int(moving.sum()),
        "moving_boosting": int((moving & (differ["learner"] == "GBoost")).sum()),
        "unexplained": int(unexplained.sum()),
        "unexplained_named": ", ".join(" ".join(cell) for cell in differ.loc[unexplained, CELL].to_numpy())
        or "none",
    }


def accuracy_ratios(results: Results) -> dict[str, int | str]:
    """Return how far the accuracies of Table 2 move by sharing."""
    ratios = results.recorded("table_2").query("measure == 'AR'")["value"].astype(float)
    return {
        "ratios": len(ratios),
        "ratios_close": int(((ratios - 1).abs() < 0.01).sum()),
        "ratios_lost": f"{(1 - ratios).max():.1%}",
        "ratios_gained": f"{(ratios - 1).max():.1%}",
    }


def older_releases(results: Results) -> dict[str, int | str]:
    """Return how many cells of Table 2 come out with older releases of scikit-learn."""
    printed = published(NAME, "table_2").set_index(CELL)["value"]

    def agreement(id: str) -> pd.Series:
        """Whether each cell shows every printed digit."""
        values = results.recorded(id).set_index(CELL)["value"]
        pairs = zip(values, printed.reindex(values.index), strict=True)
        return pd.Series([same_digits(*pair) for pair in pairs], index=values.index, dtype=bool)

    latest, nearest = agreement(LATEST), agreement(NEAREST)
    lost = nearest[~nearest].index.intersection(latest[latest].index)
    return {
        "older_trials": trials_behind(LATEST),
        "own_trials": trials_behind("table_2"),
        "older_left_out": _left_out(results.recorded("table_2"), results.recorded(LATEST)),
        "cells_1_1_0": len(nearest),
        "lost_1_1_0": len(lost),
        "lost_1_1_0_named": ", ".join(sorted(set(lost.get_level_values("dataset")))) or "none",
    }


def _left_out(ours: pd.DataFrame, older: pd.DataFrame) -> str:
    """Name the datasets that only the recent release has, with their learners unless all are missing."""
    panels = [set(zip(table["dataset"], table["learner"], strict=True)) for table in (ours, older)]
    lacking: dict[str, list[str]] = {}
    for dataset, learner in sorted(panels[0] - panels[1]):
        lacking.setdefault(dataset, []).append(learner)
    named = [
        name if len(learners) == len(LEARNERS) else f"{name} ({', '.join(learners)})"
        for name, learners in lacking.items()
    ]
    return ", ".join(named) or "none"


def trials_behind(id: str) -> int:
    """Return the number of trials behind a recorded table."""
    return int((recorded_provenance(NAME, id) or {"n_trials": 0})["n_trials"])


def rounding(results: Results) -> dict[str, str]:
    """Return in how many folds a boosted ensemble has other conditions without some instructions."""
    rows = results.recorded("rounding")

    def moved(machine: str, than: str, **chosen: str) -> str:
        part = rows[(rows[list(chosen)] == pd.Series(chosen)).all(axis="columns")]
        differ = part[f"NDC_{machine}"] != part[f"NDC_{than}"]
        return f"{differ.sum()} of {len(part)} folds" if len(part) else "(not yet recorded)"

    return {
        "moved_blood": moved("avx_512_off", "whole", dataset="blood", learner="ABoost"),
        "moved_blood_fma": moved("fma_off", "avx_512_off", dataset="blood", learner="ABoost"),
        "moved_gradient": moved("avx_512_off", "whole", learner="GBoost"),
    }


def curve_datasets(results: Results) -> dict[str, str]:
    """Return on how many of the paper's datasets Figs 4 and 5 are recorded."""
    return {"curve_datasets": f"{results.recorded('fig_4')['dataset'].nunique()} of {RELAXED}"}


def relaxations(results: Results) -> dict[str, int | str]:
    """Return what Figs 4 and 5 rest on.

    How many numbers came out again, how many relaxed ensembles keep their allowance, and, where the paper's program
    decided every node, at how many points our search has another accuracy.
    """
    equal, compared = results.repeated("fig_4", ["TeA", "NDC"])
    trials = results.finished("fig_4")
    certified = sum(int(str(trial.result["certified"])) for trial in trials)
    return {
        "points_equal": equal,
        "points_compared": compared,
        "certified": f"{certified} of {len(trials)}",
        **_by_search(mean_points(results.rows("fig_4"))),
    }


def _by_search(points: pd.DataFrame) -> dict[str, int | str]:
    """Our search beside the paper's program, at the points that the latter decided alone."""
    names = ["dataset", "learner", "level"]
    printed, ours = (points[points["method"] == name].set_index(names) for name in ("c", "c, search"))
    whole = printed["printed"] == 1
    moved = (printed["AR"] - ours["AR"])[whole].abs()
    return {
        "dynamic_up_to": f"{DYNAMIC_UP_TO / 1e9:.0f} billion",
        "printed_points": int(whole.sum()),
        "c_points": len(printed),
        "moved_points": int((moved > 1e-12).sum()),
        "moved_most": f"{moved.max():.1%}" if len(moved) else "none",
    }


def speed(results: Results) -> dict[str, float]:
    """Return how long sharing takes over ``apply``, at best and at worst."""
    ratio = results.recorded_or_build("speed")["ratio"]
    return {
        "worst": float(ratio.max()),
        "best": float(ratio.min()),
        "worst_build": float(results.build("speed")["ratio"].max()),
    }


def exponent(x: pd.Series, y: pd.Series) -> float:
    """Return the power of ``x`` that ``y`` grows with, by least squares over logarithms; not a number for one point."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0]) if len(x) > 1 else float("nan")


def growth(results: Results) -> dict[str, float | str]:
    """Return how time and memory of sharing grow with rows and nodes."""
    by_rows, by_nodes = results.recorded_or_build("growth_rows"), results.recorded_or_build("growth_nodes")
    row_seconds, node_seconds = (
        table["interval_seconds"] + table["set_seconds"] for table in (by_rows, by_nodes)
    )
    row_bytes = by_rows["peak_mib"] * 2**20 / by_rows["n_rows"]
    added = beyond.added_bytes(by_nodes)
    return {
        "max_rows": f"{by_rows['n_rows'].max():,}",
        "max_nodes": f"{by_nodes['n_nodes'].max():,}",
        "slope_rows": exponent(by_rows["n_rows"], row_seconds),
        "slope_nodes": exponent(by_nodes["n_nodes"], node_seconds),
        "last_nodes": added[-1],
        "row_bytes": f"{row_bytes.min():.0f} to {row_bytes.max():.0f}",
    }


def search(results: Results) -> dict[str, str]:
    """Return how many times faster the search is than the paper's dynamic program, for most intervals."""
    rows = results.recorded_or_build("search")
    faster = rows["seconds_dynamic"] / rows["seconds"]
    return {"search": f"{faster.iloc[-1]:,.0f}", "search_p": f"{rows['p'].max():,}"}


def evaluators(results: Results) -> dict[str, int | float | str]:
    """Return what fewer conditions buy in the two evaluators."""
    study = beyond.evaluator_study(results.recorded_or_build("evaluator"))
    plain_sharing, relaxed, original = (
        study[study["ensemble"] == label] for label in ("shared", "shared, c = 10 %", "original")
    )
    wide = (original["bytes per rank"] == 2).to_numpy()
    return {
        "bank_best": float(plain_sharing["bank, times faster"].max()),
        "bank_relaxed": float(relaxed["bank, times faster"].max()),
        "wide": int(wide.sum()),
        "narrowed": int((plain_sharing.loc[wide, "bytes per rank"] == 1).sum()),
        "narrowed_relaxed": int((relaxed.loc[wide, "bytes per rank"] == 1).sum()),
        "bank_rows": f"{BANK_ROWS:,}",
    }


def baseline(results: Results) -> dict[str, str]:
    """Return what the clustering does to the accuracy of the k-means curves of random forests.

    How often it falls from one number of clusters to the next larger one, and how far the optimum lies from random
    starts.
    """
    curves = mean_points(results.recorded("fig_4")).query("learner == 'RF'")
    points, started = (curves[curves["method"] == name] for name in ("k-means", "Lloyd"))
    steps = points.sort_values(["dataset", "level"]).groupby("dataset")["AR"].diff().dropna()
    accuracy, other = (one.set_index(["dataset", "level"])["AR"] for one in (points, started))
    apart = (accuracy - other).abs()
    return {
        "falls": f"in {(steps < 0).sum()} of {len(steps)} recorded steps" if len(steps) else "nan",
        "starts_apart": f"{apart.mean():.1%}" if len(apart) else "nan",
    }


def tradeoff(results: Results) -> dict[str, str]:
    """Return what both relaxations together gain over exceptions alone."""
    grids = beyond.tradeoff_grids(named(results.recorded_or_build("tradeoff"), results.chapter))
    smallest = beyond.smallest_of_grids(grids, 0.995)
    gaining = smallest["both, SR"] < smallest["c alone, SR"]
    at_edge = (smallest[["both, c", "c alone, c"]] == max(GRID)).any(axis="columns")
    chosen = {"gaining": gaining, "not_gaining": ~gaining, "at_edge": at_edge}
    return {
        **{name: ", ".join(smallest.loc[rows, "dataset"]) or "no dataset" for name, rows in chosen.items()},
    }
