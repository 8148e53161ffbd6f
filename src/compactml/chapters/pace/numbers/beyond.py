"""The numbers of the third notebook: forms of separation, certificates, merging, refitting, fipepy."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace import beyond, peers
from compactml.chapters.pace import separation as forms
from compactml.chapters.pace.figures import FORMS
from compactml.chapters.pace.pictures.refitting import AS_DEEP, DEEPER_TREES, of_results
from compactml.chapters.pace.trials.paper import PRUNE
from compactml.study.recording.results import Results

__all__ = ["checks", "engines", "fipepy", "merging", "outside", "refits"]

THRIFTY = "no more leaves"


def engines(results: Results) -> dict[str, int | float]:
    """Return how much faster our search is than the constraint form on the same weights."""
    rows = results.rows("engines")
    over_all = forms.engine_ratios(rows).iloc[-1]
    return {
        "pace_ratio_search": float(1 / over_all.get(FORMS["search"], float("nan"))),
        "pace_search_slower": forms.not_faster(rows, "search"),
        "pace_engines_cases": int(over_all["cases"]),
    }


def checks(results: Results) -> dict[str, int | str]:
    """Return how many certified ensembles were checked by predictions, at how many million points, and the others."""
    checked = beyond.checks_table(results.rows("checks").dropna(subset="final_size"))
    certified = checked[checked["certified"] == "yes"]
    return {
        "pace_checks": len(certified),
        "pace_checks_points": f"{certified['points'].sum() / 1e6:.0f}",
        "pace_checks_not": len(checked) - len(certified),
    }


def merging(results: Results) -> dict[str, float]:
    """Return the shares of the trees and leaves of pruned stumps that merging without a further leaf leaves."""
    merged = beyond.merging_table(results.rows("merging"), results.rows("table_4"))
    return {
        "pace_merge_half": percent(merged[f"trees, {THRIFTY}"], merged[f"trees, {PRUNE}"]),
        "pace_merge_share": percent(merged[f"leaves, {THRIFTY}"], merged[f"leaves, {PRUNE}"]),
    }


def refits(results: Results) -> dict[str, int | float]:
    """Return how many pruned ensembles refitting makes smaller, and the share of the trees with one more level."""
    both = of_results(results).dropna(subset=[f"trees, {PRUNE}", f"trees, {AS_DEEP}"])
    deeper = of_results(results).dropna(subset=[f"trees, {PRUNE}", f"trees, {DEEPER_TREES}"])
    return {
        "pace_refit_same": len(both),
        "pace_refit_same_trees": int((both[f"trees, {AS_DEEP}"] < both[f"trees, {PRUNE}"]).sum()),
        "pace_refit_deeper_share": percent(deeper[f"trees, {DEEPER_TREES}"], deeper[f"trees, {PRUNE}"]),
    }


def outside(results: Results) -> dict[str, float]:
    """Return the least agreement on all test rows of any certified run, in percent."""
    agreement = beyond.agreement_table(results.rows("table_1"))
    least = agreement[agreement["dataset"] == beyond.LEAST]
    return {"pace_outside": float(least["agree on all"].sum(min_count=1))}


def fipepy(results: Results) -> dict[str, float]:
    """Return how pruning compares with the published code of Fipe where both look for the fewest learners."""
    numbers = peers.peers_numbers(peers.peers_cases(), "l0")
    return {f"pace_fipepy_{name}": numbers[name] for name in ("both", "median")}


def percent(after: pd.Series, before: pd.Series) -> float:
    """The mean share that is left, in percent."""
    return float(100 * (after / before).mean())
