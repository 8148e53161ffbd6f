"""Tables of the Pace chapter's third notebook: exact pricing, re-checks, merging, agreement, bounds, Fipe, forests."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pandas as pd

from compactml.chapters.pace.rows import ENSEMBLES, in_order, in_table_order, setting_text, sizes_of
from compactml.chapters.pace.trials.beyond import TOLERANCE
from compactml.chapters.pace.trials.paper import FIPE, FIPE_L1, PACE, PRUNE
from compactml.chapters.pace.trials.scale import Scaled
from compactml.study.recording.results import Results

__all__ = [
    "FOREST", "LEAST", "agreement_table", "bounded_rows", "bounds_table", "checks_table", "fipe_table",
    "largest_forests", "leaves_table", "measured_forests", "merging_table", "pricing_sizes", "pricing_table",
]  # fmt: skip

PRICINGS = ("cart", "exact")
LEAST = "least of all runs"
FOREST = ["dataset", "n_learners", "depth", "alpha"]
MEASURED = [one.name for one in fields(Scaled) if one.name != "error"]


def pricing_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the value of (P1) on a fixed S, before generation and after it by CART and exactly: means over runs.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "pricing".

    Returns
    -------
    DataFrame
        A row per dataset: ``samples``, ``start``, for both pricings ``value``, ``learners``, ``r`` and ``seconds``, and
        ``proved`` (of how many runs) and ``lower by (%)``, of the exact one against CART.
    """
    runs = rows[rows["kind"] == "pricing"]
    parts: dict[str, pd.Series] = {}
    for name in PRICINGS:
        groups = runs[runs["method"] == name].groupby("dataset")
        if name == PRICINGS[0]:
            parts["samples"], parts["start"] = groups["n_samples"].mean(), groups["lp_value_start"].mean()
        parts[f"value, {name}"] = groups["lp_value"].mean()
        parts[f"learners, {name}"] = groups["n_generated"].mean()
        r = groups["reduced_cost"].mean()
        parts[f"r, {name}"] = r.where(r.abs() > TOLERANCE, 0.0)
        parts[f"seconds, {name}"] = groups["seconds"].mean()
        parts[f"proved, {name}"] = groups["proved"].sum()
    table = pd.DataFrame(parts).drop(columns="proved, cart")  # a heuristic proves nothing
    table["lower by (%)"] = 100 * (1 - table["value, exact"] / table["value, cart"])
    return table.reindex(in_order(list(table.index))).rename_axis("dataset").reset_index()


def pricing_sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """Return final sizes and leaves of Pace with both pricings, by dataset and depth of the generated trees.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``depth of new trees`` and for both pricings ``size``, ``leaves``, ``certified``.
    """
    runs = rows[rows["kind"] == "compress"].copy()
    runs["depth of new trees"] = runs["generated_depth"].fillna(runs["depth"]).astype(int)
    keys = ["dataset", "depth of new trees"]
    parts = {}
    for name in PRICINGS:
        groups = runs[runs["pricing"] == name].groupby(keys)
        parts[f"size, {name}"] = groups["final_size"].mean()
        parts[f"leaves, {name}"] = groups["total_leaves"].mean()
        parts[f"certified, {name}"] = groups["certified"].min() == 1
    return in_table_order(pd.DataFrame(parts).reset_index(), keys)


def checks_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return certificates that are checked by scikit-learn's predictions alone.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "checks".

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``ensemble``, ``setting``, ``alpha``, ``beta``, ``size``, ``certified``, ``points``,
        ``all of the region``, ``disagreements``; uncertified ensembles may disagree.
    """
    table = pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "ensemble": rows["ensemble"].map(ENSEMBLES),
            "setting": [setting_text(*one) for one in zip(rows["n_learners"], rows["depth"], strict=True)],
            "alpha": rows["alpha"],
            "beta": rows["beta"],
            "size": rows["final_size"],
            "certified": np.where(rows["certified"] == 1, "yes", "no"),
            "points": rows["n_points"],
            "all of the region": np.where(rows["exhaustive"] == 1, "yes", "no"),
            "disagreements": rows["disagreements"],
        }
    )
    return in_table_order(table, ["dataset", "ensemble", "alpha"])


def leaves_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return learners and leaves before, after pruning only and after Pace; certified runs alone.

    Parameters
    ----------
    rows : DataFrame
        Rows of Table 1 or 3.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``N``, and ``learners`` and ``leaves`` of each.
    """
    both = rows[rows["method"].isin([PRUNE, PACE]) & (rows["certified"] == 1)]
    groups = both.groupby(["dataset", "n_learners", "method"])[["final_size", "total_leaves"]].mean()
    wide = groups.unstack("method").dropna()  # noqa: PD010, nothing to add up
    initial = both.groupby(["dataset", "n_learners"])["initial_leaves"].mean()
    table = pd.DataFrame({"leaves, initial": initial.reindex(wide.index)})
    for method in (PRUNE, PACE):
        for measure, name in (("final_size", "learners"), ("total_leaves", "leaves")):
            table[f"{name}, {method}"] = wide.get((measure, method), np.nan)
    return in_table_order(table.rename_axis(["dataset", "N"]).reset_index(), ["dataset", "N"])


def merging_table(rows: pd.DataFrame, whole_space: pd.DataFrame) -> pd.DataFrame:
    """Return trees and leaves of pruned stumps before and after merging, and of Pace; means over certified runs.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "merging".
    whole_space : DataFrame
        Rows of Table 4.

    Returns
    -------
    DataFrame
        A row per dataset and ensemble: ``trees`` and ``leaves`` of "Pruning only", "no more leaves", "as deep as
        allowed" and "Pace" (missing where nothing is certified).
    """
    keys = ["dataset", "ensemble"]
    groups = rows[rows["certified"] == 1].groupby(keys)
    sides = {PRUNE: "final_size", "no more leaves": "thrifty_size", "as deep as allowed": "merged_size"}
    leaves = {
        PRUNE: "total_leaves",
        "no more leaves": "thrifty_leaves",
        "as deep as allowed": "merged_leaves",
    }
    table = pd.DataFrame({f"trees, {name}": groups[column].mean() for name, column in sides.items()})
    for name, column in leaves.items():
        table[f"leaves, {name}"] = groups[column].mean()
    pace = whole_space[(whole_space["method"] == PACE) & (whole_space["certified"] == 1)].groupby(keys)
    for measure, column in (("trees", "final_size"), ("leaves", "total_leaves")):
        table[f"{measure}, {PACE}"] = pace[column].mean().reindex(table.index)
    frame = in_table_order(table.reset_index(), ["ensemble", "dataset"])
    return frame.assign(ensemble=frame["ensemble"].map(ENSEMBLES))


def agreement_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return how many test rows are in the region, how often predictions agree, and the accuracy before and after.

    Parameters
    ----------
    rows : DataFrame
        Rows of Table 1 or 3.

    Returns
    -------
    DataFrame
        Percentages, means over the certified runs of Pace; a row per dataset, and last the least of any run.
    """
    measures = {
        "region_share": "in the region",
        "region_fidelity": "agree in the region",
        "fidelity": "agree on all",
        "initial_accuracy": "accuracy before",
        "accuracy": "accuracy after",
    }
    runs = rows[(rows["method"] == PACE) & (rows["certified"] == 1)]
    means = runs.groupby("dataset")[list(measures)].mean()
    means = means.reindex(in_order(list(means.index)))
    if len(runs):
        means.loc[LEAST] = runs[list(measures)].min()
    return (100 * means).rename(columns=measures).rename_axis("dataset").reset_index()


def bounded_rows(results: Results) -> pd.DataFrame:
    """Return the rows of the tables of which sizes are compared with their lower bounds."""
    ids = ("table_1", "table_3", "table_4")
    return pd.concat([results.rows(id) for id in ids], ignore_index=True)


def bounds_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return size and proved lower bound of (P0) on the final samples and pool; certified runs alone.

    Parameters
    ----------
    rows : DataFrame
        Rows of Table 1, 3 or 4, or of the comparison with Fipe.

    Returns
    -------
    DataFrame
        Columns ``method``, ``size`` (1 to 4, more), ``ensembles``, ``proved``, and of those not proved ``median gap``
        and ``largest gap``.
    """
    certified = rows[rows["method"].isin([PRUNE, PACE, FIPE]) & (rows["certified"] == 1)].dropna(
        subset="lower_bound"
    )
    labels = np.where(certified["final_size"] <= 4, "at most 4", "5 and more")
    gap = certified["final_size"] - certified["lower_bound"]
    marked = certified.assign(size=labels, proved=gap == 0, gap=gap.where(gap > 0))
    groups = marked.groupby(["method", "size"])
    return pd.DataFrame(
        {
            "ensembles": groups.size(),
            "proved": groups["proved"].sum(),
            "median gap": groups["gap"].median(),
            "largest gap": groups["gap"].max(),
        }
    ).reset_index()


def fipe_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return certified sizes and seconds of pruning only, and of Fipe with both norms.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "fipe".

    Returns
    -------
    DataFrame
        A row per dataset and ensemble: ``size`` (missing where not certified) and ``seconds`` of each method, and
        ``times as fast``: seconds of Fipe over those of pruning only, where both are certified.
    """
    keys, methods = ["dataset", "ensemble"], (PRUNE, FIPE, FIPE_L1)
    sizes = sizes_of(rows, keys).reindex(columns=methods)
    seconds = rows.pivot_table(index=keys, columns="method", values="seconds").reindex(columns=methods)
    table = pd.concat([sizes.add_prefix("size, "), seconds.add_prefix("seconds, ")], axis="columns")
    table["times as fast"] = (seconds[FIPE] / seconds[PRUNE]).where(
        sizes[[PRUNE, FIPE]].notna().all(axis="columns")
    )
    frame = table.reset_index()
    return in_table_order(frame.assign(ensemble=frame["ensemble"].map(ENSEMBLES)), keys)


def measured_forests(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the runs with a region: means over the repetitions of each forest.

    Parameters
    ----------
    rows : DataFrame
        Of the table "scale".
    """
    runs = rows.dropna(subset=["certified_size", "lower_bound"])
    numbers = runs[MEASURED].astype(float).assign(**{name: runs[name] for name in FOREST})
    means = numbers.groupby(FOREST, as_index=False)[MEASURED].mean()
    return in_table_order(means, ["depth", "alpha", "n_learners", "dataset"])


def largest_forests(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the forests of most trees at the smallest depth, at the margin of which most depths were run."""
    forests = measured_forests(rows)
    if forests.empty:
        return forests
    margin = forests.groupby("alpha")["depth"].nunique().idxmax()
    chosen = (forests["alpha"] == margin) & (forests["n_learners"] == forests["n_learners"].max())
    return forests[chosen & (forests["depth"] == forests["depth"].min())]
