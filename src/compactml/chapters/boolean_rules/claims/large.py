"""Claims on medium and large datasets: the size of their programs, and what cannot be solved of them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from compactml.boolean_rules.paper_procedure import LARGE_LITERALS
from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims.common import (
    MEDIUM_OR_LARGE,
    ORDER,
    PROSE,
    RULE,
    Tables,
    stated,
)
from compactml.chapters.boolean_rules.claims.programs import (
    NOT_RUN,
    awaited,
    coverage,
    proved_shares,
    steps_of,
)
from compactml.chapters.boolean_rules.methods import PAPER_CG
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking
from compactml.study.judging.noise import Outcome

claim = partial(claim, NAME)

MERGED = "equal rows are counted once, and a fold lacks a tenth of the rows"
LARGE_AWAITED = "CG by the paper's procedure on large datasets"
SMALLER = "a smaller budget never confirms that something is not solved"
RARELY = 'ours: the prose says "rarely"'


@claim("large-nonzeros", "Section 3", tolerance="exact", why=PROSE)
def large_programs(tables: Tables) -> Evidence:
    """On medium and large datasets the pricing program has at least 100,000 non-zeros.

    Of the training part of a fold. Equal rows count once here, so that fewer refute nothing.
    """
    rows = steps_of(tables, MEDIUM_OR_LARGE)
    if rows.empty:
        return awaited(LARGE_AWAITED, len(MEDIUM_OR_LARGE))
    return Evidence.of_cells(
        rows["nonzeros"] >= stated("medium_nonzeros"),
        _nonzeros(rows),
        lacking(len(rows), len(MEDIUM_OR_LARGE), NOT_RUN),
        stated=len(MEDIUM_OR_LARGE),
        doubtful=np.ones(len(rows), bool),
        doubt=MERGED,
        coverage=Coverage(Share(len(rows), len(MEDIUM_OR_LARGE), "datasets")),
    )


@claim("million-nonzeros", "Section 3", tolerance="exact", why=PROSE)
def million(tables: Tables) -> Evidence:
    """On large datasets the pricing program can have more than a million non-zeros.

    A single dataset is enough.
    """
    rows = _large_steps(tables)
    if rows.empty:
        return awaited(LARGE_AWAITED)
    return Evidence.of_statement(
        bool((rows["nonzeros"] > stated("large_nonzeros")).any()),
        _nonzeros(rows),
        doubt=MERGED,
        coverage=Coverage(Share(len(rows), len(MEDIUM_OR_LARGE), "datasets")),
    )


def _large_steps(tables: Tables) -> pd.DataFrame:
    """Steps on large datasets, those with more than several hundred binary features, 300 here."""
    rows = steps_of(tables, MEDIUM_OR_LARGE)
    return rows[rows["literals"].astype(float) > LARGE_LITERALS]


def _nonzeros(rows: pd.DataFrame) -> str:
    return ", ".join(f"{name} {n:,.0f}" for name, n in zip(rows["dataset"], rows["nonzeros"], strict=True))


@claim("rarely-any-clause", "Section 3", tolerance="half of the rounds", why=RARELY)
def rarely_any_clause(tables: Tables) -> Evidence:
    """Above a million non-zeros the solver can rarely produce any clause of negative reduced cost in time.

    Of datasets with more than several hundred binary features, 300 here, whose programs are that large and priced
    whole. Less time cannot confirm it, nor can a smaller program with equal rows merged refute it.
    """
    rows = _large_steps(tables)
    if rows.empty:
        return awaited(LARGE_AWAITED)
    rows = rows[(rows["nonzeros"].astype(float) > stated("large_nonzeros")) & (rows["sampled"] == 0)]
    if rows.empty:
        return Evidence.missing(
            f"with more than {LARGE_LITERALS} literals programs of that size are sampled here and never priced whole"
        )
    rounds = ", ".join(
        f"{name} {solver:.0f} against {heuristic:.0f}"
        for name, solver, heuristic in rows[["dataset", "by_program", "by_heuristic"]].itertuples(index=False)
    )
    return Evidence.of_outcomes(
        [Outcome.INCONCLUSIVE] * len(rows),
        f"rounds in which the solver found clauses, against those of the heuristic: {rounds}",
        doubt=because(SMALLER, MERGED),
        coverage=coverage(tables, (PAPER_CG,), len(rows), tuple(rows["dataset"])),
    )


@claim("relaxation-challenging", "Section 3", tolerance="no run of ours can confirm it", why=SMALLER)
def relaxation_is_challenging(tables: Tables) -> Evidence:
    """Above a million non-zeros even the linear relaxation of the pricing program becomes challenging to solve."""
    return Evidence.missing("what is challenging is not said, and the relaxation's own time is not recorded")


@claim("million-in-the-master", "Section 3", tolerance="exact", why=PROSE)
def million_in_the_master(tables: Tables) -> Evidence:
    """With several hundred clauses the restricted program can have a million non-zeros; interior points then are faster."""  # noqa: E501
    return Evidence.missing("the size and the time of the restricted program are not recorded", 2)


@claim("minutes-not-enough", "Section 3", tolerance="no run of ours can confirm it", why=SMALLER)
def minutes_are_not_enough(tables: Tables) -> Evidence:
    """Within 10 or 20 minutes larger datasets can only be handled without a guarantee that the rules are optimal."""
    return Evidence.missing("less time and another solver confirm nothing of this kind")


@claim("limits-hurt", "Section 5", tolerance=ORDER, why=RULE)
def limits_hurt(tables: Tables) -> Evidence:
    """Time limits and sampling are applied more aggressively during cross-validation, which affects solutions."""
    return Evidence.missing(
        "it compares two budgets of the paper; on large datasets ours is the second, on small ones less"
    )


@claim("large-not-certified", "Section 4", tolerance="exact", why=SMALLER)
def not_certified(tables: Tables) -> Evidence:
    """On medium and large datasets the paper's pricing is not nearly solved in its time, so no rule set is certified.

    A run with less time cannot confirm that something is not solved. Nor does one refute it that proves the linear
    program over all clauses solved, since our pricing program has equal rows merged, and few values of C.
    """
    rows = steps_of(tables, MEDIUM_OR_LARGE)
    if rows.empty:
        return awaited(LARGE_AWAITED, len(MEDIUM_OR_LARGE))
    return Evidence.of_outcomes(
        [Outcome.INCONCLUSIVE] * len(rows),
        proved_shares(rows),
        lacking(len(rows), len(MEDIUM_OR_LARGE), NOT_RUN),
        stated=len(MEDIUM_OR_LARGE),
        doubt=because(SMALLER, MERGED),
        coverage=coverage(tables, (PAPER_CG,), len(MEDIUM_OR_LARGE), MEDIUM_OR_LARGE),
    )
