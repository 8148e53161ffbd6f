"""Checks of what Dash, Günlük and Wei (2018) state of training problems, of the FICO rule and of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.checks import Tables, not_run, of_method, over, stated
from compactml.chapters.boolean_rules.claims.rivals import TIC_TAC_TOE
from compactml.chapters.boolean_rules.protocol import TRADE_OFF
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.chapters.boolean_rules.trials.printed_rule import printed_complexity
from compactml.study.judging.comparison import STANDARD_ERRORS, same_digits
from compactml.study.judging.evidence import Coverage, Evidence, Share
from compactml.study.recording.published import published

TRANSFUSION = "transfusion"
NEAR_OPTIMAL = 0.01
CLOCK = "the clock ended our run: more time could close the gap"
ONE = Share(1, 1, "datasets")
OTHER_QUESTION = (
    "the paper compares values of C on new rows; this compares rules of one complexity on the training rows"
)


def certified(tables: Tables, dataset: str) -> Evidence:
    """The training problem is solved to optimality or nearly for some bound on the complexity."""
    own = [row for row in records(tables["optima"]) if row["dataset"] == dataset]
    if not own:
        return not_run(dataset)
    found = ", ".join(
        f"C = {row['C']}: {row['loss']}" + (" proved" if row["proved"] else f", gap {row['gap']:.1%}")
        for row in own
    )
    return Evidence.of_statement(
        min(row["gap"] for row in own) <= NEAR_OPTIMAL, found, doubt=CLOCK, coverage=_proof(own[0])
    )


def _proof(row: dict[str, Any]) -> Coverage:
    """One dataset, and the time that its proof was given; the paper's limit for these is not said."""
    return Coverage(data=ONE, time=Share(row["time_limit"], None, "s for a proof"))


def optimum(tables: Tables, dataset: str, complexity: float) -> dict[str, Any] | None:
    """The row of a dataset and bound C, if there is one."""
    rows = records(tables["optima"])
    return next((row for row in rows if (row["dataset"], row["C"]) == (dataset, complexity)), None)


def transfusion_gap(tables: Tables) -> Evidence:
    """The gap at C = 15 is 0.7 % at most."""
    row = optimum(tables, TRANSFUSION, stated("transfusion_complexity"))
    if row is None:
        return not_run("transfusion with this C")
    gap = 100 * row["gap"]
    return Evidence.of_statement(
        gap <= stated("transfusion_gap"),
        f"loss {row['loss']}, bound {row['bound']} after enumeration: {gap:.2f} %",
        doubt="" if row["proved"] else CLOCK,
        coverage=_proof(row),
    )


def tic_tac_toe_solved(tables: Tables) -> Evidence:
    """CG finds the exact rule set: eight lines of three, complexity 32."""
    exact = 8 * (1 + 3)
    row = optimum(tables, TIC_TAC_TOE, exact)
    if row is None:
        return not_run(f"tic-tac-toe with C = {exact}")
    return Evidence.of_statement(
        row["loss"] == 0 and row["complexity"] == exact,
        f"loss {row['loss']} at complexity {row['complexity']}",
        doubt="" if row["proved"] else CLOCK,
        coverage=_proof(row),
    )


def fico_rule(tables: Tables) -> Evidence:
    """The printed rule is as accurate as Table 1 says of CG on FICO."""
    accuracy = 100 * by(tables["fico_rule"], "method")["printed"]["accuracy"]
    mean, error = printed_cell("FICO", OURS)
    return Evidence.of_statement(
        abs(accuracy - mean) <= STANDARD_ERRORS * error,
        f"{accuracy:.1f} % of all rows, Table 1 {mean} ({error}) %",
        coverage=Coverage(ONE),
    )


def fico_rule_is_best(tables: Tables) -> Evidence:
    """No rule of that complexity that we learn gets more rows right."""
    own = by(tables["fico_rule"], "method")
    if OURS not in own:
        return not_run("CG on FICO")
    printed, ours = own["printed"], own[OURS]
    return Evidence.of_statement(
        ours["accuracy"] <= printed["accuracy"],
        f"the printed rule {printed['accuracy']:.2%} with loss {printed['loss']:.0f}, our rule {ours['accuracy']:.2%} "
        f"with loss {ours['loss']:.0f}",
        f"our run stopped after {ours['seconds']:.0f} s with the bound {ours['bound']:.0f}",
        doubt=OTHER_QUESTION,
        coverage=Coverage(ONE, time=Share(ours["time_limit"], None, "s of search")),
    )


def fico_complexity(tables: Tables) -> Evidence:
    """Of CG's rule sets on FICO those of the printed rule's complexity are as accurate as any on test rows."""
    points = of_method(tables["fig_1"], OURS).query("dataset == 'FICO'")
    size = printed_complexity()
    own_points = points[points["parameter"] == size]
    if own_points.empty:
        return not_run(f"FICO with C = {size}")
    own, best = own_points.iloc[0], points.iloc[int(points["accuracy"].to_numpy().argmax())]
    error = np.nan_to_num(np.hypot(best["accuracy_error"], own["accuracy_error"]))
    return Evidence.of_statement(
        bool(best["accuracy"] - own["accuracy"] <= STANDARD_ERRORS * error),
        f"C = {size}: {own['accuracy']:.1f} ({own['accuracy_error']:.1f}) %; best of {len(points)} values: "
        f"{best['accuracy']:.1f} ({best['accuracy_error']:.1f}) % at C = {best['parameter']:g}",
        "values of C hardly differ on so few folds",
        coverage=over(points, 1, TRADE_OFF),
    )


def fico_cuts(tables: Tables) -> Evidence:
    """All conditions of the printed rule are deciles of the data as we read them."""
    own = by(tables["fico_cuts"], "dataset")
    missing, numbers = own["FICO"], own["heloc_without_special_rows"]
    return Evidence.of_cells(
        np.arange(int(missing["conditions"])) < missing["found"],
        f"{missing['found']} of {missing['conditions']} with special values missing, "
        f"{numbers['found']} with them as numbers",
        coverage=Coverage(ONE),
    )


def liver_class(tables: Tables) -> Evidence:
    """The random forest's accuracy points to drinks, not to the selector, as the class of the liver data."""
    own = by(tables["liver_reading"], "class")
    mean, error = printed_cell("liver", "RF")
    near = {
        name: abs(row["accuracy"] - mean) <= STANDARD_ERRORS * np.hypot(row["std_error"], error)
        for name, row in own.items()
    }
    return Evidence.of_statement(
        bool(near["drinks > 2"] and not near["selector"]),
        ", ".join(f"{name} {row['accuracy']:.1f} ({row['std_error']:.1f})" for name, row in own.items()),
        f"the paper prints {mean} ({error}) for a random forest",
    )


def printed_gap_is_of_the_lp(tables: Tables) -> Evidence:
    """The printed gap of transfusion is that of the linear program, and the rule set is optimal."""
    row = optimum(tables, TRANSFUSION, stated("transfusion_complexity"))
    if row is None:
        return not_run("transfusion with this C")
    lp_gap = 100 * (row["loss"] - row["lp_bound"]) / row["loss"]
    return Evidence.of_statement(
        same_digits(lp_gap, str(stated("transfusion_gap"))) and row["bound"] == row["loss"],
        f"loss {row['loss']}, bound of the linear program {row['lp_bound']}: {lp_gap:.2f} %; "
        f"bound after enumeration {row['bound']}",
        numbers={"gap": f"{stated('transfusion_gap'):g} %"},
    )


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as plain mappings."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def by(frame: pd.DataFrame, column: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by the value of a column."""
    return {str(row[column]): row for row in records(frame)}


def printed_cell(dataset: str, method: str) -> tuple[float, float]:
    """Mean and standard error of a cell of Table 1."""
    cells = records(published(NAME, "table_1"))
    row = next(one for one in cells if (one["dataset"], one["method"]) == (dataset, method))
    return float(row["value"]), float(row["std_error"])
