"""The numbers of the prose: each function returns those of a section, by the names under which notebooks quote them."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.feature_selection import beyond
from compactml.chapters.feature_selection import readings as forensics
from compactml.chapters.feature_selection.datasets import DATASETS, MEASURES
from compactml.chapters.feature_selection.judging import run_counts
from compactml.chapters.feature_selection.printed import (
    FULL_SET,
    HEURISTIC,
    PARAMETRIC,
    measure_of,
    printed_runs,
)
from compactml.chapters.feature_selection.protocol import SOLVER_LIMIT
from compactml.chapters.feature_selection.trials.solving import TIME_LIMIT
from compactml.study.judging.comparison import AGREEING, JUDGED, Agreement
from compactml.study.profile import Profile
from compactml.study.recording.origins import time_limits
from compactml.study.recording.results import Results
from compactml.study.recording.tables import counted_sides

__all__ = [
    "better_readings", "discretizers", "exact", "growth", "instances", "limits", "newton_gaps", "proofs", "readings",
    "sizes", "table_2", "table_3", "table_4", "table_5", "table_6", "table_7", "two_features",
]  # fmt: skip


def sizes(results: Results) -> dict[str, int]:
    """Return how many datasets have the numbers of features and rows that Table 1 prints."""
    here = results.rows("table_1").dropna(subset=["p", "p_here"])
    same = (here["p"].astype(int) == here["p_here"]) & (here["n"].astype(int) == here["n_here"])
    return {"fs_sizes": len(here), "fs_sizes_equal": int(same.sum())}


def limits(results: Results) -> dict[str, str]:
    """Return the seconds that a method has on the page, in the recorded run, and in the standard profile."""
    return {
        "fs_limit": time_limits(results.build("table_2")) or "no",
        "fs_limit_recorded": limits_met(results.recorded("table_3")),
        "fs_limit_standard": f"{SOLVER_LIMIT[Profile.STANDARD]:g}",
    }


def limits_met(runs: pd.DataFrame) -> str:
    """The limits that stopped some runs."""
    return time_limits(runs[runs["time_limit_reached"] == 1]) or "no"


def newton_gaps(results: Results) -> dict[str, str]:
    """Return between which values the proved gaps of Algorithm 2's stopped runs are."""
    runs = pd.concat([results.recorded(id) for id in ("table_3", "table_4")])
    stopped = (runs["method"] == PARAMETRIC[1]) & (runs["outcome"] == TIME_LIMIT)
    gaps = runs.loc[stopped, "gap_proved"]
    return {"fs_newton_least": f"{gaps.min():.1g}", "fs_newton_most": f"{gaps.max():,.0f}"}


def table_2(results: Results) -> dict[str, int]:
    """Return how the runs of Table 2 ended."""
    return endings(results, "table_2")


def table_3(results: Results) -> dict[str, int]:
    """Return how the runs of Table 3 ended."""
    return endings(results, "table_3")


def table_4(results: Results) -> dict[str, int]:
    """Return how the runs of Table 4 ended."""
    return endings(results, "table_4")


def endings(results: Results, id: str) -> dict[str, int]:
    """Return how the runs of Table 2, 3 or 4 ended, see `judging.run_counts`."""
    fits = forensics.fitting(results.recorded("readings"), measure_of(id))
    counts = run_counts(id, counted_sides(results.chapter, id, results.finished(id)), fits)
    return {f"fs_{id}_{name}": number for name, number in counts.items()}


def table_5(results: Results) -> dict[str, int]:
    """Return how many cells of Table 5 agree."""
    return {f"fs_table_5_{name}": scored_cells(results, "table_5")[name] for name in ("all", "open", "agree")}


def table_6(results: Results) -> dict[str, int]:
    """Return how many cells of Table 6 agree, and how many of the others are the heuristic's."""
    return {f"fs_table_6_{name}": number for name, number in scored_cells(results, "table_6").items()}


def table_7(results: Results) -> dict[str, int]:
    """Return how many cells of Table 7 agree, and how many of the others are the heuristic's."""
    return {f"fs_table_7_{name}": number for name, number in scored_cells(results, "table_7").items()}


def scored_cells(results: Results, id: str) -> dict[str, int]:
    """Return how many decided cells of Table 5, 6 or 7 agree, and how many of those that differ are the heuristic's.

    ``open`` are those whose standard errors are too large to tell. The full sets are left out: they are the same in
    every table, and no method has a part in them.
    """
    cells = results.counted_cells(id)
    judged_here = cells[cells["verdict"].isin(JUDGED) & (cells["method"] != FULL_SET)]
    differ = judged_here["verdict"] == Agreement.DIFFERS
    undecided = int((judged_here["verdict"] == Agreement.INCONCLUSIVE).sum())
    return {
        "all": len(judged_here) - undecided,
        "open": undecided,
        "agree": int(judged_here["verdict"].isin(AGREEING).sum()),
        "differ": int(differ.sum()),
        "heuristic": int((differ & (judged_here["method"] == HEURISTIC)).sum()),
    }


def readings(results: Results) -> dict[str, int]:
    """Return how many readings were tried, and how many instances one of them, and the one taken, explains."""
    trials = results.rows("readings")
    every = forensics.with_evidence(trials)
    overview, taken = forensics.overview(every), forensics.taken(trials, every)
    return {
        "fs_readings": len(every),
        "fs_instances_read": len(overview),
        "fs_instances_explained": int((overview["compatible"] != "none").sum()),
        "fs_taken": len(taken),
        "fs_taken_compatible": int((taken[forensics.COMPATIBLE] == "yes").sum()),
    }


def better_readings(results: Results) -> dict[str, int | str]:
    """Return the datasets of which another reading explains more than the one taken."""
    trials = results.rows("readings")
    datasets = forensics.better(trials, forensics.with_evidence(trials))["dataset"].unique()
    return {"fs_better_n": len(datasets), "fs_better": ", ".join(datasets)}


def discretizers(results: Results) -> dict[str, int | str]:
    """Return the discretiser that explains most, and how much."""
    trials = results.rows("readings")
    rules = forensics.discretizers(trials, forensics.with_evidence(trials))
    names = [text.replace("_", " ") for text in rules["discretizer"].head(1)]
    return {
        "fs_rule": "".join(names) or "none",
        "fs_rule_fits": int(rules["compatible instances"].head(1).sum()),
        "fs_rule_tried": int(rules["instances tried"].head(1).sum()),
    }


def two_features(results: Results) -> dict[str, int]:
    """Return on how many datasets print gives the heuristic for mRMR two features, and on how many of them we do."""
    printed_two = printed_runs("table_6").query("method == @HEURISTIC and n_selected == 2")["dataset"]
    ours = results.rows("heuristics")
    there = (ours["measure"] == "mrmr") & ours["dataset"].isin(printed_two) & (ours["n_selected"] == 2)
    return {"fs_two": len(printed_two), "fs_two_here": int(there.sum())}


def instances(results: Results) -> dict[str, int | str]:
    """Return the limits of the runs side by side, and how many problems and proofs are on readings that fit print."""
    ours = results.rows("beyond")
    table = beyond.all_instances(ours, beyond.reruns(results), results.recorded("readings"))
    compatible = table[table["fits print"] == "yes"]
    return {
        "fs_rerun_limits": limits_met(pd.concat(beyond.reruns(results))),
        "fs_own_limits": time_limits(ours),
        "fs_compatible": int((compatible["proved"] != "").sum()),
        "fs_compatible_proved": int((compatible["proved"] == "yes").sum()),
    }


def proofs(results: Results) -> dict[str, int | float]:
    """Return how many problems are proved here and in print, in all and by measure."""
    ours, printed = results.rows("beyond"), beyond.printed_best()
    proved = ours[ours["proved"] == 1]
    counts: dict[str, int | float] = {
        "fs_all_run": len(ours),
        "fs_all_proved": len(proved),
        "fs_verified": int(proved["certificate_verified"].sum()),
    }
    for measure in MEASURES:
        of_measure = proved[proved["measure"] == measure]
        counts |= {
            f"fs_{measure}_run": int((ours["measure"] == measure).sum()),
            f"fs_{measure}_proved": len(of_measure),
            f"fs_{measure}_median": float(of_measure["seconds"].median()),
            f"fs_{measure}_paper": int(printed.loc[printed["measure"] == measure, "proved"].sum()),
        }
    return counts


def exact(results: Results) -> dict[str, int | str]:
    """Return how many problems are proved to the sixth digit, and the sizes of the sets of CFS."""
    rows = results.rows("exact")
    features = {dataset.name: dataset.p for dataset in DATASETS}
    proved, cfs = rows["proved"] == 1, rows["measure"] == "cfs"
    left = [
        f"{row['dataset']} {row['n_selected']:.0f} of {features[row['dataset']]}"
        for row in rows[cfs & ~proved].to_dict("records")
    ]
    return {
        "fs_exact_largest": max((features[name] for name in rows["dataset"]), default=0),
        "fs_exact": f"{proved.sum()} of {len(rows)}",
        "fs_exact_open": ", ".join(left) or "none",
        "fs_exact_most": f"{rows.loc[cfs & proved, 'n_selected'].max():.0f}",
    }


def growth(results: Results) -> dict[str, float | str]:
    """Return the limits of the study of growth, and the smallest size with our time on it."""
    rows = results.rows("growth")
    ours = rows["method"] == beyond.OURS
    first = beyond.ratios(rows, PARAMETRIC[1]).head(1)
    return {
        "fs_growth_limit_own": time_limits(rows[ours]),
        "fs_growth_limit_other": time_limits(rows[~ours]),
        "fs_small_p": f"{first['p'].max():.0f}",
        "fs_small_own": float(first[beyond.OURS].max()),
    }
