"""The numbers of the third notebook on merging and refitting: fewer trees, and how many leaves they have."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace import beyond
from compactml.chapters.pace.examples import merged_stumps
from compactml.chapters.pace.protocol import GENERATED_DEPTH
from compactml.chapters.pace.refitting import AS_DEEP, DEEPER_TREES, PRINTED, of_results
from compactml.chapters.pace.rows import stopping_limits
from compactml.chapters.pace.trials.paper import PACE, PRUNE
from compactml.study.recording.results import Results

__all__ = ["merged_example", "merging", "refits"]

THRIFTY, DEEP = "no more leaves", "as deep as allowed"


def merged_example(results: Results) -> dict[str, int]:
    """Return the leaves of three stumps, and of the tree that is their sum."""
    example = merged_stumps()
    return {
        "pace_merged_before": sum(stump.n_leaves for stump in example.stumps.learners),
        "pace_merged_after": example.tree.n_leaves,
    }


def merging(results: Results) -> dict[str, int | float]:
    """Return how many trees and leaves merging leaves of pruned stumps."""
    rows = results.rows("merging")
    merged = beyond.merging_table(rows, results.rows("table_4"))
    trees, leaves = (
        {way: merged[f"{what}, {way}"] for way in (PRUNE, THRIFTY, DEEP, PACE)}
        for what in ("trees", "leaves")
    )
    fewer_leaves_too = (trees[THRIFTY] < trees[PACE]) & (leaves[THRIFTY] <= leaves[PACE])
    return {
        "pace_merge": len(merged),
        "pace_merge_trees": int((trees[THRIFTY] < trees[PRUNE]).sum()),
        "pace_merge_leaves": int((leaves[THRIFTY] < leaves[PRUNE]).sum()),
        "pace_merge_half": percent(trees[THRIFTY], trees[PRUNE]),
        "pace_merge_share": percent(leaves[THRIFTY], leaves[PRUNE]),
        "pace_merge_deep": percent(trees[DEEP], trees[PRUNE]),
        "pace_merge_deep_share": percent(leaves[DEEP], leaves[PRUNE]),
        "pace_merge_pace": int(trees[PACE].notna().sum()),
        "pace_merge_pace_trees": int((trees[DEEP] < trees[PACE]).sum()),
        "pace_merge_pace_both": int(fewer_leaves_too.sum()),
        "pace_generated_depth": GENERATED_DEPTH,
        "pace_merge_points": int(rows["n_points"].sum()),
        "pace_merge_wrong": int(rows.loc[rows["certified"] == 1, "disagreements"].sum()),
    }


def percent(after: pd.Series, before: pd.Series) -> float:
    """The mean share that is left, in percent."""
    return float(100 * (after / before).mean())


def refits(results: Results) -> dict[str, int | float | str]:
    """Return how many trees and leaves refitting leaves of pruned ensembles, beside Pace and print."""
    rows, table = results.rows("refitting"), of_results(results)
    trees, as_deep = table[f"trees, {AS_DEEP}"], table[[f"trees, {AS_DEEP}", f"trees, {PACE}"]].dropna()
    certified = rows[["certified", "same_certified", "deeper_certified"]] == 1
    deeper = refitted_side(table, "deeper", DEEPER_TREES)
    return {
        **refitted_side(table, "same", AS_DEEP),
        **{name: value for name, value in deeper.items() if name != "pace_refit_deeper_leaves"},
        "pace_refit_pace": len(as_deep),
        "pace_refit_pace_trees": int((trees < table[f"trees, {PACE}"]).sum()),
        "pace_refit_points": int(rows["n_points"].sum()),
        "pace_refit_wrong": int(rows["disagreements"].sum()),
        "pace_refit_cases": len(rows),
        "pace_refit_uncertified": int((~certified).all(axis="columns").sum()),
        "pace_refit_same_seconds": float(rows["same_seconds"].median()),
        "pace_refit_deeper_seconds": float(rows["deeper_seconds"].median()),
        "pace_refit_limit": stopping_limits(rows) or "–",
    }


def refitted_side(table: pd.DataFrame, name: str, side: str) -> dict[str, int | float]:
    """Refitted ensembles of one depth beside pruned ones, where both are certified, and beside print."""
    both = table.dropna(subset=[f"trees, {PRUNE}", f"trees, {side}"])
    printed = table.dropna(subset=[f"trees, {side}", f"trees, {PRINTED}"])
    trees, leaves = (both[f"{what}, {side}"] / both[f"{what}, {PRUNE}"] for what in ("trees", "leaves"))
    return {
        f"pace_refit_{name}": len(both),
        f"pace_refit_{name}_trees": int((trees < 1).sum()),
        f"pace_refit_{name}_leaves": int((leaves < 1).sum()),
        f"pace_refit_{name}_larger": int((leaves > 1).sum()),
        f"pace_refit_{name}_share": float(100 * trees.mean()),
        f"pace_refit_{name}_leaf_share": float(100 * leaves.mean()),
        f"pace_refit_{name}_print": int((printed[f"trees, {side}"] <= printed[f"trees, {PRINTED}"]).sum()),
        f"pace_refit_{name}_beside": len(printed),
    }
