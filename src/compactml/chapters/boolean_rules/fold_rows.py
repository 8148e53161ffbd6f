"""Rows of one fold each, and what is made of them: cells of Tables 1 and 2, and points of Fig 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from compactml.chapters.boolean_rules.datasets import DATASETS
from compactml.chapters.boolean_rules.methods import OUR_CG
from compactml.chapters.boolean_rules.rows import (
    CELL,
    POINT_COLUMNS,
    TABLE_COLUMNS,
    display_name,
    standard_error,
)
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.study.frames import frame
from compactml.study.running.worker import Finished

__all__ = [
    "FOLD_COLUMNS",
    "FOLD_TABLES",
    "cells",
    "fold_rows",
    "folds_in_words",
    "joined",
    "our_cells",
    "paper_steps",
    "points",
]

FOLD_COLUMNS = [*CELL, "fold", "parameter", "chosen", "accuracy", "complexity"]
FOLD_TABLES = ("programs", "brs", "paper_cg", "our_cg")
"""Tables of such rows."""
STEPS = ("literals", "nonzeros", "sampled", "by_program", "by_heuristic", "generated", "least_gap")
LEAST_FOLDS = 3
"""Folds whose error says something."""
MEASURES: Mapping[str, str] = {"table_1": "accuracy", "table_2": "complexity"}


def fold_rows(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row per fold and value of the parameter: accuracy in percent and complexity on the test part.

    ``chosen`` is 1 for the value that was chosen on the training part, whose model is the cell of Tables 1 and 2.
    """
    rows = [
        {
            "dataset": display_name(item.trial.dataset),
            "method": item.trial.method,
            "fold": item.trial.fold,
            "parameter": _number(value),
            "chosen": int(_number(value) == item.result["parameter"] or item.result["parameter"] is None),
            "accuracy": 100 * float(accuracy),
            "complexity": _number(complexity),
        }
        for item in finished
        for value, accuracy, complexity in zip(
            *(str(item.result[name]).split() for name in ("values", "accuracies", "complexities")),
            strict=True,
        )
    ]
    return frame(rows, FOLD_COLUMNS, CELL)


def paper_steps(finished: Sequence[Finished]) -> pd.DataFrame:
    """Steps of the paper's procedure by dataset: non-zeros, samples or not, who found clauses, what is proved.

    Means over the folds of what is counted over all C; of the gaps that of the best C. ``proved`` is the share of C and
    folds of which the linear program is proved solved; ``train_accuracy`` is the largest over all C, in percent, and
    ``chosen_train_accuracy`` that of the C that was chosen, with its standard error over the folds.
    """
    rows = [
        {"dataset": display_name(item.trial.dataset), "method": item.trial.method}
        | {name: float(item.result[name]) for name in STEPS}  # type: ignore[arg-type]
        | {
            "proved": float(item.result["lp_solved"]) / len(str(item.result["values"]).split()),  # type: ignore[arg-type]
            "train_accuracy": 100 * float(item.result["best_train_accuracy"]),  # type: ignore[arg-type]
            "chosen_train_accuracy": 100 * float(item.result["train_accuracy"]),  # type: ignore[arg-type]
        }
        for item in finished
    ]
    shown = [*STEPS, "proved", "train_accuracy", "chosen_train_accuracy"]
    if not rows:
        return frame([], [*CELL, *shown, "chosen_train_error", "folds"], CELL)
    groups = pd.DataFrame(rows).groupby(CELL, sort=False)
    error = groups["chosen_train_accuracy"].agg(standard_error)
    return groups[shown].mean().assign(chosen_train_error=error, folds=groups.size()).reset_index()


def _number(text: str) -> float | None:
    return None if text == "-" else float(text)


def joined(tables: Mapping[str, pd.DataFrame | None]) -> pd.DataFrame:
    """All rows of the tables of folds that are there."""
    there = [table for name in FOLD_TABLES if (table := tables.get(name)) is not None and len(table)]
    return pd.concat(there, ignore_index=True)[FOLD_COLUMNS] if there else frame([], FOLD_COLUMNS, CELL)


def cells(folds: pd.DataFrame, table: str) -> pd.DataFrame:
    """Cells of Table 1 or 2: means over the folds and their standard errors, in the order of the paper.

    The error of two folds is as uncertain as their mean: it is left out, so that they decide nothing.
    """
    chosen = folds[folds["chosen"] == 1].rename(columns={MEASURES[table]: "value"}).dropna(subset=["value"])
    if chosen.empty:
        return frame([], TABLE_COLUMNS, CELL)
    means = chosen.groupby(CELL, sort=False)["value"].agg(
        value="mean", std_error=standard_error, folds="size"
    )
    means["std_error"] = means["std_error"].where(means["folds"] >= LEAST_FOLDS)
    return _in_order(means.reset_index())


def our_cells(tables: Mapping[str, pd.DataFrame | None], table: str) -> pd.DataFrame:
    """Cells of our search under its own name: of datasets whose folds are recorded, else those of its older rows."""
    folds, older = tables.get("our_cg"), tables.get(table)
    ours = frame([], TABLE_COLUMNS, CELL) if folds is None else cells(folds, table)
    if older is None:
        return ours
    left = older[(older["method"] == OURS) & ~older["dataset"].isin(ours["dataset"])].assign(method=OUR_CG)
    return _in_order(pd.concat([part for part in (ours, left[TABLE_COLUMNS]) if len(part)] or [ours]))


def _in_order(found: pd.DataFrame) -> pd.DataFrame:
    rank = {one.name: i for i, one in enumerate(DATASETS)}
    return found.sort_values("dataset", key=lambda names: names.map(rank), kind="stable", ignore_index=True)


def folds_in_words(folds: pd.Series) -> str:
    """Return over how many folds means are taken: "means over 2 to 5 folds"; empty without any."""
    known = folds.dropna()
    ends = sorted({int(known.min()), int(known.max())}) if len(known) else []
    return f"means over {' to '.join(map(str, ends))} folds" if ends else ""


def points(folds: pd.DataFrame) -> pd.DataFrame:
    """Points of Fig 1: mean accuracy and complexity of each value of the parameter, with their standard errors."""
    known = folds.dropna(subset=["complexity"])
    if known.empty:
        return frame([], POINT_COLUMNS, CELL)
    groups = known.groupby([*CELL, "parameter"], sort=False, dropna=False)
    curve = groups.agg(
        accuracy=("accuracy", "mean"), accuracy_error=("accuracy", standard_error),
        complexity=("complexity", "mean"), complexity_error=("complexity", standard_error),
        folds=("accuracy", "size"),
    )  # fmt: skip
    return curve.reset_index()[POINT_COLUMNS]
