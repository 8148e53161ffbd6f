"""Claims on the FICO data and on the rule that the paper prints for them.

Which of column generation's rule sets is the best one there no run of ours can say: with less time the others are
worse, which would confirm the paper, and a better one refutes nothing. So these claims show numbers and stay open.
"""

from __future__ import annotations

from functools import partial

import pandas as pd

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    ERRORS,
    ORDER,
    OTHER_FOLDS,
    PROSE,
    RULE,
    Tables,
    by,
    printed_cell,
    records,
    stated,
)
from compactml.chapters.boolean_rules.claims.programs import (
    CHOSEN_WITHIN,
    LESS,
    LESS_IN_FIGURE,
    SHOWN_WITHIN,
    awaited,
    coverage,
    folds_of,
)
from compactml.chapters.boolean_rules.fold_rows import points
from compactml.chapters.boolean_rules.methods import PAPER_CG
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.chapters.boolean_rules.trials.printed_rule import printed_complexity
from compactml.datasets.registry import entry
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share
from compactml.study.judging.noise import STANDARD_ERRORS, Outcome, lead_of

claim = partial(claim, NAME)

FICO, FICO_FILE = "FICO", "heloc"
ONE = Share(1, 1, "datasets")
AWAITED = "CG by the paper's procedure on FICO"
EITHER_WAY = "so worse ones confirm nothing here, and better ones refute nothing"


@claim("fico-rows", "Section 4", tolerance="exact", why=PROSE)
def fico_rows(tables: Tables) -> Evidence:
    """The FICO data have 10,459 records of 23 features; 9,871 are left without those that lack every entry."""
    names = ("fico_records", "fico_features", "fico_rows")
    rows = {row["rows"] for row in records(tables["optima"]) if row["dataset"] == FICO}
    if len(rows) != 1:
        return Evidence.missing("FICO was not run", len(names))
    file = entry(FICO_FILE)
    found = (file.n_rows, file.n_features, rows.pop())
    return Evidence.of_cells(
        [value == stated(name) for name, value in zip(names, found, strict=True)],
        "{:,.0f} records, {} features, {:,.0f} records left".format(*found),
        coverage=Coverage(ONE),
    )


@claim("fico-rule-best", "Section 4", tolerance=ORDER, why=RULE)
def fico_rule_is_best(tables: Tables) -> Evidence:
    """Of column generation's rule sets for FICO, one for each bound C, the printed one is the most accurate.

    Its accuracy on all rows stands beside that of the most accurate bound C, a mean over folds.
    """
    rows = _folds(tables)
    if rows.empty:
        return awaited(AWAITED)
    curve = points(rows)
    best = curve.iloc[int(curve["accuracy"].to_numpy().argmax())]
    printed = 100 * by(tables["fico_rule"], "method")["printed"]["accuracy"]
    return _open(
        tables,
        f"the printed rule {printed:.1f} %, the best of {len(curve)} values of C {best['accuracy']:.1f} "
        f"({best['accuracy_error']:.1f}) % at C = {best['parameter']:g}",
        CHOSEN_WITHIN,
    )


@claim("fico-complexity", "Section 4", tolerance=ERRORS, why=OTHER_FOLDS)
def fico_complexity(tables: Tables) -> Evidence:
    """On FICO rule sets of complexity 8 are as accurate on new rows as any of column generation.

    The simplest point with at least that complexity allowed stands beside each other one, fold by fold.
    """
    rows = _folds(tables)
    if rows.empty:
        return awaited(AWAITED)
    by_value = rows.pivot_table(index="fold", columns="parameter", values="accuracy")
    short, *longer = sorted(
        value for value in rows["parameter"].unique().tolist() if value >= printed_complexity()
    )
    leads = {value: lead_of((by_value[short] - by_value[value]).dropna()) for value in longer}
    return _open(
        tables,
        f"C = {short:g} less C = "
        + ", ".join(f"{value:g}: {lead.shown(1)}" for value, lead in leads.items()),
        SHOWN_WITHIN,
    )


def _folds(tables: Tables) -> pd.DataFrame:
    """Folds of the paper's procedure on FICO."""
    return folds_of(tables).query(f"method == '{PAPER_CG}' and dataset == '{FICO}'")


def _open(tables: Tables, finding: str, within: int) -> Evidence:
    """Evidence of numbers that decide nothing, whichever way they lie."""
    seen = coverage(tables, (PAPER_CG,), 1, (FICO,), within)
    less = LESS if within == CHOSEN_WITHIN else LESS_IN_FIGURE
    return Evidence.of_outcomes([Outcome.INCONCLUSIVE], finding, doubt=f"{less}: {EITHER_WAY}", coverage=seen)


@claim(
    "fico-rule",
    "Section 4",
    tolerance="2 printed standard errors",
    why="ours: the paper gives no accuracy of the rule",
    basis=Basis.OURS,
)
def fico_rule(tables: Tables) -> Evidence:
    """The FICO rule in the text is as accurate as the table says of column generation.

    Its accuracy on all rows, on most of which it was learned, is compared with Table 1.
    """
    accuracy = 100 * by(tables["fico_rule"], "method")["printed"]["accuracy"]
    mean, error = printed_cell(FICO, OURS)
    return Evidence.of_statement(
        abs(accuracy - mean) <= STANDARD_ERRORS * error,
        f"{accuracy:.1f} % of all rows, Table 1 {mean} ({error}) %",
        inferred="the signs of its comparisons, from the text's description; special codes are read as missing",
        coverage=Coverage(ONE),
    )


@claim(
    "fico-cuts",
    "Section 4",
    tolerance="exact",
    why="with special values as missing, as AIX360 has them",
    basis=Basis.OURS,
)
def fico_cuts(tables: Tables) -> Evidence:
    """The FICO rule in the text compares with deciles of the data.

    Each condition is looked up among the literals of the data as we read them, with special values missing. That
    reading was chosen by the condition that only it has, which therefore decides nothing.
    """
    readings = by(tables["fico_cuts"], "dataset")
    missing, numbers = readings[FICO], readings["heloc_without_special_rows"]
    either_way = min(missing["found"], numbers["found"])
    return Evidence.of_outcomes(
        [Outcome.AGREES] * either_way
        + [Outcome.INCONCLUSIVE] * (missing["found"] - either_way)
        + [Outcome.DIFFERS] * (missing["conditions"] - missing["found"]),
        f"{missing['found']} of {missing['conditions']} with special values missing, "
        f"{numbers['found']} with them as numbers",
        doubt="that special values are missing was chosen by the condition that is a literal under this reading alone",
        coverage=Coverage(ONE),
    )
