"""Claims on the FICO data and on the rule that the paper prints for them."""

from __future__ import annotations

from functools import partial

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    ORDER,
    PROSE,
    RULE,
    Tables,
    by,
    printed_cell,
    records,
    stated,
)
from compactml.chapters.boolean_rules.methods import OURS_SHOWN
from compactml.chapters.boolean_rules.trials.paper import OURS
from compactml.datasets.registry import entry
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share
from compactml.study.judging.noise import STANDARD_ERRORS, Outcome

claim = partial(claim, NAME)

FICO, FICO_FILE = "FICO", "heloc"
ONE = Share(1, 1, "datasets")
SIGNS = "the signs of its comparisons, from the text's description; special codes are read as missing"


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
    """Of column generation's rule sets for FICO with two simple clauses, the printed one is the most accurate."""
    rules = by(tables["fico_rule"], "method")
    beside = ", ".join(
        f"{OURS_SHOWN.get(name, name)} {100 * row['accuracy']:.1f} %" for name, row in rules.items()
    )
    return Evidence.missing(
        "what counts as simple is not said, nor on which rows rules are learned and compared, nor whether it is the "
        "best of those with two clauses or the best of all, which has two",
        found=f"of all rows, at the printed length: {beside}",
    )


@claim("fico-groups", "Section 4", tolerance="exact", why=PROSE)
def fico_groups(tables: Tables) -> Evidence:
    """The second group of the FICO rule has somewhat more revolving debt than the first and is riskier.

    Debt is the mean burden, and risk the share that does not pay back. Whether a group is the rows that satisfy a
    clause, or all with as many accounts as it asks for, or only the thresholds are meant, the paper does not say.
    """
    row = by(tables["fico_cuts"], "dataset")[FICO]
    shown = "; ".join(
        f"by {by_what} the burden is {row[f'{first}_debt']:.1f} and {row[f'{second}_debt']:.1f} %, and "
        f"{row[f'{first}_good']:.1%} and {row[f'{second}_good']:.1%} pay back"
        for by_what, first, second in (("clauses", "first", "second"), ("accounts alone", "many", "few"))
    )
    return Evidence.of_outcomes(
        [Outcome.INCONCLUSIVE] * 2,
        shown,
        doubt="what makes a group is not said, and the two readings differ on debt, and on risk by much",
        inferred=SIGNS,
        coverage=Coverage(ONE),
    )


@claim(
    "fico-rule",
    "Section 4",
    tolerance="2 printed standard errors",
    why="ours: the paper gives no accuracy of the rule",
    basis=Basis.OURS,
)
def fico_rule(tables: Tables) -> Evidence:
    """The FICO rule in the text is as accurate as the table says of column generation.

    Its accuracy on all rows, on most of which it was probably learned, is compared with Table 1.
    """
    accuracy = 100 * by(tables["fico_rule"], "method")["printed"]["accuracy"]
    mean, error = printed_cell(FICO, OURS)
    return Evidence.of_statement(
        abs(accuracy - mean) <= STANDARD_ERRORS * error,
        f"{accuracy:.1f} % of all rows, Table 1 {mean} ({error}) %",
        inferred=SIGNS,
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
        f"{missing['found']} of {missing['conditions']} conditions, of which two are the sides of one threshold, with "
        "special values missing, "
        f"{numbers['found']} with them as numbers",
        doubt="that special values are missing was chosen by the condition that is a literal under this reading alone",
        coverage=Coverage(ONE),
    )
