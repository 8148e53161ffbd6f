"""The numbers of the prose: each function returns those of a section, by the names under which notebooks quote them."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from compactml.chapters.feature_selection import beyond
from compactml.chapters.feature_selection import readings as forensics
from compactml.chapters.feature_selection.judging import run_counts
from compactml.chapters.feature_selection.printed import (
    FULL_SET,
    HEURISTIC,
    PARAMETRIC,
    measure_of,
    printed_runs,
)
from compactml.chapters.feature_selection.trials.scikit_feature import STOPPED_BY_RULE
from compactml.chapters.feature_selection.trials.solving import TIME_LIMIT
from compactml.study.judging.comparison import AGREEING, JUDGED, Agreement
from compactml.study.recording.origins import time_limits
from compactml.study.recording.results import Results
from compactml.study.recording.tables import counted_sides

__all__ = [
    "better_readings", "discretizers", "endings", "exact", "instances", "limits", "newton_gaps", "proofs", "readings",
    "scikit_feature", "scores", "taken", "two_features",
]  # fmt: skip


def limits_met(runs: pd.DataFrame) -> str:
    """The limits that stopped some runs."""
    return time_limits(runs[runs["time_limit_reached"] == 1]) or "no"


def newton_gaps(results: Results) -> dict[str, str]:
    """Return between which values the proved gaps of Algorithm 2's stopped runs are."""
    runs = pd.concat([results.recorded(id) for id in ("table_3", "table_4")])
    stopped = (runs["method"] == PARAMETRIC[1]) & (runs["outcome"] == TIME_LIMIT)
    gaps = runs.loc[stopped, "gap_proved"]
    return {"fs_newton_least": f"{gaps.min():.1g}", "fs_newton_most": f"{gaps.max():,.0f}"}


def endings(results: Results) -> dict[str, int]:
    """Return how many runs of Tables 2 to 4 were made, ended as in the paper, or otherwise."""
    every: Counter[str] = Counter()
    for id in ("table_2", "table_3", "table_4"):
        fits = forensics.fitting(results.recorded("readings"), measure_of(id))
        every.update(run_counts(id, counted_sides(results.chapter, id, results.finished(id)), fits))
    names = {"all": "runs", "agree": "agree", "differ": "differ", "differ_fitting": "differ_fitting"}
    return {f"fs_{name}": every[key] for key, name in names.items()}


def scores(results: Results) -> dict[str, int]:
    """Return how many sizes and scores of Tables 5 to 7 are decided, agree, and are too noisy to tell."""
    every: Counter[str] = Counter()
    for id in ("table_5", "table_6", "table_7"):
        every.update(scored_cells(results, id))
    return {"fs_decided": every["all"], "fs_decided_agree": every["agree"], "fs_noisy": every["open"]}


def scored_cells(results: Results, id: str) -> dict[str, int]:
    """Return how many cells of Table 5, 6 or 7 are decided, and how many of these agree.

    ``open`` are those whose standard errors are too large to tell. The full sets are left out: they are the same in
    every table, and no method has a part in them.
    """
    cells = results.counted_cells(id)
    judged_here = cells[cells["verdict"].isin(JUDGED) & (cells["method"] != FULL_SET)]
    undecided = int((judged_here["verdict"] == Agreement.INCONCLUSIVE).sum())
    return {
        "all": len(judged_here) - undecided,
        "open": undecided,
        "agree": int(judged_here["verdict"].isin(AGREEING).sum()),
    }


def readings(results: Results) -> dict[str, int]:
    """Return how many readings were tried, and how many problems one of them explains."""
    every = forensics.with_evidence(results.rows("readings"))
    overview = forensics.overview(every)
    return {
        "fs_readings": len(every),
        "fs_instances_read": len(overview),
        "fs_instances_explained": int((overview["compatible"] != "none").sum()),
    }


def taken(results: Results) -> dict[str, int]:
    """Return how many problems have a reading that Tables 2 to 7 take, and on how many it fits the printed numbers."""
    trials = results.rows("readings")
    rows = forensics.taken(trials, forensics.with_evidence(trials))
    return {"fs_taken": len(rows), "fs_taken_compatible": int((rows[forensics.COMPATIBLE] == "yes").sum())}


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
    runs = printed_runs("table_6")
    printed_two = runs.loc[(runs["method"] == HEURISTIC) & (runs["n_selected"] == 2), "dataset"]
    ours = results.rows("heuristics")
    there = (ours["measure"] == "mrmr") & ours["dataset"].isin(printed_two) & (ours["n_selected"] == 2)
    return {"fs_two": len(printed_two), "fs_two_here": int(there.sum())}


def scikit_feature(results: Results) -> dict[str, str]:
    """Return how many selections of the paper's program ended, and how many of these have the columns of our code."""
    rows = results.rows("heuristic_times")
    ended = rows["outcome"] == STOPPED_BY_RULE
    return {
        "fs_program_ended": f"{ended.sum()} of {len(rows)}",
        "fs_program_same": f"{(rows.loc[ended, 'as_ours'] == 1).sum()}",
    }


def instances(results: Results) -> dict[str, int]:
    """Return how many problems and proofs are on readings that fit the printed numbers."""
    ours = results.rows("beyond")
    table = beyond.all_instances(ours, beyond.reruns(results), results.recorded("readings"))
    compatible = table[table["fits print"] == "yes"]
    return {
        "fs_compatible": int((compatible["proved"] != "").sum()),
        "fs_compatible_proved": int((compatible["proved"] == "yes").sum()),
    }


def proofs(results: Results) -> dict[str, int]:
    """Return how many problems are proved here and in the paper."""
    ours, printed = results.rows("beyond"), beyond.printed_best()
    return {
        "fs_run": len(ours),
        "fs_proved": int((ours["proved"] == 1).sum()),
        "fs_paper": int(printed["proved"].sum()),
    }


def exact(results: Results) -> dict[str, str]:
    """Return how many problems are proved to the sixth digit, and how the open ones of CFS compare in size with them.

    That is how many open ones of CFS have a larger set than every proved one.
    """
    rows = results.rows("exact")
    proved, cfs = rows["proved"] == 1, rows["measure"] == "cfs"
    largest, left = rows.loc[cfs & proved, "n_selected"].max(), rows.loc[cfs & ~proved, "n_selected"]
    return {
        "fs_exact": f"{proved.sum()} of {len(rows)}",
        "fs_exact_larger": f"{(left > largest).sum()} of {len(left)}",
    }


def limits(results: Results) -> dict[str, str]:
    """Return the seconds that runs of the paper's methods and ours had, and those of the study of growth."""
    rows = results.rows("growth")
    ours = rows["method"] == beyond.OURS
    return {
        "fs_rerun_limits": limits_met(pd.concat(beyond.reruns(results))),
        "fs_own_limits": time_limits(results.rows("beyond")),
        "fs_growth_limit_own": time_limits(rows[ours]),
        "fs_growth_limit_other": time_limits(rows[~ours]),
    }
