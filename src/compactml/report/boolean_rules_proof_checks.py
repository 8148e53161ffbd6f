"""Checks of what Dash, Günlük and Wei (2018) state of training problems, of the FICO rule and of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compactml.experiments.boolean_rules import CHAPTER
from compactml.experiments.boolean_rules_trials import OURS
from compactml.report.boolean_rules_checks import TIC_TAC_TOE, Tables, holds_if, not_run, stated
from compactml.report.claims import Evidence
from compactml.report.comparison import STANDARD_ERRORS, same_digits
from compactml.report.published import published

TRANSFUSION = "transfusion"
NEAR_OPTIMAL = 0.01


def certified(tables: Tables, dataset: str) -> Evidence:
    """The training problem is solved to optimality or nearly for some bound on the complexity."""
    own = [row for row in records(tables["optima"]) if row["dataset"] == dataset]
    if not own:
        return not_run(dataset)
    found = ", ".join(
        f"C = {row['C']}: {row['loss']}" + (" proved" if row["proved"] else f", gap {row['gap']:.1%}")
        for row in own
    )
    return holds_if(min(row["gap"] for row in own) <= NEAR_OPTIMAL, found)


def optimum(tables: Tables, dataset: str, complexity: float) -> dict[str, Any] | None:
    """The row of a dataset and bound C, if there is one."""
    rows = records(tables["optima"])
    return next((row for row in rows if (row["dataset"], row["C"]) == (dataset, complexity)), None)


def transfusion_gap(tables: Tables) -> Evidence:
    """The gap at C = 15 is 0.7 % at most; that of the master LP alone is the printed one."""
    row = optimum(tables, TRANSFUSION, stated("transfusion_complexity"))
    if row is None:
        return not_run("transfusion with this C")
    lp_gap = 100 * (row["loss"] - row["lp_bound"]) / row["loss"]
    same = same_digits(lp_gap, str(stated("transfusion_gap")))
    return holds_if(
        100 * row["gap"] <= stated("transfusion_gap"),
        f"loss {row['loss']}, LP bound {row['lp_bound']}: {lp_gap:.2f} %; bound after enumeration {row['bound']}",
        "the printed number is the gap of the LP" if same else "",
    )


def tic_tac_toe_solved(tables: Tables) -> Evidence:
    """CG finds the exact rule set: eight lines of three, complexity 32."""
    exact = 8 * (1 + 3)
    row = optimum(tables, TIC_TAC_TOE, exact)
    if row is None:
        return not_run(f"tic-tac-toe with C = {exact}")
    return holds_if(
        row["loss"] == 0 and row["complexity"] == exact,
        f"loss {row['loss']} at complexity {row['complexity']}",
    )


def fico_rule(tables: Tables) -> Evidence:
    """The printed rule is as accurate as Table 1 says of CG on FICO."""
    accuracy = 100 * by(tables["fico_rule"], "method")["printed"]["accuracy"]
    mean, error = printed_cell("FICO", OURS)
    return holds_if(
        abs(accuracy - mean) <= STANDARD_ERRORS * error,
        f"{accuracy:.1f} % of all rows, Table 1 {mean} ({error}) %",
    )


def fico_rule_is_best(tables: Tables) -> Evidence:
    """No rule of that complexity that we learn gets more rows right."""
    own = by(tables["fico_rule"], "method")
    if OURS not in own:
        return not_run("CG on FICO")
    printed, ours = own["printed"], own[OURS]
    return holds_if(
        ours["accuracy"] <= printed["accuracy"],
        f"printed {printed['accuracy']:.2%} with loss {printed['loss']:.0f}, ours {ours['accuracy']:.2%} with "
        f"loss {ours['loss']:.0f}",
        f"ours stopped after {ours['seconds']:.0f} s with the bound {ours['bound']:.0f}",
    )


def fico_cuts(tables: Tables) -> Evidence:
    """All conditions of the printed rule are deciles of the data as we read them."""
    own = by(tables["fico_cuts"], "dataset")
    missing, numbers = own["FICO"], own["heloc_without_special_rows"]
    return holds_if(
        missing["found"] == missing["conditions"],
        f"{missing['found']} of {missing['conditions']} with special values missing, "
        f"{numbers['found']} with them as numbers",
    )


def liver_class(tables: Tables) -> Evidence:
    """The random forest's accuracy points to drinks, not to the selector, as the class of the liver data."""
    own = by(tables["liver_reading"], "class")
    mean, error = printed_cell("liver", "RF")
    near = {
        name: abs(row["accuracy"] - mean) <= STANDARD_ERRORS * np.hypot(row["std_error"], error)
        for name, row in own.items()
    }
    return holds_if(
        bool(near["drinks > 2"] and not near["selector"]),
        ", ".join(f"{name} {row['accuracy']:.1f} ({row['std_error']:.1f})" for name, row in own.items()),
        f"print {mean} ({error})",
    )


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as plain mappings."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def by(frame: pd.DataFrame, column: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by the value of a column."""
    return {str(row[column]): row for row in records(frame)}


def printed_cell(dataset: str, method: str) -> tuple[float, float]:
    """Mean and standard error of a cell of Table 1."""
    cells = records(published(CHAPTER, "table_1"))
    row = next(one for one in cells if (one["dataset"], one["method"]) == (dataset, method))
    return float(row["value"]), float(row["std_error"])
