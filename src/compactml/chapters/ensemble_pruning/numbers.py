"""The numbers of the prose: each function returns those of a section, by the names under which notebooks quote them."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.ensemble_pruning import beyond, figures
from compactml.chapters.ensemble_pruning.claims.gaps import HALF_DIGIT
from compactml.chapters.ensemble_pruning.claims.orders import lead
from compactml.chapters.ensemble_pruning.protocol import PROTOCOLS
from compactml.chapters.ensemble_pruning.ranks import compare_ranks
from compactml.chapters.ensemble_pruning.rows import (
    BY_ACCURACY,
    BY_BALANCED_ACCURACY,
    Ranking,
    by_method,
    dataset_scores,
    papers_program,
    solver_names,
)
from compactml.chapters.ensemble_pruning.trials.paper import PROGRAM
from compactml.study.judging.comparison import AGREEING, JUDGED, Agreement
from compactml.study.profile import Profile
from compactml.study.recording.results import Results

__all__ = [
    "bounds", "diversity", "groups", "overfitting", "protocol", "ranks_by_accuracy", "ranks_by_balanced_accuracy",
    "table_2", "table_5",
]  # fmt: skip


def protocol(results: Results) -> dict[str, int | str]:
    """Return runs and limits of the profile "standard", and what of it is recorded."""
    standard = PROTOCOLS[Profile.STANDARD]
    recorded = results.recorded("table_4")
    folds = recorded[["dataset", "seed", "fold"]].drop_duplicates().groupby("dataset", sort=False).size()
    rows = results.rows("table_3")
    solvers = solver_names(rows[papers_program(rows)])
    return {
        "ep_runs_standard": len(standard.runs),
        "ep_limit_standard": f"{standard.limit:g}",
        "ep_sets_recorded": len(folds),
        "ep_least_recorded": int(folds.min()) if len(folds) else 0,
        "ep_plain_limit": f"{standard.plain_limit:g}",
        "ep_plain_solvers": ", ".join(sorted(set(solvers))) or "none yet",
    }


def agreement(cells: pd.DataFrame, id: str) -> dict[str, int]:
    """Return how many cells of a printed table are judged, and how many of them agree, differ, or are too noisy."""
    verdicts = cells["verdict"]
    decided = verdicts[verdicts.isin(JUDGED)]
    return {
        f"ep_{id}_all": len(decided),
        f"ep_{id}_agree": int(decided.isin(AGREEING).sum()),
        f"ep_{id}_differ": int((decided == Agreement.DIFFERS).sum()),
        f"ep_{id}_noisy": int((decided == Agreement.INCONCLUSIVE).sum()),
    }


def table_2(results: Results) -> dict[str, int]:
    """Return how many cells of Table 2 agree, of those that decide something."""
    counts = agreement(results.counted_cells("table_2"), "table_2")
    return {name: counts[name] for name in ("ep_table_2_all", "ep_table_2_agree")}


def table_5(results: Results) -> dict[str, int]:
    """Return how many cells of Table 5 agree."""
    return agreement(results.counted_cells("table_5"), "table_5")


def rank_tests(results: Results, id: str, ranking: Ranking) -> dict[str, str]:
    """Return the probability of Friedman's test on the methods of a table, with and without the full ensemble."""
    rows = results.rows(id)
    comparison = figures.rank_comparison(rows, ranking)
    if comparison is None:
        return {f"ep_{id}_p": "no", f"ep_{id}_p_pruned": "no"}
    pruned = compare_ranks(dataset_scores(rows, *ranking).drop(columns="FE"))
    return {f"ep_{id}_p": f"{comparison.p_value:.2g}", f"ep_{id}_p_pruned": f"{pruned.p_value:.2g}"}


def ranks_by_accuracy(results: Results) -> dict[str, str]:
    """Return the tests on Table 4's ranks."""
    return rank_tests(results, "table_4", BY_ACCURACY)


def ranks_by_balanced_accuracy(results: Results) -> dict[str, str]:
    """Return the tests on Table 6's ranks."""
    return rank_tests(results, "table_6", BY_BALANCED_ACCURACY)


def groups(results: Results) -> dict[str, int | str]:
    """Return which methods of Table 4 Nemenyi's test does not tell apart, and over how many datasets."""
    comparison = figures.rank_comparison(results.rows("table_4"), BY_ACCURACY)
    found = [f"{first} to {last}" for first, last in comparison.groups()] if comparison else []
    return {
        "ep_table_4_blocks": comparison.n_blocks if comparison else 1,
        "ep_table_4_groups": "; ".join(found) or "none",
    }


def bounds(results: Results) -> dict[str, int | float | str]:
    """Return on how many datasets the gap is closed, and how much branching closes of what cuts leave open."""
    rows = results.rows("bounds")
    table = beyond.bounds_table(rows)
    gap, papers = table["gap, whole method (%)"], table["paper's gap (%)"]
    both_closed = (gap < HALF_DIGIT) & (papers == 0)
    left_open = table[table["errors found"] > table["errors ≥, asummability"]]
    cuts = left_open["errors ≥, asummability"]
    closed = (left_open["errors ≥, branching"] - cuts) / (left_open["errors found"] - cuts)
    return {
        "ep_bound_sets": len(table),
        "ep_bound_solved": int((gap < 0.005).sum()),
        "ep_bound_by_solver": _by_solver(rows),
        "ep_bound_smaller": int((~both_closed & (gap < papers)).sum()),
        "ep_bound_equal": int(both_closed.sum()),
        "ep_bound_larger": ", ".join(table.loc[~both_closed & (gap > papers), "dataset"]) or "none",
        "ep_isotonic_seconds": float(rows["seconds_isotonic"].max()),
        "ep_closed_least": float(100 * closed.min()),
        "ep_closed_most": float(100 * closed.max()),
    }


def _by_solver(rows: pd.DataFrame) -> str:
    """On which datasets a solver made the proofs of our method, and which one, as words."""
    runs = rows[rows["kind"] == PROGRAM.name]
    shares = runs["solver"].notna().groupby(runs["dataset"]).mean()
    if not shares.any():
        return "always by its own bounds"
    names = [f"on {name}" for name in shares.index[shares == 1]]
    names += [f"in some runs on {name}" for name in shares.index[(shares > 0) & (shares < 1)]]
    solvers = sorted(set(solver_names(runs).str.split().str[0]))
    return f"{' and '.join(names)} by {' and '.join(solvers)} on our strengthened program"


def diversity(results: Results) -> dict[str, int | str]:
    """Return in how many runs F2 and F3 reach F1's value, where F3 does so least, and how many F1s F2 would allow."""
    rows = results.rows("table_4")
    table = beyond.diversity_table(rows)
    worst = table.assign(share=table["F3 reaches F1"] / table["runs"]).nsmallest(1, "share")
    return {
        "ep_f3_runs": int(table["runs"].sum()),
        "ep_f2_reaches": int(table["F2 reaches F1"].sum()),
        "ep_f3_reaches": int(table["F3 reaches F1"].sum()),
        "ep_f3_most": int(table["most lost by F3"].max()) if len(table) else 0,
        "ep_f3_worst": ", ".join(worst["dataset"]) or "no dataset",
        "ep_f1_diverse": int(beyond.diverse_anyway(rows).sum()),
    }


def overfitting(results: Results) -> dict[str, float | str]:
    """Return what methods lose from validation to test points, and which is best on these, with its lead on F1."""
    rows = results.rows("overfitting")
    table = beyond.overfitting_table(rows, beyond.OVERFITTING).set_index("method")
    loss = table["validation - test"].reindex(["F1", "FE"])
    numbers: dict[str, float | str] = {f"ep_loss_{name}": float(points) for name, points in loss.items()}
    tested = 100 * by_method(rows, "test_accuracy").reindex(columns=list(beyond.OVERFITTING)).dropna()
    if tested.empty:
        return numbers | {
            "ep_best_test": "none",
            "ep_best_lead": float("nan"),
            "ep_best_lead_error": float("nan"),
        }
    best = str(table["test"].idxmax())
    ahead = lead(tested[best] - tested["F1"])
    return numbers | {
        "ep_best_test": best,
        "ep_best_lead": ahead.mean,
        "ep_best_lead_error": ahead.error,
    }
