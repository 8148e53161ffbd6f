"""What the paper states wrongly, as an example or the printed tables themselves show."""

from __future__ import annotations

from functools import partial
from itertools import product

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims.common import EXACTLY, PRINTED_DIGITS, Tables
from compactml.chapters.pace.counterexamples import new_column
from compactml.chapters.pace.printed import printed_data, printed_sizes
from compactml.chapters.pace.trials.paper import GENERATE
from compactml.study.judging.claims import Basis
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Evidence

claim = partial(claim, NAME, basis=Basis.ERRATUM)

LJUBLJANA_ROWS = 286
"""Of the data on the recurrence of breast cancer from Ljubljana, in the UCI repository."""


@claim("strict-decrease", "Proposition 1", tolerance="one counterexample", why="a proposition")
def strict_decrease(tables: Tables) -> Evidence:
    """A learner with negative reduced cost makes the value of the linear program (P1) strictly smaller.

    On two samples, with margins (1/2, 1/2) and (1, -1).
    """
    column = new_column()
    values = (
        f"r = {column.reduced_cost:g} at the optimal dual (2, 0), "
        f"value {column.before:g} before and {column.after:g} after"
    )
    return Evidence.of_statement(
        not (column.optimal and column.reduced_cost < 0 and column.after >= column.before - 1e-9),
        values,
        "only that the value does not rise is right: the dual optimum may not be the only one",
    )


@claim("class-counts", "Table 2", tolerance="rounding to three decimals", why=PRINTED_DIGITS)
def counted_rows(tables: Tables) -> Evidence:
    """The class shares of Table 2 are those of the numbers of samples beside them.

    Whole numbers of rows must have them, of as many rows as are printed.
    """
    cells = printed_data().set_index(["dataset", "quantity"])["value"].unstack("quantity")  # noqa: PD010
    shares = [str(name) for name in cells if str(name).startswith("share")]
    printed = {
        str(name): (int(row["samples"]), row[shares].dropna().tolist()) for name, row in cells.iterrows()
    }
    right = {name: possible_shares(n, own) for name, (n, own) in printed.items()}
    without = sum(possible_shares(n - 1, own) for n, own in printed.values())
    wrong = ", ".join(name for name, possible in right.items() if not possible)
    return Evidence.of_cells(
        list(right.values()),
        f"no numbers of rows have these shares: {wrong or 'none'}",
        f"with one row less {without} of {len(right)} are possible: the first row was taken for a header",
    )


@claim("cancer-source", "Appendix D", tolerance=EXACTLY, why="number of rows")
def cancer_source(tables: Tables) -> Evidence:
    """Cancer is the dataset from Ljubljana on the recurrence of breast cancer."""
    cells = printed_data().set_index(["dataset", "quantity"])["value"]
    n = int(cells["Cancer", "samples"])
    return Evidence.of_statement(
        n == LJUBLJANA_ROWS,
        f"{n} rows in Table 2; the data from Ljubljana have {LJUBLJANA_ROWS}",
        f"{n} are the complete rows of the tumour data from Wisconsin; the paper cites the other ones",
    )


@claim("generate-only-shares", "Tables 1 and 3", tolerance="100 %", why="nothing else is in these ensembles")
def generated_alone(tables: Tables) -> Evidence:
    """Tables 1 and 3 print the right share of generated learners for Generate only, in every cell."""
    shares = pd.concat(
        {table: printed_sizes(table, "pct_generated_in_final")[GENERATE] for table in ("table_1", "table_3")}
    )
    other = shares[shares != 100]
    named = ", ".join(
        f"{share:.0f} % for {name}, N = {n} (Table {table[-1]})" for (table, name, n), share in other.items()
    )
    return Evidence.of_cells(
        shares == 100, named or "100 % everywhere", "it generates learners and drops none; a misprint"
    )


def possible_shares(n: int, shares: list[str]) -> bool:
    """Whether classes of n rows in all can have these shares, rounded as printed."""
    ranges = [range(int(n * (float(one) - 0.001)), int(n * (float(one) + 0.001)) + 2) for one in shares]
    near = [[k for k in own if f"{k / n:.3f}" == share] for own, share in zip(ranges, shares, strict=True)]
    return any(n - sum(some) in near[-1] for some in product(*near[:-1]))
