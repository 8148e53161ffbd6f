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
from compactml.chapters.boolean_rules.claims.programs import NOT_RUN, awaited, steps_of
from compactml.study.judging.declaring import claim
from compactml.study.judging.evidence import Coverage, Evidence, Share, lacking

claim = partial(claim, NAME)

MERGED = "equal rows are counted once, and a fold lacks a tenth of the rows"
LARGE_AWAITED = "CG by the paper's procedure on large datasets"
SMALLER = "a smaller budget never confirms that something is not solved"


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

    Large are those with more than several hundred binary features, 300 here. A single dataset is enough.
    """
    rows = steps_of(tables, MEDIUM_OR_LARGE)
    rows = rows[rows["literals"].astype(float) > LARGE_LITERALS]
    if rows.empty:
        return awaited(LARGE_AWAITED)
    return Evidence.of_statement(
        bool((rows["nonzeros"] > stated("large_nonzeros")).any()),
        _nonzeros(rows),
        doubt=MERGED,
        coverage=Coverage(Share(len(rows), len(MEDIUM_OR_LARGE), "datasets")),
    )


def _nonzeros(rows: pd.DataFrame) -> str:
    return ", ".join(f"{name} {n:,.0f}" for name, n in zip(rows["dataset"], rows["nonzeros"], strict=True))


@claim("rarely-any-clause", "Section 3", tolerance="no run of ours can confirm it", why=SMALLER)
def rarely_any_clause(tables: Tables) -> Evidence:
    """Above a million non-zeros the solver can rarely produce any clause of negative reduced cost in time."""
    return Evidence.missing("less time and another solver confirm nothing of this kind")


@claim("million-in-the-master", "Section 3", tolerance="exact", why=PROSE)
def million_in_the_master(tables: Tables) -> Evidence:
    """The restricted linear program can have more than a million non-zeros after several hundred clauses.

    Interior point methods then solve it faster than the simplex method.
    """
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


@claim("large-not-certified", "Section 4", tolerance="no run of ours can confirm it", why=SMALLER)
def not_certified(tables: Tables) -> Evidence:
    """On medium and large datasets the paper's pricing cannot be solved, so that no rule set is certified.

    A run with less time cannot confirm that something is not solved.
    """
    return Evidence.missing("less time and another solver confirm nothing of this kind", len(MEDIUM_OR_LARGE))
