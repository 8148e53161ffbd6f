"""Claims on training problems and their proofs, and on the FICO rule."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    ERRORS,
    GAME,
    ORDER,
    OTHER_FOLDS,
    PROSE,
    RULE,
    TIC_TAC_TOE,
    TRANSFUSION,
    Tables,
    by,
    optimum,
    printed_cell,
    records,
    stated,
)
from compactml.chapters.boolean_rules.claims.programs import OPEN, awaited, coverage, folds_of, spared
from compactml.chapters.boolean_rules.datasets import LARGE, PARTITION
from compactml.chapters.boolean_rules.fold_rows import points
from compactml.chapters.boolean_rules.methods import PAPER_CG
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.chapters.boolean_rules.trials.printed_rule import printed_complexity
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share, lacking
from compactml.study.judging.noise import (
    STANDARD_ERRORS,
    Lead,
    Outcome,
    every,
    lead_of,
    outcome_of_order,
    small_error,
)

claim = partial(claim, NAME)

NEAR_OPTIMAL = 0.01
CLOCK = "the clock ended our run: more time could close the gap"
ONE = Share(1, 1, "datasets")
SMALLER = "a smaller budget never confirms that something is not solved"
CERTIFIED = {dataset: {"dataset": dataset} for dataset in ("heart", "liver", TRANSFUSION)}


@claim(
    "certified-{key}",
    "Section 4",
    tolerance=f"a gap of {NEAR_OPTIMAL:.0%} for some C",
    why="ours: the paper gives one number, 0.7 %",
    over=CERTIFIED,
)
def certified(tables: Tables, dataset: str) -> Evidence:
    """The training problem of {key} is solved to proved optimality or nearly.

    A single bound on the complexity with a small gap is enough.
    """
    rows = [row for row in records(tables["optima"]) if row["dataset"] == dataset]
    if not rows:
        return Evidence.missing(f"{dataset} was not run")
    losses = ", ".join(
        f"C = {row['C']}: {row['loss']}" + (" proved" if row["proved"] else f", gap {row['gap']:.1%}")
        for row in rows
    )
    return Evidence.of_statement(
        min(row["gap"] for row in rows) <= NEAR_OPTIMAL, losses, doubt=CLOCK, coverage=_proof(rows[0])
    )


def _proof(row: dict[str, Any]) -> Coverage:
    """One dataset, and the time that its proof was given; the paper's limit for these is not said."""
    return Coverage(data=ONE, time=Share(row["time_limit"], None, "s for a proof"))


@claim("transfusion-gap", "Section 4", tolerance="exact", why=PROSE)
def transfusion_gap(tables: Tables) -> Evidence:
    """On transfusion the gap is 0.7 % at most for complexity 15.

    The gap is that of the loss and the bound after enumeration.
    """
    row = optimum(tables, TRANSFUSION, stated("transfusion_complexity"))
    if row is None:
        return Evidence.missing("transfusion with this C was not run")
    gap = 100 * row["gap"]
    return Evidence.of_statement(
        gap <= stated("transfusion_gap"),
        f"loss {row['loss']}, bound {row['bound']} after enumeration: {gap:.2f} %",
        doubt="" if row["proved"] else CLOCK,
        coverage=_proof(row),
    )


@claim("tic-tac-toe-solved", "Section 4, Table 2", tolerance="exact", why=GAME)
def tic_tac_toe_solved(tables: Tables) -> Evidence:
    """Column generation finds the exact rule set of tic-tac-toe, of complexity 32.

    It has eight lines of three and no loss.
    """
    exact = 8 * (1 + 3)
    row = optimum(tables, TIC_TAC_TOE, exact)
    if row is None:
        return Evidence.missing(f"tic-tac-toe with C = {exact} was not run")
    return Evidence.of_statement(
        row["loss"] == 0 and row["complexity"] == exact,
        f"loss {row['loss']} at complexity {row['complexity']}",
        doubt="" if row["proved"] else CLOCK,
        coverage=_proof(row),
    )


@claim(
    "fico-rule",
    "Section 4",
    tolerance="2 printed standard errors",
    why="the whole data, and not ten test folds",
)
def fico_rule(tables: Tables) -> Evidence:
    """The FICO rule in the text is as accurate as the table says of column generation.

    Its accuracy on all rows is compared with Table 1.
    """
    accuracy = 100 * by(tables["fico_rule"], "method")["printed"]["accuracy"]
    mean, error = printed_cell("FICO", OURS)
    return Evidence.of_statement(
        abs(accuracy - mean) <= STANDARD_ERRORS * error,
        f"{accuracy:.1f} % of all rows, Table 1 {mean} ({error}) %",
        coverage=Coverage(ONE),
    )


@claim("fico-rule-best", "Section 4", tolerance=ORDER, why=RULE)
def fico_rule_is_best(tables: Tables) -> Evidence:
    """Of column generation's rule sets for FICO, one for each bound C, the printed one is the most accurate.

    Its accuracy on all rows less that of the most accurate bound C, a mean over folds.
    """
    rows = folds_of(tables).query(f"method == '{PAPER_CG}' and dataset == 'FICO'")
    if rows.empty:
        return awaited("CG by the paper's procedure on FICO")
    curve = points(rows)
    best = curve.iloc[int(curve["accuracy"].to_numpy().argmax())]
    error = float(np.nan_to_num(best["accuracy_error"], nan=np.inf))
    printed = 100 * by(tables["fico_rule"], "method")["printed"]["accuracy"]
    return Evidence.of_outcomes(
        [spared(outcome_of_order(printed - best["accuracy"], error))],
        f"the printed rule {printed:.1f} %, the best of {len(curve)} values of C {best['accuracy']:.1f} ({error:.1f}) "
        f"% at C = {best['parameter']:g}",
        doubt=OPEN,
        coverage=coverage(tables, (PAPER_CG,), 1, ("FICO",)),
    )


@claim("large-nonzeros", "Section 3", tolerance="exact", why=PROSE)
def large_programs(tables: Tables) -> Evidence:
    """On medium and large datasets the pricing program has at least 100,000 non-zeros.

    Of the training part of a fold, where equal rows count once.
    """
    large = [name for name, part in PARTITION.items() if part == LARGE]
    steps = tables.get("paper_steps")
    rows = None if steps is None else steps[(steps["method"] == PAPER_CG) & steps["dataset"].isin(large)]
    if rows is None or rows.empty:
        return awaited("CG by the paper's procedure on large datasets", len(large))
    return Evidence.of_cells(
        rows["nonzeros"] >= stated("medium_nonzeros"),
        ", ".join(
            f"{name} {count:,.0f}" for name, count in zip(rows["dataset"], rows["nonzeros"], strict=True)
        ),
        lacking(len(rows), len(large)),
        stated=len(large),
        coverage=Coverage(Share(len(rows), len(large), "datasets")),
    )


@claim("large-not-certified", "Section 4", tolerance="no run of ours can confirm it", why=SMALLER)
def not_certified(tables: Tables) -> Evidence:
    """On medium and large datasets the paper's pricing cannot be solved, so that no rule set is certified.

    A run with less time cannot confirm that something is not solved.
    """
    large = [name for name, part in PARTITION.items() if part == LARGE]
    rows = tables["optima"]
    proved = sorted(set(rows.loc[rows["proved"] == 1, "dataset"]) & set(large))
    return Evidence.missing(
        "less time and another solver confirm nothing of this kind",
        len(large),
        f"our search certifies rule sets on {', '.join(proved) or 'none'}",
    )


@claim("fico-complexity", "Section 4", tolerance=ERRORS, why=OTHER_FOLDS)
def fico_complexity(tables: Tables) -> Evidence:
    """On FICO rule sets of complexity 8 are as accurate on new rows as any of column generation.

    The simplest point with at least that complexity allowed, less each other one, fold by fold.
    """
    rows = folds_of(tables).query(f"method == '{PAPER_CG}' and dataset == 'FICO'")
    if rows.empty:
        return awaited("CG by the paper's procedure on FICO")
    by_value, size = (
        rows.pivot_table(index="fold", columns="parameter", values="accuracy"),
        printed_complexity(),
    )
    short, *longer = sorted(value for value in rows["parameter"].unique().tolist() if value >= size)
    leads = {value: lead_of(by_value[short] - by_value[value]) for value in longer}
    return Evidence.of_outcomes(
        [every(_no_worse(lead) for lead in leads.values())],
        f"C = {short:g} less C = "
        + ", ".join(f"{value:g}: {lead.mean:+.1f} ({lead.error:.1f})" for value, lead in leads.items()),
        doubt=OPEN,
        coverage=coverage(tables, (PAPER_CG,), 1, ("FICO",)),
    )


def _no_worse(lead: Lead) -> Outcome:
    """Whether the first is not less accurate: ahead, or within errors of at most a point; behind refutes nothing."""
    if lead.outcome is not Outcome.INCONCLUSIVE:
        return spared(lead.outcome)
    return Outcome.AGREES if small_error(lead.error, 0.0, 1.0) else Outcome.INCONCLUSIVE


@claim(
    "fico-cuts",
    "Section 4",
    tolerance="exact",
    why="with special values as missing, as the authors' toolkit has them",
)
def fico_cuts(tables: Tables) -> Evidence:
    """The FICO rule in the text compares with deciles of the data.

    Each condition is looked up among the literals of the data as we read them.
    """
    readings = by(tables["fico_cuts"], "dataset")
    missing, numbers = readings["FICO"], readings["heloc_without_special_rows"]
    return Evidence.of_cells(
        np.arange(int(missing["conditions"])) < missing["found"],
        f"{missing['found']} of {missing['conditions']} with special values missing, "
        f"{numbers['found']} with them as numbers",
        coverage=Coverage(ONE),
    )
