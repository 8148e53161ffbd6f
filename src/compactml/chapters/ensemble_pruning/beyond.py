"""Tables of the third notebook, made of rows: bounds, what diversity costs, overfitting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.printed import printed_gaps
from compactml.chapters.ensemble_pruning.rows import CASE, NAMES, RUN, by_method
from compactml.study.judging.noise import block_means, lead_of

__all__ = ["CURVES", "OVERFITTING", "bounds_table", "curves_table", "diversity_table", "overfitting_table"]

PROGRAMS = ("F1", "F2", "F3")
OVERFITTING = (*PROGRAMS, "BFT", "KAPPA", "HC-ACC", "HC-COM", "HC-CON", "HC-UWA", "FE")
"""Methods whose accuracy on validation and test points is compared; the full ensemble, which chooses nothing, last."""
LEAST_CREDIT = 1e-9
"""Difference of mean credits that is no rounding."""
CURVES = {
    "plain": "plain model",
    "aggregated": "+ equal votes together",
    "isotonic": "+ isotonic cuts",
    "asummability": "+ asummability cuts",
    "local_search": "+ local search",
    "branching": "isotonic bound, search, branching",
}
"""Steps from the paper's model to ours, each with those before it, and last the whole method, which for many vectors of
votes has no program; and their labels."""


def in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of a frame indexed by dataset in the order of Table 2, the dataset as first column."""
    return frame.reindex([name for name in NAMES if name in frame.index]).reset_index()


def curves_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Where each formulation stands at the last time limit: size of the model, errors, gap, averaged over the folds.

    The size is that before cuts are added; it is missing where no program was solved.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "curves".
    """
    numbers = {
        "n_rows": "rows before cuts", "n_columns": "columns", "errors_found": "errors found",
        "errors_bound": "errors ≥", "gap": "gap (%)", "seconds": "time (s)",
    }  # fmt: skip
    keys = ["dataset", "K", "time_limit", "method"]
    shown = rows[[*keys, *numbers]].astype(dict.fromkeys(numbers, float))
    shown.loc[rows["solver"].isna(), ["n_rows", "n_columns"]] = np.nan
    last = shown[shown["time_limit"] == shown.groupby("dataset")["time_limit"].transform("max")]
    means = last.assign(gap=100 * last["gap"]).groupby(keys, sort=False)[list(numbers)].mean().reset_index()
    means["method"] = means["method"].map(CURVES)
    return means.rename(columns={**numbers, "method": "formulation", "time_limit": "limit (s)"})


def _sides(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of the bounds by themselves and of the whole method, a row for each fold."""
    whole = rows[(rows["kind"] == "program") & (rows["method"] == "F1")]
    return rows[rows["kind"] == "bounds"].set_index(RUN), whole.set_index(RUN)


def wrong_points(rows: pd.DataFrame) -> pd.DataFrame:
    """Wrong validation points of each fold: the least that each bound proves, and those of the best ensemble found.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "bounds".

    Returns
    -------
    DataFrame
        A row for each fold of a dataset, with the columns ``isotonic``, ``asummability``, ``branching`` and ``found``.
    """
    bounds, whole = _sides(rows)
    proved = {name: bounds[f"errors_{name}"] for name in ("isotonic", "asummability", "branching")}
    found = bounds["n_validation"] - whole["value"].reindex(bounds.index)
    return pd.DataFrame({**proved, "found": found}).astype(float)


def bounds_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Wrong validation points found and proved, and gaps in percent, averaged over the folds of each dataset.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "bounds": the bounds by themselves, and the whole method (F1) on the same folds.

    Returns
    -------
    DataFrame
        A row per dataset. All gaps are to the ensembles of the whole method; ``paper's gap (%)`` is that of Table 3
        without diversity.
    """
    bounds, whole = _sides(rows)
    wrong = wrong_points(rows)["found"]

    def gap(errors: pd.Series) -> pd.Series:
        return 100 * (wrong - errors) / (bounds["n_validation"] - wrong)

    parts = {
        "points": bounds["n_validation"],
        "vectors": bounds["n_patterns"],
        "errors ≥, isotonic": bounds["errors_isotonic"],
        "errors ≥, asummability": bounds["errors_asummability"],
        "errors ≥, branching": bounds["errors_branching"],
        "errors ≥, whole method": whole["n_validation"] - whole["bound"],
        "errors found": wrong,
        "gap, isotonic (%)": gap(bounds["errors_isotonic"]),
        "gap, asummability (%)": gap(bounds["errors_asummability"]),
        "gap, branching (%)": gap(bounds["errors_branching"]),
        "gap, whole method (%)": 100 * whole["gap"],
        "time, isotonic (s)": bounds["seconds_isotonic"],
        "time, asummability (s)": bounds["seconds_asummability"],
        "time, branching (s)": bounds["seconds_branching"],
        "time, whole method (s)": whole["seconds"],
    }
    means = pd.DataFrame({name: one.astype(float).groupby("dataset").mean() for name, one in parts.items()})
    means.insert(0, "folds", bounds.groupby("dataset").size())
    means["paper's gap (%)"] = printed_gaps()["F1"].reindex(means.index)
    return in_order(means.rename_axis("dataset"))


def diversity_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What the limits F2 and F3 cost on the validation set, over the runs that have all three configurations.

    Parameters
    ----------
    rows : DataFrame
        Rows of Table 4.

    Returns
    -------
    DataFrame
        A row per dataset: mean right points of each configuration, in how many runs F2 and F3 reach F1's value, how
        many points are lost at most, and the mean PFC of F1's sets beside the gamma asked for.
    """
    value = complete_values(rows)
    wide = {f"right, {method}": value[method] for method in PROGRAMS}
    lost = {method: (value["F1"] - value[method]).round(6) for method in ("F2", "F3")}
    wide |= {
        "mean PFC of F1": by_method(rows, "pfc_avg").reindex(columns=["F1"])["F1"].reindex(value.index),
        "γ of F2": by_method(rows, "gamma").reindex(columns=["F2"])["F2"].reindex(value.index),
    }
    table = pd.DataFrame(wide).groupby(level="dataset").mean()
    table.insert(0, "runs", value.groupby(level="dataset").size())
    for method, points in lost.items():
        table[f"{method} reaches F1"] = (points <= 0).groupby(level="dataset").sum()
        table[f"most lost by {method}"] = points.groupby(level="dataset").max()
    return in_order(table)


def complete_values(rows: pd.DataFrame) -> pd.DataFrame:
    """Right validation points of the runs that have all three programs: a column for each."""
    return by_method(rows, "value").reindex(columns=list(PROGRAMS)).dropna()


def diverse_anyway(rows: pd.DataFrame) -> pd.Series:
    """In which of these runs F1's set meets the limit of F2 on the mean credit, as a single classifier does."""
    runs = complete_values(rows).index
    credit = by_method(rows, "pfc_avg").reindex(index=runs, columns=["F1"])["F1"]
    asked = by_method(rows, "gamma").reindex(index=runs, columns=["F2"])["F2"]
    size = by_method(rows, "n_selected").reindex(index=runs, columns=["F1"])["F1"]
    return (credit >= asked - LEAST_CREDIT) | (size < 2)


def overfitting_table(rows: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Accuracy on the three parts of the data, in percent, over the runs that have all the methods.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "overfitting".
    methods : sequence of str

    Returns
    -------
    DataFrame
        A row per method: ``training``, ``validation``, ``test`` (means over the cases), ``validation - test`` with its
        standard error over datasets, and the mean ``size`` of the ensembles.
    """
    parts = ("train", "validation", "test")
    columns = [*(f"{part}_accuracy" for part in parts), "n_selected"]
    chosen = rows[rows["method"].isin(methods)].set_index([*RUN, "method"])[columns].astype(float)
    complete = chosen.groupby(level=RUN).filter(lambda run: len(run) == len(methods))
    loss = 100 * (complete["validation_accuracy"] - complete["test_accuracy"])
    cases = loss.groupby(level=[*CASE, "method"]).mean()
    leads = {
        name: lead_of(block_means(of_method, "dataset")) for name, of_method in cases.groupby(level="method")
    }
    means = complete.groupby(level=[*CASE, "method"]).mean().groupby(level="method").mean()
    table = pd.DataFrame(
        {
            "training": 100 * means["train_accuracy"],
            "validation": 100 * means["validation_accuracy"],
            "test": 100 * means["test_accuracy"],
            "validation - test": pd.Series({name: lead.mean for name, lead in leads.items()}, dtype=float),
            "standard error": pd.Series({name: lead.error for name, lead in leads.items()}, dtype=float),
            "size": means["n_selected"],
        }
    )
    return table.reindex([one for one in methods if one in table.index]).rename_axis("method").reset_index()
